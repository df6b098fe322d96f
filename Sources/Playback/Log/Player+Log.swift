import LinuxSupport
import MediaModel
import MediaTime

/// What a player remembers of a presentation while it keeps its log.
struct LogKeeping {
    /// When the item was put in: what is waited for at the start is counted from here.
    var openedAt: HostTime
    /// Since when time moves, as far as it has not been counted yet.
    var playingSince: HostTime?
    /// What is delivered now.
    var facts: RenditionFacts
    /// The last frame that was seen while time moved.
    var lastFrame: FrameRecord?
    /// How well the decoder keeps up.
    var pace = DecodingPace()
    /// How many entries of each log have been told of.
    var toldAccess = 0
    var toldErrors = 0
}

/// The access and error log of the current item, kept from what the player tells anyhow.
extension Player {
    /// Tells what happened, after the log has heard of it.
    func tell(_ event: PlayerEvent) {
        guard isTold(event) else { return }
        record(event)
        onEvent?(event)
        announceLogEntries()
    }

    /// Begins the log of an item.
    func openLog(of item: PlayerItem) {
        sessionCount += 1
        item.log = PlaybackLog(sessionID: clock.isSimulated ? "simulated-\(sessionCount)" : Self.randomSessionID())
        item.log?.setMetered(services.isMetered())
        logKeeping = LogKeeping(openedAt: clock.now, facts: RenditionFacts(url: item.asset.url))
    }

    /// Takes in what a source loads.
    func listen(to source: any MediaSource) {
        (source as? any LoggingSource)?.onLogEntry = { [weak self] entry in
            guard let self, let item = self.currentItem else { return }
            if case .delivering(let facts) = entry { self.logKeeping?.facts = facts }
            self.countWatched()
            item.log?.take(entry, date: self.services.wallClock(), position: self.currentTime)
            self.announceLogEntries()
        }
    }

    /// Something was left out, and play goes on.
    func note(_ error: MediaError, of item: PlayerItem) {
        item.log?.note(error, url: nil, date: services.wallClock(), isFatal: false)
        announceLogEntries()
    }

    /// Ends the log of the item that is being taken out.
    func closeLog(of item: PlayerItem) {
        countWatched()
        logKeeping = nil
        item.log?.close()
        if let log = item.log { onEvent?(.sessionEnded(log)) }
    }

    private func record(_ event: PlayerEvent) {
        guard let item = currentItem, logKeeping != nil else { return }
        switch event {
        case .state(let state): record(state, item)
        case .seekCompleted(let landed, true): beginLogPeriod(at: landed)
        case .frame(let record): count(record, item)
        case .didPlayToEnd:
            countWatched()
            item.log?.close()
        default: break
        }
    }

    /// Play goes on, or could, from a place that was not come to by playing.
    func beginLogPeriod(at place: MediaTime) {
        guard let item = currentItem, let keeping = logKeeping else { return }
        countWatched()
        if item.log?.accessEvents.isEmpty == true { item.log?.started(after: clock.now - keeping.openedAt) }
        item.log?.begin(keeping.facts, type: playbackType(item), date: services.wallClock(), offset: place)
        logKeeping?.lastFrame = nil
        if machine.isRunning, logKeeping?.playingSince == nil { logKeeping?.playingSince = clock.now }
    }

    private func record(_ state: PlayerState, _ item: PlayerItem) {
        let isPlaying = state.timeControlStatus == .playing
        if isPlaying, logKeeping?.playingSince == nil {
            logKeeping?.playingSince = clock.now
        } else if !isPlaying {
            let wasPlaying = logKeeping?.playingSince != nil
            countWatched()
            logKeeping?.playingSince = nil
            logKeeping?.lastFrame = nil
            if wasPlaying, state.timeControlStatus == .waitingToPlayAtSpecifiedRate(.toMinimizeStalls) { item.log?.stalled() }
        }
        if case .failed(let error) = state.itemStatus {
            item.log?.note(error, url: item.asset.url, date: services.wallClock(), isFatal: true)
            item.log?.close()
        }
    }

    /// Adds the time that was played since it was added last.
    private func countWatched() {
        guard let since = logKeeping?.playingSince else { return }
        let now = clock.now
        currentItem?.log?.watched(now - since)
        logKeeping?.playingSince = now
    }

    /// A hole between two frames that were seen is the frames that were not.
    private func count(_ frame: FrameRecord, _ item: PlayerItem) {
        guard frame.isRunning else { return }
        defer { logKeeping?.lastFrame = frame }
        guard let last = logKeeping?.lastFrame, last.generation == frame.generation, last.duration > .zero else { return }
        let gap = frame.time - (last.time + last.duration)
        // A longer one is a hole in the stream.
        guard gap <= .seconds(1) else { return }
        let missing = gap > .zero ? Int(((gap + last.duration / 2).nanoseconds) / last.duration.nanoseconds) : 0
        if missing > 0 { item.log?.dropped(missing) }
        watchPace(last.duration, missing)
    }

    /// Frames that a screen has no blanks for are nobody's fault.
    private func watchPace(_ duration: MediaTime, _ missing: Int) {
        guard machine.rate == .one, duration * 21 >= services.display.mode.refresh.period * 20 else { return }
        if logKeeping?.pace.take(missed: missing, at: clock.now) == true { (source as? any AdaptiveSource)?.decoderFallsBehind() }
    }

    private func announceLogEntries() {
        // Asked after every event: only numbers are looked at.
        guard let access = currentItem?.log?.closedAccessEvents.count, let errors = currentItem?.log?.errorEvents.count,
            let (toldAccess, toldErrors) = logKeeping.map({ ($0.toldAccess, $0.toldErrors) })
        else { return }
        guard access > toldAccess || errors > toldErrors else { return }
        let accessEvent = access > toldAccess ? currentItem?.log?.closedAccessEvents.last : nil
        let errorEvent = errors > toldErrors ? currentItem?.log?.errorEvents.last : nil
        logKeeping?.toldAccess = max(access, toldAccess)
        logKeeping?.toldErrors = max(errors, toldErrors)
        if let accessEvent { onEvent?(.newAccessLogEntry(accessEvent)) }
        if let errorEvent { onEvent?(.newErrorLogEntry(errorEvent)) }
    }

    private func playbackType(_ item: PlayerItem) -> String {
        guard let description = item.description else { return "FILE" }
        if description.duration == .live { return "LIVE" }
        return description.kind == "hls" ? "VOD" : "FILE"
    }

    /// Four groups of digits that no other playback has.
    private static func randomSessionID() -> String {
        var generator = SystemRandomNumberGenerator()
        return (0..<4).map { _ in
            let digits = String(UInt32(truncatingIfNeeded: generator.next()), radix: 16, uppercase: true)
            return String(repeating: "0", count: 8 - digits.count) + digits
        }.joined(separator: "-")
    }
}
