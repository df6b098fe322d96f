import LinuxSupport
import MediaModel
import MediaTime

/// What the information panel looks like.
extension InterfaceMachine {
    func panelView(_ panel: PanelModel) -> PanelView? {
        let titles = tabs
        guard let item, let selected = titles.firstIndex(where: { $0.tab == panel.tab }) else { return nil }
        var index: Int?
        if case .content(let focused) = panel.focus { index = focused }
        let content: PanelView.Content
        switch panel.tab {
        case .chapters: content = .chapters(chapterViews(focused: index))
        case .info: content = .info(infoView(of: item, panel: panel, focused: index))
        case .subtitles, .audio, .picture:
            guard let menu = panel.menu else { return nil }
            content = .menu(
                menu.view(
                    entries(of: menu.page), rowsOnScreen: Metrics.Menu.panelRows, hasFocus: panel.focus != .tabs,
                    title: menu.isNested ? settingsMenu.title(of: menu.page) : nil,
                    captions: CaptionStyleMenu(rows: menuRows)))
        }
        var focus = panel.focus
        if case .menu(let view) = content, focus != .tabs { focus = .content(view.focusedRow ?? 0) }
        return PanelView(tabs: titles, selected: selected, focus: focus, content: content)
    }

    private func infoView(of item: ItemPresentation, panel: PanelModel, focused: Int?) -> InfoView {
        let hasSummary = item.summary?.isEmpty == false
        let firstAction = hasSummary ? 1 : 0
        return InfoView(
            artwork: item.artwork, title: item.title?.nonEmpty, subtitle: item.subtitle?.nonEmpty, facts: facts(of: item),
            summary: item.summary?.nonEmpty, showsWholeSummary: longText != nil, isSummaryFocused: hasSummary && focused == 0,
            actions: infoActions.enumerated().map { offset, action in
                ButtonView(title: title(of: action), isFocused: focused == firstAction + offset)
            })
    }

    private func title(of action: InfoAction) -> String {
        switch action {
        case .fromBeginning: strings.text(.fromBeginning)
        case .restart: strings.text(.restart)
        case .goLive: strings.text(.goLive)
        }
    }

    private func facts(of item: ItemPresentation) -> [String] {
        var facts = [item.genre?.nonEmpty, item.rating?.nonEmpty].compactMap { $0 }
        if !item.isLive, let total = clock.total, total > .zero { facts.append(length(total)) }
        return facts + item.badges
    }

    /// A length in words: "1 h 32 min", "22 min", "45 s".
    private func length(_ total: MediaTime) -> String {
        let seconds = total.wholeSeconds
        if seconds < 60 { return strings.text(.durationSeconds, "\(seconds)") }
        let minutes = (seconds + 30) / 60
        guard minutes >= 60 else { return strings.text(.durationMinutes, "\(minutes)") }
        return strings.text(.durationHoursMinutes, "\(minutes / 60)", "\(minutes % 60)")
    }

    private func chapterViews(focused: Int?) -> [ChapterView] {
        let current = position.flatMap { chapterIndex(at: $0) }
        return chapters.enumerated().map { index, chapter in
            ChapterView(
                title: chapter.title?.nonEmpty ?? strings.text(.chapterNumber, "\(index + 1)"),
                time: TimeText.clock(clock.content(at: chapter.start).wholeSeconds), image: chapter.image,
                isCurrent: index == current,
                isFocused: index == focused)
        }
    }
}

extension String {
    var nonEmpty: String? { isEmpty ? nil : self }
}
