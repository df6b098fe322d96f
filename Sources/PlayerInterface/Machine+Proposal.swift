import LinuxSupport
import MediaModel
import MediaTime

/// What the answers to the content proposal lead to.
extension InterfaceMachine {
    /// The viewer wants neither the next item nor the credits. The next one is not lost: Home offers it among what was begun.
    mutating func rejectProposal() {
        if let item, let next = item.proposal?.next {
            effects.append(.savePlace(id: item.id, nil))
            effects.append(.savePlace(id: next, SavedPlace(time: .zero)))
        }
        endViewing()
        screen = .home
        home.focusEntries()
        effects.append(.leavePlayer)
    }

    mutating func acceptProposal(automatic: Bool) {
        guard let item, let offered = item.proposal else { return }
        session.speed.goAlong()  // the choices are kept: audio and captions by their store, the speed from here
        effects.append(.savePlace(id: item.id, nil))
        effects.append(.playNext(id: offered.next, automatic: automatic))
        endViewing()
        let next = HomeContent.Entry(
            id: offered.next, title: offered.title ?? "", subtitle: offered.subtitle, artwork: offered.image)
        viewing = Viewing(opening: next, at: now)
        screen = .player
    }

    /// Back to the credits: it appears once more, at the end, without a countdown; after that the end card follows.
    mutating func deferProposal() {
        let isOver = snapshot.state == .ended
        if viewing.proposal.putOff(atEnd: isOver), isOver { showEnd() }
    }
}
