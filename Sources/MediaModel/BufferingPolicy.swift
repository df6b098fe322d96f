import MediaTime

/// How sources and decoders that wait for room in their buffers are resumed. A value that whoever joins the engines chooses.
package struct BufferingPolicy: Sendable, Hashable {
    /// Whether a source reads only what the first picture and sound need until play has landed, and reads ahead afterwards. That first
    /// picture then does not compete with reading ahead.
    package var heldBackUntilLanding: Bool
    /// A source that was told to wait is resumed once there is room for this much media, so that it works in long stretches and not
    /// for each sample. Zero: as soon as there is any room.
    package var slack: MediaTime
    /// Whether a decoder that waits for room is resumed only when half of its queue is empty, so that it works in long stretches.
    package var resumesAtHalf: Bool

    /// Says how.
    package init(heldBackUntilLanding: Bool, slack: MediaTime, resumesAtHalf: Bool) {
        self.heldBackUntilLanding = heldBackUntilLanding
        self.slack = slack
        self.resumesAtHalf = resumesAtHalf
    }

    /// What ships: threads are woken seldom.
    package static let standard = BufferingPolicy(heldBackUntilLanding: true, slack: .seconds(1), resumesAtHalf: true)
    /// Everything is resumed as soon as there is room. How far a source has read then depends on what was played, and not on which
    /// thread was quicker.
    package static let immediate = BufferingPolicy(heldBackUntilLanding: false, slack: .zero, resumesAtHalf: false)

    /// The slack of a buffer that holds so much.
    package func slack(within limit: MediaTime) -> MediaTime { min(slack, limit / 4) }

    /// The count at which a queue of this capacity takes more; nil: as soon as there is room.
    package func resumeCount(of capacity: Int) -> Int? { resumesAtHalf ? max(capacity / 2, 2) : nil }
}
