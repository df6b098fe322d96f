/// What is on the screen, and what was said of it.
struct Presentation: Sendable {
    private(set) var state = PresentationState()
    /// How often `state` has changed.
    private(set) var number: UInt64 = 0
    private var speech = FocusSpeech()

    /// Shows a state.
    ///
    /// - Parameter isSpoken: whether the viewer wants focus to be spoken, and there is a voice.
    /// - Returns: what is to be said now; nil: nothing.
    mutating func take(_ new: PresentationState, strings: StringCatalogue, isSpoken: Bool) -> String? {
        guard new != state else { return nil }
        state = new
        number += 1
        return speech.words(for: new, in: strings, isWanted: isSpoken)
    }
}
