import MediaModel

/// The words for a screen.
package struct SpokenFocus {
    let strings: StringCatalogue

    package init(strings: StringCatalogue) { self.strings = strings }

    package func words(for state: PresentationState) -> SpokenWords {
        if let pin = state.pin { return pin.spoken(in: strings) }
        if let card = state.card { return card.spoken(in: strings) }
        if let text = state.longText { return SpokenWords(focus: [text.text]) }
        if let page = state.page { return page.content.spoken(in: strings) }
        if let home = state.home { return home.spoken(in: strings) }
        if let proposal = state.proposal { return proposal.spoken(in: strings) }
        if let panel = state.panel { return panel.spoken(in: strings) }
        if let action = state.action, action.isFocused { return SpokenWords(focus: [strings.text(.spokenButton, action.title)]) }
        guard let bar = state.bar else { return SpokenWords(focus: [state.refusal?.words, state.toast]) }
        if case .action(let index) = bar.focus, bar.actions.indices.contains(index) {
            let words = strings.text(.spokenButton, bar.actions[index])
            return SpokenWords(focus: [strings.text(.spokenOf, words, "\(index + 1)", "\(bar.actions.count)")])
        }
        if let scrub = bar.scrub { return SpokenWords(focus: [scrub.time]) }
        return SpokenWords(place: [state.title?.title ?? state.audioOnly?.title], focus: [state.refusal?.words])
    }
}

/// Speaks what is new on the screen.
package struct FocusSpeech: Sendable, Equatable {
    private var last = SpokenWords()
    /// The refusals that were told. Their words may count down.
    private var refusals: Int?

    package init() {}

    /// - Parameter isWanted: whether the viewer has enabled speech, and there is a voice.
    /// - Returns: the text to speak now; nil if there is none, or if it has not changed.
    package mutating func words(for state: PresentationState, in strings: StringCatalogue, isWanted: Bool) -> String? {
        let new = isWanted ? SpokenFocus(strings: strings).words(for: state) : SpokenWords()
        defer {
            last = new
            refusals = state.refusal?.count
        }
        var words = new.place == last.place ? [] : new.place + new.counting
        let isSameRefusal = refusals != nil && refusals == state.refusal?.count && new.focus.first == state.refusal?.words
        let isNewFocus = new.focus != last.focus || new.hint != last.hint
        if !words.isEmpty || (isNewFocus && !isSameRefusal) { words += new.focus + new.drifting + new.hint }
        return words.isEmpty ? nil : strings.list(words).withoutIsolates
    }
}

extension String {
    /// Without the marks that only place text on the screen.
    fileprivate var withoutIsolates: String {
        String(
            String.UnicodeScalarView(
                unicodeScalars.filter { !["\u{200E}", "\u{200F}", "\u{2067}", "\u{2068}", "\u{2069}"].contains($0) }))
    }
}
