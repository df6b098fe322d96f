import MediaModel

/// The spoken text for a screen: new elements first, then the focused element and its position in the list.
struct SpokenFocus {
    let strings: StringCatalogue

    /// The text for a state; nil if there is nothing to say.
    func words(for state: PresentationState) -> String? {
        let words = place(state)
        return words.isEmpty ? nil : strings.list(words)
    }

    private func place(_ state: PresentationState) -> [String] {
        if let pin = state.pin { return [pin.warning ?? pin.title, key(of: pin)] }
        if let card = state.card { return [card.title, card.message, focused(card.buttons)].compactMap { $0 } }
        if let text = state.longText { return [text.text] }
        if let settings = state.settings {
            return [settings.menu.title, row(of: settings.menu), settings.explanation].compactMap { $0 }
        }
        if let search = state.search { return spoken(search) }
        if let guide = state.guide { return spoken(guide) }
        if let list = state.channelList, let row = list.rows.first(where: \.isFocused) {
            return [row.number.map { "\($0)" }, row.title, row.now].compactMap { $0 }
        }
        if let home = state.home { return spoken(home) }
        return spoken(player: state)
    }

    private func spoken(player state: PresentationState) -> [String] {
        if let proposal = state.proposal {
            return [strings.text(.upNext), proposal.title, focused(proposal.buttons)].compactMap { $0 }
        }
        if let panel = state.panel { return spoken(panel) }
        if let action = state.action, action.isFocused { return [action.title] }
        guard let bar = state.bar else { return [state.refusal?.words, state.toast].compactMap { $0 } }
        if case .action(let index) = bar.focus, bar.actions.indices.contains(index) {
            return [strings.text(.spokenOf, bar.actions[index], "\(index + 1)", "\(bar.actions.count)")]
        }
        // A position is spoken when it is chosen, not while it changes.
        if let scrub = bar.scrub { return [scrub.time] }
        return [state.refusal?.words ?? state.title?.title].compactMap { $0 }
    }

    private func spoken(_ panel: PanelView) -> [String] {
        guard panel.focus != .tabs else {
            return [strings.text(.spokenOf, panel.tabs[panel.selected].title, "\(panel.selected + 1)", "\(panel.tabs.count)")]
        }
        switch panel.content {
        case .info(let info):
            if info.isSummaryFocused { return [info.summary].compactMap { $0 } }
            return [focused(info.actions)].compactMap { $0 }
        case .chapters(let chapters):
            guard let index = chapters.firstIndex(where: \.isFocused) else { return [] }
            return [strings.text(.spokenOf, chapters[index].title, "\(index + 1)", "\(chapters.count)"), chapters[index].time]
        case .menu(let menu): return [menu.title, row(of: menu)].compactMap { $0 }
        }
    }

    private func spoken(_ home: HomeView) -> [String] {
        switch home.focus {
        case .none: return [home.emptyMessage].compactMap { $0 }
        case .video: return [strings.text(.picture)]
        case .button(let index): return home.buttons.indices.contains(index) ? [home.buttons[index].title] : []
        case .entry(let row, let column):
            let entries = home.content.rows[row].entries
            let entry = entries[column]
            return [
                home.content.rows[row].title, entry.number.map { "\($0)" },
                strings.text(.spokenOf, entry.title, "\(column + 1)", "\(entries.count)"), entry.subtitle,
            ].compactMap { $0 }
        }
    }

    private func spoken(_ search: SearchView) -> [String] {
        switch search.focus {
        case .key(let row, let column): return [search.keys[row][column].title]
        case .result(let index):
            guard search.results.indices.contains(index) else { return [] }
            return [strings.text(.spokenOf, search.results[index].title, "\(index + 1)", "\(search.results.count)")]
        }
    }

    private func spoken(_ guide: GuideView) -> [String] {
        for row in guide.rows {
            if let cell = row.cells.first(where: \.isFocused) { return [row.title, cell.title, cell.times] }
            if row.isFocused { return [row.title, row.message].compactMap { $0 } }
        }
        return []
    }

    private func key(of pin: PINView) -> String {
        switch pin.focus {
        case .key(let row, let column): pin.keys[row][column]
        }
    }

    private func focused(_ buttons: [ButtonView]) -> String? {
        buttons.firstIndex(where: \.isFocused).map {
            strings.text(.spokenOf, buttons[$0].title, "\($0 + 1)", "\(buttons.count)")
        }
    }

    private func row(of menu: MenuView) -> String? {
        guard let index = menu.focusedRow else {
            return menu.rows.first.map { [$0.title, $0.value].compactMap { $0 }.joined(separator: " ") }
        }
        let row = menu.rows[index]
        var words = strings.text(.spokenOf, row.title, "\(index + 1)", "\(menu.rows.count)")
        switch row.mark {
        case .none, .submenu: if let value = row.value { words = strings.list([words, value]) }
        case .choice(let isCurrent): if isCurrent { words = strings.text(.spokenSelected, words) }
        case .toggle(let isOn): words = strings.list([words, strings.text(isOn ? .on : .off)])
        }
        return words
    }
}

/// Speaks the focused element each time that it changes.
struct FocusSpeech: Sendable, Equatable {
    /// The last spoken text.
    private var spoken: String?

    /// - Parameter isWanted: whether the viewer has enabled speech, and there is a voice.
    /// - Returns: the text to speak now; nil if there is none, or if it has not changed.
    mutating func words(for state: PresentationState, in strings: StringCatalogue, isWanted: Bool) -> String? {
        let words = isWanted ? SpokenFocus(strings: strings).words(for: state) : nil
        guard words != spoken else { return nil }
        spoken = words
        return words?.withoutIsolates
    }
}

extension String {
    /// Without purely visual marks.
    fileprivate var withoutIsolates: String {
        String(String.UnicodeScalarView(unicodeScalars.filter { $0 != "\u{2068}" && $0 != "\u{2069}" }))
    }
}
