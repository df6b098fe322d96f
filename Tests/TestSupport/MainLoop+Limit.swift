import LinuxSupport

extension MainLoop {
    /// Runs until something holds, but no longer than a length of this loop's time.
    ///
    /// - Returns: whether it came to hold.
    @MainActor @discardableResult
    package func run(within limit: Duration, until isDone: () -> Bool) -> Bool {
        var isLate = false
        let guardian = clock.schedule(after: limit, rank: .display) { isLate = true }
        run(until: { isLate || isDone() })
        guardian.cancel()
        return isDone()
    }
}
