import LinuxSupport
import MediaModel
import MediaTime

/// What the viewer does with the time of the item. The item itself does it; what leads out of it is here.
extension InterfaceMachine {
    var isLinear: Bool { viewing.transport.isLinear }

    /// Whether no command of a viewer may change place or rate, except pause and play.
    package var requiresLinearPlayback: Bool { isLinear }

    var navigationRefusal: CommandFailure? { viewing.transport.navigationRefusal }

    /// Refuses a viewer's key with a word about when it can be used.
    mutating func refuseNavigation(_ reason: CommandFailure) -> CommandResult { view { $0.transport.refuse(reason, &$1) } }

    mutating func resume() { view { $0.transport.resume(&$1) } }

    mutating func stand() { view { $0.transport.stand(&$1) } }

    // MARK: Taps and holds

    mutating func beginTap() -> CommandResult {
        let idle = activity.idleBeforePress(at: now)
        return view { $0.transport.beginTap(after: idle, &$1) }
    }

    mutating func commitTap(_ direction: Int) -> CommandResult { view { $0.transport.commitTap(direction, &$1) } }

    mutating func beginHold(_ direction: Int) {
        let wasTapped = keys.isHeldWithoutReleases
        view { $0.transport.beginHold(direction, wasTapped: wasTapped, &$1) }
    }

    // MARK: Searching

    mutating func beginScan(_ direction: Int) -> CommandResult { view { $0.transport.beginScan(direction, &$1) } }

    mutating func actInSearch(_ key: RemoteKey) -> CommandResult {
        if let result = view({ $0.actInSearch(key, &$1) }) { return result }
        return key == .next ? nextChapter() : previousChapter()
    }

    /// - Parameter playing: whether it plays from here on; nil: as before the search.
    mutating func endSearch(playing: Bool?) -> CommandResult { view { $0.transport.endSearch(playing: playing, &$1) } }

    mutating func cancelSearch() -> CommandResult { view { $0.transport.cancelSearch(&$1) } }

    mutating func leaveSearch() { view { $0.transport.leaveSearch(&$1) } }

    // MARK: Navigation

    /// A navigation that does not come from taps: a chapter, the web page, From Beginning.
    mutating func jump(to target: MediaTime) -> CommandResult { view { $0.transport.jump(to: target, &$1) } }

    mutating func undo() -> CommandResult { view { $0.transport.undo(&$1) } }

    mutating func nextChapter() -> CommandResult {
        if isLinear, offersSkip { return skipInterstitial() }
        if navigationRefusal == nil, item?.skipsItems == true { return moveOn() }
        return view { $0.nextChapter(&$1) }
    }

    mutating func previousChapter() -> CommandResult { view { $0.previousChapter(&$1) } }

    mutating func fromBeginning() -> CommandResult { view { $0.fromBeginning(&$1) } }

    /// Whether Skip is offered at this moment.
    var offersSkip: Bool { viewing.transport.offersSkip }

    mutating func skipInterstitial() -> CommandResult { view { $0.transport.skipInterstitial(&$1) } }

    mutating func goLive() -> CommandResult { view { $0.goLive(&$1) } }

    /// Does what the contextual action offers.
    mutating func activate(_ kind: ContextualActionView.Kind) -> CommandResult {
        switch kind {
        case .skipInterstitial: return skipInterstitial()
        case .skipIntro: return view { $0.skip(.intro, &$1) }
        case .skipRecap: return view { $0.skip(.recap, &$1) }
        case .nextEpisode:
            acceptProposal(automatic: false)
            return .success
        case .goLive: return goLive()
        }
    }

    /// Seeks exactly. A seek that is under way is given up.
    mutating func seek(to target: MediaTime) { view { $0.transport.seek(to: target, &$1) } }
}
