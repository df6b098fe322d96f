import MediaModel

/// What is said about a screen. Its parts are said when they are new, so that nothing is said twice.
package struct SpokenWords: Sendable, Equatable {
    /// Where the focus is: the row, the page, the question. Said before the rest when it changes.
    package var place: [String] = []
    /// Said with a new place only, because it counts down.
    package var counting: [String] = []
    /// What has focus, with its role, position and state. Said when it changes.
    package var focus: [String] = []
    /// Said after the focus, and not again when only it changes: it goes up and down by itself, as the strength of a signal does.
    package var drifting: [String] = []
    /// Said at the end: what the focus leads to. Said when it changes.
    package var hint: [String] = []

    package init(
        place: [String?] = [], counting: [String?] = [], focus: [String?] = [], drifting: [String?] = [], hint: [String?] = []
    ) {
        self.place = place.compactMap { $0 }
        self.counting = counting.compactMap { $0 }
        self.focus = focus.compactMap { $0 }
        self.drifting = drifting.compactMap { $0 }
        self.hint = hint.compactMap { $0 }
    }
}

/// The words for a screen.
struct SpokenFocus {
    let strings: StringCatalogue

    func words(for state: PresentationState) -> SpokenWords {
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
struct FocusSpeech: Sendable, Equatable {
    private var last = SpokenWords()
    /// The refusals that were told. Their words may count down.
    private var refusals: Int?

    /// - Parameter isWanted: whether the viewer has enabled speech, and there is a voice.
    /// - Returns: the text to speak now; nil if there is none, or if it has not changed.
    mutating func words(for state: PresentationState, in strings: StringCatalogue, isWanted: Bool) -> String? {
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
