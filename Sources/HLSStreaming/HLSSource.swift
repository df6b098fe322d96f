import HLSPlaylist
import LinuxSupport
import MediaModel
import MediaSources
import MediaTime
import URLReferences

/// An HLS presentation as a source, on demand or live: connects its playlists, the variant that the policy chooses, and the
/// readers of its renditions on one timeline.
@MainActor
package final class HLSSource: MediaSource {
    /// Makes the policy once the variants are known.
    typealias MakePolicy = @MainActor (_ variants: [Variant], _ selection: VariantSelection) -> any StreamPolicy

    private enum Phase {
        case open
        /// The presentation is being loaded.
        case preparing(@MainActor @Sendable (Result<SourceDescription, MediaError>) -> Void)
        case closed
    }

    private static let mostPreloadedKeys = 8

    private let first: ByteResponse
    /// Where it was asked for, before redirects.
    private let entrance: String
    private let screen: (width: Int, height: Int)
    private let ranges: Set<HighDynamicRange>
    private let takesLowest: @MainActor () -> Bool
    private let makePolicy: MakePolicy
    private let context: StreamContext
    private var table: VariantTable
    private var tracks = TrackTable()
    private var sessionDataLoader: SessionDataLoader?
    private var steering: SteeringClient?
    private var lookup: PresentationLookup?
    private var phase = Phase.open

    private lazy var playlists = PlaylistSet(
        context: context, state: { [weak self] in self?.renditions.state ?? ReadingState() },
        onChange: { [weak self] in self?.updateStatus() })
    private lazy var renditions = RenditionSet(
        context: context, onBehind: { [weak self] in self?.updateStatus() },
        onMetadata: { [weak self] in self?.metadataPlacement.take($0) },
        onUnavailable: { [weak self] in self?.soundIsUnavailable($0, $1) },
        onAbsence: { [weak self] in self?.events.send(.logEntry(.failed(url: $0, $1))) })
    private lazy var lostSounds = LostRenditions(
        context: context, tracker: { [weak self] in self?.audioTracker(of: $0) },
        position: { [weak self] in self?.renditions.playhead },
        onFound: { [weak self] in self?.events.send(.soundAvailable($0)) })
    private lazy var metadataPlacement = MetadataPlacement(context: context) { [weak self] in
        self?.events.send(.timedMetadata($0))
    }
    private lazy var dateRanges = DateRangeFollower(context: context) { [weak self] in self?.updateStatus() }

    package private(set) var liveStatus: LiveStatus?
    package let events = EventSource<SourceEvent>()
    package var holes: HoleRule { .omitted }

    /// Wraps the playlist loaded from `url`.
    ///
    /// - Parameters:
    ///   - playlist: the response with the playlist; its address is the one after redirects.
    ///   - entrance: the address at which the playlist was asked for; nil for that of the response.
    ///   - screen: the size in pixels beyond which no variant is useful.
    ///   - ranges: the high dynamic ranges that the screen shows.
    ///   - memory: the throughput of earlier sessions.
    ///   - takesLowest: whether only the lowest quality may be loaded now, because the network is metered; asked before each segment.
    ///   - buffering: how far is read ahead.
    ///   - plainHTTPHosts: the hosts that a presentation from https may name over plain http (`[feed] allow_http`).
    package convenience init(
        playlist: ByteResponse, entrance: String? = nil, screen: (width: Int, height: Int), ranges: Set<HighDynamicRange> = [],
        plainHTTPHosts: Set<String> = [], loader: any ByteLoading, codecs: any CodecFactory, clock: any HostClock,
        memory: NetworkMemory? = nil,
        takesLowest: @escaping @MainActor () -> Bool = { false }, buffering: BufferingPolicy = .standard
    ) {
        self.init(
            playlist: playlist, entrance: entrance, screen: screen, ranges: ranges, plainHTTPHosts: plainHTTPHosts,
            loader: loader,
            codecs: codecs, clock: clock, takesLowest: takesLowest, buffering: buffering
        ) {
            AdaptivePolicy(variants: $0, selection: $1, memory: memory, answer: playlist, takesLowest: takesLowest)
        }
    }

    /// - Parameter makePolicy: nil uses the first variant throughout.
    init(
        playlist: ByteResponse, entrance: String? = nil, screen: (width: Int, height: Int), ranges: Set<HighDynamicRange> = [],
        plainHTTPHosts: Set<String> = [], loader: any ByteLoading, codecs: any CodecFactory, clock: any HostClock,
        takesLowest: @escaping @MainActor () -> Bool = { false },
        buffering: BufferingPolicy = .standard, makePolicy: MakePolicy?
    ) {
        first = playlist
        self.entrance = entrance ?? playlist.url
        self.screen = screen
        self.ranges = ranges
        self.takesLowest = takesLowest
        self.makePolicy = makePolicy ?? { FixedPolicy(variants: $0, selection: $1) }
        table = VariantTable(url: playlist.url)
        context = StreamContext(
            loader: loader, codecs: codecs, clock: clock,
            addresses: PresentationAddresses(playlist: playlist.url, plainHTTPHosts: plainHTTPHosts), buffering: buffering,
            policy: FixedPolicy(variants: [], selection: VariantSelection(width: 0, height: 0) { _ in nil }))
        context.noteRoute(from: self.entrance, to: playlist.url)
        context.useVariant = { [weak self] in self?.use(variant: $0) ?? false }
        context.storedVariants = { [weak self] in self?.storedVariants(beside: $0) ?? [] }
        context.tell = { [weak self] in self?.events.send(.logEntry(.failed(url: $0, $1))) }
        lookup = PresentationLookup(address: self.entrance, context: context) { [weak self] in
            self?.take(again: $0, segments: $1)
        }
        context.lookUpAgain = { [weak self] refused in
            guard let self, case .open = phase else { return }
            lookup?.begin(refused)
        }
    }

    private var isPreparing: Bool { if case .preparing = phase { true } else { false } }
    private var isClosed: Bool { if case .closed = phase { true } else { false } }

    package func close() {
        guard !isClosed else { return }
        phase = .closed
        lostSounds.close()
        renditions.close()
        steering?.close()
        lookup?.close()
        sessionDataLoader?.close()
        dateRanges.close()
        metadataPlacement.close()
        playlists.close()
        context.resources.close()
    }

    // MARK: Preparing

    package func prepare(_ completion: @escaping @MainActor @Sendable (Result<SourceDescription, MediaError>) -> Void) {
        phase = .preparing(completion)
        let parsed = PlaylistParser(url: first.url).parse(first.bytes)
        switch parsed.playlist {
        case nil:
            finish(
                .failure(
                    MediaError(
                        .sourceFormat,
                        "The playlist \(first.url) was refused: \(parsed.errors.last.map(String.init(describing:)) ?? "it is empty")."
                    )))
        case .media: preparePlain()
        case .multivariant(let playlist): prepare(playlist)
        }
    }

    private func finish(_ result: Result<SourceDescription, MediaError>) {
        guard case .preparing(let completion) = phase else { return }
        phase = .open
        completion(result)
    }

    /// Prepares a media playlist without a multivariant playlist.
    private func preparePlain() {
        context.policy = logged(makePolicy([], VariantSelection(width: screen.width, height: screen.height) { _ in nil }))
        do throws(MediaError) {
            try currentTracker.adopt(first, from: entrance)
        } catch {
            return finish(.failure(error))
        }
        makeReaders(TrackTable())
        begin()
    }

    private func prepare(_ playlist: MultivariantPlaylist) {
        table = VariantTable(url: first.url, presentation: playlist)
        context.variables = playlist.variables
        let selection = VariantSelection(
            width: screen.width, height: screen.height, shownRanges: Set(ranges.map(\.videoRange)), takesLowest: takesLowest()
        ) {
            [codecs = context.codecs] in
            codecs.canDecode(codecString: $0)
        }
        context.policy = logged(makePolicy(playlist.variants, selection))
        context.resources.preload(
            keys: playlist.sessionKeys.filter { $0.method == .aes128 && $0.keyFormat == "identity" }.prefix(
                Self.mostPreloadedKeys
            )
            .compactMap { $0.uri.map { URLReference.resolve(reference: $0, against: first.url) } })
        if let pathway = playlist.contentSteering?.pathwayID { context.policy.setPathwayPriority([pathway]) }
        sessionDataLoader = SessionDataLoader(playlist, url: first.url, context: context) { [weak self] in
            self?.events.send(.metadataChanged)
        }
        guard let index = context.policy.firstVariant() else { return finish(.failure(refusal(of: playlist.variants))) }
        _ = table.choose(index)
        startSteering(playlist)
        open(playlist)
        // The sound's playlist is loaded at the same time as the pictures'.
        if let sound = tracks.audio.keys.sorted().first(where: { tracks.audio[$0]?.isDefault == true }) {
            audioTracker(of: sound)?.load()
        }
    }

    /// Why none of the variants can be played.
    private func refusal(of variants: [Variant]) -> MediaError {
        guard variants.contains(where: VariantSelection.requiresHDCP) else {
            return MediaError(
                .decoderUnsupported,
                "None of the \(variants.count) variants of \(first.url) is in a codec that this box decodes; add one in H.264 with AAC."
            )
        }
        return MediaError(
            .protected,
            "The variants of \(first.url) that this box decodes require HDCP, which it does not have; add one with HDCP-LEVEL=NONE."
        )
    }

    /// Makes the readers of the current variant and loads its playlist. The policy may switch to another variant meanwhile.
    private func open(_ playlist: MultivariantPlaylist) {
        if let variant = table.current {
            makeReaders(TrackTable(of: playlist, variant: variant) { table.describeAngles(like: $0) })
        }
        let tracker = currentTracker
        if tracker.playlist != nil { return begin() }
        let asked = table.index
        tracker.observeOnce { [weak self, weak tracker] in
            guard let self, let tracker, self.isPreparing, self.table.index == asked else { return }
            if let failure = tracker.failure, tracker.playlist == nil { return self.finish(.failure(failure)) }
            self.begin()
        }
        tracker.load()
    }

    private func makeReaders(_ table: TrackTable) {
        tracks = table
        renditions.replace(with: table) { [weak self] in
            self!.mainTracker($0)
        } audio: { [weak self] in
            self!.audioTracker(of: $0) ?? self!.mainTracker(nil)
        }
    }

    /// The first playlist has been loaded: starts reloading it, and describes the presentation.
    private func begin() {
        let tracker = currentTracker
        playlists.follow(tracker)
        guard let playlist = tracker.playlist else {
            preconditionFailure("a presentation is described once its playlist is there")
        }
        let window = LiveWindow(of: playlist, anchor: tracker.anchor, slides: tracker.slides)
        var description = SourceDescription(
            kind: "hls", tracks: tracks.tracks, duration: playlist.duration, seekableTimeRanges: [window.seekable])
        description.discontinuities = tracker.discontinuities
        description.preferredStart = window.start(by: playlist.start ?? table.presentation?.start)
        finish(.success(description))
    }

    /// The first request already tells the pathway of the chosen variant.
    private func startSteering(_ playlist: MultivariantPlaylist) {
        guard let steering = playlist.contentSteering else { return }
        self.steering = SteeringClient(
            address: URLReference.resolve(reference: steering.serverURI, against: first.url), context: context,
            pathway: { [weak self] in self?.table.pathway ?? "." }, onManifest: { [weak self] in self?.steer($0) })
    }

    private func steer(_ manifest: SteeringManifest) {
        for (copies, bases) in table.addClones(manifest) { context.policy.add(copies, standingFor: bases) }
        context.policy.setPathwayPriority(manifest.priority)
    }

    private func logged(_ policy: any StreamPolicy) -> any StreamPolicy {
        LoggedPolicy(policy) { [weak self] index in
            guard let self, self.table.variants.indices.contains(index) else {
                return RenditionFacts(url: self?.first.url ?? "")
            }
            let variant = self.table.variants[index]
            return RenditionFacts(
                url: self.table.address(ofVariant: index), indicatedBitrate: variant.bandwidth.map(Double.init),
                indicatedAverageBitrate: variant.averageBandwidth.map(Double.init))
        } tell: { [weak self] in
            self?.events.send(.logEntry($0))
        }
    }

    // MARK: Playlists

    /// The playlist of the current variant.
    private var currentTracker: MediaPlaylistTracker { tracker(ofVariant: table.index) }

    private func tracker(ofVariant index: Int) -> MediaPlaylistTracker {
        table.presentation == nil
            ? playlists.tracker(first.url, role: .variant(0))
            : playlists.tracker(table.address(ofVariant: index), role: .variant(index))
    }

    /// The playlist to read the variant from. With a question the policy may first choose another variant.
    private func mainTracker(_ question: VariantQuestion?) -> MediaPlaylistTracker {
        if let question { _ = change(to: context.policy.variant(for: question)) }
        // A variant whose playlist cannot be loaded is tried again later; until then the followed one is read.
        if currentTracker.isUnavailable, let followed = playlists.followed { return followed }
        return currentTracker
    }

    /// The playlist of an audio track, in the group of the current variant; nil when its sound is in the variant's own segments.
    private func audioTracker(of track: TrackID) -> MediaPlaylistTracker? {
        tracks.audio[track].flatMap { table.address(ofAudio: $0) }.map { playlists.tracker($0, role: .audio(track)) }
    }

    /// The playlist of a caption track, in the group of the current variant.
    private func textTracker(of track: TrackID) -> MediaPlaylistTracker? {
        tracks.text[track].flatMap { table.address(ofText: $0) }.map { playlists.tracker($0, role: .text(track)) }
    }

    /// The first playlist was loaded again, because another one or a segment is refused.
    private func take(again response: ByteResponse, segments: Bool) {
        guard !isClosed else { return }
        switch PlaylistParser(url: response.url).parse(response.bytes).playlist {
        case .media where table.presentation == nil: currentTracker.renew(response)
        case .multivariant(let playlist):
            playlists.move(
                table.addresses(in: VariantTable(url: response.url, presentation: playlist)), reloadsEnded: segments)
        case .media, nil: break
        }
    }

    /// The variants whose segment at the position of a failed request is stored; of a playlist that is not loaded, those whose playlist is stored.
    private func storedVariants(beside failed: StreamRequest) -> [Int] {
        let own: Int
        switch failed.role {
        case .variant(let index): own = index
        case .audio: own = table.index
        case .text, .iFrames, .presentation: return []
        }
        return table.variants.indices.filter { index in
            guard index != own else { return false }
            let address = table.address(ofVariant: index)
            guard let position = failed.position, let request = playlists.known(address)?.request(at: position) else {
                return context.loader.isStored(ByteRequest(url: address, kind: .playlist))
            }
            return context.loader.isStored(request)
        }
    }

    // MARK: Changing the variant

    /// Switches to a variant because another one cannot be loaded.
    ///
    /// - Returns: false when there is no such variant. The policy may have chosen it already, without a reader on it yet.
    private func use(variant index: Int) -> Bool {
        guard table.variants.indices.contains(index) else { return false }
        let isNew = change(to: index)
        renditions.leave()
        if isNew, isPreparing, let presentation = table.presentation { open(presentation) }
        return true
    }

    private func change(to index: Int) -> Bool {
        let old = currentTracker
        guard table.choose(index) else { return false }
        let new = currentTracker
        expectReport(of: new, from: old)
        followWhenLoaded(new)
        return true
    }

    /// The loaded playlist gives the window; the current variant's playlist takes over when it has been loaded.
    private func followWhenLoaded(_ tracker: MediaPlaylistTracker) {
        if tracker.playlist != nil { return playlists.follow(tracker) }
        let asked = table.index
        tracker.observeOnce { [weak self, weak tracker] in
            guard let self, let tracker, !self.isClosed, self.table.index == asked else { return }
            self.followWhenLoaded(tracker)
        }
    }

    /// The EXT-X-RENDITION-REPORT of the previous playlist tells the newest content of the other one.
    private func expectReport(of tracker: MediaPlaylistTracker, from old: MediaPlaylistTracker) {
        let report = old.playlist?.renditionReports.first {
            URLReference.resolve(reference: $0.uri, against: old.url) == tracker.address
        }
        if let report { tracker.expect(report) }
    }

    // MARK: Reading

    package func startReading(at time: MediaTime, tracks: [TrackID]) -> SampleBuffer {
        let buffer = renditions.startReading(at: time, tracks: tracks)
        updateStatus()
        return buffer
    }

    package func startReadingKeyFrames(_ reading: KeyFrameReading, track: TrackID) -> SampleBuffer? {
        guard !isClosed, track == StreamTrack.video, let tracker = keyFrameTracker() else { return nil }
        return renditions.startReadingKeyFrames(reading, track: track, from: tracker)
    }

    /// The I-frame playlist with the least bandwidth that is as large as the screen needs, otherwise the largest; without one the
    /// followed playlist.
    private func keyFrameTracker() -> MediaPlaylistTracker? {
        guard let presentation = table.presentation else { return playlists.followed }
        let selection = VariantSelection(width: screen.width, height: screen.height) { [codecs = context.codecs] in
            codecs.canDecode(codecString: $0)
        }
        guard let best = selection.chooseIFrames(from: presentation.iFrameVariants) else { return playlists.followed }
        let tracker = playlists.tracker(
            URLReference.resolve(reference: presentation.iFrameVariants[best].uri, against: first.url), role: .iFrames(best))
        return tracker.failure == nil ? tracker : playlists.followed
    }

    private func soundIsUnavailable(_ track: TrackID, _ error: MediaError) {
        guard !isClosed else { return }
        lostSounds.add(track)
        events.send(.soundUnavailable(track, error))
    }

    // MARK: Status

    /// Notifies the observer if anything has changed.
    private func updateStatus() {
        guard !isClosed, let tracker = playlists.followed, let playlist = tracker.playlist else { return }
        let changes = dateRanges.update(tracker, playlist)
        if changes.contains(.metadata) { events.send(.metadataChanged) }
        if changes.contains(.interstitials) { events.send(.interstitialsChanged(dateRanges.interstitials)) }
        let window = LiveWindow(of: playlist, anchor: tracker.anchor, slides: tracker.slides)
        var status = LiveStatus(
            isLive: window.isLive, seekableTimeRange: window.seekable, edge: window.edge,
            edgeInstant: tracker.lastChange.nanoseconds, recommendedTimeOffsetFromLive: window.holdBack,
            targetDuration: playlist.targetDuration)
        status.isLowLatency = window.isLowLatency
        status.isBehindWindow = renditions.isBehind
        status.isStuck = tracker.isStuck
        status.dates = tracker.dates
        status.discontinuities = tracker.discontinuities
        if !window.isLive { status.duration = .finite(window.edge) }
        guard status != liveStatus else { return }
        liveStatus = status
        events.send(.liveStatusChanged(status))
    }

}

extension HLSSource: LiveSource {}

extension HLSSource: MetadataSource {
    package var sessionData: [SessionDatum] { sessionDataLoader?.sessionData ?? [] }
    package var chapters: [StreamChapter] { sessionDataLoader?.chapters ?? [] }
    package var dateRangeMetadata: [DateRangeMetadata] { dateRanges.metadata }
}

extension HLSSource: InterstitialSource {
    package var interstitials: [Interstitial] { dateRanges.interstitials }

    package func resolveAssets(
        of event: Interstitial.Event, from offset: MediaTime,
        _ completion: @escaping @MainActor (_ assets: [InterstitialAsset]?, _ skip: Interstitial.SkipControl?) -> Void
    ) -> (any InterstitialAssetRequest)? {
        dateRanges.resolveAssets(of: event, from: offset, completion)
    }

    package func segmentBoundary(nearest time: MediaTime) -> MediaTime {
        guard let tracker = playlists.followed, let playlist = tracker.playlist else { return time }
        return tracker.anchor + playlist.boundary(nearest: time - tracker.anchor)
    }
}

extension HLSSource: AlternateTrackSource {
    package func startReading(alternate track: TrackID, insteadOf old: TrackID?, at time: MediaTime) -> SampleBuffer? {
        isClosed ? nil : renditions.startReading(alternate: track, insteadOf: old, at: time)
    }
}

extension HLSSource: AngleSource {
    package func selectAngle(_ track: TrackID) -> Bool {
        guard !isClosed, table.chooseAngle(track) else { return false }
        renditions.leave()
        followWhenLoaded(currentTracker)
        return true
    }
}

extension HLSSource: AdaptiveSource {
    package func decoderFallsBehind() { context.policy.decoderFallsBehind(table.index) }
}

extension HLSSource: TextSource {
    package func startReadingText(
        of track: TrackID, at time: MediaTime, deliver: @escaping @MainActor (TextSegment) -> Void
    ) -> (any TextReading)? {
        guard !isClosed, tracks.text[track] != nil else { return nil }
        return renditions.startReadingText(
            of: track, at: time, choose: { [weak self] in self?.textTracker(of: track) }, deliver: deliver)
    }
}
