/// Says things aloud for viewers who do not see the screen. Main loop only.
@MainActor
package protocol SpeechDoor: AnyObject {
    /// Says this instead of what is being said; comes back at once. A voice that fails says nothing and harms nothing.
    ///
    /// - Parameter language: BCP 47 tag of the words.
    func speak(_ words: String, language: String)
    /// Says nothing more.
    func stop()
}
