import LinuxSupport
import MediaModel
import MediaSources
import MediaTime

/// What interstitial playback needs from the player.
@MainActor
protocol InterstitialHost: AnyObject {
    var services: PlaybackServices { get }
    /// Where playback of a live presentation would start now; nil on demand.
    var liveStart: MediaTime? { get }
    /// The position of the presentation, in asset time.
    var currentTime: MediaTime { get }
    /// The requested rate.
    var wantedRate: Ratio { get }
    /// The position in the current asset, by its own clock.
    var interstitialTime: MediaTime { get }
    /// The duration of the current asset.
    var interstitialDuration: MediaTime? { get }
    /// The position of the next interstitial has changed.
    func interstitialBoundaryChanged()
    /// Suspends the presentation at a position.
    func suspend(at position: MediaTime)
    /// An interstitial begins: its assets are played from now on.
    func presents(_ interstitial: Interstitial)
    /// Plays an asset instead of the suspended presentation.
    func play(interstitial item: PlayerItem)
    /// Resumes the presentation, or ends it if `isOver`.
    func resume(at position: MediaTime, isOver: Bool)
    func addPeriodicTimeObserver(
        forInterval interval: MediaTime, handler: @escaping @MainActor (MediaTime) -> Void
    ) -> AnyObject
    func tell(_ change: InterstitialChange)
    /// Makes a change and delivers its events when it is complete.
    func whileHolding(_ change: () -> Void)
}

/// Plays the interstitials of one item: suspends the presentation at their positions, plays their assets one after another, and resumes it.
@MainActor
final class InterstitialPlayback {
    /// An interstitial that is being presented.
    private struct Presenting {
        var interstitial: Interstitial
        /// Where the presentation was suspended.
        var left: MediaTime
        /// Where to resume if the viewer requested a jump.
        var target: MediaTime?
        /// How far into it a live viewer comes to it.
        var offset = MediaTime.zero
        /// Where its first asset starts; nil for its beginning.
        var firstStart: MediaTime?
        var assets: [InterstitialAsset] = []
        var index = 0
        /// The duration of the assets before this one, played or not.
        var before = MediaTime.zero
        /// The part of it that came before the viewer.
        var missed = MediaTime.zero
        /// The skip control of the list of its assets.
        var listSkip: Interstitial.SkipControl?
        /// Whether its assets are being resolved.
        var isResolving = true
        /// The number of assets that could not be played.
        var failures = 0
        /// How long it may play. One that others see too ends with theirs.
        var limit: MediaTime? {
            let own = interstitial.event?.playoutLimit
            guard offset > .zero, let length = interstitial.event?.replacedDuration else { return own }
            return own.map { min($0, length) } ?? length
        }
    }

    /// An interstitial that is due soon or being presented: its assets are resolved, and the first is opened ahead.
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
    /// Resolves the assets of `prepared`.
    private var resolving: (any InterstitialAssetRequest)?
    private var nearing: AnyObject?
    /// How long nothing new was shown since the presentation was left; nil while it plays.
    private var patience: InterstitialPatience?

    /// How long before its position an interstitial is prepared.
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

    /// The known events, ordered by time.
    var interstitials: [Interstitial] { schedule.interstitials }

    /// Whether an interstitial is active, with or without resolved assets.
    var isPresenting: Bool { presenting != nil }

    /// The position at which the presentation is suspended next.
    private(set) var boundary: MediaTime?

    func close() {
        tick?.cancel()
        nearing = nil
        forgetPrepared()
        presenting = nil
        tell(.abandoned)
    }

    // MARK: Events of the player

    /// The item starts: events before the presentation come first.
    ///
    /// - Parameter owed: the id of an interstitial that the viewer left before its end: it plays first.
    func joined(at start: MediaTime, owed: String? = nil) {
        let owed = owed.flatMap { schedule.interstitial($0) }
        guard let first = owed ?? schedule.beforeStart else {
            if presentCurrent(at: start) { return }
            return arm(from: start)
        }
        // No frame of the presentation is shown while the assets are resolved.
        boundary = start
        player.interstitialBoundaryChanged()
        present(first, leaving: start, target: owed == nil ? nil : start)
    }

    /// A live viewer comes to a position that all others see an interstitial at: the rest of it plays.
    ///
    /// - Returns: whether there is one.
    private func presentCurrent(at position: MediaTime) -> Bool {
        guard player.liveStart != nil, let current = schedule.current(at: position) else { return false }
        boundary = position
        player.interstitialBoundaryChanged()
        present(current.interstitial, leaving: position, offset: current.offset)
        return true
    }

    /// The presentation continues from a position that was sought.
    func landed(at time: MediaTime) {
        guard presenting == nil else { return }
        arm(from: time)
    }

    /// Playback has reached the position of the next interstitial.
    func reachedBoundary() {
        guard presenting == nil, let boundary, let next = schedule.next(from: boundary) else { return arm() }
        present(next, leaving: boundary)
    }

    /// The presentation has ended.
    ///
    /// - Returns: whether an event is played after it.
    func reachedEnd(at time: MediaTime) -> Bool {
        if let presenting {
            if !presenting.isResolving { finishAsset() }
            return true
        }
        guard let next = schedule.afterEnd else { return false }
        present(next, leaving: time)
        return true
    }

    /// An asset failed: the next one is tried.
    ///
    /// - Returns: whether the failed item was an asset and not the presentation.
    func failed() -> Bool {
        guard presenting?.isResolving == false else { return false }
        // In a later event, because the player is still handling the failure of the item.
        let index = presenting?.index
        clock.schedule(at: clock.now, rank: .media) { [weak self] in
            guard let self, self.presenting?.index == index else { return }
            self.presenting?.failures += 1
            self.finishAsset()
        }
        return true
    }

    /// The result of a requested seek.
    enum Verdict {
        /// It may be done.
        case allowed
        /// It is refused.
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
            // No frame of the event was shown, so the presentation has not been suspended.
            self.presenting = nil
            patience = nil
            tick?.cancel()
        }
        if target > origin, let first = schedule.blocking(jumpFrom: origin, to: target) {
            present(first, leaving: origin, target: target)
            return .taken
        }
        if target < origin { schedule.jump() }
        return .allowed
    }

    /// Ends the interstitial because the viewer skips it.
    ///
    /// - Returns: false if there is none, or if it cannot be skipped now.
    func skip() -> Bool {
        guard presenting != nil, status()?.offersSkip == true else { return false }
        finish(.skipped)
        return true
    }

    // MARK: Preparing

    /// The next interstitial is due soon.
    private func prepare(at time: MediaTime) {
        guard presenting == nil, let boundary, boundary - time <= Self.lead, let next = schedule.next(from: boundary),
            prepared?.interstitial != next
        else { return }
        resolveAssets(of: next)
    }

    /// Resolves the assets of an interstitial, which is prepared instead of any other. A spliced one has no assets.
    private func resolveAssets(of interstitial: Interstitial, from offset: MediaTime = .zero) {
        forgetPrepared()
        prepared = Prepared(interstitial: interstitial)
        guard let event = interstitial.event else { return resolved([], nil) }
        let request = source.resolveAssets(of: event, from: offset) { [weak self] assets, skip in
            guard let self else { return }
            self.player.whileHolding {
                self.resolving = nil
                self.resolved(assets, skip)
            }
        }
        // What was resolved at once may have ended, and another interstitial may have begun.
        if let request { resolving = request }
    }

    private func resolved(_ assets: [InterstitialAsset]?, _ skip: Interstitial.SkipControl?) {
        prepared?.assets = assets
        prepared?.skip = skip
        prepared?.isResolved = true
        if presenting?.isResolving == true { return begin(assets, skip) }
        guard let url = assets?.first?.url else { return }
        let asset = Asset(url: url, services: player.services)
        prepared?.opened = asset
        asset.load { _ in }
    }

    private func forgetPrepared() {
        resolving?.cancel()
        resolving = nil
        prepared?.opened?.close()
        prepared = nil
    }

    // MARK: Presenting

    private func present(
        _ interstitial: Interstitial, leaving position: MediaTime, target: MediaTime? = nil, offset: MediaTime = .zero
    ) {
        presenting = Presenting(interstitial: interstitial, left: position, target: target, offset: offset)
        if patience == nil { patience = InterstitialPatience(at: clock.now) }
        patience?.assetBegins()
        startTick()
        if let prepared, prepared.interstitial == interstitial, offset == .zero {
            if prepared.isResolved { begin(prepared.assets, prepared.skip) }
            return
        }
        resolveAssets(of: interstitial, from: offset)
    }

    /// The assets are known; nil if they could not be loaded.
    private func begin(_ assets: [InterstitialAsset]?, _ skip: Interstitial.SkipControl?) {
        guard let position = presenting?.left, let interstitial = presenting?.interstitial, let offset = presenting?.offset else {
            return
        }
        presenting?.listSkip = skip
        var assets = assets
        if let all = assets, offset > .zero {
            let entry = InterstitialSchedule.entry(to: all, of: interstitial, at: offset)
            assets = entry.assets
            presenting?.before = entry.missed
            presenting?.missed = entry.missed
            presenting?.firstStart = entry.start
        }
        guard let assets, !assets.isEmpty else { return finish(assets == nil ? .failed : .completed) }
        presenting?.isResolving = false
        presenting?.assets = assets
        player.suspend(at: position)
        player.presents(interstitial)
        playAsset()
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
        if presenting.index == 0 { item.startTime = presenting.firstStart }
        if let limit = presenting.limit {
            item.forwardPlaybackEndTime = max(limit - presenting.before, .milliseconds(1))
        }
        patience?.assetBegins()
        player.play(interstitial: item)
        tell()
    }

    /// Gives up an asset that does not start or go on in time, or the rest of them.
    private func giveUpWhatIsDead() {
        guard let presenting else { return }
        let isShown = !presenting.isResolving && player.interstitialTime > .zero
        let played = presenting.before + (isShown ? player.interstitialTime : .zero)
        let counts = presenting.isResolving || player.wantedRate != .zero
        switch patience?.observe(played, counts: counts, at: clock.now) {
        case .waits, nil: return
        case .assetIsOver where !presenting.isResolving:
            if !isShown { self.presenting?.failures += 1 }
            finishAsset()
        case .assetIsOver, .allIsOver:
            finish(!isShown && presenting.failures == presenting.index ? .failed : .completed, played: played)
        }
    }

    /// The asset has ended.
    private func finishAsset() {
        guard let played = presenting else { return }
        let before = played.before + player.interstitialTime
        presenting?.before = before
        let isAtLimit = played.limit.map { before >= $0 - .milliseconds(40) } ?? false
        guard played.index + 1 < played.assets.count, !isAtLimit else {
            return finish(played.failures == played.assets.count ? .failed : .completed, played: before)
        }
        presenting?.index += 1
        playAsset()
    }

    /// The interstitial has ended: the presentation resumes.
    private func finish(_ outcome: InterstitialOutcome, at target: MediaTime? = nil, played known: MediaTime? = nil) {
        guard let over = presenting else { return }
        let played = known ?? over.before + (over.assets.isEmpty ? .zero : player.interstitialTime)
        presenting = nil
        tick?.cancel()
        forgetPrepared()
        schedule.finish(over.interstitial)
        let position = target ?? over.target ?? resumption(after: over, played: played, hasFailed: outcome == .failed)
        tell(outcome)
        if let target, target < over.left { schedule.jump() }
        // Leaving an event for a later position is treated like any other jump.
        if let target, target > over.left, let next = schedule.blocking(jumpFrom: over.left, to: target) {
            return present(next, leaving: over.left, target: target)
        }
        // Other events at the same position come before the presentation resumes.
        if over.interstitial.cue.contains(.joinCue), let next = schedule.beforeStart { return present(next, leaving: position) }
        if over.interstitial.cue.contains(.joinCue), target == nil, presentCurrent(at: position) { return }
        // A break that a jump has led to is played to its end.
        if target == nil, let jump = over.target, let next = schedule.next(after: over.interstitial, jumpTo: jump) {
            return present(next, leaving: over.left, target: jump)
        }
        if target == nil, over.interstitial.cue.isEmpty, let next = schedule.next(from: over.interstitial.time),
            next.time <= over.interstitial.time
        {
            return present(next, leaving: position, target: over.target)
        }
        if over.interstitial.cue.contains(.leaveCue), target == nil {
            if let next = schedule.afterEnd { return present(next, leaving: position) }
            patience = nil
            return player.resume(at: position, isOver: true)
        }
        patience = nil
        arm(from: position)
        player.resume(at: position, isOver: false)
    }

    /// Where the presentation resumes after an interstitial.
    private func resumption(after over: Presenting, played: MediaTime, hasFailed: Bool) -> MediaTime {
        // Live goes on behind an interstitial that comes first: the viewer joins where others are now.
        if over.interstitial.cue.contains(.joinCue), over.interstitial.event?.resumptionOffset == nil, let now = player.liveStart
        {
            return max(over.left, now)
        }
        // An event that could not be played replaces no part of the presentation.
        if hasFailed { return over.left }
        return InterstitialSchedule.resumption(of: over.interstitial, played: played, left: over.left) {
            source.segmentBoundary(nearest: $0)
        }
    }

    private func arm() { if presenting == nil { arm(from: player.currentTime) } }

    private func arm(from time: MediaTime) {
        boundary = schedule.next(from: time)?.time
        player.interstitialBoundaryChanged()
        // An event exactly at the resume position starts at once.
        if boundary == time {
            clock.schedule(at: clock.now, rank: .media) { [weak self] in
                guard let self, self.boundary == time, self.presenting == nil else { return }
                self.reachedBoundary()
            }
        }
    }

    // MARK: Reports

    private func startTick() {
        tick?.cancel()
        tick = clock.schedule(after: .milliseconds(250), rank: .timer) { [weak self] in
            guard let self else { return }
            self.giveUpWhatIsDead()
            guard self.presenting != nil else { return }
            self.tell()
            self.startTick()
        }
    }

    func status() -> InterstitialStatus? {
        guard let presenting, !presenting.isResolving, !presenting.assets.isEmpty else { return nil }
        let elapsed = presenting.before + player.interstitialTime
        let lengths = presenting.assets.map(\.duration)
        let event = presenting.interstitial.event
        var duration = lengths.contains(nil) ? event?.plannedDuration : lengths.compactMap(\.self).reduce(presenting.missed, +)
        if presenting.assets.count == 1, let known = player.interstitialDuration { duration = presenting.missed + known }
        var assetDuration = player.interstitialDuration ?? lengths[presenting.index]
        if let limit = presenting.limit {
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

    /// Whether anything interrupts the presentation.
    var hasEvents: Bool { !source.interstitials.isEmpty }
}
