/// Speaks text for viewers who do not see the screen. Main loop only.
@MainActor
package protocol SpeechDoor: AnyObject {
    /// Speaks this text in place of the current one; returns at once. Failures are silent and harmless.
    ///
    /// - Parameter language: BCP 47 tag of the text.
    func speak(_ words: String, language: String)
    /// Stops speaking.
    func stop()
}
