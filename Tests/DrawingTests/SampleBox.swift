import BoxModel
import LinuxSupport
import MediaTime

@testable import Screens
@testable import Shell
@testable import Viewing

/// A box for samples: the interface's machine in the samples' language, its timers on a simulated clock, and a player that obeys at once.
///
/// Every state on the screen is reached as a viewer reaches it: by keys, by time that passes, and by what the player and the box report.
struct SampleBox {
    static let pin = "2468"
    /// The time of day at the start.
    static let timeOfDay = 20 * 3600 + 34 * 60
    /// The time between two frames: less than after which a wait is shown.
    private static let frame = MediaTime.milliseconds(400)

    private(set) var machine: InterfaceMachine
    /// The state that the player reports next.
    var player = PlaybackSnapshot(state: .loading)
    /// What was spoken.
    private(set) var said: [String] = []
    /// Time passes, but no frames arrive.
    var isStalled = false
    private var now = HostTime(nanoseconds: 1_000_000_000)
    private var timers: [InterfaceTimer: HostTime] = [:]
    private let strings: StringCatalogue

    init(_ settings: ViewerSettings = ViewerSettings(), _ adjust: (inout InterfacePolicy) -> Void = { _ in }) {
        var policy = InterfacePolicy()
        policy.languages = [Samples.language]
        policy.hasPIN = true
        policy.canReset = true
        policy.session = "5E21C0DE"
        adjust(&policy)
        machine = InterfaceMachine(policy: policy)
        strings = .best(for: policy.languages)
        var settings = settings
        if Samples.hasLargerText { settings[.largerText] = true }
        send(.settingsRestored(settings))
        send(.wallClock(secondsSinceMidnight: Self.timeOfDay))
        send(.factsChanged(SampleFeed.facts))
    }

    var state: PresentationState {
        Samples.recorder?.note(self)
        return machine.state
    }

    // MARK: Events

    mutating func send(_ event: InterfaceEvent) { for effect in machine.handle(event, at: now) { carryOut(effect) } }

    private mutating func carryOut(_ effect: InterfaceEffect) {
        switch effect {
        // A player that opens an item begins there.
        case .seek where player.state == .loading: break
        case .seek(let id, let target, _):
            player.position = target
            send(.seekCompleted(id, landed: target, finished: true))
            tell()
        case .play: resume(.playing)
        case .pause: resume(.paused)
        case .arm(let timer, let deadline): timers[timer] = deadline
        case .cancel(let timer): timers[timer] = nil
        case .presentVideo(let isWanted): player.hasVideo = isWanted
        case .speak(let words): said.append(words)
        case .describe(let id): send(.described(id: id, SampleFeed.details(of: id)))
        case .checkPIN(let digits): send(.pinChecked(digits == Self.pin))
        default: break  // nothing that is on the screen depends on it
        }
    }

    private mutating func resume(_ state: PlaybackSnapshot.State) {
        guard player.position != nil, player.state.isRunning else { return }
        player.state = state
        player.rate = state == .playing ? .one : .zero
        tell()
    }

    /// The player reports its state.
    mutating func tell() {
        if let position = player.position {
            let end = player.duration?.time.map { min($0, position + .seconds(400)) } ?? position
            player.loadedRanges = [TimeRange(start: max(.zero, position - .seconds(250)), end: max(position, end))]
        }
        send(.playback(player))
    }

    // MARK: Playing

    /// An item is opened, and nothing of it is shown yet.
    mutating func open(_ item: ItemPresentation) {
        player.duration = item.isLive ? nil : item.duration.map { .finite($0) }
        send(.itemChanged(item))
        tell()
    }

    /// An item plays at a position, and no key was pressed for a minute.
    mutating func play(_ item: ItemPresentation, at place: MediaTime) {
        open(item)
        player.position = place
        player.state = .playing
        player.rate = .one
        send(.seekCompleted(.programmatic, landed: place, finished: true))
        tell()
    }

    // MARK: Time

    /// Lets time pass: the timers fire in their order, and a playing player shows frames.
    mutating func pass(_ length: Duration) {
        let end = now + length
        while now < end {
            let tick = min(end, now + .milliseconds(400))
            while let due = timers.min(by: { ($0.value, $0.key.rawValue) < ($1.value, $1.key.rawValue) }), due.value <= tick {
                timers[due.key] = nil
                now = max(now, due.value)
                send(.timer(due.key))
            }
            let passed = tick - now
            now = tick
            guard player.state == .playing, !isStalled, let position = player.position else { continue }
            let next = position + passed.mediaTime
            player.position = player.duration?.time.map { min($0, next) } ?? next
            player.seekableRanges = player.seekableRanges.map { TimeRange(start: $0.start, end: $0.end + passed.mediaTime) }
            tell()
        }
    }

    // MARK: Keys

    mutating func press(_ keys: RemoteKey...) { for key in keys { hold(key, for: .milliseconds(40)) } }

    /// Presses a key that stays down.
    mutating func down(_ key: RemoteKey) {
        send(.key(RemoteEvent(key: key, phase: .press, time: now, device: "sample")))
    }

    mutating func press(_ key: RemoteKey, times: Int) { for _ in 0..<times { press(key) } }

    mutating func hold(_ key: RemoteKey, for length: Duration) {
        down(key)
        pass(length)
        send(.key(RemoteEvent(key: key, phase: .release, time: now, device: "sample")))
    }

    /// The key that moves along a line in the direction of the language.
    var forward: RemoteKey { strings.isRightToLeft ? .left : .right }
    var backward: RemoteKey { strings.isRightToLeft ? .right : .left }

    /// Types digits.
    mutating func type(_ digits: String) { for digit in digits { RemoteKey(rawValue: String(digit)).map { press($0) } } }

    // MARK: Menus

    private var menu: MenuView? {
        if case .menu(let menu)? = state.panel?.content { return menu }
        if case .settings(let settings)? = state.page { return settings.menu }
        return nil
    }

    /// Moves focus down to the row with a title.
    mutating func focus(_ title: String) {
        for _ in 0..<40 {
            if let menu, let row = menu.focusedRow, menu.rows[row].title == title { return }
            press(.down)
        }
        preconditionFailure("no row “\(title)” in \(menu?.rows.map(\.title) ?? [])")
    }

    mutating func focus(_ phrase: Phrase) { focus(strings.text(phrase)) }

    /// Opens or activates rows, one after the other.
    mutating func choose(_ phrases: Phrase...) {
        for phrase in phrases {
            focus(phrase)
            press(.ok)
        }
    }

    /// Opens a tab of the information panel, with its first row or card in focus.
    mutating func openPanel(_ tab: PanelView.Tab) {
        press(.down)
        for _ in 0..<5 {
            if let panel = state.panel, panel.tabs[panel.selected].tab == tab { break }
            press(forward)
        }
        press(.down)
    }

    // MARK: Search

    /// Opens the page of Home's button.
    mutating func openButton(_ index: Int) {
        press(.up)
        for _ in 0..<4 where state.home?.focus != .button(index) { press(backward) }
        for _ in 0..<4 where state.home?.focus != .button(index) { press(forward) }
        press(.ok)
    }

    /// Types letters on the pad.
    mutating func search(_ letters: String) {
        for letter in letters {
            guard case .search(let view)? = state.page,
                let row = view.keys.firstIndex(where: { $0.contains { $0.title == letter.uppercased() } }),
                let column = view.keys[row].firstIndex(where: { $0.title == letter.uppercased() })
            else { preconditionFailure("no key \(letter)") }
            func focused(_ box: SampleBox) -> (row: Int, column: Int)? {
                if case .search(let view)? = box.state.page, case .key(let row, let column) = view.focus {
                    (row, column)
                } else {
                    nil
                }
            }
            while let at = focused(self), at.row != row { press(at.row < row ? .down : .up) }
            while let at = focused(self), at.column != column { press(at.column < column ? forward : backward) }
            press(.ok)
        }
    }
}

extension PlaybackSnapshot.State {
    /// Whether the player plays or pauses when it is told to.
    fileprivate var isRunning: Bool {
        switch self {
        case .ready, .playing, .paused, .waiting: true
        case .loading, .ended, .failed: false
        }
    }
}
