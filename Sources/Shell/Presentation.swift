import Screens

/// What is on the screen, and what has been spoken about it.
package struct Presentation: Sendable {
    package private(set) var state = PresentationState()
    /// Increases when `state` changes, which is cheaper to compare than two states.
    package private(set) var number: UInt64 = 0
    private var speech = FocusSpeech()

    /// Shows a state.
    ///
    /// - Parameter isSpoken: whether the viewer wants focus to be spoken, and a voice is installed.
    /// - Returns: the text to speak now; nil for none.
    mutating func take(_ new: PresentationState, strings: StringCatalogue, isSpoken: Bool) -> String? {
        guard new != state else { return nil }
        state = new
        number += 1
        return speech.words(for: new, in: strings, isWanted: isSpoken)
    }
}
