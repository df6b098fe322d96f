import LinuxSupport
import MediaModel
import MediaTime

/// Looking for a place: scanning at a multiple of the speed, and scrubbing while paused. Both walk in content time, so that
/// interstitials take no room, show passing pictures by tolerant seeks of which one at a time is under way, and end with one exact
/// seek after one question to the policy. Where the player can, it scans itself.
extension InterfaceMachine {
    // MARK: Holding Left or Right

    mutating func beginHold(_ direction: Int) {
        if navigationRefusal != nil { return }
        switch mode {
        case .watching where wantsToPlay:
            if let tapRun, keys.isHeldWithoutReleases { dropTap(tapRun) }
            _ = beginScan(direction)
        case .watching:
            enterScrub(direction)
            holdScrub()
        case .scrubbing(var scrub):
            scrub.direction = direction
            mode = .scrubbing(scrub)
            holdScrub()
        case .scanning: break
        }
    }

    /// The tap that a hold began with, on a device that tells holds only by a second press, has already been carried out.
    private mutating func dropTap(_ run: TapRun) {
        viewing.played.move(to: run.origin)
        pendingSeek = nil
        tapRun = nil
        viewing.interstitials.forgetEnforcement()
        forgetUndo()
    }

    mutating func holdEnded() {
        guard case .scrubbing(var scrub) = mode else { return }  // a scan goes on until it is stopped
        scrub.hold = nil
        mode = .scrubbing(scrub)
        cancel(.scanStep)
    }

    // MARK: Scanning

    mutating func beginScan(_ direction: Int) -> CommandResult {
        if let reason = navigationRefusal { return refuseNavigation(reason) }
        guard let position else { return .failed(.notReady) }
        var origin = position
        var content = viewedContent
        var wasPlaying = wantsToPlay
        switch mode {
        case .watching: break
        case .scanning: return changeScan(by: direction)
        case .scrubbing(let scrub): (origin, content, wasPlaying) = (scrub.origin, scrub.content, false)
        }
        let (lower, upper) = reach
        if direction > 0, let upper, content >= viewing.played.scanEnd(upper) { return .failed(.noChange) }
        if direction < 0, content <= lower { return .failed(.noChange) }
        if wantsToPlay { stand() }
        beginSearch()
        mode = .scanning(Scan(origin: origin, wasPlaying: wasPlaying, content: content, level: direction, stepped: now))
        if snapshot.canPlayFast { steerScan() }
        arm(.scanStep, at: now + Timing.scanStep)
        return .success
    }

    mutating func actWhileScanning(_ key: RemoteKey) -> CommandResult {
        switch key {
        case .left, .rw: return changeScan(by: -1)
        case .right, .ff: return changeScan(by: 1)
        case .ok, .playpause, .play: return stopScan(playing: nil)
        case .pause: return stopScan(playing: false)
        case .back: return cancelSearch()
        default: return .failed(.notSupported)
        }
    }

    private mutating func changeScan(by step: Int) -> CommandResult {
        guard case .scanning(var scan) = mode else { return .failed(.notSupported) }
        let level = min(max(scan.level + step, -Timing.scanFactors.count), Timing.scanFactors.count)
        guard level != scan.level else { return .failed(.noChange) }
        scan = advanced(scan)
        scan.level = level
        scan.settling = level == 0 ? now : nil
        mode = .scanning(scan)
        if scan.rate != nil || pendingSeek == nil { steerScan() }
        return .success
    }

    private func advanced(_ scan: Scan) -> Scan {
        var scan = scan
        if scan.rate != nil, let position {
            // The player walks: the bar shows where its picture is.
            scan.content = clamped(clock.content(at: position))
            return scan
        }
        let factor = scan.level == 0 ? 1 : Timing.scanFactors[abs(scan.level) - 1]
        let walked = (now - scan.stepped).mediaTime * factor
        scan.content = clamped(scan.level < 0 ? scan.content - walked : scan.content + walked)
        scan.stepped = now
        return scan
    }

    mutating func scanStep() {
        switch mode {
        case .watching: return
        case .scrubbing: scrubStep()
        case .scanning(let before):
            var scan = advanced(before)
            let (lower, upper) = reach
            if scan.level >= 0, let upper, scan.content >= viewing.played.scanEnd(upper) {
                scan.content = max(viewing.played.scanEnd(upper), before.content)
                mode = .scanning(scan)
                _ = stopScan(playing: true)
                return
            }
            mode = .scanning(scan)
            if isScanAtItsEnd(scan) { return endScanAtItsEnd() }
            let settled = scan.settling.map { now - $0 >= Timing.scanSettles } ?? false
            if settled || scan.level < 0 && scan.content <= lower {
                _ = stopScan(playing: nil)
                return
            }
            steerScan()
            arm(.scanStep, at: now + Timing.scanStep)
        }
    }

    /// Stops here: the one question to the policy, the one exact seek.
    ///
    /// - Parameter playing: whether it plays from here on; nil: as before the scan.
    mutating func stopScan(playing: Bool?) -> CommandResult {
        guard case .scanning(let scan) = mode else { return .failed(.notSupported) }
        endSearch()
        navigate(from: scan.origin, to: place(of: scan.content, from: scan.origin))
        if playing ?? scan.wasPlaying { resume() }
        bar.show(wantsToPlay ? .none : .bar)
        return .success
    }

    // MARK: Scrubbing

    /// The first tap while paused.
    mutating func beginScrub(_ direction: Int) -> CommandResult {
        enterScrub(direction)
        return stepScrub(direction)
    }

    private mutating func enterScrub(_ direction: Int) {
        guard let position else { return }
        mode = .scrubbing(Scrub(origin: position, content: viewedContent, direction: direction))
        beginSearch()
    }

    /// Ten seconds, or one within a second after turning round: for finding a place between two steps.
    mutating func stepScrub(_ direction: Int) -> CommandResult {
        guard case .scrubbing(var scrub) = mode else { return .failed(.notSupported) }
        if direction != scrub.direction { scrub.turned = now }
        scrub.direction = direction
        let target = clamped(scrub.content + scrub.step(direction, at: now))
        let moved = target != scrub.content
        scrub.content = target
        mode = .scrubbing(scrub)
        preview()
        return moved ? .success : .failed(.noChange)
    }

    private mutating func holdScrub() {
        guard case .scrubbing(var scrub) = mode else { return }
        scrub.hold = (now, now)
        mode = .scrubbing(scrub)
        arm(.scanStep, at: now + Timing.scanStep)
    }

    /// With the key held the scrub gathers speed, level by level.
    private mutating func scrubStep() {
        guard case .scrubbing(var scrub) = mode, let hold = scrub.hold else { return }
        let level = min(Int((now - hold.since) / Timing.scrubAccelerates), Timing.scanFactors.count - 1)
        let walked = (now - hold.stepped).mediaTime * Timing.scanFactors[level]
        scrub.content = clamped(scrub.direction < 0 ? scrub.content - walked : scrub.content + walked)
        scrub.hold = (hold.since, now)
        mode = .scrubbing(scrub)
        preview()
        arm(.scanStep, at: now + Timing.scanStep)
    }

    mutating func actWhileScrubbing(_ key: RemoteKey) -> CommandResult {
        switch key {
        case .ok, .playpause, .play: return commitScrub()
        case .back: return cancelSearch()
        case .ff: return beginScan(1)
        case .rw: return beginScan(-1)
        case .next: return nextChapter()
        case .prev: return previousChapter()
        default: return .failed(.notSupported)
        }
    }

    mutating func commitScrub() -> CommandResult {
        guard case .scrubbing(let scrub) = mode else { return .failed(.notSupported) }
        endSearch()
        navigate(from: scrub.origin, to: place(of: scrub.content, from: scrub.origin))
        resume()
        bar.show(.none)
        return .success
    }

    // MARK: Both

    private mutating func beginSearch() {
        tapRun = nil
        viewing.interstitials.forgetEnforcement()
        forgetUndo()
        bar.show(.bar)
    }

    /// Back: as if nothing had happened.
    mutating func cancelSearch() -> CommandResult {
        var wasPlaying = false
        let origin: MediaTime
        switch mode {
        case .watching: return .failed(.notSupported)
        case .scrubbing(let scrub): origin = scrub.origin
        case .scanning(let scan): (origin, wasPlaying) = (scan.origin, scan.wasPlaying)
        }
        endSearch()
        seek(to: origin)
        if wasPlaying { resume() }
        bar.show(wantsToPlay ? .none : .bar)
        return .success
    }

    mutating func endSearch() {
        if case .scanning(let scan) = mode, scan.rate != nil { effects.append(.scan(rate: nil)) }
        mode = .watching
        viewing.lastPreview = nil
        cancel(.scanStep)
        if pendingSeek?.isPreview == true { pendingSeek = nil }
    }

    /// The content time of the search, while there is one.
    var searchContent: MediaTime? {
        switch mode {
        case .watching: nil
        case .scrubbing(let scrub): scrub.content
        case .scanning(let scan): scan.content
        }
    }

    /// Shows the passing place, unless a picture is already on its way: the last wish wins when it has come.
    mutating func preview() {
        guard pendingSeek == nil || pendingSeek?.isPreview == false, let content = searchContent else { return }
        viewing.lastPreview = content
        seek(to: clock.asset(of: content), preview: true)
    }

    /// A passing picture has come: asks for the next where the wish has moved on since.
    mutating func previewEnded() {
        if case .scanning = mode { return steerScan() }
        if let content = searchContent, content != viewing.lastPreview { preview() }
    }

    // MARK: The player's own rates

    // At 4, 12, 30 and 60, in either direction, the player passes over key pictures and would show what lies in its way. Near an interstitial, and where it cannot
    // scan, passing pictures are sought one by one instead, and the interstitial is passed over.

    /// Decides who walks from here.
    mutating func steerScan() {
        guard case .scanning(var scan) = mode else { return }
        let wanted = pendingSeek == nil ? rate(for: scan) : nil
        if wanted != scan.rate {
            scan.rate = wanted
            scan.stepped = now
            mode = .scanning(scan)
            effects.append(.scan(rate: wanted))
        }
        guard wanted == nil else { return }
        if scan.content != viewing.lastPreview { preview() }
    }

    /// The rate at which the player can walk on; nil: something lies in its way, or it cannot.
    private func rate(for scan: Scan) -> Ratio? {
        guard snapshot.canPlayFast, scan.level != 0, let item, let position else { return nil }
        let factor = Timing.scanFactors[abs(scan.level) - 1]
        // So far it may come before it is looked at again, with a picture that is already on its way.
        let reach = Timing.scanLooksAhead * factor + Timing.keyPictures
        let way =
            scan.level > 0
            ? TimeRange(start: position, end: position + reach)
            : TimeRange(start: max(.zero, position - reach), end: position + .milliseconds(1))
        let isBlocked =
            item.interstitials.contains { $0.range.start < way.end && $0.range.end > way.start }
            || snapshot.beside.contains { $0.place >= way.start && $0.place < way.end }
        return isBlocked ? nil : Ratio(Int64(scan.level < 0 ? -factor : factor))
    }

    /// A picture of the player's scan was shown.
    mutating func scanMoved() {
        guard case .scanning(var scan) = mode, scan.rate != nil, let position else { return }
        let content = clamped(clock.content(at: position))
        // The same picture again is no step.
        if content != scan.content { (scan.content, scan.stepped) = (content, now) }
        mode = .scanning(scan)
        let (_, upper) = reach
        if scan.level > 0, let upper, scan.content >= viewing.played.scanEnd(upper) { return endScanAtItsEnd() }
        steerScan()
    }

    /// Whether the player will have walked to the end before it is looked at again. Its clock goes on while pictures are still to come.
    func isScanAtItsEnd(_ scan: Scan) -> Bool {
        guard scan.rate != nil, scan.level > 0, snapshot.state == .playing, let upper = reach.upper else { return false }
        let factor = Timing.scanFactors[scan.level - 1]
        return scan.content + (now - scan.stepped + Timing.scanStep).mediaTime * factor >= upper - .seconds(1)
    }

    /// A scan forward stops before the end, or at the live edge, and plays.
    mutating func endScanAtItsEnd() {
        guard case .scanning(var scan) = mode else { return }
        if let upper = reach.upper { scan.content = clamped(viewing.played.scanEnd(upper)) }
        mode = .scanning(scan)
        _ = stopScan(playing: true)
    }
}
