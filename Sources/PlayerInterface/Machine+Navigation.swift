import LinuxSupport
import MediaModel
import MediaTime

/// Where the viewer goes: taps, jumps, the question to the policy, undo, and the seeks that come of it.
extension InterfaceMachine {
    // MARK: What may be done

    /// Whether no viewer command but play and pause changes position or rate.
    var isLinear: Bool { item?.requiresLinearPlayback == true || presenting?.isLinear == true }

    /// Whether no command of a viewer may change place or rate, except pause and play.
    package var requiresLinearPlayback: Bool { isLinear }

    /// Why the viewer may not go anywhere now; nil: they may.
    var navigationRefusal: CommandFailure? {
        guard item != nil else { return .noItem }
        if isLinear { return .linear }
        guard position != nil else { return .notReady }
        if case .failed = snapshot.state { return .notReady }
        return isLiveWithoutWindow ? .notSupported : nil
    }

    /// Refuses a viewer's key with a word about when it can be used.
    mutating func refuseNavigation(_ reason: CommandFailure) -> CommandResult {
        if reason == .linear {
            bar.isVisible = true
            messages.refuse(linearWords, at: now)
        }
        return .failed(reason)
    }

    /// "Available in 0:12": until the last of the linear ranges that follow each other is over.
    private var linearWords: String {
        guard let item, var end = presenting?.range.end, let place = viewing.played.presentedPlace, !item.requiresLinearPlayback
        else {
            return strings.text(.availableLater)
        }
        let beside = viewing.played.beside
        if let beside, beside.duration == nil { return strings.text(.availableLater) }
        while beside == nil,
            let next = item.interstitials.first(where: { $0.range.start == end && $0.isLinear && !$0.range.isEmpty })
        {
            end = next.range.end
        }
        return strings.text(.availableIn, TimeText.clock(max(0, (end - place).wholeSecondsUp)))
    }

    /// The content time that the viewer sees as theirs: of the target of what is under way, else of the last frame.
    var viewedContent: MediaTime {
        if let pendingSeek, !pendingSeek.isPreview {
            return clock.content(at: enforcement?.savedTarget ?? pendingSeek.target)
        }
        return clock.content(at: position ?? clock.start) + viewing.played.occupiedSoFar
    }

    // MARK: Taps

    /// Left or Right went down: the new time shows at once.
    mutating func beginTap(_ direction: Int) -> CommandResult {
        if let reason = navigationRefusal { return refuseNavigation(reason) }
        if activity.idleBeforePress(at: now) >= Timing.longIdle { bar.offersUndo = true }
        bar.isVisible = true
        if !wantsToPlay { bar.focus = .bar }
        return .success
    }

    /// Left or Right was tapped.
    mutating func commitTap(_ direction: Int) -> CommandResult {
        if let reason = navigationRefusal { return refuseNavigation(reason) }
        switch mode {
        case .scrubbing: return stepScrub(direction)
        case .scanning: return .failed(.notSupported)
        case .watching: break
        }
        guard let position else { return .failed(.notReady) }
        guard wantsToPlay else { return beginScrub(direction) }
        var run = TapRun(origin: position, target: viewedContent, lastTap: now)
        if let tapRun, now - tapRun.lastTap <= Timing.tapRun {
            run = TapRun(origin: tapRun.origin, target: tapRun.target, lastTap: now)
        }
        let target = clamped(run.target + Timing.skip * direction)
        guard target != run.target else { return .failed(.noChange) }
        run.target = target
        tapRun = run
        navigate(from: run.origin, to: place(of: target, from: run.origin))
        return .success
    }

    /// The content time that a key which is down would lead to.
    var tentativeContent: MediaTime? {
        guard let direction = directionOfTap else { return nil }
        switch mode {
        case .scanning: return nil
        case .scrubbing(let scrub): return clamped(scrub.content + scrub.step(direction, at: now))
        case .watching: break
        }
        let base = tapRun.flatMap { now - $0.lastTap <= Timing.tapRun ? $0.target : nil } ?? viewedContent
        return clamped(base + Timing.skip * direction)
    }

    // MARK: Navigation

    /// A viewer's navigation: the policy is asked, once, and what it answers is sought exactly.
    mutating func navigate(from old: MediaTime, to target: MediaTime) {
        guard let item else { return }
        let answer = policy.navigation.timeToSeekAfterUserNavigated(
            UserNavigation(from: old, to: target, ranges: item.interstitials, watched: viewing.interstitials.watched))
        viewing.interstitials.forgetEnforcement()
        if answer != target, let range = item.interstitials.first(where: { $0.range.start == answer }),
            !range.range.contains(target)
        {
            viewing.interstitials.enforce(range, before: viewing.interstitials.outside(target, in: item))
        }
        viewing.undoOrigin = old
        arm(.undoEnds, at: now + Timing.undo)
        seek(to: answer)
    }

    /// A navigation that does not come from taps: a chapter, the web page, From Beginning.
    mutating func jump(to target: MediaTime) -> CommandResult {
        if let reason = navigationRefusal { return refuseNavigation(reason) }
        guard let position else { return .failed(.notReady) }
        var origin = position
        switch mode {
        case .watching: break
        case .scrubbing(let scrub): origin = scrub.origin
        case .scanning(let scan):
            origin = scan.origin
            if scan.wasPlaying { resume() }
        }
        endSearch()
        tapRun = nil
        navigate(from: origin, to: target)
        return .success
    }

    /// Back to where the last navigation began. The policy is not asked: the viewer has been there.
    mutating func undo() -> CommandResult {
        guard let origin = viewing.undoOrigin else { return .failed(.noChange) }
        forgetUndo()
        tapRun = nil
        viewing.interstitials.forgetEnforcement()
        bar.show(wantsToPlay ? .none : .bar)
        seek(to: origin)
        return .success
    }

    mutating func forgetUndo() {
        viewing.undoOrigin = nil
        bar.offersUndo = false
        cancel(.undoEnds)
    }

    // MARK: Chapters

    mutating func nextChapter() -> CommandResult {
        if isLinear, offersSkip { return skipInterstitial() }
        if let reason = navigationRefusal { return refuseNavigation(reason) }
        guard let position, let item else { return .failed(.noItem) }
        if item.skipsItems { return moveOn() }
        guard let next = chapters.first(where: { $0.start > position }) else { return .failed(.notSupported) }
        bar.isVisible = true
        return jump(to: next.start)
    }

    mutating func previousChapter() -> CommandResult {
        if let reason = navigationRefusal { return refuseNavigation(reason) }
        guard let position else { return .failed(.notReady) }
        guard let current = chapterIndex(at: position) else { return .failed(.notSupported) }
        let list = chapters
        let played = clock.content(at: position) - clock.content(at: list[current].start)
        let target = played >= Timing.previousRestarts || current == 0 ? list[current] : list[current - 1]
        bar.isVisible = true
        return jump(to: backTarget(target.start))
    }

    mutating func fromBeginning() -> CommandResult {
        guard item?.isLive != true else { return .failed(.notSupported) }
        bar.isVisible = true
        return jump(to: backTarget(clock.start))
    }

    // MARK: Seeks

    /// Seeks exactly (what shows a passing place does not). A seek that is under way is given up.
    mutating func seek(to target: MediaTime, preview: Bool = false) {
        let id = session.nextSeek()
        pendingSeek = PendingSeek(id: id, target: target, isPreview: preview)
        effects.append(.seek(id, to: target, tolerance: preview ? previewTolerance(at: target) : .zero))
    }

    /// A passing picture may be any near its place, but none of an interstitial that begins soon behind it.
    private func previewTolerance(at place: MediaTime) -> SeekTolerance {
        let isBefore =
            item?.interstitials.contains { $0.range.start > place && $0.range.start - place <= Timing.keyPictures } ?? false
        return isBefore ? .notAfter : .unbounded
    }

    mutating func seekCompleted(_ id: SeekID, landed: MediaTime, finished: Bool) {
        if id == .programmatic {
            guard finished, item != nil else { return }
            pendingSeek = nil
            tapRun = nil
            endSearch()
            if let enforcement, !enforcement.range.range.contains(landed) { viewing.interstitials.forgetEnforcement() }
            arrive(at: landed)
            return
        }
        guard let pending = pendingSeek, pending.id == id else { return }
        pendingSeek = nil
        if pending.isPreview {
            if finished { viewing.played.move(to: landed) }
            previewEnded()
        } else if finished {
            arrive(at: landed)
        }
    }

    /// A seek has ended: its frame is on the screen.
    private mutating func arrive(at place: MediaTime) {
        viewing.played.move(to: place)
        // At the end a player takes no order to play: it is given again where the seek has led away from there.
        if viewing.orders.awaitsPlay, mode == .watching, snapshot.state == .paused || snapshot.state == .ended {
            effects.append(.play)
        }
        if case .ended = snapshot.state { viewing.played.expect(wantsToPlay ? .playing : .paused) }
        updateInterstitials(sought: true)
        updateProposal()
    }
}
