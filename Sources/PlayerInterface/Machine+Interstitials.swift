import LinuxSupport
import MediaModel
import MediaTime

/// Interstitials: what the machine does about them besides the presenter.
extension InterfaceMachine {
    /// A new place is known.
    ///
    /// - Parameter sought: it was reached by a seek; a watched range is then shown all the same, because the viewer wanted to go there.
    mutating func updateInterstitials(sought: Bool) {
        guard !updateBeside(), let item, let position, mode == .watching else { return }
        present {
            $0.update(at: position, in: item, sought: sought, isSeeking: $1, snapBack: $2, &$3)
        }
    }

    /// Takes what the player presents.
    ///
    /// - Returns: whether it is one beside the stream, so that the place says nothing about ranges of the stream.
    mutating func updateBeside() -> Bool {
        guard let beside = viewing.played.beside else { return false }
        present { presenter, _, _, effects in
            presenter.update(beside: beside, &effects)
            return .playOn
        }
        return true
    }

    /// The player has ended one that it presented beside the stream.
    mutating func besideEnded(_ id: String, how: InterstitialOutcome) {
        guard presenting?.id == id, viewing.played.beside?.id == id else { return }
        viewing.played.endPresented()
        viewing.interstitials.finish(how, &effects)
    }

    /// Asks the presenter, and goes where it says.
    private mutating func present(
        _ ask: (inout InterstitialPresenter, _ isSeeking: Bool, SnapBack, inout [InterfaceEffect]) -> InterstitialPresenter.Next
    ) {
        let before = presenting?.id
        let next = ask(&viewing.interstitials, viewing.seeking.isSeeking, policy.snapBack, &effects)
        if presenting?.id != before, presenting != nil, isLinear { closeForLinear() }
        if case .seek(let place) = next { seek(to: place) }
    }

    /// Playback has become linear: what would lead elsewhere goes.
    private mutating func closeForLinear() {
        viewing.forgetNavigation()
    }

    /// Where the player must not go on by itself.
    mutating func settleBoundary() {
        let place = mode == .watching ? viewing.seeking.target ?? position : nil
        viewing.interstitials.settleBoundary(from: place, in: item, &effects)
    }

    mutating func reachedBoundary(_ time: MediaTime) {
        guard let item, viewing.seeking.isAtRest else { return }
        let position = position
        present { presenter, _, snapBack, effects in presenter.reached(time, at: position, in: item, snapBack: snapBack, &effects)
        }
    }

    // MARK: Skip

    /// Whether Skip is offered at this moment.
    var offersSkip: Bool { viewing.interstitials.offersSkip(at: viewing.played.presentedPlace) }

    mutating func skipInterstitial() -> CommandResult {
        guard offersSkip, let item else { return .failed(isLinear ? .linear : .notSupported) }
        if viewing.played.beside != nil {
            viewing.interstitials.finish(.skipped, &effects)
            viewing.played.endPresented()
            effects.append(.skipInterstitial)
            return .success
        }
        let position = position
        present { presenter, _, snapBack, effects in presenter.skip(at: position, in: item, snapBack: snapBack, &effects) }
        return .success
    }

    /// An interstitial that does not begin within 8 s is given up, and content goes on.
    mutating func giveUpInterstitial() -> Bool {
        // One beside the stream is given up by the player, which presents it.
        guard viewing.played.beside == nil,
            case .seek(let place)? = viewing.interstitials.giveUp(sought: viewing.seeking.target, &effects)
        else { return false }
        seek(to: place)
        return true
    }
}
