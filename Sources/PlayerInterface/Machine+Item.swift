import LinuxSupport
import MediaModel
import MediaTime

/// The item: coming, going, its place, and what the player says of it.
extension InterfaceMachine {
    // MARK: Coming

    mutating func itemChanged(_ new: ItemPresentation?) {
        // What a queue goes on with stays in the corner; what somebody chose comes to the front.
        let staysOnHome = screen == .home && session.queue.awaitsNext
        if case .ended = snapshot.state {} else { savePlace() }
        endViewing()
        session.queue.arrive()
        guard let new else {
            if screen != .standby { screen = .home }
            home.focusEntries()
            return
        }
        overlays.remove(.pin)
        viewing = Viewing(new, at: now)
        screen = staysOnHome ? .home : .player
        if !staysOnHome { overlays.remove(.page) }
        tuner.playingChanged(in: browsing)
        session.speed.begin(remembered: new.speed)
        settleSpeed()
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
        let watched = viewing.interstitials.watched
        let owed =
            item.interstitials.first {
                $0.id == place.owedInterstitial && $0.isEnforced(watched: watched) && $0.range.start <= place.time
            }
            ?? item.interstitials.first { $0.onResume && $0.range.contains(item.trimStart) && $0.isEnforced(watched: watched) }
        guard let owed else {
            begin(at: place.time)
            return
        }
        if place.time >= owed.range.end { viewing.interstitials.enforce(owed, before: place.time) }
        begin(at: owed.range.start)
    }

    private mutating func begin(at place: MediaTime) {
        viewing.startPlace = place
        seek(to: place)
    }

    mutating func itemUpdated(_ new: ItemPresentation) {
        guard let old = item, old.id == new.id else {
            itemChanged(new)
            return
        }
        viewing.played.renew(new)
        viewing.interstitials.renew(from: new)
        settlePanel()
        if old.proposal != new.proposal, viewing.proposal.shown == nil { viewing.proposal = Proposal() }
    }

    // MARK: The player

    mutating func playback(_ new: PlaybackSnapshot) {
        guard item != nil else { return }
        let old = snapshot.state
        if viewing.played.take(new) { viewing.interstitials.noteWatchedBefore(new.beside.filter(\.isWatched).map(\.id)) }
        // An item that was only just opened (or opened again) may not know the boundary that was given before.
        if old == .loading, new.state != .loading { viewing.interstitials.forgetBoundary() }
        if viewing.orders.follow(new.state, isWatching: mode == .watching) { bar.show(.bar) }
        if new.state == .playing, card?.kind == .slow || card?.kind.isError == true { overlays.remove(.card) }
        if let place = new.position {
            let isFirst = viewing.take(place)
            if new.state.isUnderWay { updateInterstitials(sought: isFirst) }
            view { $0.followScan(&$1) }
        } else {
            _ = updateBeside()  // before the first frame of the stream itself
        }
        updateProposal()
        if new.state != old {
            switch new.state {
            case .ended: if !view({ $0.endScanAtEnd(&$1) }) { ended() }
            case .failed(let error): failed(error)
            case .loading, .ready, .playing, .paused, .waiting: break
            }
        }
        savePlaceInPlay()
    }

    // MARK: The place

    /// The place to come back to, and what is owed there.
    var placeToSave: SavedPlace? {
        guard let item, !item.isLive, let position else { return nil }
        let watched = viewing.interstitials.watched
        if let beside = viewing.played.beside {
            return SavedPlace(
                time: beside.savedTarget ?? position,
                owedInterstitial: beside.isLinear && !watched.contains(beside.id) ? beside.id : nil)
        }
        if let enforcement { return SavedPlace(time: enforcement.savedTarget, owedInterstitial: enforcement.range.id) }
        let place = viewing.seeking.search?.origin ?? viewing.seeking.target ?? position
        if let inside = item.interstitials.first(where: { $0.range.contains(place) }) {
            let owes = inside.isLinear && inside.isEnforced(watched: watched)
            return SavedPlace(time: inside.range.end, owedInterstitial: owes ? inside.id : nil)
        }
        return SavedPlace(time: place)
    }

    mutating func savePlace() {
        guard let item, let place = placeToSave, card?.kind != .end else { return }
        viewing.lastSavedPlace = position
        effects.append(.savePlace(id: item.id, isWatched(to: place) ? nil : place))
    }

    /// Whether so little is left that there is nothing to come back for.
    private func isWatched(to place: SavedPlace) -> Bool {
        guard place.owedInterstitial == nil, let total = clock.total, total > .zero else { return false }
        return clock.content(at: place.time) * 100 >= total * Timing.watchedPercent
    }

    private mutating func savePlaceInPlay() {
        guard let position, mode == .watching, snapshot.state == .playing else { return }
        guard let last = viewing.lastSavedPlace else {
            viewing.lastSavedPlace = position
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
        if viewing.proposal.shown != nil { deferProposal() }
        viewing.forgetUndo()
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
        endViewing()
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
        endViewing()
        viewing = Viewing(opening: entry, at: now)
        screen = .player
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
        effects.append(session.queue.goOn())
    }

    /// Drops what is viewed, after the player was told of what ends with it.
    mutating func endViewing() {
        viewing.interstitials.finish(.abandoned, &effects)
        leaveSearch()
        endReplay()
        overlays.remove(.panel, .longText, .card)
        messages.hideRefusal()
        viewing = Viewing()
    }
}
