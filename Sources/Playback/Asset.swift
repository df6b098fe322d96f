import LinuxSupport
import MediaModel
import MediaTime

/// Timed audiovisual media at an address: a file or an HLS presentation, local or remote. The counterpart of `AVURLAsset`.
///
/// An asset is cheap to make: nothing is read until it is asked for. It lives on the main loop, which its loading never blocks.
@MainActor
package final class Asset {
    /// Where loading stands; AVFoundation's `AVAsyncProperty.Status`.
    package enum Status: Sendable {
        /// Nobody has asked yet.
        case notYetLoaded
        /// Under way.
        case loading
        /// The description is there.
        case loaded(SourceDescription)
        /// It cannot be had.
        case failed(MediaError)
        /// Given up by whoever asked.
        case cancelled
    }

    /// The address as given: `http(s):` or `file:` URL, or a path.
    package let url: String
    /// Where loading stands.
    package private(set) var status = Status.notYetLoaded
    let services: PlaybackServices
    let metadataLoad = MetadataLoad()
    private var source: (any MediaSource)?
    /// The cues of the source's text tracks that are read along with the other tracks.
    private(set) var trackCues = TrackCueStores()
    private var firstLoad: (any ByteTask)?
    private var firstStream: (any ByteStream)?
    private var waiting: [@MainActor (Result<SourceDescription, MediaError>) -> Void] = []

    /// Names the media at an address.
    package init(url: String, services: PlaybackServices) {
        self.url = url
        self.services = services
    }

    /// Finds out what there is: tracks, duration, metadata, chapters. The completion runs on the main loop, at once where the answer is known.
    ///
    /// The content decides what it is, never the name: what begins with `#EXTM3U` is HLS, everything else is opened as a file.
    package func load(_ completion: @escaping @MainActor (Result<SourceDescription, MediaError>) -> Void) {
        switch status {
        case .loaded(let description): return completion(.success(description))
        case .failed(let error): return completion(.failure(error))
        case .loading: return waiting.append(completion)
        case .notYetLoaded, .cancelled: break
        }
        waiting = [completion]
        status = .loading
        // The name only says which question is asked first.
        if Self.looksLikePlaylist(url) { loadPlaylist() } else { sniff() }
    }

    /// The description, awaited.
    ///
    /// - Throws: `MediaError` when it cannot be had, or when loading was cancelled.
    package func description() async throws(MediaError) -> SourceDescription {
        let result = await withCheckedContinuation { continuation in load { continuation.resume(returning: $0) } }
        return try result.get()
    }

    /// Gives up loading. Whoever waits is told with an error.
    package func cancelLoading() {
        guard case .loading = status else { return }
        firstLoad?.cancel()
        // Lets go of a server that accepts and never answers.
        firstStream?.cancel()
        firstStream = nil
        source?.close()
        source = nil
        status = .cancelled
        answer(.failure(MediaError(.sourceTimeout, "Loading \(url) was cancelled before it finished.")))
    }

    /// The opened source; the player that takes it closes it.
    func takeSource() -> (any MediaSource)? {
        defer { source = nil }
        return source
    }

    /// Takes back what `takeSource` gave: it was not played after all.
    func putBack(_ source: any MediaSource) {
        guard case .loaded = status, self.source == nil else { return source.close() }
        self.source = source
    }

    /// Closes what is open. An asset that was closed can be loaded anew.
    package func close() {
        cancelLoading()
        metadataLoad.cancel(url: url)
        source?.close()
        source = nil
        status = .notYetLoaded
    }

    private func loadPlaylist() {
        firstLoad = services.loader.load(ByteRequest(url: url)) { [weak self] result in
            guard let self, case .loading = self.status else { return }
            switch result {
            case .failure(let error): self.finish(.failure(error))
            case .success(let response) where Self.isPlaylist(response.bytes):
                self.prepare(self.services.makeHLSSource(self.url, response))
            case .success: self.sniff()
            }
        }
    }

    private func sniff() {
        let stream = services.loader.stream(url)
        firstStream = stream
        let thread = WorkerThread(name: "sniff", clock: services.clock)
        services.clock.compute(on: thread, rank: .media) {
            Self.firstBytes(of: stream)
        } then: { [weak self] result in
            thread.stop()
            // What was given up may have been asked for anew meanwhile.
            guard let self, self.firstStream === stream else { return stream.cancel() }
            self.firstStream = nil
            switch result {
            case .failure(let error): self.finish(.failure(error))
            case .success(let bytes) where Self.isPlaylist(bytes) && !Self.looksLikePlaylist(self.url):
                stream.cancel()
                self.loadPlaylist()
            case .success:
                self.trackCues = TrackCueStores()
                self.prepare(
                    FileSource(
                        stream: stream, captions: self.trackCues, codecs: self.services.codecs, clock: self.services.clock,
                        buffering: self.services.buffering,
                        reopen: { [url = self.url, loader = self.services.loader] in loader.stream(url) }))
            }
        }
    }

    private func prepare(_ source: any MediaSource) {
        self.source = source
        source.prepare { [weak self] result in
            guard let self, self.source === source, case .loading = self.status else { return }
            self.finish(result)
        }
    }

    private func finish(_ result: Result<SourceDescription, MediaError>) {
        switch result {
        case .success(let description): status = .loaded(description)
        case .failure(let error):
            source?.close()
            source = nil
            status = .failed(error)
        }
        answer(result)
    }

    private func answer(_ result: Result<SourceDescription, MediaError>) {
        let waiting = waiting
        self.waiting = []
        waiting.forEach { $0(result) }
    }

    private nonisolated static func firstBytes(of stream: any ByteStream) -> Result<[UInt8], MediaError> {
        do throws(MediaError) {
            var bytes = [UInt8](repeating: 0, count: 16)
            var count = 0
            while count < bytes.count {
                let part = try withUnsafeMutableBytes(of: &bytes, from: count, stream)
                if part == 0 { break }
                count += part
            }
            if stream.length != nil { try stream.seek(to: 0) }
            return .success(Array(bytes.prefix(count)))
        } catch {
            return .failure(error)
        }
    }

    private nonisolated static func withUnsafeMutableBytes(
        of bytes: inout [UInt8], from start: Int, _ stream: any ByteStream
    ) throws(MediaError) -> Int {
        let result = bytes.withUnsafeMutableBytes { buffer -> Result<Int, MediaError> in
            do throws(MediaError) {
                return .success(try stream.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[start...])))
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    private static func looksLikePlaylist(_ url: String) -> Bool {
        let path = url.prefix { $0 != "?" && $0 != "#" }.lowercased()
        return path.hasSuffix(".m3u8") || path.hasSuffix(".m3u")
    }

    private static func isPlaylist(_ bytes: [UInt8]) -> Bool {
        let mark = Array("#EXTM3U".utf8)
        let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        return bytes.dropFirst(start).starts(with: mark)
    }
}
