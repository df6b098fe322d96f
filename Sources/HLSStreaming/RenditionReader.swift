import HLSPlaylist
import LinuxSupport
import MediaModel
import MediaSources
import MediaTime
import URLReferences

/// Reads one rendition: fetches its segments on the main loop, demuxes them on a separate thread, and delivers samples in asset time.
///
/// It reads a `MediaPlaylistTracker` that is chosen again before each segment: the policy may have switched to another variant.
@MainActor
final class RenditionReader {
    /// One reading run from a position.
    struct Session {
        var number: Int
        var buffer: SampleBuffer
        /// Where the bytes of the current segment go.
        var delivery: RunDelivery
        var start: MediaTime
        var began: HostTime
        var tracker: MediaPlaylistTracker
        var observation: Int
        /// The next segment or part to fetch; nil until a playlist is loaded.
        var cursor: MediaPlaylistTracker.Cursor?
        /// Asset time from which media is fetched next.
        var position: MediaTime
        /// The end of the last segment that was loaded: behind the position when segments after it were missed.
        var reach: MediaTime
        /// The position at which the current tracker was entered.
        var entry: MediaTime
        /// The way to the key frame on which the pictures at the entry depend.
        var approach = KeyFrameApproach()
        var fetch: SegmentFetch?
        /// A preload hint that is being fetched.
        var hint: SegmentFetch?
        var missed = 0
        var completions = SegmentCompletions()
        var leaving = Leaving.no
        /// Whether the next media has left the window.
        var isBehind = false
        var hasFinished = false
        /// Whether others play on without it.
        var isDispensable: Bool

        var hasDelivered: Bool { completions.last != nil }
        var isLeaving: Bool { if case .no = leaving { false } else { true } }
    }

    /// Whether the current tracker is left as soon as the chosen one is loaded. Nothing is fetched until then.
    enum Leaving {
        case no
        case yes
        /// The chosen one is loading.
        case loading(MediaPlaylistTracker)
    }

    private let context: StreamContext
    let outlets: [TrackOutlet]
    /// Chooses the playlist to read from: with a question before each segment, without one at the start.
    private let choose: @MainActor (VariantQuestion?) -> MediaPlaylistTracker
    /// Called when the next media has left the live window.
    var onBehind: (@MainActor () -> Void)?
    /// Timed metadata in segments, with the asset time of their start.
    var onMetadata: (@MainActor ([SegmentMetadata]) -> Void)?
    /// Called when the others go on without this rendition, which has ended.
    var onUnavailable: (@MainActor (MediaError) -> Void)?
    /// Called when some of its segments do not have one of its tracks, with the address of their playlist.
    var onAbsence: (@MainActor (String, MediaError) -> Void)?
    /// Called after each segment or part.
    var onComplete: (@MainActor () -> Void)?
    private let thread: WorkerThread
    private var bell: Doorbell!
    private var tags: MetadataRelay!
    private var absences: Relay<AbsenceWatch.Absence>!
    /// A stream that alternates faster than the main loop turns is only told so often.
    private static let mostAbsences = 16
    private var session: Session?

    init(
        name: String, outlets: [TrackOutlet], context: StreamContext,
        choose: @escaping @MainActor (VariantQuestion?) -> MediaPlaylistTracker
    ) {
        self.outlets = outlets
        self.context = context
        self.choose = choose
        thread = WorkerThread(name: "demux-\(name)", clock: context.clock)
        bell = context.clock.makeDoorbell(rank: .transfer) { [weak self] in self?.fetchNext() }
        absences = Relay(clock: context.clock, most: Self.mostAbsences) { [weak self] found in
            for absence in found { self?.note(absence) }
        }
        tags = MetadataRelay(clock: context.clock) { [weak self] in self?.onMetadata?($0) }
    }

    /// The playlist being read; nil while nothing is.
    var tracker: MediaPlaylistTracker? { session?.tracker }

    /// Where it delivers to; nil while nothing is read.
    var buffer: SampleBuffer? { session?.buffer }

    /// Whether the next media has left the live window.
    var isBehind: Bool { session?.isBehind ?? false }

    /// Starts to deliver from the segment that contains `time`.
    ///
    /// - Parameters:
    ///   - isPrimary: whether its timestamps define the mapping for the others: true for exactly one of the renditions
    ///   being read.
    ///   - isDispensable: whether the others can be played without this rendition.
    func start(
        at time: MediaTime, session number: Int, isPrimary: Bool, isDispensable: Bool = false, into buffer: SampleBuffer
    ) {
        cancel()
        let tracker = choose(nil)
        let delivery = RunDelivery(context: context, bell: bell, start: time, isPrimary: isPrimary)
        delivery.onMetadata = onMetadata
        session = Session(
            number: number, buffer: buffer, delivery: delivery, start: time, began: context.clock.now, tracker: tracker,
            observation: watch(tracker), position: time, reach: time, entry: time, isDispensable: isDispensable)
        let worker = DemuxWorker(
            codecs: context.codecs, timeline: context.timeline, outlets: outlets, isPrimary: isPrimary, session: number,
            tags: tags, notices: absences)
        if isPrimary { context.timeline.beginMeasuring(session: number) }
        thread.perform { [runs = delivery.runs] in worker.run(runs, into: buffer) }
        tracker.follow()
        if tracker.playlist == nil {
            tracker.forgetFailure()
            tracker.load()
        } else {
            fetchNext()
        }
    }

    /// Ends the current reading run.
    ///
    /// - Parameter keepsBuffer: whether other renditions continue to deliver into the same buffer.
    func cancel(keepsBuffer: Bool = false) {
        guard let session else { return }
        self.session = nil
        session.tracker.stopObserving(session.observation)
        session.tracker.unfollow()
        session.fetch?.cancel()
        session.hint?.cancel()
        session.delivery.cancel()
        if !keepsBuffer { session.buffer.cancel() }
        context.timeline.cancel(session: session.number)
    }

    func close() {
        cancel()
        thread.retire()
    }

    /// The presentation switches to another variant: the current piece is finished, the next one comes from there.
    func leave() {
        setLeaving()
        bell.ring()
    }

    private func setLeaving() { if session?.isLeaving == false { session?.leaving = .yes } }

    /// The position of the decoders; nil while nothing is read.
    var playhead: MediaTime? {
        session.map { session in outlets.compactMap { session.buffer.headTime(of: $0.track) }.min() ?? session.start }
    }

    /// How far it has come; nil while there is nothing to wait for: it has ended, or others would not go on without it.
    var progress: RenditionLoss.Progress? {
        guard let session, !session.hasFinished, session.hasDelivered || session.isDispensable else { return nil }
        return RenditionLoss.Progress(
            lastMedia: session.completions.last ?? session.began, buffered: state.bufferedDuration,
            isSated: session.fetch == nil && !session.delivery.hasRoom)
    }

    /// Ends it, so that the others go on without it.
    func leaveOut(_ error: MediaError) {
        session?.fetch?.cancel()
        session?.hint?.cancel()
        finish()
        onUnavailable?(error)
    }

    /// The state for the policy.
    var state: ReadingState {
        guard let session, let playhead else { return ReadingState(now: context.clock.now) }
        return ReadingState(
            bufferedDuration: max(.zero, session.reach - playhead), hasDelivered: session.hasDelivered,
            behindLive: session.tracker.isLive ? max(.zero, session.tracker.end - session.position) : nil,
            began: session.began, now: context.clock.now)
    }

    // MARK: Choosing a playlist

    private func watch(_ tracker: MediaPlaylistTracker) -> Int {
        tracker.observe { [weak self] in self?.trackerChanged() }
    }

    private func trackerChanged() {
        guard let session else { return }
        if let failure = session.tracker.failure, session.tracker.playlist == nil, !session.isLeaving,
            choose(nil) === session.tracker
        {
            guard session.isDispensable, !session.hasFinished else { return fail(failure) }
            return leaveOut(failure)
        }
        followStamps()
        fetchNext()
    }

    /// While it waits at a live edge and everything is demuxed, the playlist is placed by the end of its media.
    private func followStamps() {
        guard let session, session.tracker.isLive, session.fetch == nil, session.delivery.isRead, !session.buffer.isAllThere,
            session.completions.isMeasureDue(at: context.clock.now),
            let target = session.tracker.playlist?.targetDuration,
            // One of the tracks may be missing from the last segments.
            let end = outlets.compactMap({ session.buffer.bufferedUntil($0.track) }).max()
        else { return }
        let tolerance = max(target / 4, .milliseconds(500))
        guard let difference = self.session?.completions.measure(end - session.position, tolerance: tolerance) else { return }
        self.session?.position += difference
        self.session?.reach += difference
        session.tracker.move(by: difference)
    }

    /// Switches to the playlist that the policy wants, once it is loaded.
    ///
    /// - Returns: whether the session has a playlist to read from.
    private func settle() -> Bool {
        guard let session else { return false }
        let wanted = choose(question())
        guard wanted !== session.tracker else {
            self.session?.leaving = .no
            return session.tracker.playlist != nil
        }
        if wanted.playlist == nil, session.tracker.playlist != nil {
            // The current playlist is reloaded until the wanted one is there.
            if wanted.isUnavailable {
                self.session?.leaving = .no
            } else {
                load(wanted)
            }
            return self.session?.isLeaving == false
        }
        session.tracker.stopObserving(session.observation)
        wanted.follow()
        session.tracker.unfollow()
        self.session?.observation = watch(wanted)
        self.session?.tracker = wanted
        self.session?.cursor = nil
        self.session?.leaving = .no
        self.session?.hint?.cancel()
        self.session?.hint = nil
        return wanted.playlist != nil
    }

    /// Loads the playlist that the policy wants, and continues with it when it leaves the current one.
    private func load(_ wanted: MediaPlaylistTracker) {
        wanted.load()
        guard let session, session.isLeaving else { return }
        if case .loading(let awaited) = session.leaving, awaited === wanted { return }
        self.session?.leaving = .loading(wanted)
        wanted.observeOnce { [weak self, weak wanted] in
            guard let self, let wanted, self.session?.number == session.number,
                case .loading(let awaited)? = self.session?.leaving,
                awaited === wanted
            else { return }
            self.session?.leaving = .yes
            self.fetchNext()
        }
    }

    private func question() -> VariantQuestion? {
        guard let session, case .variant(let current) = session.tracker.role, session.tracker.playlist != nil else { return nil }
        let segment = session.tracker.playlist.flatMap { playlist in
            session.cursor.flatMap { playlist.segments.index(ofMediaSequence: $0.mediaSequence) }.map { playlist.segments[$0] }
        }
        let duration = segment?.duration ?? session.tracker.playlist?.targetDuration ?? .zero
        let bytes = segment?.byteRange?.length ?? segment?.bitrate.map { $0 * duration.milliseconds / 8 }
        return VariantQuestion(
            current: current, startTime: session.position, duration: duration, byteCount: bytes, state: state)
    }

    // MARK: Fetching

    /// Fetches the next segment if the demuxer needs it.
    func fetchNext() {
        if session?.delivery.isLow == true { session?.fetch?.goOn() }
        reviewFailedSegment()
        guard checkEntry(), let session, session.fetch == nil, !session.hasFinished, !session.buffer.isCancelled else { return }
        guard session.delivery.hasRoom else { return }
        guard settle(), let session = self.session, let playlist = session.tracker.playlist else { return }
        if session.cursor == nil {
            self.session?.entry = session.position
            self.session?.approach = KeyFrameApproach(to: outlets.contains { $0.type == .video } ? session.position : nil)
        }
        let cursor =
            session.cursor ?? SegmentWalk.cursor(at: session.position, isFirst: !session.hasDelivered, in: session.tracker)
        self.session?.cursor = cursor
        switch SegmentWalk.step(from: cursor, in: session.tracker, position: session.position) {
        case .fetch(let piece): begin(piece)
        case .skip(let next, let end):
            if isElsewhere(cursor, playlist) { return }
            self.session?.cursor = next
            if let end { self.session?.position = max(session.position, end) }
            // From the loop, not from here: a playlist of gaps must not grow the stack.
            bell.ring()
        case .wait: prefetchHint(playlist, cursor)
        case .behind:
            guard !session.isBehind else { return }
            self.session?.isBehind = true
            onBehind?()
        case .end: finish()
        }
    }

    /// A declared gap (EXT-X-GAP) is read from another variant (RFC 8216bis, 4.4.4.7).
    ///
    /// - Returns: whether the policy has chosen one.
    private func isElsewhere(_ cursor: MediaPlaylistTracker.Cursor, _ playlist: MediaPlaylist) -> Bool {
        guard let session, cursor.part == 0, let index = playlist.segments.index(ofMediaSequence: cursor.mediaSequence) else {
            return false
        }
        let segment = playlist.segments[index]
        guard segment.isGap else { return false }
        let url = URLReference.resolve(reference: segment.uri, against: session.tracker.url)
        let request = StreamRequest(
            kind: .segment, role: session.tracker.role, url: url, mediaSequence: segment.mediaSequence,
            duration: segment.duration, isGap: true)
        let error = MediaError(.sourceMissing, "The playlist \(session.tracker.url) declares the segment \(url) as missing.")
        let failure = StreamFailure(
            request: request, error: error, attempts: 1, missedSegments: session.missed, hasMediaBehind: true, state: state)
        guard case .use(let variant) = context.policy.action(after: failure) else { return false }
        return context.useVariant?(variant) == true
    }

    /// A segment that waits for another attempt is left when the live window is far beyond it, and requested anew when the playlist now lists it at
    /// another address.
    private func reviewFailedSegment() {
        guard let session, let fetch = session.fetch, fetch.isWaiting, let cursor = session.cursor else { return }
        let isReplaced: Bool
        switch SegmentWalk.step(from: cursor, in: session.tracker, position: session.position) {
        case .behind: isReplaced = false
        case .fetch(let piece)
        where piece.plan(role: session.tracker.role, playlistURL: session.tracker.url).request.url != fetch.plan.request.url:
            isReplaced = true
        default: return
        }
        fetch.cancel()
        session.delivery.abandon(isReplaced: isReplaced)
        self.session?.fetch = nil
    }

    /// Reads on from where it entered the current playlist when that turns out to be elsewhere on the timeline, and from further back for the key
    /// frame that its pictures need.
    ///
    /// - Returns: whether more may be fetched.
    private func checkEntry() -> Bool {
        guard let session, !session.hasFinished else { return true }
        switch session.delivery.takeEntry() {
        case .known: return true
        case .unknown: return false
        case .found(.fits):
            session.tracker.confirmPosition(movedBy: .zero)
            self.session?.approach = KeyFrameApproach()
        case .found(.elsewhere(let difference)):
            enter(at: session.entry, nil)
            session.tracker.confirmPosition(movedBy: difference)
        case .found(.lacksKeyFrame):
            session.tracker.confirmPosition(movedBy: .zero)
            let earlier = self.session?.approach.goBack { SegmentWalk.earlier(than: $0, by: $1, in: session.tracker) }
            enter(at: earlier?.start ?? session.entry, earlier?.cursor)
        }
        return true
    }

    /// Goes on elsewhere in the current playlist; nothing of what was fetched there was delivered.
    private func enter(at position: MediaTime, _ cursor: MediaPlaylistTracker.Cursor?) {
        session?.fetch?.cancel()
        session?.hint?.cancel()
        session?.fetch = nil
        session?.hint = nil
        session?.position = position
        session?.cursor = cursor
    }

    private func begin(_ piece: Piece) {
        if let refusal = piece.refusal(in: session?.tracker.url ?? "") { return fail(refusal) }
        guard let session else { return }
        self.session?.isBehind = false
        let plan = piece.plan(role: session.tracker.role, playlistURL: session.tracker.url)
        let fetch: SegmentFetch
        if let hint = session.hint, hint.plan.request.url == plan.request.url, hint.plan.range == plan.range {
            fetch = hint
        } else {
            session.hint?.cancel()
            fetch = makeFetch(plan)
            fetch.begin()
        }
        self.session?.hint = nil
        self.session?.fetch = fetch
        let keyFrameBy = self.session?.approach.ask(piece) { SegmentWalk.earlier(than: piece, by: 1, in: session.tracker) != nil }
        session.delivery.expect(piece, from: session.tracker, keyFrameBy: keyFrameBy)
        let number = session.number
        fetch.listen { [weak self, weak fetch] event in
            guard let self, let fetch, self.session?.number == number, self.session?.fetch === fetch else { return }
            self.take(event)
        }
    }

    private func makeFetch(_ plan: SegmentFetch.Plan) -> SegmentFetch {
        SegmentFetch(
            plan, context: context, state: { [weak self] in self?.state ?? ReadingState() },
            place: { [weak self] in self?.place ?? (0, false) })
    }

    private var place: (missed: Int, hasMediaBehind: Bool) {
        guard let session, let playlist = session.tracker.playlist, let cursor = session.cursor else { return (0, false) }
        return (session.missed, playlist.nextMediaSequence &- cursor.mediaSequence > 1 || session.tracker.isLive)
    }

    /// Requests the hinted part before it is listed; the server answers when it has it.
    private func prefetchHint(_ playlist: MediaPlaylist, _ cursor: MediaPlaylistTracker.Cursor) {
        guard let session, session.hint == nil, session.tracker.isLive, playlist.partTargetDuration != nil else { return }
        guard let piece = SegmentWalk.hintedPiece(cursor, in: session.tracker, position: session.position) else { return }
        var plan = piece.plan(role: session.tracker.role, playlistURL: session.tracker.url)
        plan.request.isBlocking = true
        let fetch = makeFetch(plan)
        self.session?.hint = fetch
        fetch.begin()
    }

    private func take(_ event: SegmentFetch.Event) {
        switch event {
        case .ready(let opening): session?.delivery.ready(opening)
        case .bytes(let bytes):
            do throws(MediaError) { try session?.delivery.add(bytes) } catch { session?.fetch?.refuse(error) }
            if session?.delivery.isFull == true { session?.fetch?.hold() }
        case .finished: complete()
        case .superseded:
            session?.delivery.abandon(isReplaced: true)
            session?.fetch = nil
            setLeaving()
            bell.ring()
        case .skipped: miss()
        case .failed(let error): fail(error)
        }
    }

    private func complete() {
        let piece: Piece
        do throws(MediaError) {
            guard let whole = try session?.delivery.complete() else { return }
            piece = whole
        } catch {
            session?.fetch?.refuse(error)
            return
        }
        session?.fetch = nil
        session?.cursor = piece.next
        session?.position = piece.end
        session?.reach = piece.end
        session?.missed = 0
        session?.completions.take(at: context.clock.now)
        // As a separate event: by then the demuxer has taken what it needs.
        bell.ring()
        onComplete?()
    }

    /// A segment that cannot be loaded is a gap.
    private func miss() {
        guard let piece = session?.delivery.piece else { return }
        session?.delivery.abandon(isReplaced: false)
        session?.fetch = nil
        session?.missed += 1
        session?.cursor = piece.next
        session?.position = piece.end
        bell.ring()
    }

    private func note(_ absence: AbsenceWatch.Absence) {
        guard let session, let outlet = outlets.first(where: { $0.track == absence.track }) else { return }
        onAbsence?(session.tracker.url, absence.error(of: outlet.type, in: session.tracker.url))
    }

    private func finish() {
        guard let session else { return }
        self.session?.hasFinished = true
        session.delivery.finish(session.tracker)
    }

    private func fail(_ error: MediaError) {
        guard let session, !session.hasFinished else { return }
        self.session?.hasFinished = true
        session.fetch?.cancel()
        session.hint?.cancel()
        session.delivery.fail(error)
    }
}
