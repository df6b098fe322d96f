import Dispatch
import LinuxSupport

/// The server's delays. They use real time even when the box's clock is simulated, since browsers wait in real time, and a delay
/// in simulated time would take part in the order of the box's events. They use libdispatch, whose main queue the box's main loop
/// drains.
enum RealTime {
    static var now: HostTime { HostTime(nanoseconds: Int64(DispatchTime.now().uptimeNanoseconds)) }

    /// Runs `action` on the main actor after a delay.
    static func onMain(after length: Duration, _ action: @escaping @MainActor @Sendable () -> Void) {
        DispatchQueue.main.asyncAfter(deadline: deadline(length)) {
            // The main queue is the main actor's.
            MainActor.assumeIsolated(action)
        }
    }

    /// Suspends the task.
    static func pause(_ length: Duration) async {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().asyncAfter(deadline: deadline(length)) { continuation.resume() }
        }
    }

    private static func deadline(_ length: Duration) -> DispatchTime {
        DispatchTime(uptimeNanoseconds: UInt64((now + length).nanoseconds))
    }
}
