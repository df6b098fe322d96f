import LinuxSupport
import MediaModel
import Screens

/// How a queue advances from one item to the next.
package struct QueueProgress: Sendable {
    /// The next item was requested.
    package private(set) var awaitsNext = false
    /// Nothing follows the current item.
    package private(set) var isOver = false
    /// Since when an item could not start for lack of a network.
    private var outageSince: HostTime?

    package mutating func goOn() -> InterfaceEffect {
        outageSince = nil
        awaitsNext = true
        return .playNextInQueue
    }

    /// An item was opened.
    package mutating func arrive() { (awaitsNext, isOver) = (false, false) }

    /// The next item was requested, and there is none.
    package mutating func end() { (awaitsNext, isOver) = (false, true) }

    mutating func notePlaying() { outageSince = nil }

    /// Without a network the next item would fail too, especially shortly after the start of a box. The queue advances only after the network was
    /// missing for as long as it waits for pictures.
    package mutating func waitsForNetwork(_ error: MediaError, at now: HostTime) -> Bool {
        guard error.code == .networkDown else { return false }
        let since = outageSince ?? now
        outageSince = since
        return now - since < Timing.moveOn
    }
}
