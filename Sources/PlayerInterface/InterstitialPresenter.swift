import MediaModel
import MediaTime

/// An interstitial that the viewer was sent back to, and where they go after it.
struct Enforcement: Sendable, Equatable {
    var interstitial: Interstitial
    /// In asset time; never inside an interstitial.
    var savedTarget: MediaTime
}

/// The interstitials of one item: which one is presented, which were watched, and which one the viewer was sent back to.
///
/// What is presented is a function of the place. It is worked out anew at every frame shown and every completed seek, so that it does not depend on which
/// events came before.
struct InterstitialPresenter: Sendable {
    /// What follows for the place.
    enum Next: Equatable {
        /// Nothing: play goes on.
        case playOn
        /// Another place is sought.
        case seek(MediaTime)
    }

    /// Ids of what counts as watched.
    private(set) var watched: Set<String> = []
    /// The interstitial between its willPresent and its didPresent.
    private(set) var presenting: Interstitial?
    /// The interstitial that the viewer was sent back to, and the place after it.
    private(set) var enforcement: Enforcement?
    /// Whether it has moved since its presentation began: one that never does is given up.
    private var hasMoved = false
    /// An interstitial whose presentation is over while its last frame is still on the screen.
    private var closed: String?
    /// The boundary that the player was given.
    private var boundary: MediaTime?

    /// Whether nothing is presented, enforced or left to close.
    var isAtRest: Bool { presenting == nil && closed == nil && enforcement == nil }

    // MARK: What was watched

    /// These were watched on an earlier day.
    mutating func noteWatchedBefore(_ ids: some Sequence<String>) { watched.formUnion(ids) }

    /// Whether play passes over an interstitial: it was watched and plays once.
    func passesOver(_ interstitial: Interstitial) -> Bool {
        interstitial.isSpent(watched: watched) && !interstitial.range.isEmpty
    }

    /// A start that a viewer goes back to: what was watched there is passed over, without a frame of it.
    func backTarget(_ place: MediaTime, in item: ItemPresentation?) -> MediaTime {
        var place = place
        while let inside = item?.interstitials.first(where: { $0.range.contains(place) }), passesOver(inside) {
            place = inside.range.end
        }
        return place
    }

    private mutating func noteWatched(
        _ interstitial: Interstitial, elapsed: MediaTime, of length: MediaTime, _ effects: inout [InterfaceEffect]
    ) {
        if elapsed * 100 >= length * Timing.watchedPercent { markWatched(interstitial, &effects) }
    }

    private mutating func markWatched(_ interstitial: Interstitial, _ effects: inout [InterfaceEffect]) {
        if watched.insert(interstitial.id).inserted { effects.append(.watched(interstitial: interstitial.id)) }
    }

    // MARK: Presentation

    /// A new place in the stream is known.
    ///
    /// - Parameters:
    ///   - sought: it was reached by a seek; a watched range is then shown all the same, because the viewer wanted to go there.
    ///   - isSeeking: a seek is under way.
    mutating func update(
        at position: MediaTime, in item: ItemPresentation, sought: Bool, isSeeking: Bool, snapBack: SnapBackPolicy,
        _ effects: inout [InterfaceEffect]
    ) -> Next {
        let inside = item.interstitials.first { $0.range.contains(position) }
        if let closed, closed == inside?.id, !sought { return .playOn }
        closed = nil
        if let inside, inside.id == presenting?.id {
            if position > inside.time { hasMoved = true }
            noteWatched(inside, elapsed: position - inside.time, of: inside.range.duration, &effects)
            return .playOn
        }
        if let presenting {
            // One beside the stream ends when the player says so.
            let played = !sought && !isSeeking && presenting.event == nil && position >= presenting.range.end
            finish(played ? .completed : .abandoned, &effects)
            if played, let next = continueAfter(presenting, at: position, in: item, snapBack: snapBack, &effects) {
                if next != .playOn { closed = inside?.id }
                return next
            }
        }
        guard let inside else {
            // Beyond the enforced interstitial without having been in it: a program has sought.
            if let enforcement, !isSeeking, position >= enforcement.interstitial.range.end { self.enforcement = nil }
            return .playOn
        }
        if !sought, passesOver(inside) { return passOver(inside, in: item) }
        begin(inside, &effects)
        noteWatched(inside, elapsed: position - inside.time, of: inside.range.duration, &effects)
        return .playOn
    }

    /// The player presents one beside the stream.
    mutating func update(beside status: InterstitialStatus, _ effects: inout [InterfaceEffect]) {
        let interstitial = status.interstitial
        if presenting?.id != interstitial.id {
            finish(.abandoned, &effects)
            closed = nil
            begin(interstitial, &effects)
        }
        presenting = interstitial
        if status.elapsed > .zero { hasMoved = true }
        if let duration = status.duration, duration > .zero {
            noteWatched(interstitial, elapsed: status.elapsed, of: duration, &effects)
        }
    }

    /// The item is described anew.
    mutating func renew(from item: ItemPresentation) {
        noteWatchedBefore(item.watchedInterstitials)
        if let id = presenting?.id, let renewed = item.interstitials.first(where: { $0.id == id }) { presenting = renewed }
    }

    private mutating func begin(_ interstitial: Interstitial, _ effects: inout [InterfaceEffect]) {
        presenting = interstitial
        hasMoved = false
        effects.append(.willPresent(interstitial))
    }

    /// Ends what is presented, if anything is.
    mutating func finish(_ outcome: InterstitialOutcome, _ effects: inout [InterfaceEffect]) {
        guard let over = presenting else { return }
        presenting = nil
        if outcome == .completed { markWatched(over, &effects) }
        effects.append(.didPresent(over, how: outcome))
    }

    private mutating func passOver(_ interstitial: Interstitial, in item: ItemPresentation) -> Next {
        closed = interstitial.id
        return .seek(backTarget(interstitial.range.end, in: item))
    }

    // MARK: Enforcement

    /// The viewer has to watch an interstitial before the place they wanted to go to.
    mutating func enforce(_ interstitial: Interstitial, before target: MediaTime) {
        enforcement = Enforcement(interstitial: interstitial, savedTarget: target)
    }

    mutating func forgetEnforcement() { enforcement = nil }

    /// A place that is not inside an interstitial which still has to be watched: its start stands for all of it.
    func outside(_ place: MediaTime, in item: ItemPresentation) -> MediaTime {
        item.interstitials.first { $0.range.contains(place) && $0.isOwed(watched: watched) }?.time ?? place
    }

    /// After an enforced interstitial: the next one that is enforced too, else the saved target.
    ///
    /// - Returns: nil: the interstitial was not enforced.
    private mutating func continueAfter(
        _ over: Interstitial, at position: MediaTime?, in item: ItemPresentation, snapBack: SnapBackPolicy,
        _ effects: inout [InterfaceEffect]
    ) -> Next? {
        guard let enforcement, enforcement.interstitial.id == over.id else { return nil }
        let saved = enforcement.savedTarget
        let next = snapBack.interstitialToWatch(after: over, before: saved, among: item.interstitials, watched: watched)
        guard let next else {
            self.enforcement = nil
            return .seek(saved)
        }
        enforce(next, before: saved)
        guard next.time == over.range.end else { return .seek(next.time) }
        // They touch, and play has gone on into it.
        if let position, next.range.contains(position) { begin(next, &effects) }
        return .playOn
    }

    // MARK: Places

    /// Where an item begins for this viewer, in asset time: where they left it, or the interstitial that is owed before that; nil: at its own beginning.
    mutating func startPlace(in item: ItemPresentation) -> MediaTime? {
        guard let place = item.resume, place.time > item.trimStart else {
            let first = backTarget(item.trimStart, in: item)
            return first > .zero ? first : nil
        }
        let owed =
            item.interstitials.first {
                $0.id == place.owedInterstitial && $0.isOwed(watched: watched) && $0.time <= place.time
            }
            ?? item.interstitials.first { $0.playsOnResume && $0.range.contains(item.trimStart) && $0.isOwed(watched: watched) }
        guard let owed else { return place.time }
        if place.time >= owed.range.end { enforce(owed, before: place.time) }
        return owed.time
    }

    /// A place as it is saved: never inside an interstitial, and with what is owed there.
    func placeToSave(_ place: MediaTime, in item: ItemPresentation) -> SavedPlace {
        if let enforcement { return SavedPlace(time: enforcement.savedTarget, owedInterstitial: enforcement.interstitial.id) }
        guard let inside = item.interstitials.first(where: { $0.range.contains(place) }) else { return SavedPlace(time: place) }
        let owes = inside.isLinear && inside.isOwed(watched: watched)
        return SavedPlace(time: inside.range.end, owedInterstitial: owes ? inside.id : nil)
    }

    /// The same while one beside the stream is presented.
    func placeToSave(in beside: InterstitialStatus, at position: MediaTime) -> SavedPlace {
        let id = beside.interstitial.id
        let owes = beside.interstitial.isLinear && !watched.contains(id)
        return SavedPlace(time: beside.target ?? position, owedInterstitial: owes ? id : nil)
    }

    // MARK: The boundary

    /// Where the player must not go on by itself: the end of an enforced interstitial, after which the saved target comes and no frame of content between; or the
    /// start of one that is passed over.
    ///
    /// - Parameter place: where play goes on from; nil: nowhere known, or the viewer searches for a place.
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

    /// A player that was opened anew does not know the boundary that was given before.
    mutating func forgetBoundary() { boundary = nil }

    /// The player holds at a boundary.
    mutating func reached(
        _ time: MediaTime, at position: MediaTime?, in item: ItemPresentation, snapBack: SnapBackPolicy,
        _ effects: inout [InterfaceEffect]
    ) -> Next {
        guard time == boundary else { return .playOn }
        if let over = enforcement?.interstitial, over.range.end == time {
            if presenting?.id == over.id { finish(.completed, &effects) }
            closed = over.id
            return continueAfter(over, at: position, in: item, snapBack: snapBack, &effects) ?? .playOn
        }
        guard let next = item.interstitials.first(where: { $0.time == time && passesOver($0) }) else { return .playOn }
        // Two may touch: the one before it is over with its last frame.
        if let presenting, presenting.range.end == time { finish(.completed, &effects) }
        return passOver(next, in: item)
    }

    // MARK: Skip

    /// Whether Skip is offered after so much of what is presented.
    func offersSkip(at elapsed: MediaTime?) -> Bool {
        guard let skip = presenting?.skip, let elapsed else { return false }
        return skip.isOffered(at: elapsed)
    }

    /// Whole seconds until Skip is offered; nil: it is, or never will be.
    func secondsUntilSkip(at elapsed: MediaTime?) -> Int64? {
        guard let skip = presenting?.skip, let elapsed else { return nil }
        return skip.timeUntilOffer(at: elapsed)?.wholeSecondsUp
    }

    /// The viewer skips what is presented in the stream.
    mutating func skip(
        at position: MediaTime?, in item: ItemPresentation, snapBack: SnapBackPolicy, _ effects: inout [InterfaceEffect]
    ) -> Next {
        guard let skipped = presenting else { return .playOn }
        finish(.skipped, &effects)
        closed = skipped.id
        return continueAfter(skipped, at: position, in: item, snapBack: snapBack, &effects)
            ?? .seek(backTarget(skipped.range.end, in: item))
    }

    /// One that does not begin in time is given up, and content goes on.
    ///
    /// - Parameter sought: the place of a seek that is under way.
    /// - Returns: nil: there is none to give up.
    mutating func giveUp(sought: MediaTime?, _ effects: inout [InterfaceEffect]) -> Next? {
        if let failed = presenting, !hasMoved {
            finish(.failed, &effects)
            closed = failed.id
            let after = enforcement?.savedTarget ?? failed.range.end
            enforcement = nil
            return .seek(after)
        }
        guard let enforcement, sought == enforcement.interstitial.time else { return nil }
        self.enforcement = nil
        return .seek(enforcement.savedTarget)
    }

    /// "Available in 0:12", for a key that is refused: until the last of the linear interstitials that follow each other is over.
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
        return end - position
    }

    // MARK: The label

    /// "Ad 1 of 3 · 0:12": counted among the ads that follow each other without content between.
    ///
    /// - Parameter elapsed: how long what is presented has played.
    func label(at elapsed: MediaTime?, beside: InterstitialStatus?, in item: ItemPresentation, strings: StringCatalogue)
        -> String?
    {
        guard let presenting, let elapsed else { return nil }
        if let beside { return beside.label(strings) }
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

    /// What Skip says. The ids of texts are the providers' own: those that name one of our words get it, and others the plain one.
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
    /// The assets of one that is fetched beside the stream are its ads; while a length is unknown there is nothing to count down.
    fileprivate func label(_ strings: StringCatalogue) -> String? {
        guard let assetRemaining else { return nil }
        let left = TimeText.clock(max(0, assetRemaining.wholeSecondsUp))
        return assetCount > 1 ? strings.text(.adOf, "\(asset + 1)", "\(assetCount)", left) : strings.text(.adOnly, left)
    }
}
