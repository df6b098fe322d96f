import LinuxSupport
import MediaModel
import MediaTime

/// The content proposal of one item: whether its position was crossed, its countdown, and its buttons.
///
/// It is shown once for each crossing of its position during playback, and when a seek lands after it; a seek before it hides and rearms it. The
/// countdown is a duration of wall time that stops with the video.
struct Proposal: Sendable {
    /// The buttons from left to right.
    enum Button: Sendable, Hashable {
        case playNow, backToCredits, home
    }

    fileprivate enum Countdown: Sendable, Equatable {
        /// No automatic acceptance, or no longer.
        case none
        case running(until: HostTime)
        case frozen(left: Duration)
    }

    /// Its visible state.
    struct Shown: Sendable {
        fileprivate(set) var focus = 0
        fileprivate var countdown: Countdown
        /// The total countdown, for the ring.
        fileprivate var length: Duration?
        /// Shown again, at the end, after it was deferred.
        let isLast: Bool

        var buttons: [Button] { isLast ? [.playNow, .home] : [.playNow, .backToCredits, .home] }

        /// Whole seconds until automatic acceptance; nil if there is none.
        func secondsLeft(at now: HostTime) -> Int? {
            switch countdown {
            case .none: nil
            case .running(let until): Int(max(0, (until - now).wholeSecondsUp))
            case .frozen(let left): Int(max(0, left.wholeSecondsUp))
            }
        }

        /// The remaining part of the ring. It advances once a second, like the seconds on the button.
        func ringPercent(at now: HostTime) -> Int? {
            guard let seconds = secondsLeft(at: now), let length, length > .zero else { return nil }
            return Int(min(100, Int64(seconds) * 100_000_000_000 / length.wholeNanoseconds))
        }
    }

    /// Where the proposal of an item is shown, in asset time; nil for the end, or without a proposal. A scene after the credits delays it to the end.
    ///
    /// - Parameter interval: when it is accepted automatically, relative to the end; nil if it is not.
    static func time(in played: PlayedItem, interval: MediaTime?) -> MediaTime? {
        guard let item = played.item, let offered = item.proposal else { return nil }
        guard !item.markers.contains(where: { $0.kind == .postCredits }) else { return nil }
        guard let end = played.clock.end, let interval else { return offered.transitionTime }
        let time = offered.transitionTime ?? end
        let acceptance = end + interval
        guard acceptance - time < Timing.shortestCountdown else { return offered.transitionTime }
        let earlier = acceptance - Timing.shortestCountdown
        let lastMarker = item.markers.last { $0.kind == .chapter || $0.kind == .credits }?.start ?? played.clock.start
        return earlier > lastMarker ? earlier : offered.transitionTime
    }

    private(set) var shown: Shown?
    /// Whether the next crossing of its position shows it.
    private var isArmed = true
    private var wasDeferred = false
    private var wasVetoed = false

    /// Whether its position was crossed.
    var wasOffered: Bool { !isArmed }
    /// Whether a position after its own shows it.
    var isDue: Bool { isArmed && !wasDeferred }
    /// Whether the end shows it.
    var isDueAtEnd: Bool { !wasVetoed && (isArmed || wasDeferred) }
    /// Whether the end shows it for the second time.
    var isLast: Bool { wasDeferred }

    /// Whether a frame changes nothing about it, before or after its position.
    func isQuiet(beforeItsTime: Bool) -> Bool { beforeItsTime ? isArmed : !isArmed || wasDeferred }

    /// A position before its own was reached.
    mutating func rearm() {
        if shown != nil || !isArmed { self = Proposal() }
    }

    /// The policy does not allow it.
    mutating func veto() {
        isArmed = false
        wasVetoed = true
    }

    /// - Parameters:
    ///   - left: the countdown; nil for no automatic acceptance.
    ///   - runs: whether the countdown runs at once.
    mutating func show(isLast: Bool, left: Duration?, runs: Bool, at now: HostTime) {
        isArmed = false
        let countdown = left.map { runs ? Countdown.running(until: now + $0) : .frozen(left: $0) }
        shown = Shown(countdown: countdown ?? .none, length: left, isLast: isLast)
    }

    mutating func hide() { shown = nil }

    /// It is deferred: it appears once more, at the end.
    ///
    /// - Returns: whether it was shown.
    mutating func putOff(atEnd: Bool) -> Bool {
        guard let shown else { return false }
        self.shown = nil
        wasDeferred = !shown.isLast && !atEnd
        return true
    }

    /// - Parameter runs: whether the countdown runs now.
    /// - Returns: whether the countdown is over, so that the proposal is accepted.
    mutating func settle(runs: Bool, at now: HostTime) -> Bool {
        switch shown?.countdown {
        case .running(let until)? where !runs: shown?.countdown = .frozen(left: until - now)
        case .frozen(let left)? where runs: shown?.countdown = .running(until: now + left)
        case .running(let until)?: return now >= until
        case nil, .none?, .frozen?: break
        }
        return false
    }

    /// When the number of seconds changes, or the countdown ends; nil if it is stopped.
    func nextSecond(at now: HostTime) -> HostTime? {
        guard case .running(let until)? = shown?.countdown else { return nil }
        return until - .seconds(max(0, (until - now).wholeSecondsUp - 1))
    }

    mutating func stopCountdown() {
        shown?.countdown = .none
        shown?.length = nil
    }

    /// - Returns: false if there is no button in that direction.
    mutating func moveFocus(by step: Int) -> Bool {
        guard let shown, shown.buttons.indices.contains(shown.focus + step) else { return false }
        self.shown?.focus += step
        return true
    }

    /// The focused button.
    var focused: Button? { shown.map { $0.buttons[min($0.focus, $0.buttons.count - 1)] } }

    func view(of offered: ProposalPresentation, at now: HostTime, strings: StringCatalogue) -> ProposalView? {
        guard let shown else { return nil }
        let seconds = shown.secondsLeft(at: now)
        let titles = shown.buttons.map { button in
            switch button {
            case .playNow: seconds.map { strings.text(.playNowIn, "\($0)") } ?? strings.text(.playNow)
            case .backToCredits: strings.text(.backToCredits)
            case .home: strings.text(.home)
            }
        }
        return ProposalView(
            title: offered.title ?? offered.next, subtitle: offered.subtitle,
            facts: [offered.genre, offered.rating].compactMap { $0 },
            summary: offered.summary, image: offered.image,
            buttons: titles.enumerated().map { ButtonView(title: $1, isFocused: $0 == shown.focus) }, countdown: seconds,
            ringPercent: shown.ringPercent(at: now), videoPlace: offered.videoPlace)
    }
}
