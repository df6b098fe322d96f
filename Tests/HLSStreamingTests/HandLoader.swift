import LinuxSupport
import MediaModel
import MediaSources
import Synchronization

/// A loader whose requests a test answers by hand, in parts.
@MainActor
final class HandLoader: ByteLoading {
    /// The requests in their order, with their transfers.
    private(set) var transfers: [HandTransfer] = []

    /// The addresses of the requests, in order.
    var urls: [String] { transfers.map(\.request.url) }

    /// The last request for an address.
    func transfer(_ url: String) -> HandTransfer? { transfers.last { $0.request.url == url } }

    @discardableResult
    func load(
        _ request: ByteRequest, _ completion: @escaping @MainActor @Sendable (Result<ByteResponse, MediaError>) -> Void
    ) -> any ByteTask {
        transfers.append(HandTransfer(request, progress: nil, completion))
        return transfers[transfers.count - 1]
    }

    @discardableResult
    func load(
        _ request: ByteRequest, progress: @escaping @MainActor @Sendable (ByteProgress) -> Void,
        _ completion: @escaping @MainActor @Sendable (Result<ByteResponse, MediaError>) -> Void
    ) -> any ByteTask {
        transfers.append(HandTransfer(request, progress: progress, completion))
        return transfers[transfers.count - 1]
    }

    nonisolated func stream(_ url: String) -> any ByteStream { preconditionFailure("segments are loaded, not streamed") }
}

/// A transfer that a test answers by hand. A cancelled one is silent.
@MainActor
final class HandTransfer: ByteTask {
    let request: ByteRequest
    private let progress: (@MainActor @Sendable (ByteProgress) -> Void)?
    private let completion: @MainActor @Sendable (Result<ByteResponse, MediaError>) -> Void
    private nonisolated let cancelled = Atomic(false)
    private nonisolated let held = Atomic(false)
    private var received: Int64 = 0

    init(
        _ request: ByteRequest, progress: (@MainActor @Sendable (ByteProgress) -> Void)?,
        _ completion: @escaping @MainActor @Sendable (Result<ByteResponse, MediaError>) -> Void
    ) {
        self.request = request
        self.progress = progress
        self.completion = completion
    }

    nonisolated var isCancelled: Bool { cancelled.load(ordering: .sequentiallyConsistent) }

    nonisolated func cancel() { cancelled.store(true, ordering: .sequentiallyConsistent) }

    nonisolated var isHeld: Bool { held.load(ordering: .sequentiallyConsistent) }

    nonisolated func setHeld(_ isHeld: Bool) { held.store(isHeld, ordering: .sequentiallyConsistent) }

    /// Bytes of the body arrive.
    func send(_ bytes: [UInt8], expected: Int64? = nil) {
        guard !isCancelled else { return }
        received += Int64(bytes.count)
        progress?(
            ByteProgress(
                bytes: bytes, received: received, expected: expected, elapsed: .seconds(1), timeToFirstByte: .milliseconds(100)))
    }

    /// The body is complete.
    ///
    /// - Parameters:
    ///   - bytes: the whole body of a load without progress.
    ///   - url: where a redirect has led; nil for none.
    ///   - isLasting: whether the redirect is permanent.
    func complete(_ bytes: [UInt8] = [], from url: String? = nil, isLasting: Bool = false) {
        guard !isCancelled else { return }
        completion(
            .success(
                ByteResponse(
                    bytes: bytes, url: url ?? request.url, status: 200, contentType: nil, timeToFirstByte: .milliseconds(100),
                    transferDuration: .seconds(1), lastingURL: isLasting ? url : request.url)))
    }

    func fail(_ fault: LoadFault) {
        guard !isCancelled else { return }
        completion(.failure(.loading(request.url, failed: fault)))
    }
}
