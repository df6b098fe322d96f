import LinuxSupport
import MediaModel

/// One suspended caller, which is resumed once. Main loop.
@MainActor
final class Waiter<Value: Sendable> {
    private let clock: any HostClock
    private var value: Value?
    private var continuation: CheckedContinuation<Value, Never>?
    /// Whether the caller was resumed and has not come back: on its way to the main actor it passes through the global pool, for which simulated time waits.
    private var isUnderWay = false

    init(_ clock: any HostClock) { self.clock = clock }

    /// Resumes the caller, also one that has not come to wait yet. Later values are ignored.
    ///
    /// The caller goes on in an event of its own, so that in simulated time no work is pending when it does, and each run gives the same result.
    func resume(_ value: Value) {
        guard self.value == nil else { return }
        self.value = value
        clock.schedule(at: clock.now, rank: .timer) { self.release() }
    }

    /// Resumes the caller at once, because simulated time may be waiting for what is cancelled.
    func cancel(_ value: Value) {
        if self.value == nil { self.value = value }
        release()
    }

    private func release() {
        guard let value, let continuation else { return }
        self.continuation = nil
        isUnderWay = true
        clock.ledger?.begin()
        continuation.resume(returning: value)
    }

    /// Waits for the value.
    ///
    /// - Parameter cancelled: called on the main actor when the task is cancelled; it cancels the waiting.
    func wait(cancelled: @escaping @MainActor @Sendable () -> Void) async -> Value {
        defer {
            if isUnderWay { clock.ledger?.end() }
            isUnderWay = false
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                if let value { return continuation.resume(returning: value) }
                self.continuation = continuation
            }
        } onCancel: {
            Task { @MainActor in cancelled() }
        }
    }
}

/// What several callers load together. When the last of them is cancelled, loading is. Main loop.
@MainActor
final class SharedLoading<Loaded: Sendable> {
    private let url: String
    private let clock: any HostClock
    private let start: @MainActor (@escaping @MainActor (Result<Loaded, MediaError>) -> Void) -> Void
    private let cancel: @MainActor () -> Void
    private let isCancelled: @MainActor () -> Bool
    private var count = 0

    init(
        _ url: String, clock: any HostClock, cancel: @escaping @MainActor () -> Void,
        isCancelled: @escaping @MainActor () -> Bool,
        start: @escaping @MainActor (@escaping @MainActor (Result<Loaded, MediaError>) -> Void) -> Void
    ) {
        (self.url, self.clock, self.cancel, self.isCancelled, self.start) = (url, clock, cancel, isCancelled, start)
    }

    /// - Throws: the error of loading, or `cancelled`.
    func value() async throws(PlaybackError) -> Loaded {
        let url = url
        guard !Task.isCancelled else { throw .cancelled(url) }
        let waiter = Waiter<Result<Loaded, PlaybackError>>(clock)
        count += 1
        start { [isCancelled] result in
            waiter.resume(result.mapError { isCancelled() ? .cancelled(url) : PlaybackError($0) })
        }
        let result = await waiter.wait { waiter.cancel(.failure(.cancelled(url))) }
        count -= 1
        if count == 0, case .failure(let error) = result, error.code == .cancelled { cancel() }
        return try result.get()
    }
}
