import LinuxSupport
import MediaModel
import MediaTime

/// What the buttons of the content proposal do.
extension InterfaceMachine {
    // MARK: Keys

    mutating func actOnProposal(_ key: RemoteKey) -> CommandResult {
        guard viewing.proposal.shown != nil else { return .failed(.notSupported) }
        switch key {
        case .playpause, .play, .pause:
            if snapshot.state == .ended { return .failed(.noChange) }
            if key == (wantsToPlay ? .play : .pause) { return .failed(.noChange) }
            if wantsToPlay { stand() } else { resume() }
            return .success
        default: break
        }
        viewing.proposal.stopCountdown()
        switch key {
        case .left, .right: return viewing.proposal.moveFocus(by: strings.step(of: key)) ? .success : .failed(.noChange)
        case .back:
            deferProposal()
            return .success
        case .ok: return viewing.proposal.focused.map { activate($0) } ?? .failed(.notSupported)
        default: return .failed(.notSupported)
        }
    }

    private mutating func activate(_ button: Proposal.Button) -> CommandResult {
        switch button {
        case .playNow: acceptProposal(automatic: false)
        case .backToCredits: deferProposal()
        case .home:
            // The next one is not lost: it is offered on Home to be gone on with.
            if let item, let next = item.proposal?.next {
                effects.append(.savePlace(id: item.id, nil))
                effects.append(.savePlace(id: next, SavedPlace(time: .zero)))
            }
            leaveAfterProposal()
        }
        return .success
    }

    private mutating func leaveAfterProposal() {
        endViewing()
        screen = .home
        home.focusEntries()
        effects.append(.leavePlayer)
    }

    mutating func acceptProposal(automatic: Bool) {
        guard let item, let offered = item.proposal else { return }
        session.speed.goAlong()  // the choices go along: sound and captions by their store, the speed from here
        effects.append(.savePlace(id: item.id, nil))
        effects.append(.playNext(id: offered.next, automatic: automatic))
        endViewing()
        let next = HomeContent.Entry(
            id: offered.next, title: offered.title ?? "", subtitle: offered.subtitle, artwork: offered.image)
        viewing = Viewing(opening: next, at: now)
        screen = .player
    }

    /// Back to the credits: it comes once more, at the end, without a countdown; from there the end card follows.
    mutating func deferProposal() {
        let isOver = snapshot.state == .ended
        if viewing.proposal.putOff(atEnd: isOver), isOver { showEnd() }
    }
}
