import Synchronization

/// Counts the work that is under way on other threads: transfers, decodes, disk jobs, hops.
///
/// Simulated time moves only while the count is zero. Work takes a token with `begin` *before* it is handed over and gives it back with `end`
/// after its result has been put where the main loop will find it. A thread that waits for somebody else gives its token up while it waits (see `Monitor`).
package final class WorkLedger: Sendable {
    private let tokens = Mutex(0)
    private let whenQuiet: @Sendable () -> Void

    /// - Parameter whenQuiet: called, on the thread that ended the last work, each time the count falls to zero.
    init(whenQuiet: @escaping @Sendable () -> Void) { self.whenQuiet = whenQuiet }

    /// Takes tokens.
    package func begin(_ count: Int = 1) { tokens.withLock { $0 += count } }

    /// Gives tokens back. Giving back what was not taken is a programmer's error and traps.
    package func end(_ count: Int = 1) {
        let quiet = tokens.withLock { tokens in
            tokens -= count
            precondition(tokens >= 0, "more work ended than began")
            return tokens == 0
        }
        if quiet { whenQuiet() }
    }

    /// Whether no work is under way.
    package var isQuiet: Bool { tokens.withLock { $0 == 0 } }
}
