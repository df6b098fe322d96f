import MediaModel
import MediaTime

/// An interstitial that the viewer was sent back to, and where they go after it.
struct Enforcement: Sendable, Equatable {
    var range: InterstitialRange
    /// In asset time; never inside a range.
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
    /// The range between its willPresent and its didPresent.
    private(set) var presenting: InterstitialRange?
    /// The range that the viewer was sent back to, and the place after it.
    private(set) var enforcement: Enforcement?
    /// Whether the range has moved since its presentation began: one that never does is given up.
    private var hasMoved = false
    /// A range whose presentation is over while its last frame is still on the screen.
    private var closed: String?
    /// The boundary that the player was given.
    private var boundary: MediaTime?

    /// Whether nothing is presented, enforced or left to close.
    var isAtRest: Bool { presenting == nil && closed == nil && enforcement == nil }

    // MARK: What was watched

    /// These were watched on an earlier day.
    mutating func noteWatchedBefore(_ ids: some Sequence<String>) { watched.formUnion(ids) }

    /// Whether play passes over a range: it was watched and is to be played once.
    func passesOver(_ range: InterstitialRange) -> Bool {
        range.repetition == .once && watched.contains(range.id) && !range.range.isEmpty
    }

    /// A start that a viewer goes back to: what was watched there is passed over, without a frame of it.
    func backTarget(_ place: MediaTime, in item: ItemPresentation?) -> MediaTime {
        var place = place
        while let range = item?.interstitials.first(where: { $0.range.contains(place) }), passesOver(range) {
            place = range.range.end
        }
        return place
    }

    private mutating func noteWatched(
        _ range: InterstitialRange, elapsed: MediaTime, of length: MediaTime, _ effects: inout [InterfaceEffect]
    ) {
        if elapsed * 100 >= length * Timing.watchedPercent { markWatched(range, &effects) }
    }

    private mutating func markWatched(_ range: InterstitialRange, _ effects: inout [InterfaceEffect]) {
        if watched.insert(range.id).inserted { effects.append(.watched(interstitial: range.id)) }
    }

    // MARK: Presentation

    /// A new place in the stream is known.
    ///
    /// - Parameters:
    ///   - sought: it was reached by a seek; a watched range is then shown all the same, because the viewer wanted to go there.
    ///   - isSeeking: a seek is under way.
    mutating func update(
        at position: MediaTime, in item: ItemPresentation, sought: Bool, isSeeking: Bool, snapBack: SnapBack,
        _ effects: inout [InterfaceEffect]
    ) -> Next {
        let inside = item.interstitials.first { $0.range.contains(position) }
        if let closed, closed == inside?.id, !sought { return .playOn }
        closed = nil
        if let inside, inside.id == presenting?.id {
            if position > inside.range.start { hasMoved = true }
            noteWatched(inside, elapsed: position - inside.range.start, of: inside.range.duration, &effects)
            return .playOn
        }
        if let presenting {
            let played = !sought && !isSeeking && position >= presenting.range.end
            finish(played ? .completed : .abandoned, &effects)
            if played, let next = continueAfter(presenting, at: position, in: item, snapBack: snapBack, &effects) {
                if next != .playOn { closed = inside?.id }
                return next
            }
        }
        guard let inside else {
            // Beyond the enforced range without having been in it: a program has sought.
            if let enforcement, !isSeeking, position >= enforcement.range.range.end { self.enforcement = nil }
            return .playOn
        }
        if !sought, passesOver(inside) { return passOver(inside, in: item) }
        begin(inside, &effects)
        noteWatched(inside, elapsed: position - inside.range.start, of: inside.range.duration, &effects)
        return .playOn
    }

    /// The player presents one that is fetched beside the stream.
    mutating func update(beside: PresentedInterstitial, _ effects: inout [InterfaceEffect]) {
        if presenting?.id != beside.id {
            finish(.abandoned, &effects)
            closed = nil
            begin(beside.range, &effects)
        }
        presenting = beside.range
        if beside.elapsed > .zero { hasMoved = true }
        if let duration = beside.duration, duration > .zero {
            noteWatched(beside.range, elapsed: beside.elapsed, of: duration, &effects)
        }
    }

    /// The item is described anew.
    mutating func renew(from item: ItemPresentation) {
        noteWatchedBefore(item.interstitials.filter(\.isWatched).map(\.id))
        if let id = presenting?.id, let renewed = item.interstitials.first(where: { $0.id == id }) { presenting = renewed }
    }

    private mutating func begin(_ range: InterstitialRange, _ effects: inout [InterfaceEffect]) {
        presenting = range
        hasMoved = false
        effects.append(.willPresent(range))
    }

    /// Ends what is presented, if anything is.
    mutating func finish(_ outcome: InterstitialOutcome, _ effects: inout [InterfaceEffect]) {
        guard let range = presenting else { return }
        presenting = nil
        if outcome == .completed { markWatched(range, &effects) }
        effects.append(.didPresent(range, how: outcome))
    }

    private mutating func passOver(_ range: InterstitialRange, in item: ItemPresentation) -> Next {
        closed = range.id
        return .seek(backTarget(range.range.end, in: item))
    }

    // MARK: Enforcement

    /// The viewer has to watch a range before the place they wanted to go to.
    mutating func enforce(_ range: InterstitialRange, before target: MediaTime) {
        enforcement = Enforcement(range: range, savedTarget: target)
    }

    mutating func forgetEnforcement() { enforcement = nil }

    /// A place that is not inside an interstitial which still has to be watched: its start stands for all of it.
    func outside(_ place: MediaTime, in item: ItemPresentation) -> MediaTime {
        item.interstitials.first { $0.range.contains(place) && $0.isEnforced(watched: watched) }?.range.start ?? place
    }

    /// After an enforced range: the next one that is enforced too (`all`), else the saved target. The policy is not asked again.
    ///
    /// - Returns: nil: the range was not enforced.
    private mutating func continueAfter(
        _ range: InterstitialRange, at position: MediaTime?, in item: ItemPresentation, snapBack: SnapBack,
        _ effects: inout [InterfaceEffect]
    ) -> Next? {
        guard let enforcement, enforcement.range.id == range.id else { return nil }
        let saved = enforcement.savedTarget
        let next = item.interstitials.first {
            snapBack == .all && $0.range.start >= range.range.end && $0.range.end <= saved && $0.isEnforced(watched: watched)
                && $0.id != range.id
        }
        guard let next else {
            self.enforcement = nil
            return .seek(saved)
        }
        enforce(next, before: saved)
        guard next.range.start == range.range.end else { return .seek(next.range.start) }
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
                $0.id == place.owedInterstitial && $0.isEnforced(watched: watched) && $0.range.start <= place.time
            }
            ?? item.interstitials.first { $0.onResume && $0.range.contains(item.trimStart) && $0.isEnforced(watched: watched) }
        guard let owed else { return place.time }
        if place.time >= owed.range.end { enforce(owed, before: place.time) }
        return owed.range.start
    }

    /// A place as it is saved: never inside an interstitial, and with what is owed there.
    func placeToSave(_ place: MediaTime, in item: ItemPresentation) -> SavedPlace {
        if let enforcement { return SavedPlace(time: enforcement.savedTarget, owedInterstitial: enforcement.range.id) }
        guard let inside = item.interstitials.first(where: { $0.range.contains(place) }) else { return SavedPlace(time: place) }
        let owes = inside.isLinear && inside.isEnforced(watched: watched)
        return SavedPlace(time: inside.range.end, owedInterstitial: owes ? inside.id : nil)
    }

    /// The same while one beside the stream is presented.
    func placeToSave(in beside: PresentedInterstitial, at position: MediaTime) -> SavedPlace {
        let owes = beside.isLinear && !watched.contains(beside.id)
        return SavedPlace(time: beside.savedTarget ?? position, owedInterstitial: owes ? beside.id : nil)
    }

    // MARK: The boundary

    /// Where the player must not go on by itself: the end of an enforced range, after which the saved target comes and no frame of content between; or the
    /// start of a range that is passed over.
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
        if let enforcement { return enforcement.range.range.end }
        return item.interstitials.first { passesOver($0) && $0.range.start > place && $0.id != presenting?.id }?.range.start
    }

    /// A player that was opened anew does not know the boundary that was given before.
    mutating func forgetBoundary() { boundary = nil }

    /// The player holds at a boundary.
    mutating func reached(
        _ time: MediaTime, at position: MediaTime?, in item: ItemPresentation, snapBack: SnapBack,
        _ effects: inout [InterfaceEffect]
    ) -> Next {
        guard time == boundary else { return .playOn }
        if let enforcement, enforcement.range.range.end == time {
            if presenting?.id == enforcement.range.id { finish(.completed, &effects) }
            closed = enforcement.range.id
            return continueAfter(enforcement.range, at: position, in: item, snapBack: snapBack, &effects) ?? .playOn
        }
        guard let range = item.interstitials.first(where: { $0.range.start == time && passesOver($0) }) else { return .playOn }
        // Two ranges may touch: the one before it is over with its last frame.
        if let presenting, presenting.range.end == time { finish(.completed, &effects) }
        return passOver(range, in: item)
    }

    // MARK: Skip

    /// Whether Skip is offered at a place of what is presented.
    func offersSkip(at place: MediaTime?) -> Bool {
        guard let presenting, let skip = presenting.skip, let place else { return false }
        let into = place - presenting.range.start
        return into >= skip.offset && skip.duration.map { into < skip.offset + $0 } ?? true
    }

    /// Whole seconds until Skip is offered; nil: it is, or never will be.
    func secondsUntilSkip(at place: MediaTime?) -> Int64? {
        guard let presenting, let skip = presenting.skip, let place else { return nil }
        let left = skip.offset - (place - presenting.range.start)
        return left > .zero ? left.wholeSecondsUp : nil
    }

    /// The viewer skips what is presented in the stream.
    mutating func skip(at position: MediaTime?, in item: ItemPresentation, snapBack: SnapBack, _ effects: inout [InterfaceEffect])
        -> Next
    {
        guard let range = presenting else { return .playOn }
        finish(.skipped, &effects)
        closed = range.id
        return continueAfter(range, at: position, in: item, snapBack: snapBack, &effects)
            ?? .seek(backTarget(range.range.end, in: item))
    }

    /// One that does not begin in time is given up, and content goes on.
    ///
    /// - Parameter sought: the place of a seek that is under way.
    /// - Returns: nil: there is none to give up.
    mutating func giveUp(sought: MediaTime?, _ effects: inout [InterfaceEffect]) -> Next? {
        if let range = presenting, !hasMoved {
            finish(.failed, &effects)
            closed = range.id
            let after = enforcement?.savedTarget ?? range.range.end
            enforcement = nil
            return .seek(after)
        }
        guard let enforcement, sought == enforcement.range.range.start else { return nil }
        self.enforcement = nil
        return .seek(enforcement.savedTarget)
    }

    /// "Available in 0:12", for a key that is refused: until the last of the linear ranges that follow each other is over.
    func refusal(of played: PlayedItem, _ strings: StringCatalogue) -> String {
        guard let item = played.item, var end = presenting?.range.end, let place = played.presentedPlace,
            !item.requiresLinearPlayback
        else {
            return strings.text(.availableLater)
        }
        if let beside = played.beside {
            if beside.duration == nil { return strings.text(.availableLater) }
        } else {
            while let next = item.interstitials.first(where: { $0.range.start == end && $0.isLinear && !$0.range.isEmpty }) {
                end = next.range.end
            }
        }
        return strings.text(.availableIn, TimeText.clock(max(0, (end - place).wholeSecondsUp)))
    }

    // MARK: The label

    /// "Ad 1 of 3 · 0:12": counted among the ads that follow each other without content between.
    ///
    /// - Parameter place: on a line on which an interstitial beside the stream has its own length.
    func label(at place: MediaTime?, beside: PresentedInterstitial?, in item: ItemPresentation, strings: StringCatalogue)
        -> String?
    {
        guard let presenting, let place else { return nil }
        if let beside { return beside.label(strings) }
        let left = TimeText.clock(max(0, (presenting.range.end - place).wholeSecondsUp))
        if let title = presenting.title { return strings.text(.titledInterstitial, title, left) }
        switch presenting.kind {
        case .ad:
            let whole = item.timeline.interstitial(at: presenting.range.start) ?? presenting.range
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
    func skipTitle(beside: PresentedInterstitial?, strings: StringCatalogue) -> String {
        guard let label = beside?.skipLabel?.lowercased() else { return strings.text(presenting?.kind == .ad ? .skipAd : .skip) }
        if label.contains("intro") { return strings.text(.skipIntro) }
        if label.contains("recap") { return strings.text(.skipRecap) }
        return strings.text(label.contains("ad") ? .skipAd : .skip)
    }
}

extension PresentedInterstitial {
    /// The assets of one that is fetched beside the stream are its ads; while a length is unknown there is nothing to count down.
    fileprivate func label(_ strings: StringCatalogue) -> String? {
        guard let assetRemaining else { return nil }
        let left = TimeText.clock(max(0, assetRemaining.wholeSecondsUp))
        return count > 1 ? strings.text(.adOf, "\(index + 1)", "\(count)", left) : strings.text(.adOnly, left)
    }
}
