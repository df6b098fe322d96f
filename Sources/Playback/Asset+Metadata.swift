import LinuxSupport
import MediaModel
import Metadata

/// Metadata is a property of its own: reading it takes bytes that playing does not need, so that nobody waits for it who has not asked.
extension Asset {
    /// Where the loading of the metadata stands; AVFoundation's `AVAsyncProperty.Status`.
    package enum MetadataStatus: Sendable {
        /// Nobody has asked yet.
        case notYetLoaded
        /// Under way.
        case loading
        /// What the file says of itself; empty where it says nothing.
        case loaded(MediaMetadata)
        /// The bytes did not come.
        case failed(MediaError)
        /// Given up by whoever asked.
        case cancelled
    }

    /// Where the loading of the metadata stands.
    package var metadataStatus: MetadataStatus { metadataLoad.status }

    /// Reads metadata and chapters, in every key space and language, from the file itself. The completion runs on the main loop, at
    /// once where the answer is known. What cannot be gone about in (a live stream over HTTP without ranges) has none.
    package func loadMetadata(_ completion: @escaping @MainActor (Result<MediaMetadata, MediaError>) -> Void) {
        metadataLoad.start(url: url, services: services, completion)
    }

    /// The metadata, awaited.
    ///
    /// - Throws: `MediaError` when the bytes do not come, or when loading was cancelled.
    package func metadata() async throws(MediaError) -> MediaMetadata {
        let result = await withCheckedContinuation { continuation in loadMetadata { continuation.resume(returning: $0) } }
        return try result.get()
    }
}

/// One reading of an asset's metadata, on a thread and with a stream of its own.
@MainActor
final class MetadataLoad {
    private(set) var status = Asset.MetadataStatus.notYetLoaded
    private var waiting: [@MainActor (Result<MediaMetadata, MediaError>) -> Void] = []
    private var stream: (any ByteStream)?
    /// Grows with each cancellation: what an earlier thread still brings is nobody's.
    private var generation = 0

    func start(
        url: String, services: PlaybackServices, _ completion: @escaping @MainActor (Result<MediaMetadata, MediaError>) -> Void
    ) {
        switch status {
        case .loaded(let metadata): return completion(.success(metadata))
        case .failed(let error): return completion(.failure(error))
        case .loading: return waiting.append(completion)
        case .notYetLoaded, .cancelled: break
        }
        waiting = [completion]
        status = .loading
        let stream = services.loader.stream(url)
        self.stream = stream
        let current = generation
        let thread = WorkerThread(name: "metadata", clock: services.clock)
        services.clock.compute(on: thread, rank: .media) {
            Self.read(stream)
        } then: { [weak self] result in
            thread.stop()
            stream.cancel()
            guard let self, self.generation == current else { return }
            self.finish(result)
        }
    }

    /// Gives up. Whoever waits is told with an error.
    func cancel(url: String) {
        guard case .loading = status else { return }
        generation += 1
        stream?.cancel()
        stream = nil
        status = .cancelled
        answer(.failure(MediaError(.sourceTimeout, "Reading the metadata of \(url) was cancelled before it finished.")))
    }

    private func finish(_ result: Result<MediaMetadata, MediaError>) {
        stream = nil
        switch result {
        case .success(let metadata): status = .loaded(metadata)
        case .failure(let error): status = .failed(error)
        }
        answer(result)
    }

    private func answer(_ result: Result<MediaMetadata, MediaError>) {
        let waiting = waiting
        self.waiting = []
        waiting.forEach { $0(result) }
    }

    private nonisolated static func read(_ stream: any ByteStream) -> Result<MediaMetadata, MediaError> {
        do {
            return .success(try MediaMetadata(reading: StreamBytes(stream)))
        } catch let error as MediaError {
            return .failure(error)
        } catch {
            return .failure(MediaError(.internal, "Reading the metadata of \(stream.name) failed: \(error)."))
        }
    }
}

/// A stream as bytes by position. Without a known length it can only be read from the front.
private final class StreamBytes: RandomAccessBytes {
    private let stream: any ByteStream
    private var position: Int64 = 0

    init(_ stream: any ByteStream) { self.stream = stream }

    func read(at offset: Int64, count: Int) throws -> [UInt8] {
        if offset != position {
            guard stream.length != nil else { return [] }
            try stream.seek(to: offset)
            position = offset
        }
        let bytes = try stream.read(count: count)
        position += Int64(bytes.count)
        return bytes
    }
}
