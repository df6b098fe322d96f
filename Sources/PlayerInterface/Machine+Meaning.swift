import LinuxSupport
import MediaModel
import MediaTime

/// Where the keys go now: the top layer.
enum KeyContext: Sendable, Hashable {
    case home, card, proposal, panel, scanning, scrubbing, loading, actionsRow, watching
}

/// What each key means in each state: the table of the viewer's contract, row by row.
extension InterfaceMachine {
    var context: KeyContext {
        if screen == .home { return .home }
        if card != nil { return .card }
        if proposal.shown != nil { return .proposal }
        if panel != nil { return .panel }
        switch mode {
        case .scanning: return .scanning
        case .scrubbing: return .scrubbing
        case .watching: break
        }
        if isLoading { return .loading }
        if bar.isVisible, case .action = bar.focus { return .actionsRow }
        return .watching
    }

    /// Carries out a key that acts when it is pressed.
    mutating func act(_ key: RemoteKey) -> CommandResult {
        if let everywhere = actEverywhere(key) { return everywhere }
        switch context {
        case .home: return actOnHome(key)
        case .card: return actOnCard(key)
        case .proposal: return actOnProposal(key)
        case .panel: return actOnPanel(key)
        case .scanning: return actWhileScanning(key)
        case .scrubbing: return actWhileScrubbing(key)
        case .loading: return actWhileLoading(key)
        case .actionsRow: return actOnActionsRow(key)
        case .watching: return actWhileWatching(key)
        }
    }

    /// Keys that mean the same in every state.
    private mutating func actEverywhere(_ key: RemoteKey) -> CommandResult? {
        switch key {
        case .volumeUp: effects.append(.changeVolume(1))
        case .volumeDown: effects.append(.changeVolume(-1))
        case .mute: effects.append(.changeVolume(0))
        case .power:
            savePlace()
            effects.append(.standby)
        case .channelUp: return zap(by: 1)
        case .channelDown: return zap(by: -1)
        case .digit0, .digit1, .digit2, .digit3, .digit4, .digit5, .digit6, .digit7, .digit8, .digit9: typeDigit(key.rawValue)
        case .home where screen == .player: return policy.isKiosk ? .failed(.notSupported) : goHome()
        case .stop: return stop()
        case .up, .down, .left, .right, .ok, .back, .home, .play, .pause, .playpause, .ff, .rw, .next, .prev, .info, .subtitle,
            .audio, .menu:
            return nil
        }
        return .success
    }

    private mutating func actWhileWatching(_ key: RemoteKey) -> CommandResult {
        switch key {
        case .ok:
            if let action, isActionFocused { return activate(action.kind) }
            return togglePlayPause()
        case .playpause: return togglePlayPause()
        case .play: return play()
        case .pause: return pause()
        case .up: return up()
        case .down, .menu: return openPanel(nil)
        case .info: return openPanel(.info)
        case .back: return back()
        case .ff: return beginScan(1)
        case .rw: return beginScan(-1)
        case .next: return nextChapter()
        case .prev: return previousChapter()
        case .subtitle: return openPanel(.subtitles)
        case .audio: return openPanel(.audio)
        default: return .failed(.notSupported)
        }
    }

    private mutating func up() -> CommandResult {
        if !bar.isVisible {
            bar.show(.bar)
        } else if !wantsToPlay, !isLinear, !actionsRow.isEmpty {
            bar.show(.action(0))
        } else if bar.focus != .bar {
            bar.show(.bar)
        } else {
            bar.showsEnd.toggle()
        }
        return .success
    }

    /// The order is the same everywhere: the top layer, the undo of the last seek, leave.
    private mutating func back() -> CommandResult {
        if wantsToPlay, bar.isVisible, bar.focus == .bar, undoOrigin == nil {
            bar.hide()
            return .success
        }
        if !isLinear, undoOrigin != nil { return undo() }
        return policy.isKiosk ? .failed(.notSupported) : goHome()
    }

    private mutating func actOnActionsRow(_ key: RemoteKey) -> CommandResult {
        guard case .action(let index) = bar.focus else { return .failed(.notSupported) }
        let row = actionsRow
        switch key {
        case .ok:
            guard row.indices.contains(index) else { return .failed(.notSupported) }
            return activate(row[index])
        case .left, .right:
            let moved = index + (key == .left ? -1 : 1)
            guard row.indices.contains(moved) else { return .failed(.noChange) }
            bar.focus = .action(moved)
            return .success
        case .down:
            bar.focus = .bar
            return .success
        case .back:
            bar.hide()
            return .success
        case .up: return .failed(.notSupported)
        case .playpause: return togglePlayPause()
        default: return actWhileWatching(key)
        }
    }

    private mutating func actWhileLoading(_ key: RemoteKey) -> CommandResult {
        switch key {
        case .up:
            bar.show(.none)
            return .success
        case .back: return policy.isKiosk ? .failed(.notSupported) : stopAndLeave()
        default: return .failed(.notReady)
        }
    }

    // MARK: Play and pause

    mutating func togglePlayPause() -> CommandResult { wantsToPlay ? pause() : play() }

    mutating func play() -> CommandResult {
        guard item != nil else { return .failed(.noItem) }
        if let card, screen == .player { return activateSafest(of: card) }
        switch mode {
        case .scanning: return stopScan(playing: true)
        case .scrubbing: return commitScrub()
        case .watching: break
        }
        guard !wantsToPlay else { return .failed(.noChange) }
        resume()
        bar.show(.none)
        return .success
    }

    mutating func pause() -> CommandResult {
        guard item != nil else { return .failed(.noItem) }
        guard card == nil || card?.kind == .slow else { return .failed(.noChange) }
        if isLiveWithoutWindow {
            showToast(policy.strings.text(.livePauseRefused))
            return .failed(.notSupported)
        }
        switch mode {
        case .scanning: return stopScan(playing: false)
        case .scrubbing: return .failed(.noChange)
        case .watching: break
        }
        guard wantsToPlay else { return .failed(.noChange) }
        stand()
        bar.show(action?.kind == .skipInterstitial ? .none : .bar)  // focus is on the bar, except where Select does something else
        savePlace()
        return .success
    }

    mutating func resume() {
        wantsToPlay = true
        orderInFlight = true
        effects.append(.play)
    }

    mutating func stand() {
        wantsToPlay = false
        orderInFlight = false
        effects.append(.pause)
    }

    /// Long pauses: the picture is dimmed, then the box goes to standby.
    mutating func settlePause() {
        guard item != nil, !wantsToPlay, mode == .watching, card == nil else {
            pausedSince = nil
            cancel(.paused)
            return
        }
        let paused = pausedSince ?? now
        let since = keys.lastPress.map { max(paused, $0) } ?? paused
        pausedSince = since
        if now < since + Timing.pausedDims {
            arm(.paused, at: since + Timing.pausedDims)
        } else if now < since + Timing.pausedStandby {
            arm(.paused, at: since + Timing.pausedStandby)
        } else {
            cancel(.paused)
            pausedSince = now  // once
            savePlace()
            effects.append(.standby)
        }
    }

    var isDimmedByPause: Bool { pausedSince.map { now >= $0 + Timing.pausedDims } ?? false }

    /// The bar hides by itself while something plays and nothing is being done.
    mutating func settleBar() {
        let mayHide =
            bar.isVisible && wantsToPlay && mode == .watching && panel == nil && waitingSince == nil && pendingSeek == nil
            && policy.autoHides
            && screen == .player && keys.down?.tap == nil && !isLoading
        guard mayHide, let last = keys.lastPress else {
            cancel(.autoHide)
            return
        }
        if now >= last + Timing.autoHide {
            cancel(.autoHide)
            bar.hide()
        } else {
            arm(.autoHide, at: last + Timing.autoHide)
        }
    }
}
