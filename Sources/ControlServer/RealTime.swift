import Dispatch
import LinuxSupport
import Synchronization

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

    /// Runs `action` on the main actor.
    ///
    /// - Returns: its result; nil if the main loop does not come to it in time.
    static func onMain<Result: Sendable>(
        within length: Duration, _ action: @escaping @MainActor @Sendable () -> Result
    ) async -> Result? {
        await answerOnMain(within: length) { $0(action()) }
    }

    /// Runs `action` on the main actor, which calls the closure that it is given once, at any time.
    ///
    /// - Returns: the result given to the closure; nil if none comes in time.
    static func answerOnMain<Result: Sendable>(
        within length: Duration,
        _ action: @escaping @MainActor @Sendable (@escaping @MainActor @Sendable (Result?) -> Void) -> Void
    ) async -> Result? {
        await withCheckedContinuation { continuation in
            let resume = Resumption(continuation)
            onMain(after: .zero) { action { resume($0) } }
            DispatchQueue.global().asyncAfter(deadline: deadline(length)) { resume(nil) }
        }
    }

    /// Runs `action` on a thread of the global pool. It is not interrupted.
    ///
    /// - Returns: its result; nil if it takes longer.
    static func onPool<Result: Sendable>(within length: Duration, _ action: @escaping @Sendable () -> Result) async -> Result? {
        await withCheckedContinuation { continuation in
            let resume = Resumption(continuation)
            DispatchQueue.global().async { resume(action()) }
            DispatchQueue.global().asyncAfter(deadline: deadline(length)) { resume(nil) }
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

/// Resumes a continuation with the first of several results. Any thread.
private final class Resumption<Result: Sendable>: Sendable {
    private let waiting: Mutex<CheckedContinuation<Result?, Never>?>

    init(_ continuation: CheckedContinuation<Result?, Never>) { waiting = Mutex(continuation) }

    func callAsFunction(_ result: Result?) {
        let continuation = waiting.withLock { waiting in
            defer { waiting = nil }
            return waiting
        }
        continuation?.resume(returning: result)
    }
}
