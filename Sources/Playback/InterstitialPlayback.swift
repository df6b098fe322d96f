import LinuxSupport
import MediaModel
import MediaTime

/// What presenting interstitials needs of a player.
@MainActor
protocol InterstitialHost: AnyObject {
    var services: PlaybackServices { get }
    /// Where the presentation is, in asset time.
    var currentTime: MediaTime { get }
    /// The rate that is wanted.
    var wantedRate: Ratio { get }
    /// How far the asset that plays has come, by its own clock.
    var interstitialTime: MediaTime { get }
    /// How long the asset is that plays.
    var interstitialDuration: MediaTime? { get }
    /// The place of the next interstitial has changed.
    func interstitialBoundaryChanged()
    /// Leaves the presentation at a place.
    func suspend(at place: MediaTime)
    /// Plays an asset in the place of what was left.
    func play(interstitial item: PlayerItem)
    /// Goes back to the presentation, which is over where `isOver` says so.
    func resume(at place: MediaTime, isOver: Bool)
    func addPeriodicTimeObserver(
        forInterval interval: MediaTime, handler: @escaping @MainActor (MediaTime) -> Void
    ) -> AnyObject
    func tell(_ change: InterstitialChange)
}

/// Plays the interstitials of one item: leaves the presentation at their places, plays their assets one behind the other, and goes back.
@MainActor
final class InterstitialPlayback {
    /// An interstitial that is being presented.
    private struct Presenting {
        var interstitial: Interstitial
        /// Where the presentation was left.
        var left: MediaTime
        /// Where it goes on, if the viewer wanted to jump somewhere.
        var target: MediaTime?
        var assets: [InterstitialAsset] = []
        var index = 0
        /// How long the assets before this one were played.
        var before = MediaTime.zero
        /// The skip control of the list of its assets.
        var listSkip: Interstitial.SkipControl?
        /// Whether its assets are being looked for.
        var isResolving = true
        /// How many assets could not be played.
        var failures = 0
    }

    /// An interstitial whose place is near: its assets are resolved, and the first is opened.
    private struct Prepared {
        var interstitial: Interstitial
        var assets: [InterstitialAsset]?
        var skip: Interstitial.SkipControl?
        var isResolved = false
        /// The first of its assets.
        var opened: Asset?
    }

    private unowned let player: any InterstitialHost
    private let clock: any HostClock
    let source: any InterstitialSource
    private var schedule = InterstitialSchedule()
    private var presenting: Presenting?
    private var tick: ScheduledEvent?
    private var lastStatus: InterstitialStatus?
    private var prepared: Prepared?
    private var nearing: AnyObject?
    private var startLimit: ScheduledEvent?

    /// How long before its place an interstitial is prepared.
    private static let lead = MediaTime.seconds(12)

    init(player: any InterstitialHost, source: any InterstitialSource) {
        self.player = player
        clock = player.services.clock
        self.source = source
        schedule.update(source.interstitials)
        nearing = player.addPeriodicTimeObserver(forInterval: .seconds(1)) { [weak self] in self?.prepare(at: $0) }
        if !schedule.interstitials.isEmpty { player.tell(.schedule(schedule.interstitials)) }
    }

    /// The source has other interstitials.
    func take(_ fresh: [Interstitial]) {
        // Nothing is presented after the end.
        guard nearing != nil else { return }
        let old = schedule.interstitials
        schedule.update(fresh)
        arm()
        if schedule.interstitials != old { player.tell(.schedule(schedule.interstitials)) }
    }

    /// What is known, in order of time.
    var interstitials: [Interstitial] { schedule.interstitials }

    /// Whether an interstitial is on, its assets found or not.
    var isPresenting: Bool { presenting != nil }

    /// The place at which the presentation is left next.
    private(set) var boundary: MediaTime?

    func close() {
        tick?.cancel()
        startLimit?.cancel()
        nearing = nil
        forgetPrepared()
        presenting = nil
        tell(.abandoned)
    }

    // MARK: What the player tells

    /// The item begins to be played: what comes before it comes first.
    ///
    /// - Parameter owed: the id of an interstitial that a viewer left before its end: it plays first.
    func joined(at start: MediaTime, owed: String? = nil) {
        let owed = owed.flatMap { schedule.interstitial($0) }
        guard let first = owed ?? schedule.beforeStart else { return arm(from: start) }
        // Nothing of the presentation is seen while the assets are looked for.
        boundary = start
        player.interstitialBoundaryChanged()
        present(first, leaving: start, target: owed == nil ? nil : start)
    }

    /// The presentation goes on from a place that was sought.
    func landed(at time: MediaTime) {
        guard presenting == nil else { return }
        arm(from: time)
    }

    /// Play has come to the place of the next interstitial.
    func reachedBoundary() {
        guard presenting == nil, let boundary, let next = schedule.next(from: boundary) else { return arm() }
        present(next, leaving: boundary)
    }

    /// The presentation is over.
    ///
    /// - Returns: whether something is played behind it.
    func reachedEnd(at time: MediaTime) -> Bool {
        if let presenting {
            if !presenting.isResolving { finishAsset() }
            return true
        }
        guard let next = schedule.afterEnd else { return false }
        present(next, leaving: time)
        return true
    }

    /// An asset cannot be played: the next one is.
    ///
    /// - Returns: whether it was an asset that failed, and not the presentation.
    func failed() -> Bool {
        guard presenting?.isResolving == false else { return false }
        // From the loop: the player is in the middle of giving the item up.
        let index = presenting?.index
        clock.schedule(at: clock.now, rank: .media) { [weak self] in
            guard let self, self.presenting?.index == index else { return }
            self.presenting?.failures += 1
            self.finishAsset()
        }
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
            let restrictions = presenting.interstitial.restrictions
            guard !restrictions.contains(.requiresPlaybackAtPreferredRateForAdvancement),
                target <= presenting.left || !restrictions.contains(.constrainsSeekingForwardInPrimaryContent)
            else { return .refused }
            if !presenting.isResolving {
                finish(.abandoned, at: target)
                return .taken
            }
            // Nothing of it has been seen: the presentation has not been left yet.
            self.presenting = nil
            startLimit?.cancel()
        }
        if target > origin, let first = schedule.blocking(jumpFrom: origin, to: target) {
            present(first, leaving: origin, target: target)
            return .taken
        }
        if target < origin { schedule.jump() }
        return .allowed
    }

    /// Ends the interstitial at the viewer's wish.
    ///
    /// - Returns: false where there is none, or where it has no control to skip it now.
    func skip() -> Bool {
        guard presenting != nil, status()?.offersSkip == true else { return false }
        finish(.skipped)
        return true
    }

    // MARK: Preparing

    /// The place of the next interstitial comes near.
    private func prepare(at time: MediaTime) {
        guard presenting == nil, let boundary, boundary - time <= Self.lead, let next = schedule.next(from: boundary),
            prepared?.interstitial != next
        else { return }
        forgetPrepared()
        prepared = Prepared(interstitial: next)
        resolveAssets(of: next) { [weak self] assets, skip in
            guard let self else { return }
            if self.prepared?.interstitial == next {
                self.prepared?.assets = assets
                self.prepared?.skip = skip
                self.prepared?.isResolved = true
            }
            // Play was quicker than the list.
            if self.presenting?.interstitial == next, self.presenting?.isResolving == true { return self.begin(assets, skip) }
            guard self.presenting == nil, self.prepared?.interstitial == next, let url = assets?.first?.url else { return }
            let asset = Asset(url: url, services: self.player.services)
            self.prepared?.opened = asset
            asset.load { _ in }
        }
    }

    /// A spliced interstitial has no assets.
    private func resolveAssets(
        of interstitial: Interstitial,
        _ completion: @escaping @MainActor (_ assets: [InterstitialAsset]?, _ skip: Interstitial.SkipControl?) -> Void
    ) {
        guard let event = interstitial.event else { return completion([], nil) }
        source.resolveAssets(of: event, completion)
    }

    private func forgetPrepared() {
        prepared?.opened?.close()
        prepared = nil
    }

    // MARK: Presenting

    private func present(_ interstitial: Interstitial, leaving place: MediaTime, target: MediaTime? = nil) {
        presenting = Presenting(interstitial: interstitial, left: place, target: target)
        limitStart()
        if let prepared, prepared.interstitial == interstitial {
            if prepared.isResolved { begin(prepared.assets, prepared.skip) }
            return
        }
        forgetPrepared()
        resolveAssets(of: interstitial) { [weak self] assets, skip in
            guard let self, self.presenting?.interstitial.id == interstitial.id, self.presenting?.isResolving == true else {
                return
            }
            self.begin(assets, skip)
        }
    }

    /// The assets are known; nil: they could not be loaded.
    private func begin(_ assets: [InterstitialAsset]?, _ skip: Interstitial.SkipControl?) {
        guard let place = presenting?.left else { return }
        presenting?.listSkip = skip
        guard let assets, !assets.isEmpty else { return finish(assets == nil ? .failed : .completed) }
        presenting?.isResolving = false
        presenting?.assets = assets
        player.suspend(at: place)
        playAsset()
        startTick()
    }

    private func playAsset() {
        guard let presenting else { return }
        let url = presenting.assets[presenting.index].url
        var asset = Asset(url: url, services: player.services)
        if presenting.index == 0, prepared?.interstitial == presenting.interstitial, let opened = prepared?.opened,
            opened.url == url
        {
            asset = opened
            prepared?.opened = nil
        }
        let item = PlayerItem(asset: asset)
        if let limit = presenting.interstitial.event?.playoutLimit {
            item.forwardPlaybackEndTime = max(limit - presenting.before, .milliseconds(1))
        }
        limitStart()
        player.play(interstitial: item)
        tell()
    }

    /// What does not begin in time is given up.
    private func limitStart() {
        startLimit?.cancel()
        startLimit = clock.schedule(after: Interstitial.startLimit, rank: .timer) { [weak self] in
            guard let self, let presenting = self.presenting else { return }
            if presenting.isResolving { return self.finish(.failed) }
            guard self.player.interstitialTime <= .zero else { return }
            // The start limit does not apply while paused.
            guard self.player.wantedRate != .zero else { return self.limitStart() }
            self.presenting?.failures += 1
            self.finishAsset()
        }
    }

    /// The asset is over.
    private func finishAsset() {
        guard let played = presenting else { return }
        let before = played.before + player.interstitialTime
        presenting?.before = before
        let isAtLimit = (played.interstitial.event?.playoutLimit).map { before >= $0 - .milliseconds(40) } ?? false
        guard played.index + 1 < played.assets.count, !isAtLimit else {
            return finish(played.failures == played.assets.count ? .failed : .completed, played: before)
        }
        presenting?.index += 1
        playAsset()
    }

    /// The interstitial is over: the presentation resumes.
    private func finish(_ outcome: InterstitialOutcome, at target: MediaTime? = nil, played known: MediaTime? = nil) {
        guard let over = presenting else { return }
        let played = known ?? over.before + (over.assets.isEmpty ? .zero : player.interstitialTime)
        presenting = nil
        tick?.cancel()
        startLimit?.cancel()
        forgetPrepared()
        schedule.finish(over.interstitial)
        // What could not be played has taken nothing of the presentation either.
        let place =
            target ?? over.target
            ?? (outcome == .failed
                ? over.left
                : InterstitialSchedule.resumption(of: over.interstitial, played: played, left: over.left) {
                    source.segmentBoundary(nearest: $0)
                })
        tell(outcome)
        if let target, target < over.left { schedule.jump() }
        // Leaving one for a place ahead is a jump like any other.
        if let target, target > over.left, let next = schedule.blocking(jumpFrom: over.left, to: target) {
            return present(next, leaving: over.left, target: target)
        }
        // Others at the same place come before the presentation goes on.
        if over.interstitial.cue.contains(.joinCue), let next = schedule.beforeStart { return present(next, leaving: place) }
        if target == nil, over.interstitial.cue.isEmpty, let next = schedule.next(from: over.interstitial.time),
            next.time <= over.interstitial.time
        {
            return present(next, leaving: place, target: over.target)
        }
        if over.interstitial.cue.contains(.leaveCue), target == nil {
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
            clock.schedule(at: clock.now, rank: .media) { [weak self] in
                guard let self, self.boundary == time, self.presenting == nil else { return }
                self.reachedBoundary()
            }
        }
    }

    // MARK: Telling

    private func startTick() {
        tick?.cancel()
        tick = clock.schedule(after: .milliseconds(250), rank: .timer) { [weak self] in
            guard let self, self.presenting != nil else { return }
            self.tell()
            self.startTick()
        }
    }

    func status() -> InterstitialStatus? {
        guard let presenting, !presenting.isResolving, !presenting.assets.isEmpty else { return nil }
        let elapsed = presenting.before + player.interstitialTime
        let lengths = presenting.assets.map(\.duration)
        let event = presenting.interstitial.event
        var duration = lengths.contains(nil) ? event?.plannedDuration : lengths.compactMap(\.self).reduce(.zero, +)
        if presenting.assets.count == 1, let known = player.interstitialDuration { duration = known }
        var assetDuration = player.interstitialDuration ?? lengths[presenting.index]
        if let limit = event?.playoutLimit {
            duration = min(duration ?? limit, limit)
            let left = max(.zero, limit - presenting.before)
            assetDuration = min(assetDuration ?? left, left)
        }
        var interstitial = presenting.interstitial
        interstitial.skip = presenting.listSkip ?? interstitial.skip
        return InterstitialStatus(
            interstitial: interstitial, asset: presenting.index, assetCount: presenting.assets.count, elapsed: elapsed,
            duration: duration, assetElapsed: player.interstitialTime, assetDuration: assetDuration, target: presenting.target)
    }

    private func tell() {
        guard let status = status(), status != lastStatus else { return }
        lastStatus = status
        player.tell(.presenting(status))
    }

    private func tell(_ outcome: InterstitialOutcome) {
        guard let last = lastStatus else { return }
        lastStatus = nil
        player.tell(.ended(last.interstitial, outcome))
    }
}
