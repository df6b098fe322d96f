import Composition
import LinuxSupport
import MediaModel
import MediaSources
import Metadata

/// Metadata is a separate property: reading it takes bytes that playback does not need, so it is read only on request.
extension Asset {
    /// The loading state of the metadata; AVFoundation's `AVAsyncProperty.Status`.
    package enum MetadataStatus: Sendable {
        /// It has not been requested.
        case notYetLoaded
        /// It is being loaded.
        case loading
        /// The metadata of the file; empty if it has none.
        case loaded(MediaMetadata)
        /// It could not be read.
        case failed(MediaError)
        /// Loading was cancelled.
        case cancelled
    }

    /// The loading state of the metadata.
    package var metadataStatus: MetadataStatus { metadataLoad.status }

    /// Reads metadata and chapters, in every key space and language, from the file itself. The completion runs on the main loop, at once if the
    /// result is known. A stream without random access (a live stream over HTTP without ranges, or in datagrams) has none.
    ///
    /// A composition has the chapters of its sources in its own time, and no items: those of its sources are about them.
    package func loadMetadata(_ completion: @escaping @MainActor (Result<MediaMetadata, MediaError>) -> Void) {
        let (url, loader) = (url, services.loader)
        if isSent {
            // A second socket would take the datagrams of the first.
            completion(.success(MediaMetadata()))
        } else if let composition {
            metadataLoad.start(
                services.clock,
                reading: { .success(MediaMetadata(chapters: CompositionChapters.read(composition, loader, $0))) }, completion)
        } else {
            metadataLoad.start(
                services.clock, reading: { StreamBytes.metadata(of: loader.stream(url), in: $0) }, completion)
        }
    }

    /// Cancels loading the metadata. Waiting requests get an error.
    package func cancelLoadingMetadata() { metadataLoad.cancel(url: url) }

    /// Loads the metadata.
    ///
    /// - Throws: `MediaError` if it cannot be read, or if loading was cancelled.
    package func metadata() async throws(MediaError) -> MediaMetadata {
        let result = await withCheckedContinuation { continuation in loadMetadata { continuation.resume(returning: $0) } }
        return try result.get()
    }
}

/// One reading of an asset's metadata, with its own thread and streams.
@MainActor
final class MetadataLoad {
    private(set) var status = Asset.MetadataStatus.notYetLoaded
    private var waiting: [@MainActor (Result<MediaMetadata, MediaError>) -> Void] = []
    private var streams: OpenStreams?
    /// Increases with each cancellation, so that results of earlier threads are ignored.
    private var generation = 0

    /// - Parameter reading: reads the metadata, on its own thread; adds the streams that it opens, so that they can be cancelled.
    func start(
        _ clock: any HostClock, reading: @escaping @Sendable (OpenStreams) -> Result<MediaMetadata, MediaError>,
        _ completion: @escaping @MainActor (Result<MediaMetadata, MediaError>) -> Void
    ) {
        switch status {
        case .loaded(let metadata): return completion(.success(metadata))
        case .failed(let error): return completion(.failure(error))
        case .loading: return waiting.append(completion)
        case .notYetLoaded, .cancelled: break
        }
        waiting = [completion]
        status = .loading
        let streams = OpenStreams()
        self.streams = streams
        let current = generation
        let thread = WorkerThread(name: "metadata", clock: clock)
        clock.compute(on: thread, rank: .media) {
            reading(streams)
        } then: { [weak self] result in
            thread.stop()
            streams.close()
            guard let self, self.generation == current else { return }
            self.finish(result)
        }
    }

    /// Cancels loading. Waiting requests get an error.
    func cancel(url: String) {
        guard case .loading = status else { return }
        generation += 1
        streams?.close()
        streams = nil
        status = .cancelled
        answer(.failure(MediaError(.sourceTimeout, "Reading the metadata of \(url) was cancelled before it finished.")))
    }

    private func finish(_ result: Result<MediaMetadata, MediaError>) {
        streams = nil
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
}

/// The chapters of a composition: those of its sources, in all their languages.
enum CompositionChapters {
    /// Chapters are read of this many sources, in the order of their first use: each is opened for it.
    static let mostSources = 100

    /// Opens the sources one after another. One that cannot be read has no chapters: playback says what is wrong with it.
    static func read(_ composition: Composition, _ loader: any ByteLoading, _ streams: OpenStreams) -> [TimedMetadataGroup] {
        var found: [String: [TimedMetadataGroup]] = [:]
        for url in composition.sourceURLs.prefix(mostSources) {
            let stream = loader.stream(url)
            if case .success(let metadata) = StreamBytes.metadata(of: stream, in: streams) { found[url] = metadata.chapters }
            streams.end(stream)
        }
        return composition.chapters(of: found.mapValues { $0.map(\.timeRange) }).map { place in
            TimedMetadataGroup(timeRange: place.range, items: found[place.url]?[place.index].items ?? [])
        }
    }
}

/// A stream as bytes by position. Without a known length it can only be read from the front.
private final class StreamBytes: RandomAccessBytes {
    private let stream: any ByteStream
    private var position: Int64 = 0

    init(_ stream: any ByteStream) { self.stream = stream }

    var length: Int64? { stream.length }

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

    /// - Parameter streams: where the stream is added, so that another thread can cancel it.
    static func metadata(of stream: any ByteStream, in streams: OpenStreams) -> Result<MediaMetadata, MediaError> {
        streams.add(stream)
        do {
            return .success(try MediaMetadata(reading: StreamBytes(stream)))
        } catch let error as MediaError {
            return .failure(error)
        } catch {
            return .failure(MediaError(.internal, "Reading the metadata of \(stream.name) failed: \(error)."))
        }
    }
}
