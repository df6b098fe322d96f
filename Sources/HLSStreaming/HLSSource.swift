import HLSPlaylist
import LinuxSupport
import MediaModel
import MediaTime

/// An HLS presentation on demand as a source: playlists, one chosen variant, its audio renditions, all on one timeline.
@MainActor
public final class HLSSource: MediaSource {
    private let url: String
    private let first: ByteResponse
    private let loader: any ByteLoading
    private let codecs: any CodecFactory
    private let clock: any HostClock
    private let screen: (width: Int, height: Int)
    private let timeline: StreamTimeline
    private var readers: [(tracks: Set<TrackID>, reader: RenditionReader)] = []
    private var sessionCount = 0
    private var isClosed = false

    private static let video = TrackID(0)
    private static let muxedAudio = TrackID(1)

    /// Wraps the playlist that was found at `url`.
    ///
    /// - Parameters:
    ///   - playlist: the answer to the request for it; its address is the one after redirects.
    ///   - screen: the size in pixels beyond which no variant is worth loading.
    public init(
        url: String, playlist: ByteResponse, screen: (width: Int, height: Int), loader: any ByteLoading,
        codecs: any CodecFactory, clock: any HostClock
    ) {
        self.url = url
        first = playlist
        self.screen = screen
        self.loader = loader
        self.codecs = codecs
        self.clock = clock
        timeline = StreamTimeline(ledger: clock.ledger)
    }

    public func prepare(_ completion: @escaping @MainActor @Sendable (Result<SourceDescription, MediaError>) -> Void) {
        let parsed = PlaylistParser(url: first.url).parse(first.bytes)
        switch parsed.playlist {
        case nil:
            completion(
                .failure(
                    MediaError(
                        .sourceFormat,
                        "The playlist \(first.url) was refused: \(parsed.errors.last.map(String.init(describing:)) ?? "it holds nothing")."
                    )))
        case .media:
            do throws(MediaError) {
                completion(.success(try describe(plain: MediaPlaylistReader.read(first))))
            } catch {
                completion(.failure(error))
            }
        case .multivariant(let playlist):
            choose(playlist, completion)
        }
    }

    public func startReading(at time: MediaTime, tracks: [TrackID]) -> SampleBuffer {
        sessionCount += 1
        // Simulated time waits for everything anyhow; where reading stands must not hang on which thread was quicker.
        let buffer = SampleBuffer(tracks: tracks, isHeldBack: !clock.isSimulated, ledger: clock.ledger)
        // The pictures come first in the list and rule where they are read; else the sound stands for itself.
        var hasPrimary = false
        for (owned, reader) in readers {
            if owned.isDisjoint(with: tracks) {
                reader.cancel()
            } else {
                reader.start(at: time, session: sessionCount, isPrimary: !hasPrimary, into: buffer)
                hasPrimary = true
            }
        }
        return buffer
    }

    public func close() {
        guard !isClosed else { return }
        isClosed = true
        readers.forEach { $0.reader.close() }
        readers = []
    }

    // MARK: A media playlist of its own

    /// Sound is expected beside the pictures; a track that turns out not to be there is over at once.
    private func describe(plain playlist: MediaPlaylist) throws(MediaError) -> SourceDescription {
        try check(playlist, first.url)
        let tracks = [
            TrackDescription(id: Self.video, type: .video, codec: "", isDefault: true),
            TrackDescription(id: Self.muxedAudio, type: .audio, codec: "", isDefault: true),
        ]
        addReader(
            url: first.url, playlist: playlist,
            outlets: [.init(type: .video, track: Self.video), .init(type: .audio, track: Self.muxedAudio)],
            name: "main")
        return description(playlist, tracks)
    }

    // MARK: A multivariant playlist

    private func choose(
        _ playlist: MultivariantPlaylist,
        _ completion: @escaping @MainActor @Sendable (Result<SourceDescription, MediaError>) -> Void
    ) {
        let selection = VariantSelection(width: screen.width, height: screen.height) { [codecs] in
            codecs.canDecode(codecString: $0)
        }
        guard let index = selection.choose(from: playlist.variants) else {
            return completion(
                .failure(
                    MediaError(
                        .decoderUnsupported,
                        "None of the \(playlist.variants.count) variants of \(first.url) is in a codec that this box decodes; add one in H.264 with AAC."
                    )))
        }
        let variant = playlist.variants[index]
        let address = URLReference.resolve(reference: variant.uri, against: first.url)
        loader.load(ByteRequest(url: address)) { [weak self] result in
            guard let self, !self.isClosed else { return }
            do throws(MediaError) {
                let response = try result.get()
                let media = try MediaPlaylistReader.read(response, importing: playlist.variables)
                completion(.success(try self.describe(playlist, variant, media, response.url)))
            } catch {
                completion(.failure(error))
            }
        }
    }

    private func describe(
        _ playlist: MultivariantPlaylist, _ variant: Variant, _ media: MediaPlaylist, _ mediaURL: String
    ) throws(MediaError) -> SourceDescription {
        try check(media, mediaURL)
        let isSilent = !variant.codecs.isEmpty && !variant.codecs.contains(where: CodecKind.isAudio)
        let isBlind = !variant.codecs.isEmpty && !variant.codecs.contains(where: CodecKind.isVideo) && variant.resolution == nil
        var tracks: [TrackDescription] = []
        var mainOutlets: [RenditionReader.Outlet] = []
        if !isBlind {
            tracks.append(
                TrackDescription(
                    id: Self.video, type: .video, codec: variant.codecs.first(where: CodecKind.isVideo) ?? "",
                    width: variant.resolution?.width, height: variant.resolution?.height, frameRate: variant.frameRate,
                    bitRate: variant.bandwidth.map { Int($0) }, isDefault: true))
            mainOutlets.append(.init(type: .video, track: Self.video))
        }
        let audio = variant.audioGroup.map { playlist.renditions(.audio, group: $0) } ?? []
        if audio.isEmpty, !isSilent || isBlind {
            tracks.append(
                TrackDescription(
                    id: Self.muxedAudio, type: .audio, codec: variant.codecs.first(where: CodecKind.isAudio) ?? "",
                    isDefault: true))
            mainOutlets.append(.init(type: .audio, track: Self.muxedAudio))
        }
        for (number, rendition) in audio.enumerated() {
            let id = TrackID(number + 1)
            tracks.append(
                TrackDescription(
                    id: id, type: .audio, languageTag: rendition.language, name: rendition.name,
                    codec: variant.codecs.first(where: CodecKind.isAudio) ?? "", channels: rendition.channelCount,
                    isDefault: rendition.isDefault, characteristics: rendition.characteristics))
            // A rendition without an address is the sound inside the variant's own segments.
            if rendition.uri == nil { mainOutlets.append(.init(type: .audio, track: id)) }
        }
        addReader(url: mediaURL, playlist: media, outlets: mainOutlets, name: "main")
        for (number, rendition) in audio.enumerated() {
            guard let uri = rendition.uri else { continue }
            addReader(
                url: URLReference.resolve(reference: uri, against: first.url), playlist: nil,
                outlets: [.init(type: .audio, track: TrackID(number + 1))], name: "a\(number + 1)")
        }
        return description(media, tracks)
    }

    private func addReader(url: String, playlist: MediaPlaylist?, outlets: [RenditionReader.Outlet], name: String) {
        readers.append(
            (
                Set(outlets.map(\.track)),
                RenditionReader(
                    url: url, playlist: playlist, outlets: outlets, name: name, loader: loader, codecs: codecs,
                    clock: clock, timeline: timeline)
            ))
    }

    private func check(_ playlist: MediaPlaylist, _ address: String) throws(MediaError) {
        guard playlist.hasEndList else {
            throw MediaError(
                .sourceFormat,
                "\(address) is a live playlist (no EXT-X-ENDLIST), which this version does not play; give one on demand.")
        }
    }

    private func description(_ playlist: MediaPlaylist, _ tracks: [TrackDescription]) -> SourceDescription {
        let duration = playlist.totalDuration
        var start = MediaTime.zero
        if let point = playlist.start {
            start = point.timeOffset < .zero ? max(.zero, duration + point.timeOffset) : min(point.timeOffset, duration)
        }
        return SourceDescription(
            kind: "hls", tracks: tracks, duration: .finite(duration),
            seekableTimeRanges: [TimeRange(start: .zero, duration: duration)],
            discontinuities: playlist.segments.filter { $0.isDiscontinuity && $0.startTime > .zero }.map(\.startTime),
            preferredStart: start)
    }
}
