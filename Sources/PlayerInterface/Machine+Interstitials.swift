import LinuxSupport
import MediaModel
import MediaTime

/// Interstitials: what is presented is a function of the place, worked out anew at every frame shown and every completed seek.
extension InterfaceMachine {
    /// A new place is known.
    ///
    /// - Parameter sought: it was reached by a seek; what was watched is then shown all the same, because someone wanted to go there.
    mutating func updateInterstitials(sought: Bool) {
        guard !updateBeside() else { return }
        guard let item, let position, mode == .watching else { return }
        let inside = item.interstitials.first { $0.range.contains(position) }
        if let closed = closedRange, closed == inside?.id, !sought { return }
        closedRange = nil
        if let inside, inside.id == presenting?.id {
            if position > inside.range.start { presentingMoved = true }
            noteWatched(inside, at: position)
            return
        }
        if let presenting {
            let played = !sought && pendingSeek == nil && position >= presenting.range.end
            finishPresenting(played ? .completed : .abandoned)
            if played, continueAfterEnforced(presenting) {
                if pendingSeek != nil { closedRange = inside?.id }
                return
            }
        }
        guard let inside else {
            // Beyond the enforced range without having been in it: someone else has sought.
            if let enforcement, pendingSeek == nil, position >= enforcement.range.range.end { self.enforcement = nil }
            return
        }
        if !sought, passesOver(inside) {
            passOver(inside)
        } else {
            beginPresenting(inside)
            noteWatched(inside, at: position)
        }
    }

    /// Whether play goes over it: it was watched and is to be played once.
    func passesOver(_ range: InterstitialRange) -> Bool {
        range.repetition == .once && watched.contains(range.id) && !range.range.isEmpty
    }

    private mutating func passOver(_ range: InterstitialRange) {
        closedRange = range.id
        seek(to: backTarget(range.range.end))
    }

    mutating func beginPresenting(_ range: InterstitialRange) {
        presenting = range
        presentingMoved = false
        effects.append(.willPresent(range))
        guard isLinear else { return }
        tapRun = nil
        forgetUndo()
        if panel?.tab == .chapters, let first = tabs.first(where: \.isEnabled) { openTab(first.tab) }
    }

    mutating func finishPresenting(_ outcome: InterstitialOutcome) {
        guard let range = presenting else { return }
        presenting = nil
        if outcome == .completed { markWatched(range) }
        effects.append(.didPresent(range, how: outcome))
    }

    private mutating func noteWatched(_ range: InterstitialRange, at position: MediaTime) {
        if (position - range.range.start) * 100 >= range.range.duration * Timing.watchedPercent { markWatched(range) }
    }

    mutating func markWatched(_ range: InterstitialRange) {
        if watched.insert(range.id).inserted { effects.append(.watched(interstitial: range.id)) }
    }

    // MARK: The boundary

    /// Where the player must not go on by itself: the end of an enforced range, after which the saved target comes and no frame of
    /// content between; or the start of a range that is passed over.
    private var wantedBoundary: MediaTime? {
        guard let item, mode == .watching, let from = pendingSeek?.target ?? position else { return nil }
        if let enforcement { return enforcement.range.range.end }
        return item.interstitials.first { passesOver($0) && $0.range.start > from && $0.id != presenting?.id }?.range.start
    }

    mutating func settleBoundary() {
        let wanted = wantedBoundary
        guard wanted != boundary else { return }
        boundary = wanted
        effects.append(.setForwardBoundary(at: wanted))
    }

    mutating func reachedBoundary(_ time: MediaTime) {
        guard time == boundary, let item, mode == .watching, pendingSeek == nil else { return }
        if let enforcement, enforcement.range.range.end == time {
            if presenting?.id == enforcement.range.id { finishPresenting(.completed) }
            closedRange = enforcement.range.id
            _ = continueAfterEnforced(enforcement.range)
        } else if let range = item.interstitials.first(where: { $0.range.start == time && passesOver($0) }) {
            // Two ranges may touch: the one before it is over with its last frame.
            if let presenting, presenting.range.end == time { finishPresenting(.completed) }
            passOver(range)
        }
    }

    /// After an enforced range: the next one that is enforced too (`all`), else the saved target, without asking again.
    ///
    /// - Returns: whether there was a saved target.
    private mutating func continueAfterEnforced(_ range: InterstitialRange) -> Bool {
        guard let enforcement, enforcement.range.id == range.id, let item else { return false }
        let saved = enforcement.savedTarget
        let next = item.interstitials.first {
            policy.snapBack == .all && $0.range.start >= range.range.end && $0.range.end <= saved
                && $0.isEnforced(watched: watched)
                && $0.id != range.id
        }
        guard let next else {
            self.enforcement = nil
            seek(to: saved)
            return true
        }
        self.enforcement = Enforcement(range: next, savedTarget: saved)
        if next.range.start == range.range.end, let position, next.range.contains(position) {
            beginPresenting(next)  // they touch, and play has gone on into it
        } else if next.range.start != range.range.end {
            seek(to: next.range.start)
        }
        return true
    }

    // MARK: Skip

    /// Whether Skip is offered at this moment.
    var offersSkip: Bool {
        guard let presenting, let skip = presenting.skip, let place = presentedPlace else { return false }
        let into = place - presenting.range.start
        return into >= skip.offset && skip.duration.map { into < skip.offset + $0 } ?? true
    }

    /// Whole seconds until Skip is offered; nil: it is, or never will be.
    var secondsUntilSkip: Int64? {
        guard let presenting, let skip = presenting.skip, let place = presentedPlace else { return nil }
        let left = skip.offset - (place - presenting.range.start)
        return left > .zero ? left.wholeSecondsUp : nil
    }

    mutating func skipInterstitial() -> CommandResult {
        guard offersSkip, let range = presenting else { return .failed(isLinear ? .linear : .notSupported) }
        let isBeside = beside != nil
        finishPresenting(.skipped)
        if isBeside {
            snapshot.presented = nil
            effects.append(.skipInterstitial)
            return .success
        }
        closedRange = range.id
        if !continueAfterEnforced(range) { seek(to: backTarget(range.range.end)) }
        return .success
    }

    /// An interstitial that does not begin within 8 s is given up, and content goes on.
    mutating func giveUpInterstitial() -> Bool {
        if beside != nil { return false }  // the player that presents it gives it up
        if let range = presenting, !presentingMoved {
            finishPresenting(.failed)
            closedRange = range.id
            let after = enforcement?.savedTarget ?? range.range.end
            enforcement = nil
            seek(to: after)
            return true
        }
        guard let enforcement, let pendingSeek, pendingSeek.target == enforcement.range.range.start else { return false }
        self.enforcement = nil
        seek(to: enforcement.savedTarget)
        return true
    }

    // MARK: The label

    /// "Ad 1 of 3 · 0:12": counted among the ads that follow each other without content between.
    var interstitialLabel: String? {
        guard let item, let presenting, let place = presentedPlace else { return nil }
        let strings = policy.strings
        if let beside { return label(of: beside) }
        let left = TimeText.clock(max(0, (presenting.range.end - place).wholeSecondsUp))
        if let title = presenting.title { return strings.text(.titledInterstitial, title, left) }
        switch presenting.kind {
        case .ad:
            let pod = podOfAds(around: presenting, in: item)
            guard pod.count > 1, let index = pod.firstIndex(where: { $0.id == presenting.id }) else {
                return strings.text(.adOnly, left)
            }
            return strings.text(.adOf, "\(index + 1)", "\(pod.count)", left)
        case .legal: return strings.text(.titledInterstitial, strings.text(.legalNotice), left)
        case .promo: return strings.text(.titledInterstitial, strings.text(.promotion), left)
        case .bumper, .other: return nil
        }
    }

    /// The assets of one that is fetched beside the stream are its ads; while a length is unknown there is nothing to count down.
    private func label(of beside: PresentedInterstitial) -> String? {
        let strings = policy.strings
        guard let remaining = beside.assetRemaining else { return nil }
        let left = TimeText.clock(max(0, remaining.wholeSecondsUp))
        return beside.count > 1
            ? strings.text(.adOf, "\(beside.index + 1)", "\(beside.count)", left) : strings.text(.adOnly, left)
    }

    private func podOfAds(around range: InterstitialRange, in item: ItemPresentation) -> [InterstitialRange] {
        let whole = item.timeline.interstitial(at: range.range.start) ?? range.range
        return item.interstitials.filter { $0.kind == .ad && whole.contains($0.range) }
    }
}
