import LinuxSupport

extension MainLoop {
    /// Runs until a condition holds, with a limit in this loop's time.
    ///
    /// - Returns: whether the condition holds.
    @MainActor @discardableResult
    package func run(within limit: Duration, until isDone: () -> Bool) -> Bool {
        var isLate = false
        let guardian = clock.schedule(after: limit, rank: .display) { isLate = true }
        run(until: { isLate || isDone() })
        guardian.cancel()
        return isDone()
    }
}
