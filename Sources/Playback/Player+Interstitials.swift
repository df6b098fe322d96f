import LinuxSupport
import MediaModel
import MediaTime

/// The session that was left while an interstitial is presented: its source stays open.
struct SuspendedSession {
    var session: ItemSession
    var place: MediaTime
    /// How fast it was played: interstitials are played as they are.
    var rate: Ratio
    /// Whether the clock is that of the asset that plays, which it is once reading it has begun.
    var hasBegun = false
}

/// Another item takes over the screen and the sound for a while, and gives them back. For everybody outside the presentation is still
/// the current item, and stands at the place where it was left.
extension Player: InterstitialHost {
    /// The interstitial that is presented; nil while the presentation itself is.
    package var interstitialStatus: InterstitialStatus? { presentation?.interstitials?.status() }

    /// Skips the rest of an interstitial that has a control for it.
    ///
    /// - Returns: false where there is none, or not now.
    @discardableResult
    package func skipInterstitial() -> Bool { presentation?.interstitials?.skip() ?? false }

    /// The interstitials of the current item that are known now, in order of time.
    package var interstitialEvents: [InterstitialEvent] { presentation?.interstitials?.events ?? [] }

    /// Whether the item has been left for an interstitial.
    package var presentsInterstitial: Bool { suspended != nil }

    /// Whether a place may be sought, as far as interstitials are concerned.
    func interstitialVerdict(on time: MediaTime, isPreview: Bool) -> InterstitialPlayback.Verdict {
        guard let session = presentation, let interstitials = session.interstitials else { return .allowed }
        // Who looks around has not gone anywhere yet.
        if isPreview, !interstitials.isPresenting {
            if machine.rate == .zero, session.previewOrigin == nil { session.previewOrigin = currentTime }
            return .allowed
        }
        let origin = session.previewOrigin ?? currentTime
        session.previewOrigin = nil
        return interstitials.sought(to: time, from: origin)
    }

    func followInterstitials(of source: any MediaSource) {
        guard suspended == nil else { return }
        session?.follow(source.interstitialSource.map { InterstitialPlayback(player: self, source: $0) })
    }

    /// Ends an interstitial, and goes back to the session that was left for it: to end that as well.
    func endInterstitials() {
        presentation?.endInterstitials()
        guard suspended != nil else { return }
        endSession()
        takeUpSuspended()
    }

    private func takeUpSuspended() {
        session = suspended?.session
        session?.resume()
        suspended = nil
        observers.isHeld = false
    }

    /// The place of the next event holds play as a boundary does.
    func interstitialBoundaryChanged() {
        guard suspended == nil else { return }
        setBoundaryState()
        applyBoundary()
        armBoundaryTimer()
    }

    func tell(_ change: InterstitialChange) { onInterstitialChange?(change) }

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
        guard suspended == nil, let session, session.source != nil else { return }
        leaveScreen()
        session.suspend()
        suspended = SuspendedSession(session: session, place: place, rate: machine.rate)
        observers.isHeld = true
        if machine.rate != .zero { setRate(.one) }
    }

    /// What plays has the screen and the sound no more.
    private func leaveScreen() {
        endRun()
        completePendingSeek(finished: false)
        session?.pendingSeek = nil
        endSelection()
        pictures.cache.removeAll()
    }

    /// Plays an asset in the place of what was left.
    func play(interstitial item: PlayerItem) {
        guard let suspended else { return }
        if session !== suspended.session { endSession() }
        item.selection.criteria = suspended.session.item.selection.criteria
        session = ItemSession(item)
        self.suspended?.hasBegun = false
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
        guard let suspended, let source = suspended.session.source else { return goOn(at: place, isOver: isOver) }
        if session !== suspended.session { endSession() }
        takeUpSuspended()
        let item = suspended.session.item
        beginSelection(item, source)
        handle(.opened)
        let target = item.endTime.map { min(place, $0) } ?? place
        startRun(PendingSeek(target: target, earliest: target, isExact: true, boundary: suspended.session.clientBoundary))
        if suspended.rate != .one, machine.rate == .one { setRate(suspended.rate) }
        if isOver { session?.interstitials?.close() }
    }

    /// The presentation was never left, since there was nothing to play.
    private func goOn(at place: MediaTime, isOver: Bool) {
        if isOver {
            session?.interstitials?.close()
            return handle(.reachedEnd)
        }
        interstitialBoundaryChanged()
        guard (place - currentTime).magnitude > Self.longestFrame else { return }
        seek(to: place, toleranceBefore: .zero, toleranceAfter: .zero)
    }

    /// Whether an event of the machine is about an asset of an interstitial, or leads to one, and is dealt with there.
    func isInterstitial(_ event: TransportMachine.Event) -> Bool {
        guard let interstitials = presentation?.interstitials, event == .reachedEnd else { return false }
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

extension Player {
    /// Hears what a source tells of itself, from before its first run on.
    func followMetadata(of source: any MediaSource, _ item: PlayerItem) {
        guard suspended == nil else { return }
        session?.follow(
            source.metadataSource.map { source in
                MetadataFollower(item, source: source, observers: observers) { [weak self] in
                    guard let self, self.suspended == nil, self.run?.landing != nil else { return nil }
                    return self.currentTime
                } tell: { [weak self] in
                    self?.onMetadata?($0)
                }
            })
    }
}
