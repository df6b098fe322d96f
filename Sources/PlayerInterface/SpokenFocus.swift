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
        if let pin = state.pin { return pin.spoken }
        if let card = state.card { return card.spoken(in: strings) }
        if let text = state.longText { return [text.text] }
        if let page = state.page { return page.content.spoken(in: strings) }
        if let home = state.home { return home.spoken(in: strings) }
        if let proposal = state.proposal { return proposal.spoken(in: strings) }
        if let panel = state.panel { return panel.spoken(in: strings) }
        if let action = state.action, action.isFocused { return [action.title] }
        guard let bar = state.bar else { return [state.refusal?.words, state.toast].compactMap { $0 } }
        if case .action(let index) = bar.focus, bar.actions.indices.contains(index) {
            return [strings.text(.spokenOf, bar.actions[index], "\(index + 1)", "\(bar.actions.count)")]
        }
        // A position is spoken when it is chosen, not while it changes.
        if let scrub = bar.scrub { return [scrub.time] }
        return [state.refusal?.words ?? state.title?.title].compactMap { $0 }
    }
}

/// Speaks the focused element each time that it changes.
struct FocusSpeech: Sendable, Equatable {
    /// The last spoken text; of a card without its numbers, which count down.
    private var spoken: String?

    /// - Parameter isWanted: whether the viewer has enabled speech, and there is a voice.
    /// - Returns: the text to speak now; nil if there is none, or if it has not changed.
    mutating func words(for state: PresentationState, in strings: StringCatalogue, isWanted: Bool) -> String? {
        let words = isWanted ? SpokenFocus(strings: strings).words(for: state) : nil
        let key = state.card == nil ? words : words.map { $0.filter { !$0.isNumber } }
        guard key != spoken else { return nil }
        spoken = key
        return words?.withoutIsolates
    }
}

extension String {
    /// Without the marks that only place text on the screen.
    fileprivate var withoutIsolates: String {
        String(
            String.UnicodeScalarView(unicodeScalars.filter { !["\u{200E}", "\u{2067}", "\u{2068}", "\u{2069}"].contains($0) }))
    }
}
