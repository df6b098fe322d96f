import ChannelFeed
import MediaModel
import PlayerInterface

/// What lies over all that belongs to the viewer: screens of the box itself.
struct BoxScreens: Sendable, Equatable {
    var setUp: SetUpView?
    var verdict: VerdictView?

    /// A state with these over it.
    func over(_ state: PresentationState) -> PresentationState {
        guard setUp != nil || verdict != nil else { return state }
        var state = state
        if setUp != nil {
            state = PresentationState(screen: .home, appearance: state.appearance)
            state.setUp = setUp
        }
        state.verdict = verdict
        return state
    }
}

extension Appliance {
    /// Shows a screen of the box itself in the place of all others, or takes it away with nil. While it is there, keys reach it alone.
    ///
    /// - Parameters:
    ///   - onSelect: OK was pressed.
    ///   - onBack: Back was pressed.
    package func showSetUp(
        _ view: SetUpView?, onSelect: (@MainActor () -> Void)? = nil, onBack: (@MainActor () -> Void)? = nil
    ) {
        setUpActions = [.ok: onSelect, .back: onBack].compactMapValues { $0 }
        guard boxScreens.setUp != view else { return }
        boxScreens.setUp = view
        show()
    }

    /// Shows what is wrong with the box's settings, over everything, or takes it away with nil.
    package func showVerdict(_ view: VerdictView?) {
        guard boxScreens.verdict != view else { return }
        boxScreens.verdict = view
        show()
    }

    /// Whether a feed is in use.
    package var offersChannels: Bool { feed != nil }

    /// What is on the screen besides video.
    package var shown: PresentationState { boxScreens.over(machine.state) }

    /// The texts of the viewer's language.
    package var strings: StringCatalogue { machine.policy.strings }

    /// The screen of the box itself that is shown.
    package var setUpScreen: SetUpView? { boxScreens.setUp }

    /// A key while such a screen is there.
    func handleSetUp(_ event: RemoteEvent) -> CommandResult {
        guard event.phase == .press, let action = setUpActions[event.key] else { return .failed(.notSupported) }
        action()
        return .success
    }
}

extension Appliance {
    /// Says what is left out from now on, because it has stopped the box too often.
    package func leaveOut(_ ids: [String]) { leftOut = Set(ids) }

    /// Goes past a programme that is left out, to what comes after it in its queue, and says so.
    ///
    /// - Returns: false when it is not left out.
    func passes(over programme: Programme) -> Bool {
        guard leftOut.contains(programme.id) else { return false }
        parts.log.note("skipped: \(programme.id) has crashed the box too often")
        var following: Programme?
        if let feed {
            var candidate = programme.next(in: feed)
            // A queue that loops comes round to where it began.
            for _ in 0...(programme.queue?.channel.items.count ?? 0) {
                guard let next = candidate else { break }
                if !leftOut.contains(next.id) {
                    following = next
                    break
                }
                candidate = next.next(in: feed)
            }
        }
        if let following { open(following) } else if self.programme != nil { leave() }
        send(.toast(strings.text(.boxLeftOut, title(of: programme))))
        return true
    }

    private func title(of programme: Programme) -> String {
        switch programme.subject {
        case .item(let item): item.title?.best(for: parts.languages) ?? item.id
        case .channel(let channel): channel.title.best(for: parts.languages) ?? channel.id
        case .url(let url): url
        }
    }
}

extension Appliance {
    // MARK: What is asked of the box beside playing

    /// Tells what time of day it is: seconds since local midnight. Without it the interface shows no clock times.
    package func tellWallClock(secondsSinceMidnight: Int) {
        send(.wallClock(secondsSinceMidnight: secondsSinceMidnight))
        tellGuide(secondsSinceMidnight: secondsSinceMidnight)
    }
}
