import LinuxSupport
import MediaModel
import MediaTime

/// Keeps the access and error log of one item while a player has it, from what the player tells anyhow. Main loop.
@MainActor
final class SessionLog {
    /// What the player does at the moment of an event.
    struct Moment {
        var isRunning: Bool
        var rate: Ratio
    }

    private let item: PlayerItem
    private let services: PlaybackServices
    private let tell: @MainActor (PlayerEvent) -> Void
    /// When the item was put in: the startup time is counted from here.
    private let openedAt: HostTime
    /// Since when time moves, as far as it has not been counted yet.
    private var playingSince: HostTime?
    /// What is delivered now.
    private var facts: RenditionFacts
    /// The last frame that was seen while time moved.
    private var lastFrame: FrameRecord?
    /// How well the decoder keeps up.
    private var pace = DecodingPace()
    /// How many entries of each log have been told of.
    private var toldAccess = 0
    private var toldErrors = 0
    private var isClosed = false

    /// Begins the log of an item.
    ///
    /// - Parameter tell: hears of new entries, and of the whole log at its end.
    init(of item: PlayerItem, services: PlaybackServices, tell: @escaping @MainActor (PlayerEvent) -> Void) {
        self.item = item
        self.services = services
        self.tell = tell
        openedAt = services.clock.now
        facts = RenditionFacts(url: item.asset.url)
        item.log = PlaybackLog(sessionID: services.makeSessionID())
        item.log?.setMetered(services.isMetered())
    }

    /// Takes in what a source loads.
    func take(_ entry: SourceLogEntry, at place: @autoclosure () -> MediaTime) {
        if case .delivering(let facts) = entry { self.facts = facts }
        countWatched()
        item.log?.take(entry, date: services.wallClock(), position: place())
        announce()
    }

    /// Something was left out, and play goes on.
    func note(_ error: MediaError, of other: PlayerItem) {
        if other === item { item.log?.note(error, url: nil, date: services.wallClock(), isFatal: false) }
        announce()
    }

    /// Takes in what the player tells.
    ///
    /// - Returns: whether the decoder falls behind.
    func record(_ event: PlayerEvent, _ moment: Moment) -> Bool {
        guard !isClosed else { return false }
        switch event {
        case .state(let state): record(state)
        case .seekCompleted(let landed, true): beginPeriod(at: landed, moment)
        case .frame(let record): return count(record, moment)
        case .didPlayToEnd:
            countWatched()
            item.log?.close()
        default: break
        }
        return false
    }

    /// Play goes on, or could, from a place that was not come to by playing.
    func beginPeriod(at place: MediaTime, _ moment: Moment) {
        countWatched()
        if item.log?.accessEvents.isEmpty == true { item.log?.started(after: services.clock.now - openedAt) }
        item.log?.begin(facts, type: playbackType, date: services.wallClock(), offset: place)
        lastFrame = nil
        if moment.isRunning, playingSince == nil { playingSince = services.clock.now }
    }

    /// Ends the log: the item is being taken out.
    func close() {
        guard !isClosed else { return }
        countWatched()
        isClosed = true
        item.log?.close()
        if let log = item.log { tell(.sessionEnded(log)) }
    }

    /// Tells of entries that are new.
    func announce() {
        // Asked after every event: only numbers are looked at.
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
            lastFrame = nil
            if wasPlaying, state.timeControlStatus == .waitingToPlayAtSpecifiedRate(.toMinimizeStalls) { item.log?.stalled() }
        }
        if case .failed(let error) = state.itemStatus {
            item.log?.note(error, url: item.asset.url, date: services.wallClock(), isFatal: true)
            item.log?.close()
        }
    }

    /// Adds the time that was played since it was added last.
    private func countWatched() {
        guard let since = playingSince else { return }
        let now = services.clock.now
        item.log?.watched(now - since)
        playingSince = now
    }

    /// A hole between two frames that were seen is the frames that were not.
    ///
    /// - Returns: whether the decoder falls behind.
    private func count(_ frame: FrameRecord, _ moment: Moment) -> Bool {
        guard frame.isRunning else { return false }
        defer { lastFrame = frame }
        guard let last = lastFrame, last.generation == frame.generation, last.duration > .zero else { return false }
        let gap = frame.time - (last.time + last.duration)
        // A longer one is a hole in the stream.
        guard gap <= .seconds(1) else { return false }
        let missing = gap > .zero ? Int(((gap + last.duration / 2).nanoseconds) / last.duration.nanoseconds) : 0
        if missing > 0 { item.log?.dropped(missing) }
        // Frames for which the screen has no blanks are not the decoder's fault.
        guard moment.rate == .one, last.duration * 21 >= services.display.mode.refresh.period * 20 else { return false }
        return pace.take(missed: missing, at: services.clock.now)
    }

    private var playbackType: String {
        guard let description = item.description else { return "FILE" }
        if description.duration == .live { return "LIVE" }
        return description.kind == "hls" ? "VOD" : "FILE"
    }
}

/// Names playback sessions for their logs.
package enum SessionID {
    /// Four groups of digits that no other session has.
    @MainActor package static func random() -> String {
        var generator = SystemRandomNumberGenerator()
        return (0..<4).map { _ in
            let digits = String(UInt32(truncatingIfNeeded: generator.next()), radix: 16, uppercase: true)
            return String(repeating: "0", count: 8 - digits.count) + digits
        }.joined(separator: "-")
    }

    /// Names that count the sessions: alike in every run.
    @MainActor package static func counted() -> @MainActor () -> String {
        var count = 0
        return {
            count += 1
            return "simulated-\(count)"
        }
    }
}
