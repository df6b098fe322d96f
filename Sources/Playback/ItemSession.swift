import LinuxSupport
import MediaModel
import MediaSources
import MediaTime

/// The state of one item while a player plays it: its open source, its reader, its boundaries, its observers and its log.
///
/// A player has the session of the current item, and that of an item suspended for an interstitial. Ending an item ends its session; the next item has
/// its own session. Main loop.
@MainActor
final class ItemSession {
    let item: PlayerItem
    /// Whether the item is an asset of an interstitial, which is part of the presentation's session.
    let isInterstitial: Bool
    /// Delivers its samples; nil until the item is ready.
    private(set) var source: (any MediaSource)?
    private(set) lazy var reader = ItemReader(for: self)
    /// The client's forward boundary.
    private(set) var clientBoundary: MediaTime?
    /// Where playback is held or ends: the first of the client's boundary, the item's end and the next interstitial.
    private(set) var boundary: MediaTime?
    private var boundaryTimer: ScheduledEvent?
    /// The position at which the viewer began to preview. Only the interstitials before the final position count.
    private var previewOrigin: MediaTime?
    /// Writes its log; nil for an asset of an interstitial.
    private(set) var log: SessionLog?
    private(set) var interstitials: InterstitialPlayback?
    private var live: LiveFollower?
    private var listening: Subscription?
    private var followingTracks: Subscription?
    private var followingSelection: [Subscription] = []
    private var metadata: MetadataFollower?
    unowned let host: any ItemSessionHost
    let pipeline: PlaybackPipeline
    let transport: TransportDriver

    init(
        _ item: PlayerItem, isInterstitial: Bool = false, pipeline: PlaybackPipeline, transport: TransportDriver,
        host: any ItemSessionHost
    ) {
        (self.item, self.isInterstitial) = (item, isInterstitial)
        (self.pipeline, self.transport, self.host) = (pipeline, transport, host)
        settleBoundary()
    }

    /// Whether it owns the screen and the audio output.
    var isCurrent: Bool { host.isCurrent(self) }

    // MARK: Start

    /// Opens the item's asset and begins playback.
    func load() {
        item.asset.load { [weak self] result in
            guard let self, self.isCurrent else { return }
            self.host.whileHolding {
                switch result {
                case .failure(let error): self.reader.fail(error)
                case .success(let description): self.begin(description)
                }
            }
        }
    }

    /// Begins the log of the item.
    func beginLog(_ log: SessionLog) { self.log = log }

    private func begin(_ description: SourceDescription) {
        guard let source = item.asset.takeSource() else { return reader.fail(.alreadyPlayed(item.asset)) }
        self.source = source
        listen(to: source)
        followInterstitials(of: source)
        followLive(source)
        item.description = description
        source.selectAngle(of: item)
        followMetadata(of: source)
        pipeline.pictures.prepareTracks(of: item)
        listenToTracks()
        if !isInterstitial { pipeline.screen.match(item) }
        item.findsOutStretching = { [weak sound = pipeline.sound] in sound?.canStretch ?? false }
        item.status = .readyToPlay
        transport.itemBecameReady()
        beginSelection()
        let start = reader.open(at: item.startTime ?? item.configuredStart ?? description.preferredStart)
        interstitials?.joined(at: start, owed: item.owedInterstitial)
    }

    /// The sound cannot be read or decoded. If it has no decoder, the item plays with other sound of it, or the pictures without any.
    func soundFailed(_ error: MediaError) {
        guard let track = item.dispensableSound(after: error) else { return reader.fail(error) }
        goOn(without: track, error) { reader.restart(at: host.currentTime) { item.selection.withdraw(track.id) } }
    }

    /// A separate audio track cannot be loaded; its source tries again. What plays already goes on without a break.
    private func soundIsUnavailable(_ id: TrackID, _ error: MediaError) {
        guard isCurrent, let track = item.description?.tracks.first(where: { $0.id == id }), !item.selection.hasWithdrawn(id)
        else { return }
        goOn(without: track, error) {
            if reader.hasLanded {
                item.selection.withdraw(track.id)
            } else {
                reader.restart(at: host.currentTime) { item.selection.withdraw(track.id) }
            }
        }
    }

    private func soundIsAvailable(_ track: TrackID) {
        guard !item.selection.hasWithdrawn(track) else { return item.selection.reinstate(track) }
        // It was unavailable when this item was read ahead, and has ended since.
        if isCurrent, item.audioTrack?.id == track { reader.changeSound() }
    }

    private func goOn(without track: TrackDescription, _ error: MediaError, withdraw: () -> Void) {
        let wasHeard = item.audioTrack?.id == track.id
        host.note(error, of: item)
        withdraw()
        // The messages are about the programme's own sound, not about its description.
        guard wasHeard else { return }
        guard let other = item.audioTrack else { return host.tell(.playsWithoutSound(error)) }
        // The same words in another format need no message.
        if LanguageScore.normalized(other.languageTag) != LanguageScore.normalized(track.languageTag) {
            host.tell(.soundChangeFailed(error))
        }
    }

    /// Takes over from the previous item without a gap: adopts what was opened and read ahead.
    func takeOver(_ opened: Succession.Opened, _ lookahead: Succession.Lookahead, _ joint: Succession.Joint) {
        source = opened.source
        reader.takeOver(ForwardReading(takingOver: lookahead, joint, of: reader))
        settleBoundary()
    }

    /// Observes the adopted source, which reports to this session from now on.
    func followTakenOver(_ opened: Succession.Opened) {
        listen(to: opened.source)
        for entry in opened.entries { host.take(entry) }
        followInterstitials(of: opened.source)
        followMetadata(of: opened.source)
        listenToTracks()
    }

    // MARK: Followers

    private func listen(to source: any MediaSource) {
        listening = source.events.listen { [weak self] event in
            guard let self else { return }
            self.host.whileHolding { self.take(event) }
        }
        (source as? StillSource)?.follow { [weak self] news in
            guard let self else { return }
            self.host.whileHolding { self.take(news) }
        }
    }

    /// The picture was fetched again: another one takes the place of that on the screen, and the clock goes on.
    private func take(_ news: StillSource.News) {
        switch news {
        case .failed(let error): host.note(error, of: item)
        case .replaced(let frame):
            guard isCurrent, item.videoTrack != nil, reader.isReading else { return }
            pipeline.pictures.cache.removeAll()
            if let run = reader.forward?.progress.generation, pipeline.scheduler.replacePicture(with: frame, in: run) { return }
            // The picture of a seek that is under way may be the old one.
            reader.restart(at: host.currentTime)
        }
    }

    private func take(_ event: SourceEvent) {
        switch event {
        case .logEntry(let entry): host.take(entry)
        case .liveStatusChanged(let status): take(status)
        case .metadataChanged: metadata?.takeSource()
        case .timedMetadata(let found): metadata?.take(found)
        case .interstitialsChanged(let events): interstitials?.take(events)
        case .soundUnavailable(let track, let error): soundIsUnavailable(track, error)
        case .soundAvailable(let track): soundIsAvailable(track)
        case .trackAppeared(let track): trackAppeared(track)
        }
    }

    /// The selection takes up a track that comes in the middle; pictures are read as soon as there are some.
    private func trackAppeared(_ track: TrackDescription) {
        guard item.description?.tracks.contains(where: { $0.id == track.id }) == false else { return }
        let hadPictures = item.videoTrack != nil
        item.description?.tracks.append(track)
        guard isCurrent, !hadPictures, item.videoTrack != nil else { return }
        pipeline.pictures.prepareTracks(of: item)
        reader.readAnew()
    }

    private func followInterstitials(of source: any MediaSource) {
        guard !isInterstitial else { return }
        interstitials = source.interstitialSource.map { InterstitialPlayback(player: host, source: $0) }
    }

    /// Follows the live edge, starting before the first run.
    private func followLive(_ source: any MediaSource) {
        guard !isInterstitial, let source = source.liveSource else { return }
        item.liveStatus = source.liveStatus
        if source.liveStatus?.isLive == true { live = LiveFollower(item, player: self, clock: pipeline.clock) }
    }

    private func take(_ status: LiveStatus) {
        guard !isInterstitial else { return }
        item.take(status)
        guard isCurrent else { return }
        transport.seekableRangeChanged()
        guard status.isLive else { return endLive() }
        // One that stated not to change may turn out to be live.
        live = live ?? LiveFollower(item, player: self, clock: pipeline.clock)
        live?.rejoinIfLost(status)
    }

    /// The item no longer grows.
    private func endLive() {
        live?.end()
        live = nil
    }

    /// Follows the metadata of the stream, starting before the first run.
    private func followMetadata(of source: any MediaSource) {
        guard !isInterstitial else { return }
        metadata = source.metadataSource.map { source in
            MetadataFollower(item, source: source, observers: pipeline.observers, clock: pipeline.clock) { [weak self] in
                guard let self, self.isCurrent, self.reader.hasLanded else { return nil }
                return self.reader.position
            } tell: { [weak self] in
                self?.host.tell($0)
            }
        }
    }

    private func listenToTracks() {
        followingTracks = item.trackChanges.listen { [weak self] track in
            guard let self, self.isCurrent else { return }
            self.host.whileHolding { self.reader.trackChanged(track.assetTrack.type, isEnabled: track.isEnabled) }
        }
    }

    /// Playback has begun after a start or a seek.
    func landed(at time: MediaTime) {
        live?.landed(at: time)
        host.landed(at: time)
        metadata?.landed()
    }

    // MARK: Selection

    /// Observes the selection of audio and captions.
    ///
    /// - Parameter tap: collects the captions inside the pictures, if they have been decoded ahead.
    func beginSelection(closedCaptions tap: ClosedCaptionTap? = nil) {
        guard let source else { return }
        let captionLoader = pipeline.captionLoader
        captionLoader.begin(source, trackCues: item.asset.trackCues, closedCaptions: tap)
        followingSelection = [
            captionLoader.events.listen { [weak self] event in
                guard let self else { return }
                self.host.whileHolding { self.take(event) }
            },
            item.selection.changes.listen { [weak self] change in
                guard let self, case .selected(let characteristic) = change else { return }
                self.host.whileHolding { self.selectionChanged(characteristic) }
            },
        ]
        selectCaptions()
    }

    private func endSelection() {
        followingSelection = []
        pipeline.captionLoader.end()
    }

    private func take(_ event: CaptionLoader.Event) {
        switch event {
        case .failed(let error, let isFirst):
            host.note(error, of: item)
            if isFirst { host.tell(.captionsFailed(error)) }
        case .foundClosedCaptions(let channels):
            for channel in channels { item.selection.addClosedCaptions(channel, languageTag: nil) }
        }
    }

    private func selectionChanged(_ characteristic: MediaCharacteristic) {
        switch characteristic {
        case .legible: selectCaptions()
        case .audible: reader.soundSelectionChanged()
        case .visual: changeAngle()
        }
    }

    private func selectCaptions() {
        pipeline.captionLoader.select(item.selection.selectedOption(.legible), at: host.currentTime)
    }

    /// The pictures of another angle start where those of the previous one are.
    private func changeAngle() {
        guard source?.selectAngle(of: item) == true else { return }
        pipeline.pictures.cache.removeAll()
        reader.readAnew()
    }

    // MARK: Boundaries

    /// The client holds playback before another position; nil for none.
    func setClientBoundary(_ time: MediaTime?) {
        clientBoundary = time
        settleBoundary()
    }

    /// Determines which boundary comes first.
    func settleBoundary() {
        boundary = [clientBoundary, item.forwardPlaybackEndTime, interstitials?.boundary].compactMap { $0 }.min()
        disarmBoundary()
    }

    /// Applies the boundary to the scheduler, audio and clock.
    func applyBoundary() {
        pipeline.scheduler.setBoundary(boundary)
        pipeline.audio.limit = boundary
        transport.timebase.limit(to: clockLimit(at: transport.rate))
    }

    /// Where the clock stops: forward at the boundary, in reverse at the start.
    func clockLimit(at rate: Ratio) -> MediaTime? { rate < .zero ? reader.lowerBound : boundary }

    /// Schedules the time at which playback reaches its boundary.
    func armBoundary() {
        disarmBoundary()
        let timebase = transport.timebase
        guard let boundary, timebase.rate > .zero, let instant = timebase.media.instant(of: boundary) else { return }
        boundaryTimer = pipeline.clock.schedule(at: instant, rank: .media) { [weak self] in
            guard let self, self.boundary == boundary, timebase.rate > .zero else { return }
            self.reached(boundary)
        }
    }

    private func disarmBoundary() {
        boundaryTimer?.cancel()
        boundaryTimer = nil
    }

    private func reached(_ boundary: MediaTime) {
        if boundary == item.forwardPlaybackEndTime {
            reader.end()
        } else if boundary == interstitials?.boundary {
            interstitials?.reachedBoundary()
        } else {
            host.tell(.reachedBoundary(boundary))
        }
    }

    // MARK: Interstitials

    /// Whether the item's interstitials allow a seek to a position.
    ///
    /// - Parameters:
    ///   - position: the current position.
    ///   - isPreview: whether the seek is a preview.
    func interstitialVerdict(on time: MediaTime, from position: MediaTime, isPreview: Bool) -> InterstitialPlayback.Verdict {
        guard let interstitials else { return .allowed }
        // A preview does not leave the current position yet.
        if isPreview, !interstitials.isPresenting {
            if transport.rate == .zero, previewOrigin == nil { previewOrigin = position }
            return .allowed
        }
        let origin = previewOrigin ?? position
        previewOrigin = nil
        return interstitials.sought(to: time, from: origin)
    }

    /// Ends the interstitials, including the one that is presented.
    func endInterstitials() {
        interstitials?.close()
        interstitials = nil
    }

    /// Gives up the screen for an interstitial: the source stays open, but is not read.
    func suspend(at position: MediaTime) {
        metadata?.left(at: position)
        reader.close()
        endSelection()
        pipeline.pictures.cache.removeAll()
        disarmBoundary()
        live?.isSuspended = true
    }

    /// One of its interstitials is presented.
    func presents(_ interstitial: Interstitial) { metadata?.presents(interstitial) }

    /// The item owns the screen again.
    func resume() { live?.isSuspended = false }

    // MARK: The end

    /// Ends reading and everything else of the item.
    func end() {
        reader.close()
        endSelection()
        pipeline.pictures.cache.removeAll()
        endAll()
    }

    /// Ends everything of the item except what the sink and the scheduler hold: the next item takes over.
    func endJoined() {
        endSelection()
        endAll()
        reader.closeJoined()
    }

    private func endAll() {
        endLive()
        metadata = nil
        endInterstitials()
        disarmBoundary()
        source?.close()
        source = nil
        listening = nil
        followingTracks = nil
        let ended = log
        log = nil
        ended?.close()
    }
}

extension ItemSession: LivePlayback {
    var currentTime: MediaTime { host.currentTime }
    var wantedRate: Ratio { transport.rate }
    var isRunning: Bool { transport.isRunning }
    var isStalled: Bool { transport.phase == .stalled }
    var isSeekPending: Bool { reader.isSeekPending }
    var loadedUntil: MediaTime? { reader.loadedUntil }

    func seek(
        to time: MediaTime, toleranceBefore before: MediaTime?, toleranceAfter after: MediaTime?,
        completion: (@MainActor (Bool) -> Void)?
    ) {
        host.seek(to: time, toleranceBefore: before, toleranceAfter: after, completion: completion)
    }

    func setRate(_ rate: Ratio) -> Bool { host.setRate(rate) }
}

extension MediaError {
    /// An asset has one source, which another player is using.
    static func alreadyPlayed(_ asset: Asset) -> MediaError {
        MediaError(.internal, "\(asset.url) is already being played; create a new asset to play it twice.")
    }

    /// An item has neither a picture nor sound.
    ///
    /// - Parameter hasSamples: whether it has encoded ones.
    static func nothingToPresent(of url: String, hasSamples: Bool) -> MediaError {
        hasSamples
            ? MediaError(
                .sourceFormat,
                "\(url) was read to its end, but none of its pictures and sound could be decoded; it is damaged; create it again."
            )
            : MediaError(
                .sourceFormat,
                "\(url) was opened and read to its end, but it has no pictures and no sound; check the file or its server.")
    }

    /// Pictures are given up, and the sound goes on.
    static func noPictures(of url: String) -> MediaError {
        MediaError(
            .sourceFormat, "None of the pictures of \(url) could be decoded; its sound is played without them; create it again.")
    }
}

extension MediaSource {
    /// Selects the angle that is selected in an item, which may be another one than the first before anything is read: a viewer's choice is applied as soon as
    /// the angles are known.
    ///
    /// - Returns: whether another angle than before will be read.
    @discardableResult
    func selectAngle(of item: PlayerItem) -> Bool {
        guard case .track(let track) = item.selection.selectedOption(.visual)?.source else { return false }
        return angleSource?.selectAngle(track) == true
    }
}
