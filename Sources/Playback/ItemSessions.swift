import LinuxSupport
import MediaModel
import MediaTime

/// The session that is suspended during an interstitial: its source stays open.
struct SuspendedSession {
    let session: ItemSession
    /// The position at which it was suspended.
    let position: MediaTime
    /// Its rate; interstitials play at rate 1.
    let rate: Ratio
}

/// Decides which item owns the screen and the audio output: starts items, changes to the next, suspends one for an interstitial and resumes it. Main loop.
@MainActor
final class ItemSessions {
    /// The events, in order.
    let events: EventSource<PlayerEvent>
    /// The session that uses screen and sound: of the current item, or of an interstitial's asset.
    private(set) var current: ItemSession?
    /// The session that is suspended for an interstitial.
    private var suspended: SuspendedSession?
    /// The following items.
    let upcoming: UpcomingItems
    private lazy var watch = DecoderWatch(pipeline.clock) { [weak self] in self?.lookForHangs() ?? false }
    private var lostThreads = LostThreads()
    private let pipeline: PlaybackPipeline
    private let transport: TransportDriver

    /// - Parameter action: the initial action at the end of an item.
    init(
        _ pipeline: PlaybackPipeline, _ transport: TransportDriver, events: EventSource<PlayerEvent>, action: ActionAtItemEnd
    ) {
        (self.pipeline, self.transport, self.events) = (pipeline, transport, events)
        upcoming = UpcomingItems(action, pipeline: pipeline, transport: transport)
        upcoming.host = self
        transport.begin(with: self)
    }

    /// The session of the current item, even if it is suspended.
    var presentation: ItemSession? { suspended?.session ?? current }

    /// Whether the item is suspended for an interstitial.
    var isSuspended: Bool { suspended != nil }

    /// The playback position, in asset time. During an interstitial it is where the presentation was suspended.
    var currentTime: MediaTime { suspended?.position ?? current?.reader.position ?? transport.timebase.now }

    // MARK: Items

    /// Plays another item, or none.
    func replace(with item: PlayerItem?) {
        endInterstitials()
        endCurrent(for: item)
        upcoming.endPreparation(for: item)
        current = item.map { makeSession($0) }
        upcoming.remove(item)
        tell(.currentItem(item))
        transport.open(item.map { _ in .unknown })
        guard let current else { return }
        current.beginLog(makeLog(of: current.item))
        current.load()
    }

    private func makeSession(_ item: PlayerItem, isInterstitial: Bool = false) -> ItemSession {
        ItemSession(item, isInterstitial: isInterstitial, pipeline: pipeline, transport: transport, host: self)
    }

    private func makeLog(of item: PlayerItem) -> SessionLog {
        SessionLog(of: item, services: pipeline.services, position: { [weak self] in self?.currentTime ?? .zero }) {
            [weak self] in self?.events.send($0)
        }
    }

    /// Ends the current session and everything that belongs to its item.
    ///
    /// - Parameter next: the item played next: if it is the same one, its asset stays open.
    private func endCurrent(for next: PlayerItem? = nil) {
        guard let ended = current else { return }
        ended.end()
        // First, so that events from closing the asset no longer concern the current item.
        current = nil
        if ended.item !== next { ended.item.asset.close() }
    }

    /// Ends the current item and starts the next at the requested rate. Without a next item playback stops.
    func advance() {
        let next = upcoming.takeFirst()
        replace(with: next)
        if next != nil { upcoming.prepareNext() }
    }

    /// Ends everything.
    func close() {
        replace(with: nil)
        watch.stop()
        upcoming.endPreparation(for: nil)
    }

    // MARK: Reports

    /// Sends an event, after the log has received it.
    func tell(_ event: PlayerEvent) {
        guard isTold(event) else {
            if case .frame(let record) = event { events.send(.interstitialFrame(record)) }
            return
        }
        let log = presentation?.log
        if log?.record(event, moment) == true { current?.source?.adaptiveSource?.decoderFallsBehind() }
        events.send(event)
        log?.announce()
    }

    /// Whether an event is reported during an interstitial: its own frames, positions and ends are not.
    private func isTold(_ event: PlayerEvent) -> Bool {
        guard isSuspended else { return true }
        switch event {
        case .frame, .position, .reachedBoundary, .didPlayToEnd, .seekCompleted: return false
        default: return true
        }
    }

    private var moment: SessionLog.Moment { SessionLog.Moment(isRunning: transport.isRunning, rate: transport.rate) }

    /// A seek has ended: calls its completion in order with the events.
    func complete(_ completion: (@MainActor (Bool) -> Void)?, _ isFinished: Bool) {
        if let completion { events.call { completion(isFinished) } }
    }

    /// Makes a change and delivers its events when it is complete. For calls from outside the player; handlers of its clock hold the events anyway.
    func whileHolding(_ change: () -> Void) { events.whileHolding(change) }

    // MARK: Transport

    /// Seeks to a position, unless an interstitial prevents it.
    func seek(
        to time: MediaTime, toleranceBefore before: MediaTime?, toleranceAfter after: MediaTime?,
        completion: (@MainActor (Bool) -> Void)?
    ) {
        guard current != nil else { return complete(completion, false) }
        let isPreview = before == nil && after == nil
        switch presentation?.interstitialVerdict(on: time, from: currentTime, isPreview: isPreview) ?? .allowed {
        case .allowed: current?.reader.seek(to: time, toleranceBefore: before, toleranceAfter: after, completion: completion)
        case .refused: complete(completion, false)
        case .taken: complete(completion, true)
        }
    }

    /// Why a rate cannot be played; nil if it can. Before an item is ready, the rates of normal playback are allowed.
    func refusal(ofRate rate: Ratio) -> PlaybackError? {
        if rate == .zero || rate == .one { return nil }
        if isSuspended { return .rateNotSupported(rate, because: "an interstitial is being presented") }
        guard let current else { return .noItem }
        return current.item.refusal(ofRate: rate)
    }

    /// Plays at a rate from the current position; zero pauses.
    ///
    /// - Throws: `PlaybackError` if the item cannot be played at that rate; then nothing changes.
    func play(atRate rate: Ratio) throws(PlaybackError) {
        if let refusal = refusal(ofRate: rate) { throw refusal }
        guard rate != transport.rate, transport.phase != .ended || rate <= .zero else { return }
        if let current { return current.reader.changeRate(to: rate) }
        transport.handle(.rateAsked(rate))
        pipeline.pictures.keepMost(rate == .zero)
    }

    /// Holds playback before a position; nil for none. With a pending seek, it applies to the position after that seek.
    func setForwardBoundary(_ time: MediaTime?) {
        guard let current else { return }
        if time != current.clientBoundary { current.reader.endArrangement() }
        guard !current.reader.setBoundaryOfPendingSeek(time), time != current.clientBoundary else { return }
        current.setClientBoundary(time)
        current.applyBoundary()
    }

    /// Whether video is wanted from now on.
    func setPresentsVideo(_ isWanted: Bool) {
        pipeline.pictures.areWanted = isWanted
        if let current { pipeline.pictures.enableTracks(of: current.item) }
        guard let next = upcoming.next else { return }
        if next.isArranged { current?.reader.endArrangement() } else { next.stopReading() }
        if let next = upcoming.next { pipeline.pictures.enableTracks(of: next.item) }
    }

    /// The audio processing has changed: the current item is decoded again.
    func soundShapingChanged() {
        if let next = upcoming.next, !next.isArranged { next.stopReading() }
        if let reader = current?.reader, reader.hasSound { reader.changeSound() }
    }

    /// The delay of the sound has changed: the current item's sound is enqueued again.
    func soundDelayChanged() {
        guard let reader = current?.reader else { return }
        if upcoming.next?.isArranged == true { reader.endArrangement() } else { reader.hearAgain() }
    }

    /// The sink opens another device with what it gets next. One that takes another kind of sound gets it decoded anew.
    func soundDeviceChanged() {
        guard let reader = current?.reader else { return }
        guard reader.hasSound, pipeline.sound.isOtherKind(for: reader.item, at: transport.rate) else { return reader.hearAgain() }
        if let next = upcoming.next, !next.isArranged { next.stopReading() }
        reader.readAnew()
    }

    // MARK: From the pipeline

    /// Handles the events of the scheduler.
    func takeSchedulerEvents() {
        for event in pipeline.scheduler.takeEvents() {
            switch event {
            case .shown(let record):
                if current?.reader.frameWasShown(record) == true { transport.ticker.come(with: record) }
            case .starved:
                if current?.reader.forward?.goesOnWithoutPictures() != true { transport.handle(.starved) }
            case .exhausted: current?.reader.picturesEnded()
            case .failed(let error): current?.reader.fail(error)
            case .broken(let error): current?.reader.rebuild(after: error)
            case .followed(let end): becomeSuccessor(behind: end)
            case .display(let mode):
                pipeline.displayChanged()
                tell(.display(mode))
            }
        }
    }

    /// Replaces decoders with hanging calls.
    ///
    /// - Returns: whether decoders are still working.
    private func lookForHangs() -> Bool {
        let lost = [pipeline.pictures.abandonHungDecoder(), pipeline.sound.abandonHungDecoder()].filter { $0 }.count
        let losesDescription = current?.reader.forward?.abandonHungDescription() ?? false
        for _ in 0..<lost + (losesDescription ? 1 : 0) where lostThreads.lose() {
            events.send(
                .restartNeeded(
                    "\(lostThreads.count) decoder threads hang in calls that do not return; the player should be restarted at its position."
                ))
        }
        guard let reader = current?.reader, reader.isReading else { return false }
        // The programme continues without its description.
        if lost > 0 {
            reader.rebuild(
                after: MediaError(
                    .internal, "A decoder did not answer within \(TrackDecoder<VideoFrame>.patience); restart the box."))
        }
        return areDecodersNeeded
    }

    /// While playback is paused or over, the decoders are idle. The watch ends then, and begins again with the next change of state.
    private var areDecodersNeeded: Bool {
        guard current?.reader.isReading == true else { return false }
        return (transport.phase != .ready || transport.rate != .zero) && transport.phase != .ended
    }
}

extension ItemSessions: TransportHost {
    var hasSound: Bool { current?.reader.hasSound ?? false }
    func clockLimit(at rate: Ratio) -> MediaTime? { current?.clockLimit(at: rate) }
    func calm(deviation: MediaTime?) -> Duration? { current?.reader.calm(deviation: deviation) }
    func pump() { current?.reader.pump() }
    func stateChanged(_ state: PlayerState) {
        if areDecodersNeeded { watch.start() }
        tell(.state(state))
    }

    func clockChanged() {
        current?.armBoundary()
        upcoming.next?.armJoint()
    }

    /// The item has ended, and nothing was arranged.
    func itemEnded() {
        tell(.didPlayToEnd)
        if upcoming.actionAtItemEnd == .advance, !upcoming.isEmpty { advance() }
    }
}

extension ItemSessions: UpcomingItemsHost {
    var reader: ItemReader? { current?.reader }

    func successionIsOpen() {
        guard let reader = current?.reader, let forward = reader.forward else { return }
        reader.continueSuccession(forward)
    }

    /// An item that cannot be opened is skipped: its error is logged and reported.
    func skip(_ item: PlayerItem, _ error: MediaError) {
        item.status = .failed(error)
        if item !== current?.item {
            var log = PlaybackLog(sessionID: item.log?.sessionID ?? "not-played")
            log.note(error, url: item.asset.url, date: pipeline.services.wallClock(), isFatal: true)
            log.close()
            item.log = log
            if let event = log.errorEvents.last { events.send(.newErrorLogEntry(event)) }
        }
        upcoming.remove(item)
        events.send(.itemSkipped(item, error))
    }

    /// The clock has reached the end of the current item, and the next one is seen and heard.
    func becomeSuccessor(behind end: MediaTime) {
        guard let next = upcoming.next, next.isArranged, let old = current else { return }
        pipeline.observers.advance(to: end)
        tell(.didPlayToEnd)
        guard let prepared = next.handOver() else { return }
        upcoming.tookOver()
        old.endJoined()
        old.item.asset.close()
        pipeline.pictures.replace(with: prepared.decoders.video, cache: next.cache)
        if let decoder = prepared.decoders.audio { pipeline.sound.replaceDecoder(with: decoder) }
        let session = makeSession(next.item)
        current = session
        session.takeOver(prepared.opened, prepared.lookahead, prepared.joint)
        let (start, audio) = (prepared.joint.start, pipeline.audio)
        transport.timebase.becomeFollower(shift: start - end, limit: session.clockLimit(at: transport.rate))
        if prepared.lookahead.audio == nil { audio.restart(at: nil, queue: nil) } else { audio.becomeFollower() }
        session.applyBoundary()
        session.armBoundary()
        pipeline.readAhead(prepared.lookahead.buffer)
        session.beginLog(makeLog(of: next.item))
        session.followTakenOver(prepared.opened)
        session.reader.sense()
        upcoming.remove(next.item)
        tell(.currentItem(next.item))
        session.beginSelection(closedCaptions: next.closedCaptions)
        session.log?.beginPeriod(at: start, moment)
        pipeline.observers.jump(to: start)
        transport.takeOver(isReadyForDisplay: prepared.lookahead.video != nil)
    }
}

extension ItemSessions: ItemSessionHost {
    var next: Succession? { upcoming.next }
    func isCurrent(_ session: ItemSession) -> Bool { current === session }
    func tell(_ change: MetadataChange) { events.send(.metadata(change)) }
    func note(_ error: MediaError, of item: PlayerItem) { presentation?.log?.note(error, of: item) }
    func take(_ entry: SourceLogEntry) { presentation?.log?.take(entry) }
    func readingBegins() { watch.start() }
    func landed(at time: MediaTime) { presentation?.interstitials?.landed(at: time) }

    @discardableResult
    func setRate(_ rate: Ratio) -> Bool {
        do throws(PlaybackError) {
            try play(atRate: rate)
            return true
        } catch {
            return false
        }
    }

    /// The end of an asset of an interstitial, or an end that triggers an interstitial, is handled there.
    func reachedEnd() {
        if presentation?.interstitials?.reachedEnd(at: transport.timebase.now) == true { return }
        transport.handle(.reachedEnd)
    }

    func failed(_ session: ItemSession, _ error: MediaError) {
        if presentation?.interstitials?.failed() == true { return }
        let rate = transport.rate
        session.item.status = .failed(error)
        transport.itemFailed(error)
        transport.handle(.failed)
        guard upcoming.actionAtItemEnd == .advance, !upcoming.isEmpty else { return }
        skip(session.item, error)
        advance()
        setRate(rate)
    }
}

/// Another item takes over the screen and the audio output temporarily. To clients the presentation remains the current item, at the position where
/// it was suspended.
extension ItemSessions: InterstitialHost {
    var services: PlaybackServices { pipeline.services }
    var wantedRate: Ratio { transport.rate }
    var liveStart: MediaTime? {
        guard let item = presentation?.item, let status = item.liveStatus, status.isLive else { return nil }
        return item.liveStart(status)
    }
    func tell(_ change: InterstitialChange) { events.send(.interstitial(change)) }

    func addPeriodicTimeObserver(forInterval interval: MediaTime, handler: @escaping @MainActor (MediaTime) -> Void) -> AnyObject
    {
        pipeline.observers.addPeriodic(interval: interval, handler)
    }

    /// The position in the current asset, by its own clock.
    var interstitialTime: MediaTime {
        guard let suspended, let current, current !== suspended.session, current.reader.hasBegun else { return .zero }
        let timebase = transport.timebase
        return max(.zero, current.reader.isReading ? timebase.now : timebase.media.anchorTime)
            - (current.item.description?.preferredStart ?? .zero)
    }

    /// The duration of the current asset.
    var interstitialDuration: MediaTime? { isSuspended ? current?.item.description?.duration.time : nil }

    /// The position of the next event holds playback like a boundary.
    func interstitialBoundaryChanged() {
        guard !isSuspended, let current else { return }
        current.settleBoundary()
        current.applyBoundary()
        current.armBoundary()
    }

    /// Suspends the presentation; its source stays open.
    func suspend(at position: MediaTime) {
        guard !isSuspended, let current, current.source != nil else { return }
        current.suspend(at: position)
        suspended = SuspendedSession(session: current, position: position, rate: transport.rate)
        pipeline.observers.isHeld = true
        if transport.rate != .zero { setRate(.one) }
    }

    func presents(_ interstitial: Interstitial) { presentation?.presents(interstitial) }

    /// Plays an asset instead of the suspended presentation.
    func play(interstitial item: PlayerItem) {
        guard let suspended else { return }
        if current !== suspended.session { endCurrent() }
        item.selection.criteria = suspended.session.item.selection.criteria
        let session = makeSession(item, isInterstitial: true)
        current = session
        transport.handle(.opened)
        session.load()
    }

    /// Resumes the presentation.
    ///
    /// - Parameter isOver: whether it had already reached its end, and ends now.
    func resume(at position: MediaTime, isOver: Bool) {
        guard let suspended, suspended.session.source != nil else { return goOn(at: position, isOver: isOver) }
        if current !== suspended.session { endCurrent() }
        takeUpSuspended()
        let (session, item) = (suspended.session, suspended.session.item)
        session.beginSelection()
        transport.handle(.opened)
        let target = item.endTime.map { min(position, $0) } ?? position
        session.reader.start(SeekRequest(exactly: target, boundary: session.clientBoundary))
        if suspended.rate != .one, transport.rate == .one { setRate(suspended.rate) }
        if isOver { session.interstitials?.close() }
    }

    /// The presentation was not suspended, because there was nothing to play.
    private func goOn(at position: MediaTime, isOver: Bool) {
        if isOver {
            current?.interstitials?.close()
            return reachedEnd()
        }
        interstitialBoundaryChanged()
        guard (position - currentTime).magnitude > ForwardReading.longestFrame else { return }
        seek(to: position, toleranceBefore: .zero, toleranceAfter: .zero, completion: nil)
    }

    /// Ends an interstitial and restores the suspended session, so that it can be ended too.
    private func endInterstitials() {
        presentation?.endInterstitials()
        guard isSuspended else { return }
        endCurrent()
        takeUpSuspended()
    }

    private func takeUpSuspended() {
        current = suspended?.session
        current?.resume()
        suspended = nil
        pipeline.observers.isHeld = false
    }
}
