import HLSPlaylist
import LinuxSupport
import MediaModel
import MediaTime
import URLReferences

/// An HLS presentation as a source, on demand or live: playlists, the variant that the policy chooses, its renditions, all on one timeline.
@MainActor
package final class HLSSource: MediaSource, LoggingSource {
    private let address: String
    private let first: ByteResponse
    private let screen: (width: Int, height: Int)
    var screenHeight: Int { screen.height }
    private let takesLowest: Bool
    let context: StreamContext
    /// The playlist of variants, where there is one.
    private(set) var presentation: MultivariantPlaylist?
    /// The variant that is being read: an index into `variants`.
    private(set) var variant = 0
    /// The variants of the playlist, and the clones that content steering makes of them.
    var variants: [Variant] = []
    var steering: SteeringClient?
    private var trackers: [String: MediaPlaylistTracker] = [:]
    /// In the order in which they were made: dictionaries have none.
    private var trackerOrder: [MediaPlaylistTracker] = []
    /// The playlist that is kept fresh as long as the source is open.
    var followed: MediaPlaylistTracker?
    var followedObservation = 0
    var readers: [(tracks: Set<TrackID>, reader: RenditionReader)] = []
    var audioRenditions: [TrackID: Rendition] = [:]
    var textRenditions: [TrackID: Rendition] = [:]
    var textReaders: [TextRenditionReader] = []
    var keyFrameReader: KeyFrameReader?
    var assetListTasks: [StreamTask] = []
    private var sessionCount = 0
    private(set) var isClosed = false
    private var completion: (@MainActor @Sendable (Result<SourceDescription, MediaError>) -> Void)?

    package internal(set) var liveStatus: LiveStatus?
    package var onLiveStatusChange: (@MainActor (LiveStatus) -> Void)?
    /// Called on the main loop when date ranges of the presentation have changed; see `interstitialEvents`.
    package var onInterstitialEventsChange: (@MainActor ([InterstitialEvent]) -> Void)?
    package internal(set) var interstitialEvents: [InterstitialEvent] = []
    /// Called on the main loop with timed metadata as it is read, ahead of its time.
    package var onTimedMetadata: (@MainActor ([TimedMetadata]) -> Void)?
    package var onMetadataChange: (@MainActor () -> Void)?
    var metadata = PresentationMetadata()
    var places = Places()
    private(set) lazy var schedules = DateRangeSchedules(context: context) { [weak self] in self?.updateStatus() }

    static let video = TrackID(0)
    static let muxedAudio = TrackID(1)
    /// Captions are numbered from here on.
    static let firstText = 100

    /// Wraps the playlist that was found at `url`.
    ///
    /// - Parameters:
    ///   - playlist: the answer to the request for it; its address is the one after redirects.
    ///   - screen: the size in pixels beyond which no variant is worth loading.
    ///   - memory: what the network carried in the sessions before.
    ///   - takesLowest: whether nothing but the lowest quality is taken.
    package convenience init(
        url: String, playlist: ByteResponse, screen: (width: Int, height: Int), loader: any ByteLoading,
        codecs: any CodecFactory, clock: any HostClock, memory: NetworkMemory? = nil, takesLowest: Bool = false
    ) {
        self.init(
            url: url, playlist: playlist, screen: screen, loader: loader, codecs: codecs, clock: clock, takesLowest: takesLowest
        ) {
            AdaptivePolicy(variants: $0, selection: $1, memory: memory, answer: playlist)
        }
    }

    /// - Parameter makePolicy: makes what is decided by once the variants are known; nil takes the usual one.
    init(
        url: String, playlist: ByteResponse, screen: (width: Int, height: Int), loader: any ByteLoading,
        codecs: any CodecFactory, clock: any HostClock, takesLowest: Bool = false,
        makePolicy: (@MainActor (_ variants: [Variant], _ selection: VariantSelection) -> any StreamPolicy)?
    ) {
        address = url
        first = playlist
        self.screen = screen
        self.takesLowest = takesLowest
        self.makePolicy = makePolicy ?? { FixedPolicy(variants: $0, selection: $1) }
        context = StreamContext(
            loader: loader, codecs: codecs, clock: clock,
            policy: FixedPolicy(variants: [], selection: VariantSelection(width: 0, height: 0) { _ in nil }))
        context.useVariant = { [weak self] in self?.use(variant: $0) ?? false }
    }
    private let makePolicy: @MainActor (_ variants: [Variant], _ selection: VariantSelection) -> any StreamPolicy

    /// Takes what is loaded and what cannot be had, for the logs.
    package var onLogEntry: (@MainActor (SourceLogEntry) -> Void)?

    private func logged(_ policy: any StreamPolicy) -> any StreamPolicy {
        LoggedPolicy(policy) { [weak self] index in
            guard let self, self.variants.indices.contains(index) else { return RenditionFacts(url: self?.url ?? "") }
            let variant = self.variants[index]
            return RenditionFacts(
                url: self.address(ofVariant: index), indicatedBitrate: variant.bandwidth.map(Double.init),
                indicatedAverageBitrate: variant.averageBandwidth.map(Double.init))
        } tell: { [weak self] in
            self?.onLogEntry?($0)
        }
    }

    /// The address of the playlist that the presentation began with, after redirects.
    var url: String { first.url }

    package func prepare(_ completion: @escaping @MainActor @Sendable (Result<SourceDescription, MediaError>) -> Void) {
        self.completion = completion
        let parsed = PlaylistParser(url: first.url).parse(first.bytes)
        switch parsed.playlist {
        case nil:
            finish(
                .failure(
                    MediaError(
                        .sourceFormat,
                        "The playlist \(first.url) was refused: \(parsed.errors.last.map(String.init(describing:)) ?? "it holds nothing")."
                    )))
        case .media: preparePlain()
        case .multivariant(let playlist): prepare(playlist)
        }
    }

    private func finish(_ result: Result<SourceDescription, MediaError>) {
        let completion = completion
        self.completion = nil
        completion?(result)
    }

    package func startReading(at time: MediaTime, tracks: [TrackID]) -> SampleBuffer {
        keyFrameReader?.cancel()
        sessionCount += 1
        let used = readers.filter { !$0.tracks.isDisjoint(with: tracks) }
        let kept = used.flatMap { soundBesidePictures(of: $0.reader) }
        let wanted = Set(tracks + kept)
        // Simulated time waits for everything anyhow; where reading stands must not hang on which thread was quicker.
        let buffer = SampleBuffer(
            tracks: tracks, keptTracks: kept, groups: used.map { $0.tracks.filter(wanted.contains).sorted() },
            isHeldBack: !context.clock.isSimulated, ledger: context.clock.ledger)
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
        updateStatus()
        return buffer
    }

    /// A number for a run of reading, shared by all that read.
    func nextSession() -> Int {
        sessionCount += 1
        return sessionCount
    }

    package func close() {
        guard !isClosed else { return }
        isClosed = true
        completion = nil
        readers.forEach { $0.reader.close() }
        readers = []
        textReaders.forEach { $0.cancel() }
        textReaders = []
        keyFrameReader?.close()
        keyFrameReader = nil
        steering?.close()
        assetListTasks.forEach { $0.cancel() }
        schedules.close()
        trackerOrder.forEach { $0.close() }
        context.resources.close()
    }

    // MARK: Playlists

    /// The playlist at an address, made when it is first asked for.
    func tracker(_ url: String, role: RenditionRole) -> MediaPlaylistTracker {
        if let known = trackers[url] { return known }
        let tracker = MediaPlaylistTracker(
            address: url, role: role, context: context,
            state: { [weak self] in self?.readers.first?.reader.state ?? ReadingState() },
            reference: { [weak self] in self?.reference(for: $0) })
        trackers[url] = tracker
        trackerOrder.append(tracker)
        return tracker
    }

    /// A playlist that others are placed beside: the one that is read, or any that is placed.
    private func reference(for tracker: MediaPlaylistTracker) -> PlaylistAlignment.Placed? {
        if let followed, followed !== tracker, let placed = followed.placed { return placed }
        return trackerOrder.first { $0 !== tracker && $0.placed != nil }?.placed
    }

    /// The playlist of a variant.
    func tracker(ofVariant index: Int) -> MediaPlaylistTracker {
        presentation == nil
            ? tracker(url, role: .variant(0)) : tracker(address(ofVariant: index), role: .variant(index))
    }

    // MARK: A media playlist of its own

    /// Sound is expected beside the pictures; a track that turns out not to be there is over at once.
    private func preparePlain() {
        context.policy = logged(makePolicy([], VariantSelection(width: screen.width, height: screen.height) { _ in nil }))
        let tracker = tracker(first.url, role: .variant(0))
        do throws(MediaError) {
            try tracker.adopt(first)
        } catch {
            return finish(.failure(error))
        }
        let tracks = [
            TrackDescription(id: Self.video, type: .video, codec: "", isDefault: true),
            TrackDescription(id: Self.muxedAudio, type: .audio, codec: "", isDefault: true),
        ]
        addMainReader([.init(type: .video, track: Self.video), .init(type: .audio, track: Self.muxedAudio)])
        begin(tracks)
    }

    // MARK: A multivariant playlist

    private func prepare(_ playlist: MultivariantPlaylist) {
        presentation = playlist
        variants = playlist.variants
        context.variables = playlist.variables
        let selection = VariantSelection(width: screen.width, height: screen.height, takesLowest: takesLowest) {
            [codecs = context.codecs] in
            codecs.canDecode(codecString: $0)
        }
        context.policy = logged(makePolicy(playlist.variants, selection))
        startSteering(playlist)
        readSessionData(playlist)
        guard let index = context.policy.firstVariant() else {
            return finish(
                .failure(
                    MediaError(
                        .decoderUnsupported,
                        "None of the \(playlist.variants.count) variants of \(first.url) is in a codec that this box decodes; add one in H.264 with AAC."
                    )))
        }
        variant = index
        let tracks = describeTracks(of: playlist, variant: playlist.variants[index])
        open(tracks)
        // The list of the sound is fetched beside that of the pictures.
        if let sound = audioRenditions.keys.sorted().first(where: { audioRenditions[$0]?.isDefault == true }) {
            audioTracker(of: sound)?.load()
        }
    }

    /// Loads the playlist of the chosen variant, or of another where the policy says so.
    private func open(_ tracks: [TrackDescription]) {
        let tracker = tracker(ofVariant: variant)
        if tracker.playlist != nil { return begin(tracks) }
        let asked = variant
        tracker.observeOnce { [weak self, weak tracker] in
            guard let self, let tracker, !self.isClosed, self.completion != nil, self.variant == asked else { return }
            if let failure = tracker.failure, tracker.playlist == nil { return self.finish(.failure(failure)) }
            self.begin(tracks)
        }
        tracker.load()
    }

    /// The first playlist is there: from now on it is kept fresh, and everything is told.
    private func begin(_ tracks: [TrackDescription]) {
        follow(tracker(ofVariant: variant))
        finish(.success(description(tracks)))
    }

    func addMainReader(_ outlets: [RenditionReader.Outlet]) {
        let reader = RenditionReader(name: "main", outlets: outlets, context: context) { [weak self] question in
            self!.mainTracker(question)
        }
        add(reader)
    }

    func addAudioReader(_ track: TrackID) {
        let reader = RenditionReader(
            name: "a\(track.number)", outlets: [.init(type: .audio, track: track)], context: context
        ) { [weak self] _ in
            self!.audioTracker(of: track) ?? self!.mainTracker(nil)
        }
        add(reader)
    }

    private func add(_ reader: RenditionReader) {
        reader.onBehind = { [weak self] in self?.updateStatus() }
        reader.onMetadata = { [weak self] in self?.take($0) }
        readers.append((Set(reader.outlets.map(\.track)), reader))
    }

    // MARK: Changing the variant

    private func mainTracker(_ question: VariantQuestion?) -> MediaPlaylistTracker {
        if let question {
            let wanted = context.policy.variant(for: question)
            if variants.indices.contains(wanted), wanted != variant { _ = change(to: wanted) }
        }
        return tracker(ofVariant: variant)
    }

    /// Goes over to a variant because what was asked for cannot be had from the present one.
    private func use(variant index: Int) -> Bool {
        guard change(to: index) else { return false }
        readers.forEach { $0.reader.leave() }
        if completion != nil, let presentation {
            open(describeTracks(of: presentation, variant: variants[index]))
        }
        return true
    }

    private func change(to index: Int) -> Bool {
        guard variants.indices.contains(index), index != variant else { return false }
        let old = tracker(ofVariant: variant)
        variant = index
        let new = tracker(ofVariant: index)
        expectReport(of: new, from: old)
        // The window is told by the list that is there; the new one takes over when it has come.
        if new.playlist != nil { follow(new) } else { followWhenLoaded(new, index) }
        return true
    }

    func followWhenLoaded(_ tracker: MediaPlaylistTracker, _ index: Int) {
        tracker.observeOnce { [weak self, weak tracker] in
            guard let self, let tracker, !self.isClosed, self.variant == index, tracker.playlist != nil else { return }
            self.follow(tracker)
        }
    }

    /// EXT-X-RENDITION-REPORT of the list that is left says how far the other one has come.
    private func expectReport(of tracker: MediaPlaylistTracker, from old: MediaPlaylistTracker) {
        let report = old.playlist?.renditionReports.first {
            URLReference.resolve(reference: $0.uri, against: old.url) == tracker.address
        }
        if let report { tracker.expect(report) }
    }
}
