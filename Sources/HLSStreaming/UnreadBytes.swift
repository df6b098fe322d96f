import Synchronization

/// How many bytes of a rendition have arrived and were not read by its demuxer, in all its runs.
///
/// Time does not bound them: a body may repeat its time stamps, and a segment may be of any size. Any thread.
final class UnreadBytes: Sendable {
    /// With this many no more are taken from the network…
    static let most = 48 << 20
    /// …until so many are left. More than a second of what the fastest supported streams have.
    static let few = most / 2

    private let count = Atomic(0)

    /// Whether there are so many that the transfer has to wait.
    var isFull: Bool { count.load(ordering: .relaxed) >= Self.most }

    /// Whether a transfer that waits may go on.
    var isLow: Bool { count.load(ordering: .relaxed) <= Self.few }

    func add(_ bytes: Int) { count.add(bytes, ordering: .relaxed) }

    /// - Returns: whether only now so few are left that a transfer may go on.
    func remove(_ bytes: Int) -> Bool {
        let change = count.subtract(bytes, ordering: .relaxed)
        return change.oldValue > Self.few && change.newValue <= Self.few
    }
}
