import MediaTime

/// How sources and decoders that wait for room in their buffers are resumed. A value, chosen where the engines are joined.
package struct BufferingPolicy: Sendable, Hashable {
    /// Whether a source reads only what the first picture and sound need until play has landed, and reads ahead afterwards. That first
    /// picture then does not compete with reading ahead.
    package var heldBackUntilLanding: Bool
    /// A waiting source is resumed once there is room for this much media, so that it works in long stretches and not for each
    /// sample. Zero: as soon as there is any room.
    package var slack: MediaTime
    /// Whether a decoder that waits for room is resumed only when half of its queue is empty, so that it works in long stretches.
    package var resumesAtHalf: Bool

    package init(heldBackUntilLanding: Bool, slack: MediaTime, resumesAtHalf: Bool) {
        self.heldBackUntilLanding = heldBackUntilLanding
        self.slack = slack
        self.resumesAtHalf = resumesAtHalf
    }

    /// The shipped policy: threads are woken seldom.
    package static let standard = BufferingPolicy(heldBackUntilLanding: true, slack: .seconds(1), resumesAtHalf: true)
    /// Everything is resumed as soon as there is room. The position of a source then depends on what was played, and not on
    /// thread timing.
    package static let immediate = BufferingPolicy(heldBackUntilLanding: false, slack: .zero, resumesAtHalf: false)

    /// The slack of a buffer with this limit.
    package func slack(within limit: MediaTime) -> MediaTime { min(slack, limit / 4) }

    /// The count at which a queue of this capacity takes more; nil: as soon as there is room.
    package func resumeCount(of capacity: Int) -> Int? { resumesAtHalf ? max(capacity / 2, 2) : nil }
}
