import LinuxSupport
import MediaModel
import MediaTime

/// Names of seeks. None is given twice, so that the end of a seek is never taken for that of another, not even for one of another item.
struct SeekIDs: Sendable {
    private var last: UInt64 = 0

    mutating func next() -> SeekID {
        last += 1
        return SeekID(last)
    }
}

/// Where the viewer goes in the item: taps, scanning, scrubbing, the seek that is under way, and the undo of the last one.
///
/// A search (a scan or a scrub) walks in content time, so that interstitials take no room. It shows passing pictures by tolerant seeks, of which one at a time
/// is under way, or by a scan of the player itself. One exact seek follows it. Other navigation seeks exactly at once.
struct Seeking: Sendable {
    /// What the viewer does with the time of the item.
    enum Mode: Sendable, Equatable {
        /// It plays or is paused.
        case watching
        /// The viewer searches for a place while it is paused.
        case scrubbing
        /// The viewer searches for a place at a multiple of the speed.
        case scanning
    }

    /// A search that is under way.
    struct Search: Sendable, Equatable {
        /// Where Back returns to, in asset time.
        let origin: MediaTime
        /// Where it is, in content time.
        let content: MediaTime
        /// Whether it played before.
        let wasPlaying: Bool
    }

    /// From where to where the viewer goes.
    struct Leg: Sendable, Equatable {
        /// In asset time.
        let origin: MediaTime
        /// In content time.
        let target: MediaTime
    }

    /// What has ended with a seek.
    enum Ended: Equatable {
        /// One that another has taken the place of.
        case nothing
        /// A passing picture has come.
        case passingPicture
        /// It is where the viewer wanted to go.
        case exact
    }

    /// What comes of a step of a search.
    enum Step: Equatable {
        case goesOn([InterfaceEffect])
        /// The scan stops here.
        ///
        /// - Parameter playing: whether it plays from here on; nil: as before the scan.
        case over(playing: Bool?)
    }

    private enum State: Sendable {
        case watching(Watching)
        case scrubbing(Scrub, Passing)
        case scanning(Scan, Passing)
    }

    private struct ExactSeek: Sendable {
        let id: SeekID
        /// In asset time.
        let target: MediaTime
    }

    private struct Watching: Sendable {
        var seek: ExactSeek?
        var taps: TapRun?
        var undo: Undo?
    }

    /// Taps that follow each other closely: one navigation.
    private struct TapRun: Sendable {
        var leg: Leg
        var lastTap: HostTime
    }

    private struct Undo: Sendable {
        /// Where Back returns to, in asset time.
        let origin: MediaTime
        let end: HostTime
    }

    /// The passing pictures of a search.
    private struct Passing: Sendable {
        enum UnderWay: Sendable {
            case nothing
            /// An exact one, such as that which was under way when the search began.
            case exact(ExactSeek)
            case picture(SeekID)
        }
        var underWay = UnderWay.nothing
        /// The content time of the picture that was asked for last.
        var last: MediaTime?
    }

    private var state = State.watching(Watching())

    // MARK: What is under way

    var mode: Mode {
        switch state {
        case .watching: .watching
        case .scrubbing: .scrubbing
        case .scanning: .scanning
        }
    }

    /// Whether there is no search and no seek.
    var isAtRest: Bool { mode == .watching && !isSeeking }

    /// Whether a seek is under way, exact or for a passing picture.
    var isSeeking: Bool {
        if case .nothing = passing.underWay { false } else { true }
    }

    private var exactSeek: ExactSeek? {
        guard case .exact(let seek) = passing.underWay else { return nil }
        return seek
    }

    /// The place of the exact seek that is under way, in asset time.
    var target: MediaTime? { exactSeek?.target }

    var search: Search? {
        switch state {
        case .watching: nil
        case .scrubbing(let scrub, _): Search(origin: scrub.origin, content: scrub.content, wasPlaying: false)
        case .scanning(let scan, _): Search(origin: scan.origin, content: scan.content, wasPlaying: scan.wasPlaying)
        }
    }

    /// -4…4, 0 at ordinary speed; nil: there is no scan.
    var scanLevel: Int? {
        guard case .scanning(let scan, _) = state else { return nil }
        return scan.level
    }

    /// When `step` is due; nil: nothing moves by itself.
    var nextStep: HostTime? {
        switch state {
        case .watching: nil
        case .scrubbing(let scrub, _): scrub.nextStep
        case .scanning(let scan, _): scan.nextStep
        }
    }

    // MARK: Exact seeks

    private var watching: Watching {
        get {
            guard case .watching(let watching) = state else { return Watching() }
            return watching
        }
        set { if case .watching = state { state = .watching(newValue) } }
    }

    /// Seeks exactly. A seek that is under way is given up.
    ///
    /// - Parameter target: in asset time.
    mutating func seek(to target: MediaTime, _ ids: inout SeekIDs) -> InterfaceEffect {
        let seek = ExactSeek(id: ids.next(), target: target)
        if case .watching = state { watching.seek = seek } else { passing.underWay = .exact(seek) }
        return .seek(seek.id, to: target, tolerance: .zero)
    }

    /// Seeks exactly where the viewer has gone. Back leads to where they were, for a while.
    mutating func navigate(from origin: MediaTime, to target: MediaTime, _ ids: inout SeekIDs, at now: HostTime)
        -> InterfaceEffect
    {
        watching.undo = Undo(origin: origin, end: now + Timing.undo)
        return seek(to: target, &ids)
    }

    /// A seek is over.
    mutating func complete(_ id: SeekID) -> Ended {
        if exactSeek?.id == id {
            forgetSeek()
            return .exact
        }
        guard case .picture(id) = passing.underWay else { return .nothing }
        forgetSeek()
        return .passingPicture
    }

    /// The end of the seek that is under way is not awaited any more.
    mutating func forgetSeek() {
        if case .watching = state { watching.seek = nil } else { passing.underWay = .nothing }
    }

    /// The item has shown a frame where it began: an exact seek is over, whether or not its end was told.
    mutating func forgetExactSeek() { if exactSeek != nil { forgetSeek() } }

    // MARK: Undo

    /// Where Back leads, in asset time; nil: there is nothing to undo.
    var undoOrigin: MediaTime? { watching.undo?.origin }
    var undoEnds: HostTime? { watching.undo?.end }

    mutating func forgetUndo() { watching.undo = nil }

    // MARK: Taps

    /// Left or Right was tapped in play.
    ///
    /// - Parameters:
    ///   - position: where the viewer is, in asset time.
    ///   - content: the time that the viewer sees as theirs, in content time.
    /// - Returns: the whole way of the taps that belong together; nil: there is nothing in that direction.
    mutating func tap(_ direction: Int, from position: MediaTime, at content: MediaTime, in played: PlayedItem, now: HostTime)
        -> Leg?
    {
        let leg = currentTaps(at: now)?.leg ?? Leg(origin: position, target: content)
        let target = played.clamped(leg.target + Timing.skip * direction)
        guard target != leg.target else { return nil }
        let longer = Leg(origin: leg.origin, target: target)
        watching.taps = TapRun(leg: longer, lastTap: now)
        return longer
    }

    /// Where a tap would lead, in content time; nil: nowhere.
    func target(ofTap direction: Int, at content: MediaTime, in played: PlayedItem, now: HostTime) -> MediaTime? {
        switch state {
        case .scanning: nil
        case .scrubbing(let scrub, _): scrub.target(of: direction, in: played, at: now)
        case .watching: played.clamped((currentTaps(at: now)?.leg.target ?? content) + Timing.skip * direction)
        }
    }

    private func currentTaps(at now: HostTime) -> TapRun? {
        watching.taps.flatMap { now - $0.lastTap <= Timing.tapRun ? $0 : nil }
    }

    /// Where the taps whose seek is under way lead; nil: there is none.
    var tapLeg: Leg? { watching.seek == nil ? nil : watching.taps?.leg }

    /// The next tap begins a new navigation.
    mutating func endTaps() { watching.taps = nil }

    /// What was tapped was the beginning of a hold.
    ///
    /// - Returns: where the viewer was before, in asset time; nil: nothing was tapped.
    mutating func takeBackTaps() -> MediaTime? {
        guard let origin = watching.taps?.leg.origin else { return nil }
        state = .watching(Watching())
        return origin
    }

    // MARK: Searching

    /// Begins to scan, or goes on from a scrub at a multiple of the speed.
    ///
    /// - Parameters:
    ///   - position: where the viewer is, in asset time.
    ///   - content: the time that the viewer sees as theirs, in content time.
    /// - Returns: nil: there is nothing in that direction.
    mutating func beginScan(
        _ direction: Int, from position: MediaTime, at content: MediaTime, isPlaying: Bool, in played: PlayedItem,
        _ ids: inout SeekIDs, now: HostTime
    ) -> [InterfaceEffect]? {
        let before = search ?? Search(origin: position, content: content, wasPlaying: isPlaying)
        guard Scan.leadsAnywhere(direction, from: before.content, in: played) else { return nil }
        let scan = Scan(direction, origin: before.origin, content: before.content, wasPlaying: before.wasPlaying, at: now)
        state = .scanning(scan, passing)
        return played.snapshot.canPlayFast ? steer(in: played, &ids, at: now) : []
    }

    /// The level of the scan changes.
    ///
    /// - Returns: nil: it has the last level in that direction already, or there is no scan.
    mutating func changeScan(by step: Int, in played: PlayedItem, _ ids: inout SeekIDs, at now: HostTime) -> [InterfaceEffect]? {
        guard case .scanning(var scan, let passing) = state, scan.change(by: step, in: played, at: now) else { return nil }
        state = .scanning(scan, passing)
        return scan.rate != nil || !isSeeking ? steer(in: played, &ids, at: now) : []
    }

    /// Begins to scrub.
    ///
    /// - Parameters:
    ///   - position: where the viewer is, in asset time.
    ///   - content: the time that the viewer sees as theirs, in content time.
    mutating func beginScrub(_ direction: Int, from position: MediaTime, at content: MediaTime) {
        state = .scrubbing(Scrub(direction, origin: position, content: content), passing)
    }

    /// Left or Right was tapped in a scrub.
    ///
    /// - Returns: whether it led anywhere.
    mutating func tapScrub(_ direction: Int, in played: PlayedItem, _ ids: inout SeekIDs, at now: HostTime) -> (
        moved: Bool, effects: [InterfaceEffect]
    ) {
        guard case .scrubbing(var scrub, let passing) = state else { return (false, []) }
        let moved = scrub.tap(direction, in: played, at: now)
        state = .scrubbing(scrub, passing)
        return (moved, showPassingPicture(in: played, &ids))
    }

    /// Left or Right is held in a scrub.
    mutating func holdScrub(_ direction: Int, at now: HostTime) {
        guard case .scrubbing(var scrub, let passing) = state else { return }
        scrub.hold(direction, at: now)
        state = .scrubbing(scrub, passing)
    }

    /// The key is let go of. A scan goes on until it is stopped.
    mutating func releaseScrub() {
        guard case .scrubbing(var scrub, let passing) = state else { return }
        scrub.release()
        state = .scrubbing(scrub, passing)
    }

    /// A step of the search is due.
    mutating func step(in played: PlayedItem, _ ids: inout SeekIDs, at now: HostTime) -> Step {
        switch state {
        case .watching: return .goesOn([])
        case .scrubbing(var scrub, let passing):
            let hasMoved = scrub.step(in: played, at: now)
            state = .scrubbing(scrub, passing)
            return .goesOn(hasMoved ? showPassingPicture(in: played, &ids) : [])
        case .scanning(var scan, let passing):
            let step = scan.step(in: played, at: now)
            state = .scanning(scan, passing)
            switch step {
            case .goesOn: return .goesOn(steer(in: played, &ids, at: now))
            case .over(let playing): return .over(playing: playing)
            }
        }
    }

    /// The player has shown a frame.
    mutating func follow(_ played: PlayedItem, _ ids: inout SeekIDs, at now: HostTime) -> Step {
        guard case .scanning(var scan, let passing) = state, scan.rate != nil, let position = played.position else {
            return .goesOn([])
        }
        let isAtEnd = scan.follow(position, in: played, at: now)
        if isAtEnd { scan.goToEnd(of: played) }
        state = .scanning(scan, passing)
        return isAtEnd ? .over(playing: true) : .goesOn(steer(in: played, &ids, at: now))
    }

    /// The player has come to the end in a scan: it stops before it.
    ///
    /// - Returns: false: there is no scan.
    mutating func scanHasReachedEnd(of played: PlayedItem) -> Bool {
        guard case .scanning(var scan, let passing) = state else { return false }
        scan.goToEnd(of: played)
        state = .scanning(scan, passing)
        return true
    }

    /// The search is over: the player walks no more, and the picture that is on its way is not awaited.
    mutating func endSearch() -> [InterfaceEffect] {
        switch state {
        case .watching: return []
        case .scrubbing:
            state = .watching(Watching(seek: exactSeek))
            return []
        case .scanning(let scan, _):
            state = .watching(Watching(seek: exactSeek))
            return scan.rate == nil ? [] : [.scan(rate: nil)]
        }
    }

    // MARK: Passing pictures

    /// Those of the search; without one, what a search that begins now has.
    private var passing: Passing {
        get {
            switch state {
            case .watching(let watching): Passing(underWay: watching.seek.map { .exact($0) } ?? .nothing)
            case .scrubbing(_, let passing), .scanning(_, let passing): passing
            }
        }
        set {
            switch state {
            case .watching: break
            case .scrubbing(let scrub, _): state = .scrubbing(scrub, newValue)
            case .scanning(let scan, _): state = .scanning(scan, newValue)
            }
        }
    }

    /// A passing picture has come: asks for the next where the search has moved on since.
    mutating func passingPictureCame(in played: PlayedItem, _ ids: inout SeekIDs, at now: HostTime) -> [InterfaceEffect] {
        if case .scanning = state { return steer(in: played, &ids, at: now) }
        guard let search, search.content != passing.last else { return [] }
        return showPassingPicture(in: played, &ids)
    }

    /// Decides who walks from here. Where the player does not, the passing picture is sought.
    private mutating func steer(in played: PlayedItem, _ ids: inout SeekIDs, at now: HostTime) -> [InterfaceEffect] {
        guard case .scanning(var scan, let passing) = state else { return [] }
        let told = scan.steer(in: played, isSeeking: isSeeking, at: now)
        state = .scanning(scan, passing)
        let effects = told.map { [$0] } ?? []
        guard scan.rate == nil, scan.content != passing.last else { return effects }
        return effects + showPassingPicture(in: played, &ids)
    }

    /// Shows the passing place, unless a picture is already on its way: the last place wins when it has come.
    private mutating func showPassingPicture(in played: PlayedItem, _ ids: inout SeekIDs) -> [InterfaceEffect] {
        guard let search else { return [] }
        if case .picture = passing.underWay { return [] }
        let id = ids.next()
        passing = Passing(underWay: .picture(id), last: search.content)
        let place = played.clock.asset(of: search.content)
        return [.seek(id, to: place, tolerance: tolerance(at: place, in: played))]
    }

    /// A passing picture may be any near its place, but none of an interstitial that begins soon behind it.
    private func tolerance(at place: MediaTime, in played: PlayedItem) -> SeekTolerance {
        let isBefore =
            played.item?.interstitials.contains { $0.range.start > place && $0.range.start - place <= Timing.keyPictures }
            ?? false
        return isBefore ? .notAfter : .unbounded
    }
}
