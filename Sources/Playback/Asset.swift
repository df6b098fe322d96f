import Composition
import LinuxSupport
import MediaModel
import MediaSources
import MediaTime
import Metadata
import URLReferences
import WireFormats

/// Timed audiovisual media at an address: a file or an HLS presentation, local or remote. The counterpart of `AVURLAsset`.
///
/// An asset is cheap to create: nothing is read until it is requested. It lives on the main loop, which loading never blocks.
@MainActor
package final class Asset {
    /// The loading state; AVFoundation's `AVAsyncProperty.Status`.
    package enum Status: Sendable {
        /// It has not been requested.
        case notYetLoaded
        /// It is being loaded.
        case loading
        /// The description is known.
        case loaded(SourceDescription)
        /// It cannot be loaded.
        case failed(MediaError)
        /// Loading was cancelled.
        case cancelled
    }

    /// The address as given: `http(s):` or `file:` URL, or a path; for a composition its name in logs.
    package let url: String
    /// The edited programme that it is, with its audio mix; nil for media, and until the document of a composition has been loaded.
    private var document: CompositionDocument?
    /// The text of that document, if it is not at the address; and what relative addresses in it resolve on.
    private let text: (bytes: [UInt8], baseURL: String)?
    private let compositor: (any VideoCompositing)?
    private let taps: [TrackID: any SoundTap]
    /// How long it lasts if it is a file with a picture.
    private let stillDuration: MediaTime
    /// How old its picture may become before it is fetched again, if it is a file with one; nil: it stays as it is.
    private let stillRefresh: Duration?
    /// How it moves while it is shown, if it is a file with a picture. Its duration is that of the asset.
    package var motion: PictureMotion?
    /// The loading state.
    package private(set) var status = Status.notYetLoaded
    let services: PlaybackServices
    /// The requests of its streams; nil where streams cannot be asked for them.
    let traffic: StreamTraffic?
    let metadataLoad = MetadataLoad()
    /// Whether the composition came from a document, which is read again after `close`.
    private var isFromDocument = false
    private var source: (any MediaSource)?
    /// The cues of the source's text tracks that are read together with the other tracks.
    private(set) var trackCues = TrackCueStores()
    private var firstLoad: (any ByteTask)?
    private var firstStream: (any ByteStream)?
    private var waiting: [@MainActor (Result<SourceDescription, MediaError>) -> Void] = []

    /// Makes an asset for an address.
    ///
    /// - Parameters:
    ///   - stillDuration: how long it lasts if it is a file with a picture; positive.
    ///   - stillRefresh: how old its picture may become before it is fetched again, if it is a file with one; nil: it stays as it is.
    package init(
        url: String, stillDuration: MediaTime = PictureMotion.standardDuration, stillRefresh: Duration? = nil,
        services: PlaybackServices
    ) {
        self.url = url
        self.stillDuration = stillDuration
        self.stillRefresh = stillRefresh
        (self.services, traffic) = Self.counting(services)
        text = nil
        compositor = services.compositor
        taps = [:]
    }

    /// Makes an asset from the text of a composition's document (`docs/composition.md`), which is read when it is loaded.
    ///
    /// - Parameters:
    ///   - baseURL: what relative addresses in the text resolve on.
    ///   - name: its name in logs and errors.
    package init(document text: [UInt8], baseURL: String, name: String, services: PlaybackServices) {
        url = name
        (self.services, traffic) = Self.counting(services)
        self.text = (text, baseURL)
        (stillDuration, stillRefresh) = (PictureMotion.standardDuration, nil)
        compositor = services.compositor
        taps = [:]
    }

    /// Makes an asset of pieces of other media.
    ///
    /// - Parameters:
    ///   - videoComposition: how its video tracks become one picture; nil to show its only one.
    ///   - audioMix: the volume of its sound over time; nil for full volume.
    ///   - compositor: composes its pictures; nil for that of the services.
    ///   - taps: what hears its audio tracks, by their numbers.
    ///   - name: its name in logs and errors, such as the address of its document.
    package init(
        composition: Composition, videoComposition: VideoComposition? = nil, audioMix: AudioMix? = nil,
        compositor: (any VideoCompositing)? = nil, taps: [TrackID: any SoundTap] = [:], name: String, services: PlaybackServices
    ) {
        url = name
        (self.services, traffic) = Self.counting(services)
        text = nil
        document = CompositionDocument(composition, videoComposition: videoComposition, audioMix: audioMix)
        self.compositor = compositor ?? services.compositor
        self.taps = taps
        (stillDuration, stillRefresh) = (PictureMotion.standardDuration, nil)
    }

    private static func counting(_ services: PlaybackServices) -> (PlaybackServices, StreamTraffic?) {
        guard let find = services.streamRequests else { return (services, nil) }
        var services = services
        let traffic = StreamTraffic(find)
        services.loader = CountedLoading(services.loader, traffic)
        return (services, traffic)
    }

    /// How its only picture moves; nil for other media.
    var shownMotion: PictureMotion? {
        guard case .loaded(let description) = status, description.kind == SourceDescription.pictureKind else { return nil }
        var motion = motion
        motion?.duration = stillDuration
        return motion
    }

    /// The edited programme that it is; nil for media, and until the document of a composition has been loaded.
    package var composition: Composition? { document?.composition }

    /// Loads the description: tracks, duration, metadata, chapters. The completion runs on the main loop, at once if the result is known.
    ///
    /// The content decides the kind and not the name: content that begins with `#EXTM3U` is HLS, content that begins with a brace is the document of a
    /// composition, everything else is opened as a file.
    package func load(_ completion: @escaping @MainActor (Result<SourceDescription, MediaError>) -> Void) {
        switch status {
        case .loaded(let description): return completion(.success(description))
        case .failed(let error): return completion(.failure(error))
        case .loading: return waiting.append(completion)
        case .notYetLoaded, .cancelled: break
        }
        waiting = [completion]
        status = .loading
        if let text { return prepareDocument(text.bytes, baseURL: text.baseURL) }
        if let document { return prepare(CompositionSource(document, services, compositor: compositor, taps: taps)) }
        if let stillRefresh { return loadPicture(every: stillRefresh) }
        loadMedia()
    }

    /// The name decides only which kind is tried first.
    private func loadMedia() { if Self.looksLikePlaylist(url) { loadPlaylist() } else { sniff() } }

    /// A picture that is fetched again. What is none is opened as everything else.
    private func loadPicture(every interval: Duration) {
        let still = StillSource(url, duration: stillDuration, every: interval, services: services)
        source = still
        still.prepare { [weak self] result in
            guard let self, self.source === still, case .loading = self.status else { return }
            guard still.isSomethingElse else { return self.finish(result) }
            still.close()
            self.source = nil
            self.loadMedia()
        }
    }

    /// Loads the description.
    ///
    /// - Throws: `MediaError` if it cannot be loaded, or if loading was cancelled.
    package func description() async throws(MediaError) -> SourceDescription {
        let result = await withCheckedContinuation { continuation in load { continuation.resume(returning: $0) } }
        return try result.get()
    }

    /// Cancels loading. Waiting requests get an error.
    package func cancelLoading() {
        guard case .loading = status else { return }
        firstLoad?.cancel()
        // Releases a server that accepts connections and never answers.
        firstStream?.cancel()
        firstStream = nil
        source?.close()
        source = nil
        status = .cancelled
        answer(.failure(MediaError(.sourceTimeout, "Loading \(url) was cancelled before it finished.")))
    }

    /// The opened source. The player that takes it closes it.
    func takeSource() -> (any MediaSource)? {
        defer { source = nil }
        return source
    }

    /// Takes back the result of `takeSource`, which was not played.
    func putBack(_ source: any MediaSource) {
        guard case .loaded = status, self.source == nil else { return source.close() }
        self.source = source
    }

    /// Closes everything that is open. A closed asset can be loaded again.
    package func close() {
        cancelLoading()
        metadataLoad.cancel(url: url)
        source?.close()
        source = nil
        if isFromDocument { document = nil }
        isFromDocument = false
        status = .notYetLoaded
    }

    private func loadPlaylist() {
        firstLoad = services.loader.load(ByteRequest(url: url, kind: .playlist)) { [weak self] result in
            guard let self, case .loading = self.status else { return }
            switch result {
            // A film may have the name of a playlist.
            case .failure(let error) where error.fault == .tooLong: self.sniff(tooLongForPlaylist: error)
            case .failure(let error): self.finish(.failure(error))
            case .success(let response) where PlaylistHead.isBeginning(response.bytes):
                self.prepare(self.services.makeHLSSource(self.url, response))
            case .success: self.sniff()
            }
        }
    }

    /// - Parameter tooLongForPlaylist: the error if it is a playlist all the same.
    private func sniff(tooLongForPlaylist: MediaError? = nil) {
        let stream = services.loader.stream(url)
        firstStream = stream
        let thread = WorkerThread(name: "sniff", clock: services.clock)
        // A stream that is received as it is sent comes in its own time.
        services.clock.computeWaiting(on: thread, rank: .media) { () -> Result<OpenedBytes, MediaError> in
            do throws(MediaError) { return .success(try OpenedBytes(stream)) } catch { return .failure(error) }
        } then: { [weak self] result in
            thread.stop()
            // A cancelled load may have been requested again meanwhile.
            guard let self, self.firstStream === stream else { return stream.cancel() }
            self.firstStream = nil
            switch result {
            case .failure(let error): self.finish(.failure(error))
            case .success(let opened) where PlaylistHead.isBeginning(opened.head) && tooLongForPlaylist != nil:
                stream.cancel()
                self.finish(.failure(tooLongForPlaylist!))
            case .success(let opened) where PlaylistHead.isBeginning(opened.head) && !Self.looksLikePlaylist(self.url):
                stream.cancel()
                self.loadPlaylist()
            case .success(let opened) where Self.isObject(opened.head):
                stream.cancel()
                self.loadComposition()
            case .success(let opened):
                self.trackCues = TrackCueStores()
                self.prepare(
                    FileSource(
                        stream: opened.stream, captions: self.trackCues, codecs: self.services.codecs, clock: self.services.clock,
                        buffering: self.services.buffering, isSent: self.isSent,
                        stillDuration: self.stillDuration, reopen: self.reopening))
            }
        }
    }

    /// Whether the stream comes at the pace of a sender.
    var isSent: Bool { if case .datagrams = Location(url) { true } else { false } }

    /// Opens the stream again from its start; nil for a stream that is only received while it is sent.
    private var reopening: (@Sendable () -> any ByteStream)? {
        if isSent { return nil }
        return { [url, loader = services.loader] in loader.stream(url) }
    }

    private func loadComposition() {
        firstLoad = services.loader.load(ByteRequest(url: url, kind: .document)) { [weak self] result in
            guard let self, case .loading = self.status else { return }
            switch result {
            case .success(let response): self.prepareDocument(response.bytes, baseURL: response.url)
            case .failure(let error): self.finish(.failure(error))
            }
        }
    }

    private func prepareDocument(_ bytes: [UInt8], baseURL: String) {
        do throws(MediaError) {
            let document = try CompositionSource.document(in: bytes, at: baseURL)
            self.document = document
            isFromDocument = true
            prepare(CompositionSource(document, services, compositor: compositor, taps: taps))
        } catch {
            finish(.failure(error))
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

    private static func looksLikePlaylist(_ url: String) -> Bool {
        let path = url.prefix { $0 != "?" && $0 != "#" }.lowercased()
        return path.hasSuffix(".m3u8") || path.hasSuffix(".m3u")
    }

    private static func isObject(_ bytes: [UInt8]) -> Bool {
        let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        return bytes.dropFirst(start).first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) } == UInt8(ascii: "{")
    }

    /// The track with a number.
    ///
    /// - Throws: `MediaError` if the tracks cannot be loaded.
    package func track(withID id: TrackID) async throws(MediaError) -> TrackDescription? {
        try await load(.tracks).first { $0.id == id }
    }

    /// The tracks of a media type, in the order of the source.
    ///
    /// - Throws: `MediaError` if the tracks cannot be loaded.
    package func tracks(withMediaType type: MediaType) async throws(MediaError) -> [TrackDescription] {
        try await load(.tracks).filter { $0.type == type }
    }

    /// The tracks with a characteristic in HLS's terms (`OptionCharacteristic`), in the order of the source.
    ///
    /// - Throws: `MediaError` if the tracks cannot be loaded.
    package func tracks(withMediaCharacteristic characteristic: String) async throws(MediaError) -> [TrackDescription] {
        try await load(.tracks).filter { $0.characteristics.contains(characteristic) }
    }

    /// Whether it is encrypted for DRM, which this box does not support.
    ///
    /// - Throws: `MediaError` if this cannot be determined.
    package func hasProtectedContent() async throws(MediaError) -> Bool {
        do throws(MediaError) {
            _ = try await load(.tracks)
            return false
        } catch {
            guard error.code == .protected else { throw error }
            return true
        }
    }

    /// The metadata of the file in one format.
    ///
    /// - Throws: `MediaError` if it cannot be read.
    package func metadata(forFormat format: MetadataKeySpace) async throws(MediaError) -> [MetadataItem] {
        try await load(.metadata).filter { $0.identifier.keySpace == format }
    }
}
