import LinuxSupport
import MediaModel
import MediaTime

/// External commands: the web page, MPRIS, CEC. They obey the same rules as keys.
extension InterfaceMachine {
    mutating func perform(_ command: RemoteCommand, from origin: String) -> CommandResult {
        switch command {
        case .key(let key): return tap(key, from: origin)
        case .open(let id):
            return home.entry(id).map { open($0) } ?? .failed(.unknownID)
        case .stop:
            guard item != nil || opening != nil else { return .failed(.noItem) }
            return stop()
        case .beginAnnouncement, .endAnnouncement: return .failed(.notSupported)  // handled by the box
        case .play, .pause, .togglePlayPause, .changePlaybackPosition, .skip, .restart: break
        }
        if screen == .standby { return wake() }
        guard pin == nil else { return .failed(.notReady) }
        guard item != nil else { return .failed(.noItem) }
        // An item that is being opened can be told to pause at its first frame.
        if isLoading, command != .pause { return .failed(.notReady) }
        noteCommand()
        switch command {
        case .play: return viewing.proposal.shown == nil ? play() : act(.play, on: .proposal)
        case .pause: return viewing.proposal.shown == nil ? pause() : act(.pause, on: .proposal)
        case .togglePlayPause:
            return viewing.proposal.shown == nil ? (card == nil ? togglePlayPause() : play()) : act(.playpause, on: .proposal)
        case .changePlaybackPosition(let content): return go(toContent: content)
        case .skip(let distance):
            return go(toContent: (viewing.seeking.search?.content ?? viewing.transport.viewedContent) + distance)
        case .restart: return card?.kind == .end ? replay() : leavingProposal { $0.fromBeginning(&$1) }
        case .open, .stop, .key, .beginAnnouncement, .endAnnouncement: return .failed(.notSupported)  // answered above
        }
    }

    /// A command wakes the box like a key, but does not delay the focus of an action that appears.
    private mutating func noteCommand() {
        activity.answered()
        if viewing.proposal.shown == nil { activity.continues(at: now) }
    }

    private mutating func go(toContent content: MediaTime) -> CommandResult {
        if let reason = viewing.transport.navigationRefusal { return view { $0.transport.refuse(reason, &$1) } }
        guard let position else { return .failed(.notReady) }
        let target = viewing.played.clamped(content)
        bar.show()
        if card?.kind == .end {
            overlays.remove(.card)
            resume()
        }
        return leavingProposal { $0.transport.jump(to: $0.played.place(of: target, from: position), &$1) }
    }

    /// A position of the item was requested while a proposal covers it.
    private mutating func leavingProposal(_ action: (inout Viewing, inout ViewingTurn) -> CommandResult) -> CommandResult {
        let result = view(action)
        if result == .success, viewing.proposal.shown != nil { viewing.proposal = Proposal() }
        return result
    }
}
