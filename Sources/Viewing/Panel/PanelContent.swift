import MediaModel
import MediaTime
import Screens

/// What the information panel can show about the current item.
package struct PanelContent: Sendable {
    private let item: ItemPresentation
    private let played: PlayedItem
    /// What is on the live channel; nil on demand, and without a guide.
    private let broadcast: Broadcast?
    /// Whether position and rate are locked now.
    let isLinear: Bool
    let menus: Menus
    let strings: StringCatalogue

    /// nil if nothing plays.
    package init?(_ played: PlayedItem, broadcast: Broadcast?, isLinear: Bool, menus: Menus, strings: StringCatalogue) {
        guard let item = played.item else { return nil }
        self.item = item
        self.played = played
        self.broadcast = broadcast
        self.isLinear = isLinear
        self.menus = menus
        self.strings = strings
    }

    // MARK: Tabs

    /// The tabs with content: what is chosen most often is next to Info, on both sides, because the tabs wrap around.
    package var tabs: [PanelView.TabTitle] {
        var tabs: [PanelView.TabTitle] = []
        if played.hasInfo(broadcast) { tabs.append(.init(tab: .info, title: strings.text(.info))) }
        if !played.snapshot.options.subtitles.isEmpty {
            tabs.append(.init(tab: .subtitles, title: strings.text(.subtitles)))
        }
        if !played.snapshot.options.audio.isEmpty { tabs.append(.init(tab: .audio, title: strings.text(.audio))) }
        if !played.chapters.isEmpty {
            tabs.append(.init(tab: .chapters, title: strings.text(.chapters), isEnabled: !isLinear))
        }
        tabs.append(.init(tab: .picture, title: strings.text(.picture)))
        return tabs
    }

    func canOpen(_ tab: PanelView.Tab) -> Bool { tabs.contains { $0.tab == tab && $0.isEnabled } }

    /// The menu of a tab; nil if it has none.
    func menu(of tab: PanelView.Tab) -> MenuModel? { page(of: tab).map { MenuModel($0, entries: menus.entries(of: $0)) } }

    private func page(of tab: PanelView.Tab) -> MenuPage? {
        switch tab {
        case .info, .chapters: nil
        case .subtitles: .subtitles
        case .audio: .audio
        case .picture: .picture
        }
    }

    /// The number of focusable elements in a tab.
    func entryCount(of tab: PanelView.Tab) -> Int {
        switch tab {
        case .info: (hasSummary ? 1 : 0) + actions.count
        case .chapters: played.chapters.count
        case .subtitles, .audio, .picture: page(of: tab).map { menus.entries(of: $0).count } ?? 0
        }
    }

    /// The element that gets focus first: the first action, with the description before it; the current chapter; otherwise the first.
    func firstFocus(of tab: PanelView.Tab) -> Int {
        switch tab {
        case .info: hasSummary && !actions.isEmpty ? 1 : 0
        case .chapters: currentChapter ?? 0
        case .subtitles, .audio, .picture: 0
        }
    }

    /// The current chapter; nil if the position has none.
    var currentChapter: Int? { played.chapterIndex(at: played.position ?? .zero) }

    /// The actions of the Info tab.
    private var actions: [ItemAction] { played.infoActions(broadcast) }

    private var hasSummary: Bool { information.summary != nil }

    /// Select on an element of Info or Chapters; the rows of the other tabs belong to a menu.
    func select(_ index: Int, in tab: PanelView.Tab) -> KeyOutcome {
        switch tab {
        case .info:
            let (information, actions) = (information, actions)
            if index == 0, let summary = information.summary {
                return .wants(.read(summary, title: information.title, artwork: information.artwork))
            }
            let number = index - (hasSummary ? 1 : 0)
            guard actions.indices.contains(number) else { return .refused(.notSupported) }
            return actions[number].keepsPanel ? .wants(actions[number].intent) : .leaves(actions[number].intent)
        case .chapters:
            let chapters = played.chapters
            guard chapters.indices.contains(index) else { return .refused(.notSupported) }
            return .leaves(.chapter(chapters[index].start))
        case .subtitles, .audio, .picture: return .refused(.notSupported)
        }
    }

    // MARK: Views

    /// - Parameter focused: 0 is the description, if there is one; the actions follow.
    func infoView(focused: Int?) -> InfoView {
        let firstAction = hasSummary ? 1 : 0
        var info = information
        info.isSummaryFocused = hasSummary && focused == 0
        if hasSummary { info.more = strings.text(.more) }
        info.actions = actions.enumerated().map { offset, action in
            ButtonView(title: action.title(in: strings), isFocused: focused == firstAction + offset)
        }
        return info
    }

    /// The Info tab without its focus and its actions: of a live channel with a guide what is on it.
    private var information: InfoView {
        var info = item.information(length: length)
        guard let broadcast else { return info }
        info.next = broadcast.next.map { strings.text(.upNextAt, strings.timeOfDay(Int64($0.start)), $0.title) }
        guard let programme = broadcast.programme else { return info }
        info.title = programme.title
        info.subtitle = programme.subtitle?.nonEmpty ?? item.subtitle?.nonEmpty
        info.facts = [broadcast.station(in: strings), strings.times(of: programme)] + programme.facts
        // Its own rating counts, else that of the channel.
        info.badges = [programme.rating ?? item.rating].compactMap { $0?.nonEmpty } + item.badges
        info.summary = programme.summary?.nonEmpty
        info.artwork = programme.artwork?.nonEmpty ?? item.artwork
        return info
    }

    /// The duration as text; nil if it is unknown, or endless.
    private var length: String? {
        guard !item.isLive, let total = played.clock.total, total > .zero else { return nil }
        return strings.duration(total)
    }

    func chapterViews(focused: Int?) -> [ChapterView] {
        let current = played.position.flatMap { played.chapterIndex(at: $0) }
        return played.chapters.enumerated().map { index, chapter in
            ChapterView(
                title: played.chapterTitle(index, in: strings),
                time: TimeText.clock(played.clock.content(at: chapter.start).wholeSeconds), image: chapter.image,
                isCurrent: index == current, progressPercent: index == current ? progress(ofChapter: index) : nil,
                isFocused: index == focused)
        }
    }

    /// The played part of the current chapter, in percent; nil if the chapter has no known end.
    private func progress(ofChapter index: Int) -> Int? {
        let chapters = played.chapters
        let start = played.clock.content(at: chapters[index].start)
        guard let position = played.position,
            let total = played.clock.total
        else { return nil }
        let end = index + 1 < chapters.count ? min(played.clock.content(at: chapters[index + 1].start), total) : total
        guard end > start else { return nil }
        let percent = ((played.clock.content(at: position) - start) * 100).wholeSteps(of: end - start)
        return Int(min(max(percent, 0), 100))
    }
}
