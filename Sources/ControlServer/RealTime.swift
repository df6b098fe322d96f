import Dispatch
import LinuxSupport

/// The server's delays. They are real time even where the box's clock is simulated, since browsers wait in real time, and a delay in
/// simulated time would take part in the order of the box's events. libdispatch keeps them: its main queue is drained by the box's
/// main loop.
enum RealTime {
    /// The present instant.
    static var now: HostTime { HostTime(nanoseconds: Int64(DispatchTime.now().uptimeNanoseconds)) }

    /// Runs `action` on the main actor after a length of time.
    static func onMain(after length: Duration, _ action: @escaping @MainActor @Sendable () -> Void) {
        DispatchQueue.main.asyncAfter(deadline: deadline(length)) {
            // The main queue is the main actor's.
            MainActor.assumeIsolated(action)
        }
    }

    /// Lets the task wait.
    static func pause(_ length: Duration) async {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().asyncAfter(deadline: deadline(length)) { continuation.resume() }
        }
    }

    private static func deadline(_ length: Duration) -> DispatchTime {
        DispatchTime(uptimeNanoseconds: UInt64((now + length).nanoseconds))
    }
}
