import Synchronization

/// Counts the pending work on other threads: transfers, decodes, disk jobs, hops.
///
/// Simulated time advances only while the count is zero. Work takes a token with `begin` *before* it is handed over and releases
/// it with `end` after its result is where the main loop will find it. A thread that waits for another releases its token while
/// it waits (see `Monitor`).
public final class WorkLedger: Sendable {
    private let tokens = Mutex(0)
    private let whenQuiet: @Sendable () -> Void

    /// - Parameter whenQuiet: called each time the count falls to zero, on the thread that ended the last work.
    init(whenQuiet: @escaping @Sendable () -> Void) { self.whenQuiet = whenQuiet }

    /// Takes tokens: so much more work is pending.
    public func begin(_ count: Int = 1) { tokens.withLock { $0 += count } }

    /// Releases tokens. Releasing a token that was not taken is a programmer error and traps.
    public func end(_ count: Int = 1) {
        let quiet = tokens.withLock { tokens in
            tokens -= count
            precondition(tokens >= 0, "more work ended than began")
            return tokens == 0
        }
        if quiet { whenQuiet() }
    }

    /// Whether no work is pending.
    package var isQuiet: Bool { tokens.withLock { $0 == 0 } }
}
