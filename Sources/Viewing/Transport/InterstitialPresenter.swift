import BoxModel
import MediaModel
import MediaTime
import Screens

/// An enforced interstitial, and the target after it.
struct Enforcement: Sendable, Equatable {
    var interstitial: Interstitial
    /// In asset time; never inside an interstitial.
    var savedTarget: MediaTime
}

/// The interstitials of one item: which one is presented, which were watched, and which one is enforced.
///
/// What is presented is a function of the position. It is computed at every shown frame and every completed seek, so that it does not depend on
/// earlier events. Playback that runs into a spliced interstitial counts as inside it a moment earlier, so that its words are on the screen before
/// its first picture.
struct InterstitialPresenter: Sendable {
    /// The consequence for the position.
    enum Next: Equatable {
        /// None: playback continues.
        case playOn
        /// Seek to another position.
        case seek(MediaTime)
    }

    /// The ids of the watched interstitials.
    private(set) var watched: Set<String> = []
    /// The interstitial between its beginning and its end.
    private(set) var presenting: Interstitial?
    /// The interstitial that the viewer was sent back to, and the position after it.
    private(set) var enforcement: Enforcement?
    /// Whether playback has advanced since the presentation began: an interstitial without progress is cancelled.
    private var hasMoved = false
    /// The quarters of the presented one that were played, or passed over by a seek.
    private var quarters = 0
    /// The end of the last one that was given up because nothing of it could be shown.
    private var givenUpTo: MediaTime?
    /// An interstitial whose presentation is over while its last frame is still on the screen.
    private var closed: String?
    /// The boundary that was set in the player.
    private var boundary: MediaTime?

    /// Whether no interstitial is presented, enforced or closing.
    var isAtRest: Bool { presenting == nil && closed == nil && enforcement == nil }

    // MARK: Watched interstitials

    /// These were watched in earlier sessions.
    mutating func noteWatchedBefore(_ ids: some Sequence<String>) { watched.formUnion(ids) }

    /// Whether playback skips an interstitial: it was watched and plays only once.
    func passesOver(_ interstitial: Interstitial) -> Bool {
        interstitial.isSpent(watched: watched) && !interstitial.range.isEmpty
    }

    /// A start that skips watched ranges, without a frame of them.
    func backTarget(_ place: MediaTime, in item: ItemPresentation?) -> MediaTime {
        var place = place
        while let inside = item?.interstitials.first(where: { $0.range.contains(place) }), passesOver(inside) {
            place = inside.range.end
        }
        return place
    }

    /// - Parameter wasPlayed: whether playback has led here, and not a seek or a late beginning.
    private mutating func noteWatched(
        _ interstitial: Interstitial, elapsed: MediaTime, of length: MediaTime, wasPlayed: Bool,
        _ effects: inout [InterfaceEffect]
    ) {
        let reached = max(quarters, (1...3).last { elapsed * 4 >= length * $0 } ?? 0)
        for quarter in quarters..<reached where wasPlayed {
            effects.append(.tell(.interstitial(interstitial, .reached(percent: 25 * (quarter + 1)))))
        }
        quarters = reached
        if elapsed * 100 >= length * Timing.watchedPercent { markWatched(interstitial, &effects) }
    }

    private mutating func markWatched(_ interstitial: Interstitial, _ effects: inout [InterfaceEffect]) {
        if watched.insert(interstitial.id).inserted { effects.append(.watched(interstitial: interstitial.id)) }
    }

    // MARK: Presentation

    /// A new position in the stream.
    ///
    /// - Parameters:
    ///   - sought: whether it was reached by a seek. A watched range is then shown, because the viewer chose to go there.
    ///   - isSeeking: whether a seek is pending.
    ///   - rate: the rate at which time advances; nil while it does not.
    mutating func update(
        at place: MediaTime, in item: ItemPresentation, sought: Bool, isSeeking: Bool, rate: Ratio?, snapBack: SnapBackPolicy,
        _ effects: inout [InterfaceEffect]
    ) -> Next {
        let ahead = sought ? nil : interstitial(ahead: place, in: item, rate: isSeeking ? nil : rate)
        let position = ahead?.time ?? place
        let inside = item.interstitials.first { $0.range.contains(position) }
        if let closed, closed == inside?.id, !sought { return .playOn }
        closed = nil
        if let inside, inside.id == presenting?.id {
            if position > inside.time { hasMoved = true }
            let isPlayed = !sought && !isSeeking
            noteWatched(inside, elapsed: position - inside.time, of: inside.range.duration, wasPlayed: isPlayed, &effects)
            return .playOn
        }
        if let presenting {
            // One beside the stream ends when the player says so.
            let played = !sought && !isSeeking && presenting.event == nil && position >= presenting.range.end
            finish(played ? .completed : .abandoned, &effects)
            if played, let next = continueAfter(presenting, isOver: true, in: item, snapBack: snapBack, &effects) {
                if next != .playOn { closed = inside?.id }
                return next
            }
        }
        guard let inside else {
            // Beyond the enforced interstitial without having been in it: a client has sought.
            if let enforcement, !isSeeking, position >= enforcement.interstitial.range.end { self.enforcement = nil }
            return .playOn
        }
        if !sought, passesOver(inside) { return passOver(inside, in: item) }
        begin(inside, &effects)
        noteWatched(inside, elapsed: position - inside.time, of: inside.range.duration, wasPlayed: false, &effects)
        return .playOn
    }

    /// The spliced interstitial that begins within the next frames.
    ///
    /// - Parameter rate: the rate at which time advances; nil: only one that is presented already, such as before a pause.
    private func interstitial(ahead position: MediaTime, in item: ItemPresentation, rate: Ratio?) -> Interstitial? {
        // The player holds at the end of an enforced one, and none of it may be missed.
        guard enforcement == nil else { return nil }
        return item.interstitials.first {
            let distance = $0.time - position
            guard distance > .zero, !$0.range.isEmpty, !passesOver($0) else { return false }
            // A linear one slows playback down to 1x, and must not lose its presentation by that.
            if $0.id == presenting?.id { return isImminent($0, at: position) }
            return rate.map { distance <= min(Timing.presentsAhead.scaled(by: $0), Timing.presentsAheadAtMost) } ?? false
        }
    }

    /// Whether an interstitial may already be presented at a position before it.
    private func isImminent(_ interstitial: Interstitial, at position: MediaTime) -> Bool {
        position < interstitial.time && interstitial.time - position <= Timing.presentsAheadAtMost
    }

    /// The player presents one beside the stream.
    mutating func update(beside status: InterstitialStatus, _ effects: inout [InterfaceEffect]) {
        let interstitial = status.interstitial
        let begins = presenting?.id != interstitial.id
        if begins {
            finish(.abandoned, &effects)
            closed = nil
            begin(interstitial, &effects)
        }
        presenting = interstitial
        if status.elapsed > .zero { hasMoved = true }
        if let duration = status.duration, duration > .zero {
            noteWatched(interstitial, elapsed: status.elapsed, of: duration, wasPlayed: !begins, &effects)
        }
    }

    /// The item has a new description.
    mutating func renew(from item: ItemPresentation) {
        noteWatchedBefore(item.watchedInterstitials)
        if let id = presenting?.id, let renewed = item.interstitials.first(where: { $0.id == id }) { presenting = renewed }
    }

    private mutating func begin(_ interstitial: Interstitial, _ effects: inout [InterfaceEffect]) {
        presenting = interstitial
        quarters = 0
        hasMoved = false
        effects.append(.tell(.interstitial(interstitial, .began)))
    }

    /// Ends the presentation, if there is one.
    mutating func finish(_ outcome: InterstitialOutcome, _ effects: inout [InterfaceEffect]) {
        guard let over = presenting else { return }
        presenting = nil
        if outcome == .completed { markWatched(over, &effects) }
        effects.append(.tell(.interstitial(over, .ended(outcome))))
    }

    private mutating func passOver(_ interstitial: Interstitial, in item: ItemPresentation) -> Next {
        closed = interstitial.id
        return .seek(backTarget(interstitial.range.end, in: item))
    }

    // MARK: Enforcement

    /// The viewer has to watch an interstitial, and the rest of its break, before the position they wanted. One inside that break becomes its end.
    mutating func enforce(_ interstitial: Interstitial, before target: MediaTime, in item: ItemPresentation) {
        let whole = item.timeline.interstitial(at: interstitial.time)
        let saved = whole.map { $0.contains(target) ? $0.end : target } ?? target
        enforcement = Enforcement(interstitial: interstitial, savedTarget: outside(saved, in: item))
    }

    mutating func forgetEnforcement() { enforcement = nil }

    /// A position that is not inside an unwatched interstitial: its start is used instead.
    private func outside(_ place: MediaTime, in item: ItemPresentation) -> MediaTime {
        item.interstitials.first { $0.range.contains(place) && $0.isOwed(watched: watched) }?.time ?? place
    }

    /// After an enforced interstitial: the next one of its break, the next enforced break, else the saved target.
    ///
    /// - Parameter isOver: whether it has played to its end; false if the viewer skips the rest of it.
    /// - Returns: nil if the interstitial was not enforced.
    private mutating func continueAfter(
        _ over: Interstitial, isOver: Bool, in item: ItemPresentation, snapBack: SnapBackPolicy,
        _ effects: inout [InterfaceEffect]
    ) -> Next? {
        guard let enforcement, enforcement.interstitial.id == over.id else { return nil }
        let saved = enforcement.savedTarget
        let next = snapBack.interstitialToWatch(after: over, before: saved, among: item.interstitials, watched: watched)
        guard let next else {
            self.enforcement = nil
            return .seek(saved)
        }
        enforce(next, before: saved, in: item)
        // Adjacent ranges: playback continues into the next without a frame between, and without a moment that is not linear.
        guard isOver, next.time == over.range.end else { return .seek(next.time) }
        begin(next, &effects)
        return .playOn
    }

    // MARK: Positions

    /// The start position of an item for this viewer, in asset time: where they left it, or the interstitial that is owed before that; nil for the item's beginning.
    mutating func startPlace(in item: ItemPresentation) -> MediaTime? {
        guard let place = item.resume, place.time > item.trimStart else {
            let first = backTarget(item.trimStart, in: item)
            return first > .zero ? first : nil
        }
        let owed =
            item.interstitials.first {
                $0.id == place.owedInterstitial && $0.isOwed(watched: watched) && $0.time <= place.time
            }
            ?? preRoll(of: item).first { $0.playsOnResume && $0.isOwed(watched: watched) }
        guard let owed else { return place.time }
        if place.time >= owed.range.end { enforce(owed, before: place.time, in: item) }
        return owed.time
    }

    /// The break with which the item begins.
    private func preRoll(of item: ItemPresentation) -> [Interstitial] {
        guard let first = item.interstitials.first(where: { $0.range.contains(item.trimStart) }) else { return [] }
        return InterstitialBreak.of(first, among: item.interstitials)?.interstitials ?? []
    }

    /// The position to save: never inside a break, and with the first interstitial that is owed of what is left of it.
    func placeToSave(_ place: MediaTime, in item: ItemPresentation) -> SavedPlace {
        if let enforcement { return SavedPlace(time: enforcement.savedTarget, owedInterstitial: enforcement.interstitial.id) }
        let inside = item.interstitials.first {
            $0.range.contains(place) || $0.id == presenting?.id && isImminent($0, at: place)
        }
        guard let inside else { return SavedPlace(time: place) }
        let pod = InterstitialBreak.of(inside, among: item.interstitials)?.interstitials ?? [inside]
        let owed = pod.first { $0.time >= inside.time && $0.isLinear && $0.isOwed(watched: watched) }
        return SavedPlace(time: pod.last?.range.end ?? inside.range.end, owedInterstitial: owed?.id)
    }

    /// The position to save while an interstitial beside the stream is presented.
    func placeToSave(in beside: InterstitialStatus, at position: MediaTime) -> SavedPlace {
        let id = beside.interstitial.id
        let owes = beside.interstitial.isLinear && !watched.contains(id)
        return SavedPlace(time: beside.target ?? position, owedInterstitial: owes ? id : nil)
    }

    // MARK: The boundary

    /// Where the player must stop: the end of an enforced interstitial, after which the saved target follows without a frame of content between; or
    /// the start of one that is passed over.
    ///
    /// - Parameter place: the playback position; nil if it is unknown, or during a search.
    mutating func settleBoundary(from place: MediaTime?, in item: ItemPresentation?, _ effects: inout [InterfaceEffect]) {
        let wanted = wantedBoundary(from: place, in: item)
        guard wanted != boundary else { return }
        boundary = wanted
        effects.append(.setForwardBoundary(at: wanted))
    }

    private func wantedBoundary(from place: MediaTime?, in item: ItemPresentation?) -> MediaTime? {
        guard let item, let place else { return nil }
        if let enforcement { return enforcement.interstitial.range.end }
        return item.interstitials.first { passesOver($0) && $0.time > place && $0.id != presenting?.id }?.time
    }

    /// A reopened player does not have the boundary.
    mutating func forgetBoundary() { boundary = nil }

    /// The player holds at a boundary.
    mutating func reached(
        _ time: MediaTime, in item: ItemPresentation, snapBack: SnapBackPolicy, _ effects: inout [InterfaceEffect]
    ) -> Next {
        guard time == boundary else { return .playOn }
        if let over = enforcement?.interstitial, over.range.end == time {
            if presenting?.id == over.id { finish(.completed, &effects) }
            closed = over.id
            return continueAfter(over, isOver: true, in: item, snapBack: snapBack, &effects) ?? .playOn
        }
        guard let next = item.interstitials.first(where: { $0.time == time && passesOver($0) }) else { return .playOn }
        // Two may touch: the first ends with its last frame.
        if let presenting, presenting.range.end == time { finish(.completed, &effects) }
        return passOver(next, in: item)
    }

    // MARK: Skip

    /// Whether Skip is offered after the interstitial has played for this long.
    func offersSkip(at elapsed: MediaTime?) -> Bool {
        guard let skip = presenting?.skip, let elapsed else { return false }
        return skip.isOffered(at: elapsed)
    }

    /// Whole seconds until Skip is offered; nil if it is offered, or never will be.
    func secondsUntilSkip(at elapsed: MediaTime?) -> Int64? {
        guard let skip = presenting?.skip, let elapsed else { return nil }
        return skip.timeUntilOffer(at: elapsed)?.wholeSecondsUp
    }

    /// The viewer skips the presented spliced interstitial.
    mutating func skip(in item: ItemPresentation, snapBack: SnapBackPolicy, _ effects: inout [InterfaceEffect]) -> Next {
        guard let skipped = presenting else { return .playOn }
        finish(.skipped, &effects)
        closed = skipped.id
        return continueAfter(skipped, isOver: false, in: item, snapBack: snapBack, &effects)
            ?? .seek(backTarget(skipped.range.end, in: item))
    }

    /// An interstitial that does not start in time is abandoned, and the next one of its break plays, or content continues. If the one after it does
    /// not start either, all that touch it are passed, so that a pod is not waited for one by one.
    ///
    /// - Parameter sought: the target of a pending seek.
    /// - Returns: nil if there is none to abandon.
    mutating func giveUp(sought: MediaTime?, in item: ItemPresentation, _ effects: inout [InterfaceEffect]) -> Next? {
        let failed: Interstitial
        if let presenting, !hasMoved {
            failed = presenting
            finish(.failed, &effects)
            closed = failed.id
        } else if let enforced = enforcement?.interstitial, sought == enforced.time {
            failed = enforced
        } else {
            return nil
        }
        let isSecond = givenUpTo == failed.time
        let end = isSecond ? item.timeline.interstitial(at: failed.time)?.end ?? failed.range.end : failed.range.end
        givenUpTo = end
        guard let saved = enforcement?.savedTarget else { return .seek(end) }
        enforcement = nil
        guard !isSecond,
            let next = InterstitialBreak.of(failed, among: item.interstitials)?.next(after: failed.id, watched: watched)
        else { return .seek(saved) }
        enforce(next, before: saved, in: item)
        return .seek(next.time)
    }

    /// "You can skip ahead in 0:12", for a key that is refused: until the last of the linear interstitials that follow each other is over.
    func refusal(of played: PlayedItem, _ strings: StringCatalogue) -> String {
        guard played.item?.requiresLinearPlayback == false, let left = linearTimeLeft(of: played) else {
            return strings.text(.availableLater)
        }
        return strings.text(.availableIn, TimeText.clock(max(0, left.wholeSecondsUp)))
    }

    /// nil: none is presented, or its duration is unknown.
    private func linearTimeLeft(of played: PlayedItem) -> MediaTime? {
        guard let item = played.item, let presenting else { return nil }
        if let beside = played.beside { return beside.duration.map { $0 - beside.elapsed } }
        guard let position = played.position else { return nil }
        var end = presenting.range.end
        while let next = item.interstitials.first(where: { $0.time == end && $0.isLinear && !$0.range.isEmpty }) {
            end = next.range.end
        }
        return end - max(position, presenting.time)
    }

    // MARK: The label

    /// "Ad 1 of 3 · 0:12": counted among consecutive ads without content in between.
    ///
    /// - Parameter elapsed: how long the interstitial has played.
    func label(at elapsed: MediaTime?, of played: PlayedItem, strings: StringCatalogue) -> String? {
        guard let item = played.item, let presenting, let elapsed else { return nil }
        if let beside = played.beside { return beside.label(among: played.snapshot.interstitials, strings) }
        let left = TimeText.clock(max(0, (presenting.range.duration - elapsed).wholeSecondsUp))
        if let title = presenting.title { return strings.text(.titledInterstitial, title, left) }
        switch presenting.kind {
        case .ad:
            let whole = item.timeline.interstitial(at: presenting.time) ?? presenting.range
            let pod = item.interstitials.filter { $0.kind == .ad && whole.contains($0.range) }
            guard pod.count > 1, let index = pod.firstIndex(where: { $0.id == presenting.id }) else {
                return strings.text(.adOnly, left)
            }
            return strings.text(.adOf, "\(index + 1)", "\(pod.count)", left)
        case .legal: return strings.text(.titledInterstitial, strings.text(.legalNotice), left)
        case .promo: return strings.text(.titledInterstitial, strings.text(.promotion), left)
        case .bumper, .other: return nil
        }
    }

    /// The label of Skip. Label ids are defined by providers; those that match one of our texts get it, and others the default.
    func skipTitle(_ strings: StringCatalogue) -> String {
        guard let label = presenting?.skip?.labelID?.lowercased() else {
            return strings.text(presenting?.kind == .ad ? .skipAd : .skip)
        }
        if label.contains("intro") { return strings.text(.skipIntro) }
        if label.contains("recap") { return strings.text(.skipRecap) }
        return strings.text(label.contains("ad") ? .skipAd : .skip)
    }
}

extension InterstitialStatus {
    /// Each asset of a separately fetched interstitial is an ad. Without a known duration there is no countdown.
    fileprivate func label(among interstitials: [Interstitial], _ strings: StringCatalogue) -> String? {
        guard let assetRemaining else { return nil }
        let left = TimeText.clock(max(0, assetRemaining.wholeSecondsUp))
        let (before, after) = othersOfBreak(interstitials)
        let count = before + assetCount + after
        return count > 1 ? strings.text(.adOf, "\(before + asset + 1)", "\(count)", left) : strings.text(.adOnly, left)
    }

    /// The number of assets of its break before it and after it. What a list holds is not known before it plays: beside one, it is counted alone.
    private func othersOfBreak(_ interstitials: [Interstitial]) -> (before: Int, after: Int) {
        guard let pod = InterstitialBreak.of(interstitial, among: interstitials)?.interstitials,
            let index = pod.firstIndex(where: { $0.id == interstitial.id }),
            pod.allSatisfy({ $0.id == interstitial.id || $0.event?.isOneAsset == true })
        else { return (0, 0) }
        return (index, pod.count - index - 1)
    }
}

extension Interstitial.Event {
    fileprivate var isOneAsset: Bool { if case .asset = assets { true } else { false } }
}
