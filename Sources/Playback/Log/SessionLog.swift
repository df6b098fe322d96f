import LinuxSupport
import MediaModel
import MediaSources
import MediaTime
import URLReferences

/// Keeps the access and error log of one item from the player's events, and sends its metric events, which are measured from the same
/// events. Main loop.
@MainActor
final class SessionLog {
    /// The player's activity at an event.
    struct Moment {
        var isRunning: Bool
        var rate: Ratio
    }

    private let item: PlayerItem
    private let services: PlaybackServices
    private let tell: @MainActor (PlayerEvent) -> Void
    private let position: @MainActor () -> MediaTime
    /// When the item was inserted: the startup time counts from here.
    private let openedAt: HostTime
    /// Since when played time has not been added yet; nil while time does not advance.
    private var playingSince: HostTime?
    /// The currently delivered variant; nil before the first, and for a file.
    private var delivered: RenditionFacts?
    private var missing = MissingPictures()
    /// Measures whether the decoder keeps up.
    private var pace = DecodingPace()
    /// The number of reported entries of each log.
    private var toldAccess = 0
    private var toldErrors = 0
    private var isClosed = false
    /// When the requests of the item's streams are looked at next.
    private var nextLook = HostTime.zero
    private static let lookInterval = Duration.seconds(1)

    /// Starts the log of an item.
    ///
    /// - Parameters:
    ///   - position: the position of the item in asset time.
    ///   - tell: called with new entries and metric events, and with the whole log at its end.
    init(
        of item: PlayerItem, services: PlaybackServices, position: @escaping @MainActor () -> MediaTime,
        tell: @escaping @MainActor (PlayerEvent) -> Void
    ) {
        self.item = item
        self.services = services
        self.tell = tell
        self.position = position
        openedAt = services.clock.now
        item.log = PlaybackLog(sessionID: services.makeSessionID())
    }

    /// Adds an event of the source.
    func take(_ entry: SourceLogEntry) {
        countWatched()
        measure(entry)
        // The network may have become metered since the item was opened.
        item.log?.setMetered(services.isMetered())
        item.log?.take(entry, date: services.wallClock(), position: position())
        announce()
    }

    /// A resource was skipped, and playback continues.
    func note(_ error: MediaError, of other: PlayerItem) {
        if other === item { item.log?.note(error, url: nil, date: services.wallClock(), isFatal: false) }
        announce()
    }

    /// Handles an event of the player.
    ///
    /// - Returns: whether the decoder cannot keep up.
    func record(_ event: PlayerEvent, _ moment: Moment) -> Bool {
        guard !isClosed else { return false }
        if services.clock.now >= nextLook { countRequests() }
        switch event {
        case .state(let state): record(state)
        case .seekCompleted(let landed, true):
            // The first period begins with a position too, without a seek.
            if item.log?.accessEvents.isEmpty == false { send(.seek) }
            beginPeriod(at: landed, moment)
        case .frame(let record): return count(record, moment)
        case .didPlayToEnd:
            countWatched()
            countRequests()
            item.log?.close()
        default: break
        }
        return false
    }

    /// Playback continues, or could, from a position that was not reached by playing.
    func beginPeriod(at position: MediaTime, _ moment: Moment) {
        countWatched()
        countRequests()
        if item.log?.accessEvents.isEmpty == true { item.log?.started(after: services.clock.now - openedAt) }
        item.log?.begin(
            delivered ?? RenditionFacts(url: item.asset.url), type: playbackType, date: services.wallClock(), offset: position)
        missing.reset()
        if moment.isRunning, playingSince == nil { playingSince = services.clock.now }
    }

    /// Ends the log: the item is being removed.
    func close() {
        guard !isClosed else { return }
        countWatched()
        countRequests()
        isClosed = true
        item.log?.close()
        guard let log = item.log else { return }
        send(.summary(log.metricSummary))
        tell(.sessionEnded(log))
    }

    /// Reports new entries.
    func announce() {
        // Called after every event, so only counts are compared.
        guard !isClosed, let access = item.log?.closedAccessEvents.count, let errors = item.log?.errorEvents.count,
            access > toldAccess || errors > toldErrors
        else { return }
        let accessEvent = access > toldAccess ? item.log?.closedAccessEvents.last : nil
        let errorEvent = errors > toldErrors ? item.log?.errorEvents.last : nil
        toldAccess = max(access, toldAccess)
        toldErrors = max(errors, toldErrors)
        if let accessEvent { tell(.newAccessLogEntry(accessEvent)) }
        if let errorEvent { tell(.newErrorLogEntry(errorEvent)) }
    }

    private func record(_ state: PlayerState) {
        let isPlaying = state.timeControlStatus == .playing
        if isPlaying, playingSince == nil {
            playingSince = services.clock.now
        } else if !isPlaying {
            let wasPlaying = playingSince != nil
            countWatched()
            playingSince = nil
            missing.reset()
            if wasPlaying, state.timeControlStatus == .waitingToPlayAtSpecifiedRate(.toMinimizeStalls) {
                item.log?.stalled()
                send(.stall)
            }
        }
        if case .failed(let error) = state.itemStatus {
            item.log?.note(error, url: item.asset.url, date: services.wallClock(), isFatal: true)
            item.log?.close()
        }
    }

    /// Sends the metric event of an event of the source, if it is one.
    private func measure(_ entry: SourceLogEntry) {
        switch entry {
        case .delivering(let new):
            let old = delivered
            delivered = new
            if old?.url != new.url { send(.variantSwitch(from: old.map(Self.withoutSecrets), to: Self.withoutSecrets(new))) }
        case .transferred(let transfer):
            if let kind = MetricEvent.Kind(transfer, url: Redaction.withoutSecrets(transfer.url)) { send(kind) }
        case .failed: break  // The error log has it.
        }
    }

    /// Adds what the item's streams have received since the last look.
    private func countRequests() {
        nextLook = services.clock.now + Self.lookInterval
        guard let news = item.asset.traffic?.take(), news != StreamNews() else { return }
        for remark in news.remarks { item.log?.note(remark, url: item.asset.url, date: services.wallClock(), isFatal: false) }
        let hasVideo = item.description?.tracks.contains { $0.type == .video } ?? true
        item.log?.setMetered(services.isMetered())
        for var request in news.requests {
            request.whole.mediaType = hasVideo ? .video : .audio
            item.log?.take(request)
            if request.isOver, let kind = MetricEvent.Kind(request.whole, url: Redaction.withoutSecrets(request.whole.url)) {
                send(kind)
            }
        }
    }

    private static func withoutSecrets(_ facts: RenditionFacts) -> RenditionFacts {
        var facts = facts
        facts.url = Redaction.withoutSecrets(facts.url)
        return facts
    }

    private func send(_ kind: MetricEvent.Kind) {
        guard let sessionID = item.log?.sessionID else { return }
        item.log?.count(kind)
        tell(.metric(MetricEvent(sessionID: sessionID, date: services.wallClock(), mediaTime: position(), kind: kind)))
    }

    /// Adds the played time since the last call.
    private func countWatched() {
        guard let since = playingSince else { return }
        let now = services.clock.now
        item.log?.watched(now - since)
        playingSince = now
    }

    /// Counts missing frames between two shown frames.
    ///
    /// - Returns: whether the decoder cannot keep up.
    private func count(_ frame: FrameRecord, _ moment: Moment) -> Bool {
        guard let missing = missing.take(frame) else { return false }
        if missing > 0 { item.log?.dropped(missing) }
        // Frames that exceed the screen's refresh rate are not the decoder's fault.
        guard moment.rate == .one, frame.duration * 21 >= services.display.mode.refresh.period * 20 else { return false }
        return pace.take(missed: missing, at: services.clock.now)
    }

    private var playbackType: String {
        guard let description = item.description else { return "FILE" }
        if description.duration == .live { return "LIVE" }
        return description.kind == "hls" ? "VOD" : "FILE"
    }
}
