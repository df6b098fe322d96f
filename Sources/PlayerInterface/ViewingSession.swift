/// What goes on from one item to the next.
struct ViewingSession: Sendable {
    var queue = QueueProgress()
    var speed = PlaybackSpeed()
    /// "Ends 21:43" instead of what remains, on every bar.
    var showsEnd = false
    /// Whether the viewer wants to hear what plays without seeing it.
    var isListening = false
    private var lastSeek: UInt64 = 0

    /// A name for the next seek. No other item has used it, so that the end of a seek is never taken for that of another.
    mutating func nextSeek() -> SeekID {
        lastSeek += 1
        return SeekID(lastSeek)
    }
}
