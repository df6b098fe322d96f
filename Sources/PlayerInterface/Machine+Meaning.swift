import LinuxSupport
import MediaModel
import MediaTime

/// Where the keys go now: the top layer.
enum KeyContext: Sendable, Hashable {
    case standby, pin, longText, page, home, card, proposal, panel, scanning, scrubbing, loading, actionsRow, watching
}

/// What each key means in each state: the table of the viewer's contract, row by row.
extension InterfaceMachine {
    var context: KeyContext {
        if screen == .standby { return .standby }
        switch overlay {
        case .pin: return .pin
        case .card: return .card
        case .longText: return .longText
        case .page: return .page
        case .proposal: return .proposal
        case .panel: return .panel
        case nil: break
        }
        if screen == .home { return .home }
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
        if screen == .standby { return wake() }
        if policy.isKiosk, pin == nil { keys.noteForOperator(key) }
        if let everywhere = actEverywhere(key) ?? actWhileListening(key) { return everywhere }
        switch overlay {
        case .pin: return actOnPIN(key)
        case .card(let card): return actOnCard(key, card)
        case .longText: return actOnLongText(key)
        case .page(let page): return act(key, on: page)
        case .proposal: return actOnProposal(key)
        case .panel(let panel): return actOnPanel(key, panel)
        case nil: return screen == .home ? actOnHome(key) : actInPlayer(key)
        }
    }

    /// Keys of the player while nothing lies over the picture.
    private mutating func actInPlayer(_ key: RemoteKey) -> CommandResult {
        switch context {
        case .scanning, .scrubbing: return actInSearch(key)
        case .loading: return actWhileLoading(key)
        case .actionsRow: return actOnActionsRow(key)
        case .watching, .standby, .pin, .longText, .page, .home, .card, .proposal, .panel: return actWhileWatching(key)
        }
    }

    /// Keys that mean the same in every state.
    private mutating func actEverywhere(_ key: RemoteKey) -> CommandResult? {
        switch key {
        case .volumeUp: effects.append(.changeVolume(1))
        case .volumeDown: effects.append(.changeVolume(-1))
        case .mute: effects.append(.changeVolume(0))
        case .power: goToStandby()
        case .channelUp: return zap(by: 1)
        case .channelDown: return zap(by: -1)
        case .digit0, .digit1, .digit2, .digit3, .digit4, .digit5, .digit6, .digit7, .digit8, .digit9: return digit(key)
        case .guide where pin == nil && screen != .standby: return guideKey()
        case .last where pin == nil: return zapBack()
        case .home where screen == .player && pin == nil: return homeKey()
        case .stop where pin == nil: return stop()
        default: return nil
        }
        return .success
    }

    private mutating func homeKey() -> CommandResult {
        guard policy.hasHome else { return .failed(.notSupported) }
        page = nil
        longText = nil
        return goHome()
    }

    /// The guide, and once more: away again.
    private mutating func guideKey() -> CommandResult {
        guard card == nil else { return .failed(.notSupported) }
        if case .guide = page {
            closePage()
            return .success
        }
        guard hasGuide else { return .failed(.notSupported) }
        if mode != .watching { _ = cancelSearch() }
        return openGuide()
    }

    /// Digits are for whoever asks for them, else a channel's number.
    private mutating func digit(_ key: RemoteKey) -> CommandResult {
        if pin != nil { return actOnPIN(key) }
        if case .search(var search) = page, context == .page {
            search.type(Character(key.rawValue), in: browsing)
            page = .search(search)
            return .success
        }
        return typeDigit(key.rawValue)
    }

    private mutating func actWhileWatching(_ key: RemoteKey) -> CommandResult {
        switch key {
        case .ok:
            if let action = viewing.action.kind, viewing.action.hasFocus(at: now) { return activate(action) }
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
        case .subtitle: return cycleSubtitles()
        case .audio: return openPanel(.audio)
        // The colours in the order in which they lie on a remote: each is a shortcut to what six keys reach in the panel and the list.
        case .red: return openChannelList()
        case .green: return openPanel(.audio)
        case .yellow: return openPanel(.subtitles)
        case .blue: return whatDidTheySay()
        default: return .failed(.notSupported)
        }
    }

    private mutating func up() -> CommandResult {
        if isLiveWithoutWindow { return openChannelList() }
        if !bar.isVisible {
            bar.show(.bar)
        } else if item?.isLive == true, hasChannels, bar.focus == .bar {
            return openChannelList()
        } else if !wantsToPlay, !isLinear, !actionsRow.isEmpty {
            bar.show(.action(0))
        } else if bar.focus != .bar {
            bar.show(.bar)
        } else {
            session.showsEnd.toggle()
        }
        return .success
    }

    /// The order is the same everywhere: the top layer, the undo of the last seek, leave.
    private mutating func back() -> CommandResult {
        if wantsToPlay, bar.isVisible, bar.focus == .bar, viewing.undoOrigin == nil {
            bar.hide()
            return .success
        }
        if !isLinear, viewing.undoOrigin != nil { return undo() }
        return policy.hasHome ? goHome() : .failed(.notSupported)
    }

    private mutating func actOnActionsRow(_ key: RemoteKey) -> CommandResult {
        guard case .action(let index) = bar.focus else { return .failed(.notSupported) }
        let row = actionsRow
        switch key {
        case .ok:
            guard row.indices.contains(index) else { return .failed(.notSupported) }
            return activate(row[index])
        case .left, .right:
            let moved = index + step(of: key)
            guard row.indices.contains(moved) else { return .failed(.noChange) }
            bar.show(.action(moved))
            return .success
        case .down:
            bar.show(.bar)
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
        case .back: return policy.hasHome ? stopAndLeave() : .failed(.notSupported)
        case .ok, .playpause, .play:
            // A command from outside may have told it to stand at its first frame.
            guard !wantsToPlay, item != nil else { return .failed(.notReady) }
            resume()
            return .success
        default: return .failed(.notReady)
        }
    }

    // MARK: Play and pause

    mutating func togglePlayPause() -> CommandResult { wantsToPlay ? pause() : play() }

    mutating func play() -> CommandResult {
        guard item != nil else { return .failed(.noItem) }
        if let card, screen == .player { return activateSafest(of: card) }
        switch mode {
        case .scanning, .scrubbing: return endSearch(playing: true)
        case .watching: break
        }
        guard !wantsToPlay else { return .failed(.noChange) }
        resume()
        // What was paused may have fallen out of the window meanwhile.
        if item?.isLive == true, let first = snapshot.seekableRanges.first, let position, position < first.start {
            seek(to: first.start)
            showToast(strings.text(.movedOn))
        }
        bar.show(.none)
        return .success
    }

    mutating func pause() -> CommandResult {
        guard item != nil else { return .failed(.noItem) }
        guard card == nil || card?.kind == .slow else { return .failed(.noChange) }
        if isLiveWithoutWindow {
            showToast(strings.text(.livePauseRefused))
            return .failed(.notSupported)
        }
        switch mode {
        case .scanning: return endSearch(playing: false)
        case .scrubbing: return .failed(.noChange)
        case .watching: break
        }
        guard wantsToPlay else { return .failed(.noChange) }
        stand()
        bar.show(viewing.action.kind == .skipInterstitial ? .none : .bar)  // focus is on the bar, except where Select does something else
        savePlace()
        return .success
    }

    /// The bar hides by itself while something plays and nothing is being done.
    mutating func settleBar() {
        let mayHide =
            wantsToPlay && viewing.seeking.isAtRest && panel == nil && viewing.waiting.isAtRest && policy.autoHides
            && screen == .player && page == nil && longText == nil && directionOfKey == nil && !isLoading
        bar.settle(lastPress: activity.lastPress, hidesAfter: mayHide ? settings.patience.autoHide : nil, at: now)
    }
}
