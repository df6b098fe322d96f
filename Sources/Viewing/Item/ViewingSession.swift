/// State that outlives an item.
package struct ViewingSession: Sendable {
    package var queue = QueueProgress()
    package var speed = PlaybackSpeed()
    var seekIDs = SeekIDs()
    /// "Ends 21:43" instead of the remaining time, on every bar.
    package var showsEnd = false
    /// Whether the viewer listens without a picture.
    package var isListening = false
    /// The line for the delay of the sound, which opens with the test film that was asked for.
    package var lipSyncTest: DelayPage?

    package init() {}
}
