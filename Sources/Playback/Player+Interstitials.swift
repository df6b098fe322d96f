import LinuxSupport
import MediaModel
import MediaTime

/// What was left while an interstitial is presented: its source stays open.
struct SuspendedItem {
    var item: PlayerItem
    var source: any MediaSource
    var boundary: MediaTime?
    var place: MediaTime
    /// How fast it was played: interstitials are played as they are.
    var rate: Ratio
    /// Whether the clock is that of the asset that plays, which it is once reading it has begun.
    var hasBegun = false
}

/// Another item takes over the screen and the sound for a while, and gives them back. For everybody outside the presentation is still
/// the current item, and stands at the place where it was left.
extension Player {
    /// The interstitial that is presented; nil while the presentation itself is.
    package var interstitialStatus: InterstitialStatus? { interstitials?.status() }

    /// Skips the rest of an interstitial that has a control for it.
    ///
    /// - Returns: false where there is none, or not now.
    @discardableResult
    package func skipInterstitial() -> Bool { interstitials?.skip() ?? false }

    /// The interstitials of the current item that are known now, in order of time.
    package var interstitialEvents: [InterstitialEvent] { interstitials?.events ?? [] }

    /// Whether the item has been left for an interstitial.
    package var presentsInterstitial: Bool { suspended != nil }

    /// Whether a place may be sought, as far as interstitials are concerned.
    func interstitialVerdict(on time: MediaTime, isPreview: Bool) -> InterstitialPlayback.Verdict {
        guard let interstitials else { return .allowed }
        // Who looks around has not gone anywhere yet.
        if isPreview, !interstitials.isPresenting {
            if machine.rate == .zero, previewOrigin == nil { previewOrigin = currentTime }
            return .allowed
        }
        let origin = previewOrigin ?? currentTime
        previewOrigin = nil
        return interstitials.sought(to: time, from: origin)
    }

    func followInterstitials(of source: any MediaSource) {
        guard suspended == nil else { return }
        interstitials = (source as? any InterstitialSource).map { InterstitialPlayback(player: self, source: $0) }
    }

    /// Ends an interstitial with its item, and closes what it had left.
    func endInterstitials() {
        previewOrigin = nil
        interstitials?.close()
        interstitials = nil
        guard let suspended else { return }
        self.suspended = nil
        observers.isHeld = false
        activeItem?.asset.close()
        source?.close()
        source = suspended.source
        activeItem = suspended.item
    }

    /// The place of the next event holds play as a boundary does.
    func interstitialBoundaryChanged() {
        guard suspended == nil else { return }
        setBoundaryState()
        applyBoundary()
        armBoundaryTimer()
    }

    /// How far the asset that plays has come, by its own clock.
    var interstitialTime: MediaTime {
        guard suspended?.hasBegun == true else { return .zero }
        return max(.zero, run == nil ? media.anchorTime : media.time(at: clock.now))
            - (activeItem?.description?.preferredStart ?? .zero)
    }

    /// How long the asset is that plays.
    var interstitialDuration: MediaTime? { suspended == nil ? nil : activeItem?.description?.duration.time }

    /// Leaves the presentation where it is; its source stays open.
    func suspend(at place: MediaTime) {
        guard suspended == nil, let item = activeItem, let source else { return }
        endRun()
        completePendingSeek(finished: false)
        pendingSeek = nil
        endSelection()
        cache.removeAll()
        lastTarget = nil
        suspended = SuspendedItem(item: item, source: source, boundary: clientBoundary, place: place, rate: machine.rate)
        self.source = nil
        observers.isHeld = true
        if machine.rate != .zero { setRate(.one) }
    }

    /// Plays an asset in the place of what was left.
    func play(interstitial item: PlayerItem) {
        guard let suspended else { return }
        endRun()
        endSelection()
        source?.close()
        source = nil
        cache.removeAll()
        if activeItem !== suspended.item { activeItem?.asset.close() }
        item.selection.criteria = suspended.item.selection.criteria
        activeItem = item
        self.suspended?.hasBegun = false
        clientBoundary = nil
        setBoundaryState()
        handle(.opened)
        item.asset.load { [weak self, weak item] result in
            guard let self, let item, self.activeItem === item else { return }
            switch result {
            case .failure(let error): self.fail(error)
            case .success(let description): self.begin(item, description)
            }
        }
    }

    /// Goes back to the presentation.
    ///
    /// - Parameter isOver: whether it had ended before: then it ends now.
    func resume(at place: MediaTime, isOver: Bool) {
        guard let suspended else { return goOn(at: place, isOver: isOver) }
        endRun()
        endSelection()
        source?.close()
        activeItem?.asset.close()
        cache.removeAll()
        lastTarget = nil
        self.suspended = nil
        observers.isHeld = false
        activeItem = suspended.item
        source = suspended.source
        clientBoundary = suspended.boundary
        beginSelection(suspended.item, suspended.source)
        handle(.opened)
        let end = suspended.item.endTime
        let target = end.map { min(place, $0) } ?? place
        startRun(PendingSeek(target: target, earliest: target, isExact: true, boundary: suspended.boundary))
        if suspended.rate != .one, machine.rate == .one { setRate(suspended.rate) }
        if isOver { interstitials?.close() }
    }

    /// The presentation was never left, since there was nothing to play.
    private func goOn(at place: MediaTime, isOver: Bool) {
        if isOver {
            interstitials?.close()
            return handle(.reachedEnd)
        }
        interstitialBoundaryChanged()
        guard (place - currentTime).magnitude > Self.longestFrame else { return }
        seek(to: place, toleranceBefore: .zero, toleranceAfter: .zero)
    }

    /// Whether an event of the machine is about an asset of an interstitial, or leads to one, and is dealt with there.
    func isInterstitial(_ event: TransportMachine.Event) -> Bool {
        guard let interstitials, event == .reachedEnd else { return false }
        let place = media.time(at: clock.now)
        return interstitials.reachedEnd(at: place)
    }

    /// What is told outside while an interstitial is on: nothing of its own frames, places and ends.
    func isTold(_ event: PlayerEvent) -> Bool {
        guard suspended != nil else { return true }
        switch event {
        case .frame, .position, .reachedBoundary, .didPlayToEnd, .seekCompleted: return false
        default: return true
        }
    }
}
