/// What goes on from one item to the next.
struct ViewingSession: Sendable {
    var queue = QueueProgress()
    var speed = PlaybackSpeed()
    var seekIDs = SeekIDs()
    /// "Ends 21:43" instead of what remains, on every bar.
    var showsEnd = false
    /// Whether the viewer wants to hear what plays without seeing it.
    var isListening = false
}
