import LinuxSupport
import MediaModel
import MediaTime

/// The effect of each key in each state: the key table, row by row.
extension InterfaceMachine {
    var context: KeyContext {
        if screen == .standby { return .standby }
        if let overlay { return KeyContext(overlay.kind) }
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

    /// Carries out a key that acts on its press.
    mutating func act(_ key: RemoteKey) -> CommandResult {
        if screen == .standby { return wake() }
        if policy.isKiosk, pin == nil { keys.noteForOperator(key) }
        if let everywhere = actEverywhere(key) ?? actWhileListening(key) { return everywhere }
        if let overlay { return act(key, on: overlay) }
        return screen == .home ? follow(home.act(key, in: homeContext)) : actInPlayer(key)
    }

    /// The overlay that receives the keys instead of Home or the picture.
    var overlay: Overlay? {
        guard viewing.proposal.shown != nil, screen == .player else { return overlays.top }
        if let top = overlays.top, top.kind.covers(.proposal) { return top }
        return .proposal
    }

    mutating func act(_ key: RemoteKey, on overlay: Overlay) -> CommandResult {
        switch overlay {
        case .pin(var pin):
            let outcome = pin.act(key, length: policy.pinLength, isLocked: pinLock.isLocked(at: now))
            return follow(outcome, of: .pin(pin))
        case .card(var card):
            let outcome = card.act(key, step: strings.step(of: key), hasHome: policy.hasHome)
            return follow(outcome, of: .card(card))
        case .longText(var text):
            let outcome = text.act(key)
            return follow(outcome, of: .longText(text))
        case .page(var page):
            let outcome = page.act(key, in: browsing, menus: settingsMenu, lock: pinLock)
            return follow(outcome, of: .page(page))
        case .proposal:
            let step = strings.step(of: key)
            return follow(view { $0.actOnProposal(key, step: step, &$1) })
        case .panel(var panel):
            guard let content = panelContent else { return .failed(.noItem) }
            let outcome = panel.act(key, in: content)
            return follow(outcome, of: .panel(panel))
        }
    }

    /// Carries out the result of a key in an overlay.
    ///
    /// - Parameter overlay: its state after the key.
    private mutating func follow(_ outcome: KeyOutcome, of overlay: Overlay) -> CommandResult {
        overlays.put(overlay)
        switch outcome {
        case .answered, .wants: return follow(outcome)
        case .closed:
            overlays.remove(overlay.kind)
            return .success
        case .leaves(let intent):
            overlays.remove(overlay.kind)
            let result = carryOut(intent)
            if result != .success { overlays.put(overlay) }
            return result
        }
    }

    /// Carries out what a part that never closes made of a key.
    private mutating func follow(_ outcome: KeyOutcome) -> CommandResult {
        switch outcome {
        case .answered(let result): return result
        case .wants(let intent), .leaves(let intent): return carryOut(intent)
        case .closed: return .failed(.notSupported)
        }
    }

    /// Keys of the player while nothing is over the picture.
    private mutating func actInPlayer(_ key: RemoteKey) -> CommandResult {
        switch context {
        case .scanning, .scrubbing:
            if let result = view({ $0.actInSearch(key, &$1) }) { return result }
            return carryOut(key == .next ? .nextChapter : .previousChapter)
        case .loading: return actWhileLoading(key)
        case .actionsRow: return actOnActionsRow(key)
        case .watching, .standby, .pin, .longText, .page, .home, .card, .proposal, .panel: return actWhileWatching(key)
        }
    }

    /// Keys with the same effect in every state.
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
        overlays.remove(.page, .longText)
        return goHome()
    }

    /// Opens the guide, or closes it.
    private mutating func guideKey() -> CommandResult {
        guard card == nil else { return .failed(.notSupported) }
        if case .guide = page {
            overlays.remove(.page)
            return .success
        }
        guard tuner.schedule.isReadable else { return .failed(.notSupported) }
        if mode != .watching { _ = view { $0.transport.cancelSearch(&$1) } }
        return openGuide()
    }

    /// Digits go to the PIN or to the search where one of them is open; else they are a channel's number.
    private mutating func digit(_ key: RemoteKey) -> CommandResult {
        if let pin { return act(key, on: .pin(pin)) }
        if case .search(var search) = page, context == .page {
            search.type(Character(key.rawValue), in: browsing)
            overlays.put(.page(.search(search)))
            return .success
        }
        return typeDigit(key.rawValue)
    }

    private mutating func actWhileWatching(_ key: RemoteKey) -> CommandResult {
        switch key {
        case .ok:
            if let action = viewing.action.kind, viewing.action.hasFocus(at: now) { return activate(action) }
            return togglePlayPause()
        case .up: return up()
        case .back: return back()
        default: return Intent(whileWatching: key).map { carryOut($0) } ?? .failed(.notSupported)
        }
    }

    private mutating func up() -> CommandResult {
        if isLiveWithoutWindow { return carryOut(.openChannelList) }
        if !bar.isVisible {
            bar.show(.bar)
        } else if item?.isLive == true, hasChannels, bar.focus == .bar {
            return carryOut(.openChannelList)
        } else if !wantsToPlay, !isLinear, !viewing.played.rowActions.isEmpty {
            bar.show(.action(0))
        } else if bar.focus != .bar {
            bar.show(.bar)
        } else {
            session.showsEnd.toggle()
        }
        return .success
    }

    /// The order is the same everywhere: close the top layer, undo the last seek, leave.
    private mutating func back() -> CommandResult {
        if wantsToPlay, bar.isVisible, bar.focus == .bar, viewing.transport.undoOrigin == nil {
            bar.hide()
            return .success
        }
        if !isLinear, viewing.transport.undoOrigin != nil { return view { $0.transport.undo(&$1) } }
        return policy.hasHome ? goHome() : .failed(.notSupported)
    }

    private mutating func actOnActionsRow(_ key: RemoteKey) -> CommandResult {
        guard case .action(let index) = bar.focus else { return .failed(.notSupported) }
        let row = viewing.played.rowActions
        switch key {
        case .ok:
            guard row.indices.contains(index) else { return .failed(.notSupported) }
            if row[index] != .info { bar.show(.bar) }
            return carryOut(row[index].intent)
        case .left, .right:
            let moved = index + strings.step(of: key)
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
            // An external command may have paused it at its first frame.
            guard !wantsToPlay, item != nil else { return .failed(.notReady) }
            resume()
            return .success
        default: return .failed(.notReady)
        }
    }
}
