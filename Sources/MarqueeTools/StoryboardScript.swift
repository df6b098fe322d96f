import BoxModel
import LinuxSupport
import MediaTime
import Screens
import Shell
import Viewing

/// The shots of a feed as states of the interface. Keys and positions drive the real state machine, as a viewer would.
@MainActor
struct StoryboardScript {
    /// One picture.
    struct Shot {
        /// The name of its file.
        var name: String
        /// The item's title, or empty.
        var heading: String?
        /// What it shows.
        var caption: String
        var state: PresentationState
    }

    let home: HomeContent
    /// The guide, and the time of day in seconds since midnight; nil without a date.
    var guide: (content: GuideContent, secondsSinceMidnight: Int)?
    let strings: StringCatalogue
    /// The maximum number of interstitials shown per item.
    private static let mostInterstitials = 3
    /// The assumed duration of an item whose duration is unknown.
    private static let usualLength = MediaTime.seconds(2700)

    /// Home, from its beginning.
    func homeShots() -> [Shot] {
        var machine = InterfaceMachine(strings: strings)
        _ = machine.handle(.homeChanged(home), at: .zero)
        var shots = [Shot(name: "home", caption: "Home", state: machine.state)]
        press(.down, &machine, at: .zero + .seconds(2))
        press(.down, &machine, at: .zero + .seconds(4))
        if machine.state != shots[0].state {
            shots.append(Shot(name: "home-below", caption: "Home, further down", state: machine.state))
        }
        return shots + guideShots()
    }

    /// The guide at the date.
    private func guideShots() -> [Shot] {
        guard let guide, guide.content.channels.contains(where: { !$0.programmes.isEmpty }) else { return [] }
        var machine = InterfaceMachine(strings: strings)
        _ = machine.handle(.homeChanged(home), at: .zero)
        _ = machine.handle(.wallClock(secondsSinceMidnight: guide.secondsSinceMidnight), at: .zero)
        _ = machine.handle(.guideChanged(guide.content), at: .zero)
        press(.guide, &machine, at: .zero + .seconds(2))
        return [Shot(name: "guide", caption: "The guide", state: machine.state)]
    }

    /// An item: bar, information panel with its tabs, interstitials, proposal.
    func shots(of item: ItemPresentation, number: Int) -> [Shot] {
        let heading = item.title ?? item.id
        let length = item.duration ?? Self.usualLength
        let prefix = "item\(number)"
        var shots: [Shot] = []
        func add(_ name: String, _ caption: String, _ machine: InterfaceMachine) {
            shots.append(
                Shot(name: "\(prefix)-\(name)", heading: heading, caption: caption, state: backed(machine.state, by: item)))
        }
        // At a third of its duration, or slightly before if there is an interstitial.
        var middle = length / 3
        while let range = item.interstitials.first(where: { $0.range.contains(middle) }) {
            middle = range.range.start - .seconds(5)
        }
        var machine = self.machine(item, at: max(middle, .zero), length)
        press(.up, &machine, at: .zero + .seconds(2))
        add("bar", "Playing, with the bar", machine)
        machine = self.machine(item, at: max(middle, .zero), length)
        press(.down, &machine, at: .zero + .seconds(2))
        add("info", "Info", machine)
        press(.right, &machine, at: .zero + .seconds(3))
        if case .chapters? = machine.state.panel?.content { add("chapters", "Chapters", machine) }
        for (index, range) in item.interstitials.prefix(Self.mostInterstitials).enumerated() {
            let machine = self.machine(item, at: range.range.start, length)
            add("ad\(index + 1)", "\(range.kind.rawValue) at \(range.range.start)", machine)
        }
        if let proposal = item.proposal {
            let machine = self.machine(item, at: proposal.transitionTime ?? (length - .seconds(1)), length)
            if machine.state.proposal != nil { add("proposal", "Proposed next: \(proposal.title ?? proposal.next)", machine) }
        }
        return shots
    }

    // MARK: Driving the machine

    private func machine(_ item: ItemPresentation, at place: MediaTime, _ length: MediaTime) -> InterfaceMachine {
        var machine = InterfaceMachine(policy: InterfacePolicy(autoHides: false), strings: strings)
        var item = item
        item.resume = nil
        _ = machine.handle(.homeChanged(home), at: .zero)
        _ = machine.handle(.itemChanged(item), at: .zero)
        var snapshot = PlaybackSnapshot(state: .loading)
        _ = machine.handle(.playback(snapshot), at: .zero)
        snapshot = PlaybackSnapshot(
            state: .playing, position: place, rate: Ratio(1, 1),
            loadedRanges: [TimeRange(start: place, end: min(place + .seconds(30), length))],
            seekableRanges: [TimeRange(start: .zero, end: length)], duration: .finite(length))
        _ = machine.handle(.playback(snapshot), at: .zero + .seconds(1))
        return machine
    }

    private func press(_ key: RemoteKey, _ machine: inout InterfaceMachine, at time: HostTime) {
        for phase in [KeyPhase.press, .release] {
            let moment = phase == .press ? time : time + .milliseconds(100)
            _ = machine.handle(.key(RemoteEvent(key: key, phase: phase, time: moment, device: "storyboard")), at: moment)
        }
    }

    /// The item's artwork instead of its frames.
    private func backed(_ state: PresentationState, by item: ItemPresentation) -> PresentationState {
        var state = state
        guard state.poster == nil, state.screen == .player, !state.video.frame.isEmpty else { return state }
        state.poster = PosterView(artwork: item.poster ?? item.artwork)
        return state
    }
}
