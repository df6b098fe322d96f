import LinuxSupport
import SegmentStore

/// When a store is opened again that could not be, and a disk asked again that has refused changes: one at a time, and not at once.
struct DiskAttempts {
    private enum State {
        case asking
        case waiting(until: HostTime)
    }

    private static let patience = Duration.seconds(10)

    private var state = State.waiting(until: .zero)
    /// Why the store could not be opened, until it is.
    private(set) var openingFailure: StoreError?

    func mayBeAsked(at now: HostTime) -> Bool { if case .waiting(let instant) = state { now >= instant } else { false } }

    mutating func ask() { state = .asking }

    /// The store could not be opened.
    ///
    /// - Returns: whether for another reason than before.
    mutating func failed(_ error: StoreError, at now: HostTime) -> Bool {
        defer { openingFailure = error }
        answered(at: now)
        return error != openingFailure
    }

    /// The store is open. The disk may be asked again as soon as it refuses something.
    mutating func opened(at now: HostTime) {
        openingFailure = nil
        state = .waiting(until: now)
    }

    /// The disk has said whether it takes changes.
    mutating func answered(at now: HostTime) { state = .waiting(until: now + Self.patience) }
}
