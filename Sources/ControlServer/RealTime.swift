import Dispatch

/// The server's delays. They are real time even where the box's clock is simulated, since browsers wait in real time, and a delay in simulated time would
/// take part in the order of the box's events. libdispatch keeps them: its main queue is drained by the box's main loop.
enum RealTime {
    /// Runs `action` on the main actor after a length of time.
    static func onMain(after length: Duration, _ action: @escaping @MainActor @Sendable () -> Void) {
        DispatchQueue.main.asyncAfter(deadline: .now() + interval(length)) {
            // The main queue is the main actor's.
            MainActor.assumeIsolated(action)
        }
    }

    /// Lets the task wait.
    static func pause(_ length: Duration) async {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().asyncAfter(deadline: .now() + interval(length)) { continuation.resume() }
        }
    }

    private static func interval(_ length: Duration) -> DispatchTimeInterval {
        let (seconds, attoseconds) = length.components
        return .nanoseconds(Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000))
    }
}
