import LinuxSupport
import MediaModel
import Synchronization
import URLReferences

/// A loader that asks a rule before each request, and refuses what the rule refuses.
package final class GuardedLoading: ByteLoading {
    /// The error for an address that may not be loaded now; nil for the others.
    package typealias Rule = @Sendable (_ url: String) -> MediaError?

    private let backing: any ByteLoading
    private let clock: any HostClock
    private let refusal: Rule

    /// - Parameter refusal: called for each request, on its caller's thread.
    package init(_ backing: any ByteLoading, clock: any HostClock, refusal: @escaping Rule) {
        self.backing = backing
        self.clock = clock
        self.refusal = refusal
    }

    @MainActor @discardableResult
    package func load(
        _ request: ByteRequest, _ completion: @escaping @MainActor @Sendable (Result<ByteResponse, MediaError>) -> Void
    ) -> any ByteTask {
        guard let refusal = refusal(request.url) else { return backing.load(request, completion) }
        return refuse(refusal, completion)
    }

    @MainActor @discardableResult
    package func load(
        _ request: ByteRequest, progress: @escaping @MainActor @Sendable (ByteProgress) -> Void,
        _ completion: @escaping @MainActor @Sendable (Result<ByteResponse, MediaError>) -> Void
    ) -> any ByteTask {
        guard let refusal = refusal(request.url) else { return backing.load(request, progress: progress, completion) }
        return refuse(refusal, completion)
    }

    package func isStored(_ request: ByteRequest) -> Bool { refusal(request.url) == nil && backing.isStored(request) }

    package func stream(_ url: String) -> any ByteStream {
        guard let refusal = refusal(url) else { return backing.stream(url) }
        return FailedByteStream(name: Redaction.withoutSecrets(url), error: refusal)
    }

    /// Asynchronously, so that the completion never runs inside the caller's request.
    @MainActor
    private func refuse(
        _ error: MediaError, _ completion: @escaping @MainActor @Sendable (Result<ByteResponse, MediaError>) -> Void
    ) -> any ByteTask {
        let task = RefusedTask()
        let place = clock.reserve(rank: .transfer)
        place.fulfil { if !task.isCancelled { completion(.failure(error)) } }
        return task
    }
}

/// A request that was refused before it started.
private final class RefusedTask: ByteTask {
    private let cancelled = Atomic(false)
    var isCancelled: Bool { cancelled.load(ordering: .relaxed) }
    func cancel() { cancelled.store(true, ordering: .relaxed) }
}

/// A stream over something that cannot be opened: its first read throws the reason.
package final class FailedByteStream: ByteStream {
    package let name: String
    private let error: MediaError
    package var length: Int64? { nil }

    package init(name: String, error: MediaError) {
        self.name = name
        self.error = error
    }

    package func read(into buffer: UnsafeMutableRawBufferPointer) throws(MediaError) -> Int { throw error }
    package func seek(to offset: Int64) throws(MediaError) { throw error }
    package func cancel() {}
}
