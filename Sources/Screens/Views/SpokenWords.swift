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
