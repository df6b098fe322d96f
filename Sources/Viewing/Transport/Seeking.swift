import LinuxSupport
import MediaModel
import MediaTime
import Screens

/// Makes ids of seeks. They are unique across items, so that the completion of a seek is never taken for that of another.
struct SeekIDs: Sendable {
    private var last: UInt64 = 0

    mutating func next() -> SeekID {
        last += 1
        return SeekID(last)
    }
}

/// Navigation in the item: taps, scanning, scrubbing, the pending seek, and the undo of the last one.
///
/// A search (a scan or a scrub) moves in content time, so that interstitials take no room. It shows previews by tolerant seeks, one at a time, or by
/// a scan of the player. One exact seek follows it. Other navigation seeks exactly at once.
package struct Seeking: Sendable {
    /// The viewer's control of the position.
    package enum Mode: Sendable, Equatable {
        /// Normal playback or pause.
        case watching
        /// A search while paused.
        case scrubbing
        /// A search at a multiple of normal speed.
        case scanning
    }

    /// A search in progress.
    package struct Search: Sendable, Equatable {
        /// Where Back returns to, in asset time.
        let origin: MediaTime
        /// Its position, in content time.
        package let content: MediaTime
        /// Whether it played before.
        let wasPlaying: Bool
    }

    /// The origin and the target of a navigation.
    struct Leg: Sendable, Equatable {
        /// In asset time.
        let origin: MediaTime
        /// In content time.
        let target: MediaTime
    }

    /// What a completed seek was.
    enum Ended: Equatable {
        /// A seek that was replaced by another.
        case nothing
        /// A preview.
        case passingPicture
        /// The seek to the viewer's target.
        case exact
    }

    /// The result of a step of a search.
    enum Step: Equatable {
        case goesOn([InterfaceEffect])
        /// The scan stops here.
        ///
        /// - Parameter playing: whether to play afterwards; nil for the state before the scan.
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

    /// Taps in quick succession: one navigation.
    private struct TapRun: Sendable {
        var leg: Leg
        var lastTap: HostTime
    }

    private struct Undo: Sendable {
        /// Where Back returns to, in asset time.
        let origin: MediaTime
        let end: HostTime
    }

    /// The previews of a search.
    private struct Passing: Sendable {
        enum UnderWay: Sendable {
            case nothing
            /// An exact seek, such as the one that was pending when the search began.
            case exact(ExactSeek)
            case picture(SeekID)
        }
        var underWay = UnderWay.nothing
        /// The content time of the last requested preview.
        var last: MediaTime?
    }

    private var state = State.watching(Watching())

    // MARK: State

    package var mode: Mode {
        switch state {
        case .watching: .watching
        case .scrubbing: .scrubbing
        case .scanning: .scanning
        }
    }

    /// Whether there is no search and no seek.
    var isAtRest: Bool { mode == .watching && !isSeeking }

    /// Whether a seek is pending, exact or for a preview.
    var isSeeking: Bool {
        if case .nothing = passing.underWay { false } else { true }
    }

    private var exactSeek: ExactSeek? {
        guard case .exact(let seek) = passing.underWay else { return nil }
        return seek
    }

    /// The target of the pending exact seek, in asset time.
    var target: MediaTime? { exactSeek?.target }

    package var search: Search? {
        switch state {
        case .watching: nil
        case .scrubbing(let scrub, _): Search(origin: scrub.origin, content: scrub.content, wasPlaying: scrub.wasPlaying)
        case .scanning(let scan, _): Search(origin: scan.origin, content: scan.content, wasPlaying: scan.wasPlaying)
        }
    }

    /// -4…4, 0 at normal speed; nil if there is no scan. A scrub out of playback, which ends with the release of its key, is the fastest one.
    var scanLevel: Int? {
        switch state {
        case .scanning(let scan, _): scan.level
        case .scrubbing(let scrub, _) where scrub.wasPlaying: scrub.direction * Timing.scanFactors.count
        case .scrubbing, .watching: nil
        }
    }

    /// When `step` is due; nil if nothing moves automatically.
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

    /// Seeks exactly. A pending seek is replaced.
    ///
    /// - Parameter target: in asset time.
    mutating func seek(to target: MediaTime, _ ids: inout SeekIDs) -> InterfaceEffect {
        let seek = ExactSeek(id: ids.next(), target: target)
        if case .watching = state { watching.seek = seek } else { passing.underWay = .exact(seek) }
        return .seek(seek.id, to: target, tolerance: .zero)
    }

    /// Seeks exactly to the viewer's target. For a while Back returns to the origin.
    mutating func navigate(from origin: MediaTime, to target: MediaTime, _ ids: inout SeekIDs, at now: HostTime)
        -> InterfaceEffect
    {
        watching.undo = Undo(origin: origin, end: now + Timing.undo)
        return seek(to: target, &ids)
    }

    /// A seek has completed.
    mutating func complete(_ id: SeekID) -> Ended {
        if exactSeek?.id == id {
            forgetSeek()
            return .exact
        }
        guard case .picture(id) = passing.underWay else { return .nothing }
        forgetSeek()
        return .passingPicture
    }

    /// The completion of the pending seek is no longer expected.
    mutating func forgetSeek() {
        if case .watching = state { watching.seek = nil } else { passing.underWay = .nothing }
    }

    /// The item has shown its first frame: an exact seek has completed, whether or not that was reported.
    mutating func forgetExactSeek() { if exactSeek != nil { forgetSeek() } }

    // MARK: Undo

    /// The target of Back, in asset time; nil if there is nothing to undo.
    var undoOrigin: MediaTime? { watching.undo?.origin }
    var undoEnds: HostTime? { watching.undo?.end }

    mutating func forgetUndo() { watching.undo = nil }

    // MARK: Taps

    /// Left or Right was tapped during playback.
    ///
    /// - Parameters:
    ///   - position: the current position, in asset time.
    ///   - content: the displayed content time.
    /// - Returns: origin and target of all taps of this navigation; nil if the end is reached in that direction.
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

    /// The target of a tap, in content time; nil if there is none.
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

    /// The target of the taps whose seek is pending; nil if there is none.
    var tapLeg: Leg? { watching.seek == nil ? nil : watching.taps?.leg }

    /// The next tap starts a new navigation.
    mutating func endTaps() { watching.taps = nil }

    /// The last press was the beginning of a hold, not a tap.
    ///
    /// - Returns: the position before its run of taps, in asset time; nil if it had no target, and so belongs to none.
    mutating func takeBackTaps(at now: HostTime) -> MediaTime? {
        guard let taps = watching.taps, now - taps.lastTap <= Timing.noReleasePair else { return nil }
        state = .watching(Watching())
        return taps.leg.origin
    }

    // MARK: Searching

    /// Starts to scan, or continues a scrub as a scan.
    ///
    /// - Parameters:
    ///   - position: the current position, in asset time.
    ///   - content: the displayed content time.
    ///   - hold: whether the key is held that begins it.
    /// - Returns: nil if the end is reached in that direction.
    mutating func beginScan(
        _ direction: Int, from position: MediaTime, at content: MediaTime, isPlaying: Bool, hold: KeyHold? = nil,
        in played: PlayedItem, _ ids: inout SeekIDs, now: HostTime
    ) -> [InterfaceEffect]? {
        let before = search ?? Search(origin: position, content: content, wasPlaying: isPlaying)
        guard Scan.leadsAnywhere(direction, from: before.content, in: played) else { return nil }
        let scan = Scan(
            direction, origin: before.origin, content: before.content, wasPlaying: before.wasPlaying, hold: hold, at: now)
        state = .scanning(scan, passing)
        return played.snapshot.canPlayFast ? steer(in: played, &ids, at: now) : []
    }

    /// Changes the level of the scan.
    ///
    /// - Returns: nil if it already has the last level in that direction, or if there is no scan.
    mutating func changeScan(by step: Int, in played: PlayedItem, _ ids: inout SeekIDs, at now: HostTime) -> [InterfaceEffect]? {
        guard case .scanning(var scan, let passing) = state, scan.change(by: step, in: played, at: now) else { return nil }
        state = .scanning(scan, passing)
        return scan.rate != nil || !isSeeking ? steer(in: played, &ids, at: now) : []
    }

    /// Starts to scrub.
    ///
    /// - Parameters:
    ///   - position: the current position, in asset time.
    ///   - content: the displayed content time.
    mutating func beginScrub(_ direction: Int, from position: MediaTime, at content: MediaTime) {
        state = .scrubbing(Scrub(direction, origin: position, content: content), passing)
    }

    /// Left or Right was tapped in a scrub.
    ///
    /// - Returns: whether it had a target.
    mutating func tapScrub(_ direction: Int, in played: PlayedItem, _ ids: inout SeekIDs, at now: HostTime) -> (
        moved: Bool, effects: [InterfaceEffect]
    ) {
        guard case .scrubbing(var scrub, let passing) = state else { return (false, []) }
        let moved = scrub.tap(direction, in: played, at: now)
        state = .scrubbing(scrub, passing)
        return (moved, showPassingPicture(in: played, &ids))
    }

    /// Left or Right is held in a scrub.
    mutating func holdScrub(_ direction: Int, _ hold: KeyHold, in played: PlayedItem, at now: HostTime) {
        guard case .scrubbing(var scrub, let passing) = state else { return }
        scrub.hold(direction, hold, in: played, at: now)
        state = .scrubbing(scrub, passing)
    }

    /// The key was released. A scan continues until it is stopped.
    ///
    /// - Returns: whether the search ends with it.
    mutating func release() -> Bool {
        switch state {
        case .watching: return false
        case .scrubbing(var scrub, let passing):
            scrub.release()
            state = .scrubbing(scrub, passing)
            return scrub.wasPlaying
        case .scanning(var scan, let passing):
            scan.release()
            state = .scanning(scan, passing)
            return false
        }
    }

    /// A step of the search is due.
    mutating func step(in played: PlayedItem, _ ids: inout SeekIDs, at now: HostTime) -> Step {
        switch state {
        case .watching: return .goesOn([])
        case .scrubbing(var scrub, let passing):
            let hasMoved = scrub.step(in: played, at: now)
            state = .scrubbing(scrub, passing)
            return .goesOn(hasMoved && scrub.content != passing.last ? showPassingPicture(in: played, &ids) : [])
        case .scanning(var scan, let passing):
            if let scrub = scan.scrub(in: played, at: now) {
                state = .scrubbing(scrub, passing)
                return .goesOn((scan.rate == nil ? [] : [.scan(rate: nil)]) + showPassingPicture(in: played, &ids))
            }
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

    /// The player has reached the end in a scan: the scan stops before it.
    ///
    /// - Returns: false if there is no scan.
    mutating func scanHasReachedEnd(of played: PlayedItem) -> Bool {
        guard case .scanning(var scan, let passing) = state else { return false }
        scan.goToEnd(of: played)
        state = .scanning(scan, passing)
        return true
    }

    /// The search has ended: the player no longer scans, and a pending preview is no longer expected.
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

    // MARK: Previews

    /// The previews of the search; without one, those of a search that begins now.
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

    /// A preview is shown: requests the next if the search has moved since.
    mutating func passingPictureCame(in played: PlayedItem, _ ids: inout SeekIDs, at now: HostTime) -> [InterfaceEffect] {
        if case .scanning = state { return steer(in: played, &ids, at: now) }
        guard let search, search.content != passing.last else { return [] }
        return showPassingPicture(in: played, &ids)
    }

    /// Decides whether the player or the clock advances the search from here. In the latter case a preview is sought.
    private mutating func steer(in played: PlayedItem, _ ids: inout SeekIDs, at now: HostTime) -> [InterfaceEffect] {
        guard case .scanning(var scan, let passing) = state else { return [] }
        let told = scan.steer(in: played, isSeeking: isSeeking, at: now)
        state = .scanning(scan, passing)
        let effects = told.map { [$0] } ?? []
        guard scan.rate == nil, scan.content != passing.last else { return effects }
        return effects + showPassingPicture(in: played, &ids)
    }

    /// Shows a preview, unless one is pending: the last position is shown when it completes.
    private mutating func showPassingPicture(in played: PlayedItem, _ ids: inout SeekIDs) -> [InterfaceEffect] {
        guard let search else { return [] }
        if case .picture = passing.underWay { return [] }
        let id = ids.next()
        passing = Passing(underWay: .picture(id), last: search.content)
        let place = played.clock.asset(of: search.content)
        return [.seek(id, to: place, tolerance: tolerance(at: place, in: played))]
    }

    /// A preview may be any picture near its position, but none of an interstitial that begins soon after it.
    private func tolerance(at place: MediaTime, in played: PlayedItem) -> SeekTolerance {
        let isBefore =
            played.item?.interstitials.contains { $0.range.start > place && $0.range.start - place <= Timing.keyPictures }
            ?? false
        return isBefore ? .notAfter : .unbounded
    }
}
