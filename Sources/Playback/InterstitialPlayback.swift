import LinuxSupport
import MediaModel
import MediaTime

/// Plays the interstitials of one item: leaves the presentation at their places, plays their assets one behind the other, and goes back.
@MainActor
final class InterstitialPlayback {
    /// An event that is being presented.
    private struct Presenting {
        var event: InterstitialEvent
        /// Where the presentation was left.
        var left: MediaTime
        /// Where it goes on, if the viewer wanted to jump somewhere.
        var target: MediaTime?
        var assets: [InterstitialAsset] = []
        var index = 0
        /// How long the assets before this one were played.
        var before = MediaTime.zero
        var skipControl: InterstitialEvent.SkipControl?
        /// Whether its assets are being looked for.
        var isResolving = true
    }

    private unowned let player: Player
    private let source: any InterstitialSource
    private var schedule = InterstitialSchedule()
    private var presenting: Presenting?
    private var tick: ScheduledEvent?
    private var lastStatus: InterstitialStatus?

    init(player: Player, source: any InterstitialSource) {
        self.player = player
        self.source = source
        schedule.update(source.interstitialEvents)
        source.onInterstitialEventsChange = { [weak self] events in
            self?.schedule.update(events)
            self?.arm()
        }
    }

    /// Whether an interstitial is on, its assets found or not.
    var isPresenting: Bool { presenting != nil }

    /// The place at which the presentation is left next.
    private(set) var boundary: MediaTime?

    func close() {
        tick?.cancel()
        source.onInterstitialEventsChange = nil
        presenting = nil
        tell()
    }

    // MARK: What the player tells

    /// The item begins to be played: what comes before it comes first.
    func joined(at start: MediaTime) {
        if let event = schedule.beforeStart { present(event, leaving: start) } else { arm(from: start) }
    }

    /// The presentation goes on from a place that was sought.
    func landed(at time: MediaTime) {
        guard presenting == nil else { return }
        arm(from: time)
    }

    /// Play has come to the place of the next event.
    func reachedBoundary() {
        guard presenting == nil, let boundary, let event = schedule.next(from: boundary) else { return arm() }
        present(event, leaving: boundary)
    }

    /// The presentation is over.
    ///
    /// - Returns: whether something is played behind it.
    func reachedEnd(at time: MediaTime) -> Bool {
        if let presenting {
            if !presenting.isResolving { finishAsset() }
            return true
        }
        guard let event = schedule.afterEnd else { return false }
        present(event, leaving: time)
        return true
    }

    /// An asset cannot be played: the next one is.
    ///
    /// - Returns: whether it was an asset that failed, and not the presentation.
    func failed() -> Bool {
        guard presenting?.isResolving == false else { return false }
        // From the loop: the player is in the middle of giving the item up.
        player.clock.schedule(at: player.clock.now, rank: .media) { [weak self] in self?.finishAsset() }
        return true
    }

    /// The viewer wants to go somewhere.
    enum Verdict {
        /// There is nothing against it.
        case allowed
        /// It is not done.
        case refused
        /// It is done later, or was done here.
        case taken
    }

    func sought(to target: MediaTime, from origin: MediaTime) -> Verdict {
        if let presenting {
            guard !presenting.event.restrictions.contains(.requiresPlaybackAtPreferredRateForAdvancement) else { return .refused }
            finish(at: target)
            return .taken
        }
        if target > origin, let event = schedule.blocking(jumpFrom: origin, to: target) {
            present(event, leaving: origin, target: target)
            return .taken
        }
        if target < origin { schedule.jump() }
        return .allowed
    }

    /// Ends the event at the viewer's wish.
    ///
    /// - Returns: false where there is none, or where it has no control to skip it now.
    func skip() -> Bool {
        guard presenting != nil, status()?.showsSkipControl == true else { return false }
        finish()
        return true
    }

    // MARK: Presenting

    private func present(_ event: InterstitialEvent, leaving place: MediaTime, target: MediaTime? = nil) {
        presenting = Presenting(event: event, left: place, target: target, skipControl: event.skipControl)
        boundary = nil
        source.resolveAssets(of: event) { [weak self] assets, skipControl in
            guard let self, self.presenting?.event.identifier == event.identifier, self.presenting?.isResolving == true else {
                return
            }
            self.presenting?.isResolving = false
            self.presenting?.assets = assets
            if let skipControl { self.presenting?.skipControl = skipControl }
            guard !assets.isEmpty else { return self.finish() }
            self.player.suspend(at: place)
            self.playAsset()
            self.startTick()
        }
    }

    private func playAsset() {
        guard let presenting else { return }
        let item = PlayerItem(asset: Asset(url: presenting.assets[presenting.index].url, services: player.services))
        if let limit = presenting.event.playoutLimit {
            item.forwardPlaybackEndTime = max(limit - presenting.before, .milliseconds(1))
        }
        player.play(interstitial: item)
        tell()
    }

    /// The asset is over.
    private func finishAsset() {
        guard let played = presenting else { return }
        let before = played.before + player.interstitialTime
        presenting?.before = before
        let isSpent = played.event.playoutLimit.map { before >= $0 - .milliseconds(40) } ?? false
        guard played.index + 1 < played.assets.count, !isSpent else { return finish() }
        presenting?.index += 1
        playAsset()
    }

    /// The event is over: the presentation goes on.
    private func finish(at target: MediaTime? = nil) {
        guard let over = presenting else { return }
        let played = over.before + (over.assets.isEmpty ? .zero : player.interstitialTime)
        presenting = nil
        tick?.cancel()
        schedule.finish(over.event)
        let place =
            target ?? over.target
            ?? InterstitialSchedule.resumption(of: over.event, played: played, left: over.left) {
                source.segmentBoundary(nearest: $0)
            }
        tell()
        // Others at the same place come before the presentation goes on.
        if over.event.cue.contains(.joinCue), let next = schedule.beforeStart { return present(next, leaving: place) }
        if target == nil, over.event.cue.isEmpty, let next = schedule.next(from: over.event.time), next.time <= over.event.time {
            return present(next, leaving: place)
        }
        if over.event.cue.contains(.leaveCue) {
            if let next = schedule.afterEnd { return present(next, leaving: place) }
            return player.resume(at: place, isOver: true)
        }
        arm(from: place)
        player.resume(at: place, isOver: false)
    }

    private func arm() { if presenting == nil { arm(from: player.currentTime) } }

    private func arm(from time: MediaTime) {
        boundary = schedule.next(from: time)?.time
        player.interstitialBoundaryChanged()
        // What stands at the very place where play is comes at once.
        if boundary == time {
            player.clock.schedule(at: player.clock.now, rank: .media) { [weak self] in
                guard let self, self.boundary == time, self.presenting == nil else { return }
                self.reachedBoundary()
            }
        }
    }

    // MARK: Telling

    private func startTick() {
        tick?.cancel()
        tick = player.clock.schedule(after: .milliseconds(250), rank: .timer) { [weak self] in
            guard let self, self.presenting != nil else { return }
            self.tell()
            self.startTick()
        }
    }

    func status() -> InterstitialStatus? {
        guard let presenting, !presenting.isResolving, !presenting.assets.isEmpty else { return nil }
        let elapsed = presenting.before + player.interstitialTime
        let lengths = presenting.assets.map(\.duration)
        var duration = lengths.contains(nil) ? presenting.event.plannedDuration : lengths.compactMap(\.self).reduce(.zero, +)
        if presenting.assets.count == 1, let known = player.interstitialDuration { duration = known }
        if let limit = presenting.event.playoutLimit { duration = min(duration ?? limit, limit) }
        let control = presenting.skipControl
        let end = control.flatMap { control in control.duration.map { control.offset + $0 } }
        return InterstitialStatus(
            event: presenting.event, asset: presenting.index, assetCount: presenting.assets.count, elapsed: elapsed,
            duration: duration,
            showsSkipControl: control.map { elapsed >= $0.offset && (end.map { elapsed < $0 } ?? true) } ?? false)
    }

    private func tell() {
        let status = status()
        guard status != lastStatus else { return }
        lastStatus = status
        player.onInterstitialChange?(status)
    }
}
