import LinuxSupport
import MediaModel
import MediaTime

/// Carries out playback intents: in the item, or beyond it.
extension InterfaceMachine {
    /// Whether no command of a viewer may change position or rate, except pause and play.
    package var requiresLinearPlayback: Bool { isLinear }

    // MARK: Play and pause

    mutating func togglePlayPause() -> CommandResult { wantsToPlay ? pause() : play() }

    mutating func play() -> CommandResult {
        guard item != nil else { return .failed(.noItem) }
        if let card, screen == .player { return act(.play, on: .card(card)) }
        switch mode {
        case .scanning, .scrubbing: return view { $0.transport.endSearch(playing: true, &$1) }
        case .watching: break
        }
        guard !wantsToPlay else { return .failed(.noChange) }
        resume()
        // The paused position may have left the window meanwhile.
        if item?.isLive == true, let first = snapshot.seekableRanges.first, let position, position < first.start {
            view { $0.transport.seek(to: first.start, &$1) }
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
        case .scanning: return view { $0.transport.endSearch(playing: false, &$1) }
        case .scrubbing: return .failed(.noChange)
        case .watching: break
        }
        guard wantsToPlay else { return .failed(.noChange) }
        stand()
        bar.show(viewing.action.kind == .skipInterstitial ? .none : .bar)  // focus is on the bar, unless Select has another effect
        savePlace()
        return .success
    }

    mutating func resume() { view { $0.transport.resume(&$1) } }

    mutating func stand() { view { $0.transport.stand(&$1) } }

    // MARK: Positions

    /// Skips an interstitial if that is offered; otherwise goes to the next item of a queue, else to the next chapter.
    mutating func nextChapter() -> CommandResult {
        let transport = viewing.transport
        if transport.isLinear, transport.offersSkip { return view { $0.transport.skipInterstitial(&$1) } }
        if transport.navigationRefusal == nil, item?.skipsItems == true { return moveOn() }
        return view { $0.nextChapter(&$1) }
    }

    /// Carries out the contextual action.
    mutating func activate(_ kind: ContextualActionView.Kind) -> CommandResult {
        switch kind {
        case .skipInterstitial: return view { $0.transport.skipInterstitial(&$1) }
        case .skipIntro: return view { $0.skip(.intro, &$1) }
        case .skipRecap: return view { $0.skip(.recap, &$1) }
        case .nextEpisode:
            acceptProposal(automatic: false)
            return .success
        case .goLive: return view { $0.goLive(&$1) }
        }
    }
}
