import LinuxSupport
import MediaModel

/// How a queue goes on from one item to the next.
struct QueueProgress: Sendable {
    /// The next item was asked for.
    private(set) var awaitsNext = false
    /// Since when an item could not be begun for want of a network.
    private var outageSince: HostTime?

    mutating func goOn() -> InterfaceEffect {
        outageSince = nil
        awaitsNext = true
        return .playNextInQueue
    }

    /// An item has come, or the queue is over.
    mutating func arrive() { awaitsNext = false }

    mutating func notePlaying() { outageSince = nil }

    /// Without a network the next item would not begin either, least of all in the first moments of a box: the queue moves on when there has been none for
    /// as long as it waits for pictures.
    mutating func waitsForNetwork(_ error: MediaError, at now: HostTime) -> Bool {
        guard error.code == .networkDown else { return false }
        let since = outageSince ?? now - Timing.queueMovesOn
        outageSince = since
        return now - since < Timing.moveOn
    }
}
