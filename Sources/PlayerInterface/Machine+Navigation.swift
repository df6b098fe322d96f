import LinuxSupport
import MediaModel
import MediaTime

/// What the viewer does with the time of the item. The item itself does it; what leads out of it is here.
extension InterfaceMachine {
    var isLinear: Bool { viewing.isLinear }

    /// Whether no command of a viewer may change place or rate, except pause and play.
    package var requiresLinearPlayback: Bool { isLinear }

    var navigationRefusal: CommandFailure? { viewing.navigationRefusal }

    /// Refuses a viewer's key with a word about when it can be used.
    mutating func refuseNavigation(_ reason: CommandFailure) -> CommandResult { view { $0.refuse(reason, &$1) } }

    mutating func resume() { view { $0.resume(&$1) } }

    mutating func stand() { view { $0.stand(&$1) } }

    // MARK: Taps and holds

    mutating func beginTap() -> CommandResult {
        let idle = activity.idleBeforePress(at: now)
        return view { $0.beginTap(after: idle, &$1) }
    }

    mutating func commitTap(_ direction: Int) -> CommandResult { view { $0.commitTap(direction, &$1) } }

    mutating func beginHold(_ direction: Int) {
        let wasTapped = keys.isHeldWithoutReleases
        view { $0.beginHold(direction, wasTapped: wasTapped, &$1) }
    }

    // MARK: Searching

    mutating func beginScan(_ direction: Int) -> CommandResult { view { $0.beginScan(direction, &$1) } }

    mutating func actInSearch(_ key: RemoteKey) -> CommandResult {
        if let result = view({ $0.actInSearch(key, &$1) }) { return result }
        return key == .next ? nextChapter() : previousChapter()
    }

    /// - Parameter playing: whether it plays from here on; nil: as before the search.
    mutating func endSearch(playing: Bool?) -> CommandResult { view { $0.endSearch(playing: playing, &$1) } }

    mutating func cancelSearch() -> CommandResult { view { $0.cancelSearch(&$1) } }

    mutating func leaveSearch() { view { $0.leaveSearch(&$1) } }

    // MARK: Navigation

    /// A navigation that does not come from taps: a chapter, the web page, From Beginning.
    mutating func jump(to target: MediaTime) -> CommandResult { view { $0.jump(to: target, &$1) } }

    mutating func undo() -> CommandResult { view { $0.undo(&$1) } }

    mutating func nextChapter() -> CommandResult {
        if isLinear, offersSkip { return skipInterstitial() }
        if navigationRefusal == nil, item?.skipsItems == true { return moveOn() }
        return view { $0.nextChapter(&$1) }
    }

    mutating func previousChapter() -> CommandResult { view { $0.previousChapter(&$1) } }

    mutating func fromBeginning() -> CommandResult {
        guard item?.isLive != true else { return .failed(.notSupported) }
        bar.show()
        return jump(to: backTarget(clock.start))
    }

    // MARK: Seeks

    /// Seeks exactly. A seek that is under way is given up.
    mutating func seek(to target: MediaTime) { view { $0.seek(to: target, &$1) } }

    mutating func seekCompleted(_ id: SeekID, landed: MediaTime, finished: Bool) {
        if id == .programmatic {
            guard finished, item != nil else { return }
            view { $0.programSought(landed, &$1) }
        } else {
            guard view({ $0.seekCompleted(id, landed: landed, finished: finished, &$1) }) else { return }
        }
        updateInterstitials(sought: true)
        updateProposal()
    }
}
