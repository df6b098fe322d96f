/// State that outlives an item.
struct ViewingSession: Sendable {
    var queue = QueueProgress()
    var speed = PlaybackSpeed()
    var seekIDs = SeekIDs()
    /// "Ends 21:43" instead of the remaining time, on every bar.
    var showsEnd = false
    /// Whether the viewer listens without a picture.
    var isListening = false
    /// The line for the delay of the sound, which opens with the test film that was asked for.
    var lipSyncTest: DelayPage?
}
