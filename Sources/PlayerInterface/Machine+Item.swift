import LinuxSupport
import MediaModel
import MediaTime

/// The item: coming, going, its place, and what the player says of it.
extension InterfaceMachine {
    // MARK: Coming

    mutating func itemChanged(_ new: ItemPresentation?) {
        // What a queue goes on with stays in the corner; what somebody chose comes to the front.
        let staysOnHome = screen == .home && awaitsNextInQueue
        if case .ended = snapshot.state {} else { savePlace() }
        letGoOfItem()
        awaitsNextInQueue = false
        startPlace = nil
        opening = nil
        guard let new else {
            if screen != .standby { screen = .home }
            home.focusEntries()
            return
        }
        pin = nil
        longText = nil
        item = new
        clock = ContentClock(new, duration: nil)
        watched = Set(new.interstitials.filter(\.isWatched).map(\.id))
        screen = staysOnHome ? .home : .player
        if !staysOnHome { page = nil }
        waitingSince = now
        tuner.playingChanged(in: browsing)
        if !keepsSpeed { speed = new.speed ?? .one }
        keepsSpeed = false
        speedInForce = .one
        if speed != .one { settleSpeed() }
        effects.append(.setVideoFit(settings.fit(of: fitKey)))
        start(new)
        resume()
    }

    /// Goes to where the item begins for this viewer. The policy is not asked.
    private mutating func start(_ item: ItemPresentation) {
        guard let place = item.resume, place.time > item.trimStart else {
            let first = backTarget(item.trimStart)
            if first > .zero { begin(at: first) }
            return
        }
        let owed =
            item.interstitials.first { $0.id == place.debt && $0.isEnforced(watched: watched) && $0.range.start <= place.time }
            ?? item.interstitials.first { $0.onResume && $0.range.contains(item.trimStart) && $0.isEnforced(watched: watched) }
        guard let owed else {
            begin(at: place.time)
            return
        }
        if place.time >= owed.range.end { enforcement = Enforcement(range: owed, savedTarget: place.time) }
        begin(at: owed.range.start)
    }

    private mutating func begin(at place: MediaTime) {
        startPlace = place
        seek(to: place)
    }

    mutating func itemUpdated(_ new: ItemPresentation) {
        guard let old = item, old.id == new.id else {
            itemChanged(new)
            return
        }
        item = new
        clock = ContentClock(new, duration: snapshot.duration?.time, beside: snapshot.beside)
        watched.formUnion(new.interstitials.filter(\.isWatched).map(\.id))
        if let presenting, let renewed = new.interstitials.first(where: { $0.id == presenting.id }) { self.presenting = renewed }
        settlePanel()
        if old.proposal != new.proposal, proposal.shown == nil { proposal = ProposalModel() }
    }

    // MARK: The player

    mutating func playback(_ new: PlaybackSnapshot) {
        guard let item else { return }
        let old = snapshot
        snapshot = new
        if new.duration != old.duration || new.beside != old.beside {
            clock = ContentClock(item, duration: new.duration?.time, beside: new.beside)
            watched.formUnion(new.beside.filter(\.isWatched).map(\.id))
        }
        // An item that was only just opened (or opened again) may not know the boundary that was given before.
        if old.state == .loading, new.state != .loading { boundary = nil }
        follow(new.state)
        if let place = new.position {
            let isFirst = position == nil
            position = place
            if isFirst, pendingSeek?.isPreview == false { pendingSeek = nil }
            if new.state.isUnderWay { updateInterstitials(sought: isFirst) }
            scanMoved()
        } else {
            _ = updateBeside()  // before the first frame of the stream itself
        }
        updateProposal()
        if new.state != old.state {
            switch new.state {
            case .ended: if case .scanning = mode { endScanAtItsEnd() } else { ended() }
            case .failed(let error): failed(error)
            case .loading, .ready, .playing, .paused, .waiting: break
            }
        }
        savePlaceInPlay()
    }

    /// Keeps what the viewer wants in step with a player that others play and pause too. An order of ours that the player has not
    /// carried out yet is left alone.
    private mutating func follow(_ state: PlaybackSnapshot.State) {
        switch state {
        case .playing:
            if orderInFlight == true { orderInFlight = nil }
            if orderInFlight == nil, !wantsToPlay, mode == .watching { wantsToPlay = true }
            if card?.kind == .slow || isErrorCard { card = nil }
        case .paused:
            if orderInFlight == false { orderInFlight = nil }
            guard orderInFlight == nil, wantsToPlay, mode == .watching else { return }
            wantsToPlay = false
            bar.show(.bar)
        case .waiting: if orderInFlight == true { orderInFlight = nil }
        case .ready: if orderInFlight == false { orderInFlight = nil }
        case .loading, .ended, .failed: break
        }
    }

    private var isErrorCard: Bool {
        if case .error = card?.kind { true } else { false }
    }

    // MARK: The place

    /// The place to come back to, and what is owed there.
    var placeToSave: SavedPlace? {
        guard let item, !item.isLive, let position else { return nil }
        if let beside {
            return SavedPlace(
                time: beside.savedTarget ?? position, debt: beside.isLinear && !watched.contains(beside.id) ? beside.id : nil)
        }
        if let enforcement { return SavedPlace(time: enforcement.savedTarget, debt: enforcement.range.id) }
        var place = position
        switch mode {
        case .watching: if let pendingSeek { place = pendingSeek.target }
        case .scrubbing(let scrub): place = scrub.origin
        case .scanning(let scan): place = scan.origin
        }
        if let inside = item.interstitials.first(where: { $0.range.contains(place) }) {
            let owes = inside.isLinear && inside.isEnforced(watched: watched)
            return SavedPlace(time: inside.range.end, debt: owes ? inside.id : nil)
        }
        return SavedPlace(time: place)
    }

    mutating func savePlace() {
        guard let item, let place = placeToSave, card?.kind != .end else { return }
        lastSavedPlace = position
        effects.append(.savePlace(id: item.id, isWatched(to: place) ? nil : place))
    }

    /// Whether so little is left that there is nothing to come back for.
    private func isWatched(to place: SavedPlace) -> Bool {
        guard place.debt == nil, let total = clock.total, total > .zero else { return false }
        return clock.content(at: place.time) * 100 >= total * Timing.watchedPercent
    }

    private mutating func savePlaceInPlay() {
        guard let position, mode == .watching, snapshot.state == .playing else { return }
        guard let last = lastSavedPlace else {
            lastSavedPlace = position
            return
        }
        if (position - last).magnitude >= Timing.savesPlace { savePlace() }
    }

    // MARK: Going

    /// Home, with the video in its corner where it can go on there.
    mutating func goHome() -> CommandResult {
        guard let item, !isLoading, card == nil, !item.requiresLinearPlayback else { return stopAndLeave() }
        if mode != .watching { _ = cancelSearch() }
        savePlace()
        closeLayers()
        bar.hide()
        endReplay()
        if proposal.shown != nil { deferProposal() }
        forgetUndo()
        screen = .home
        home.focusVideo()
        return .success
    }

    /// Stops and lets go of the item.
    mutating func stopAndLeave() -> CommandResult {
        guard item != nil || opening != nil else {
            screen = .home
            return .failed(.noItem)
        }
        savePlace()
        closeLayers()
        letGoOfItem()
        opening = nil
        screen = .home
        home.focusEntries()
        effects.append(.leavePlayer)
        return .success
    }

    /// The Stop key and command.
    mutating func stop() -> CommandResult {
        policy.hasHome ? stopAndLeave() : .failed(.notSupported)
    }

    /// Opens an item or channel; the one that plays is left.
    mutating func open(_ entry: HomeContent.Entry) -> CommandResult {
        closeLayers()
        if let item, item.id == entry.id || item.channel == entry.id {
            returnToPlayer()
            return .success
        }
        savePlace()
        letGoOfItem()
        opening = entry
        screen = .player
        waitingSince = now
        tuner.playingChanged(in: browsing)
        effects.append(.open(id: entry.id))
        return .success
    }

    mutating func returnToPlayer() {
        screen = .player
        activity.continues(at: now)
    }

    /// The next of the queue.
    mutating func moveOn() -> CommandResult {
        guard let item, item.isInQueue || item.proposal != nil else { return .failed(.notSupported) }
        if item.isInQueue {
            savePlace()
            goOnInQueue()
            return .success
        }
        acceptProposal(automatic: false)
        return .success
    }

    mutating func goOnInQueue() {
        outageSince = nil
        awaitsNextInQueue = true
        effects.append(.playNextInQueue)
    }

    /// Forgets all that belongs to the item, after what is presented has been abandoned.
    mutating func letGoOfItem() {
        finishPresenting(.abandoned)
        item = nil
        clock = ContentClock()
        snapshot = PlaybackSnapshot(state: .loading)
        position = nil
        wantsToPlay = false
        orderInFlight = nil
        lastSavedPlace = nil
        endSearch()
        forgetUndo()
        pendingSeek = nil
        tapRun = nil
        watched = []
        presentingMoved = false
        closedRange = nil
        enforcement = nil
        boundary = nil
        bar = BarModel(showsEnd: bar.showsEnd)
        panel = nil
        longText = nil
        hold = nil
        endReplay()
        soundOnlySince = nil
        card = nil
        cancel(.retry)
        proposal = ProposalModel()
        waitingSince = nil
        action = nil
        messages.hideRefusal()
        longPause = LongPause()
    }

    /// Whether there is nothing of the item on the screen yet.
    var isLoading: Bool {
        if opening != nil { return true }
        guard item != nil, position == nil, beside.map({ $0.elapsed == .zero }) ?? true else { return false }
        switch snapshot.state {
        case .loading, .ready, .playing, .paused, .waiting: return true
        case .ended, .failed: return false
        }
    }
}

extension PlaybackSnapshot.State {
    /// Whether the position can still move: after the end and after a failure nothing more is presented.
    var isUnderWay: Bool {
        switch self {
        case .loading, .ready, .playing, .paused, .waiting: true
        case .ended, .failed: false
        }
    }
}
