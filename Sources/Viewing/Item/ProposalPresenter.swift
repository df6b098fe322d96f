import LinuxSupport
import MediaModel
import MediaTime
import Screens

/// Whether the content proposal of one item is due. While it is shown, `Shown` has its state.
///
/// It is shown once for each crossing of its position during playback, and when a seek lands after it; a seek before it hides and rearms it.
package struct ProposalPresenter: Sendable {
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

    /// Whether the next crossing of its position shows it.
    private var isArmed = true
    /// Whether the viewer wanted to see the credits first.
    private(set) var wasDeferred = false
    private var wasVetoed = false

    /// Whether its position was crossed.
    package var wasOffered: Bool { !isArmed }
    /// Whether a position after its own shows it.
    var isDue: Bool { isArmed && !wasDeferred }
    /// Whether the end shows it.
    var isDueAtEnd: Bool { !wasVetoed && (isArmed || wasDeferred) }

    /// Whether a frame changes nothing about it, before or after its position.
    package func isQuiet(beforeItsTime: Bool) -> Bool { beforeItsTime ? isArmed : !isArmed || wasDeferred }

    /// The policy does not allow it.
    mutating func veto() {
        isArmed = false
        wasVetoed = true
    }

    /// - Parameters:
    ///   - countdown: the time until it is accepted automatically; nil if it is not. Shown for the second time, it has none.
    ///   - runs: whether the countdown runs at once.
    mutating func show(countdown: Duration?, runs: Bool, at now: HostTime) -> Shown {
        isArmed = false
        return Shown(isLast: wasDeferred, countdown: wasDeferred ? nil : countdown, runs: runs, at: now)
    }

    /// It was hidden without an answer: before the end, it is shown once more there.
    mutating func putOff(_ shown: Shown, atEnd: Bool) { wasDeferred = !shown.isLast && !atEnd }
}

extension ProposalPresenter {
    /// The proposal on the screen: its countdown and its buttons. The countdown is a duration of wall time that stops with the video.
    package struct Shown: Sendable {
        /// The buttons from left to right.
        enum Button: Sendable, Hashable {
            case playNow, backToCredits, home
        }

        private enum Countdown: Sendable, Equatable {
            /// No automatic acceptance, or no longer.
            case none
            case running(until: HostTime)
            case frozen(left: Duration)
        }

        private var focus = 0
        private var countdown: Countdown
        /// The total countdown, for the ring, also after it was stopped; nil if there never was one.
        private let length: Duration?
        /// Shown again, at the end, after it was deferred.
        let isLast: Bool

        fileprivate init(isLast: Bool, countdown: Duration?, runs: Bool, at now: HostTime) {
            self.isLast = isLast
            self.countdown = countdown.map { runs ? .running(until: now + $0) : .frozen(left: $0) } ?? .none
            length = countdown
        }

        private var buttons: [Button] { isLast ? [.playNow, .home] : [.playNow, .backToCredits, .home] }

        /// Whether it will be accepted automatically.
        package var countsDown: Bool { countdown != .none }

        /// The focused button.
        var focused: Button { buttons[focus] }

        // MARK: The countdown

        /// Whole seconds until automatic acceptance; nil if there is none.
        func secondsLeft(at now: HostTime) -> Int? {
            switch countdown {
            case .none: nil
            case .running(let until): Int(max(0, (until - now).wholeSecondsUp))
            case .frozen(let left): Int(max(0, left.wholeSecondsUp))
            }
        }

        /// The remaining part of the ring. It advances once a second, like the seconds on the button.
        private func ringPercent(at now: HostTime) -> Int? {
            guard let seconds = secondsLeft(at: now), let length, length > .zero else { return nil }
            return Int(min(100, Int128(seconds) * 100_000_000_000 / Int128(length.wholeNanoseconds)))
        }

        /// - Parameter runs: whether the countdown runs now.
        /// - Returns: whether the countdown is over, so that the proposal is accepted.
        mutating func settle(runs: Bool, at now: HostTime) -> Bool {
            switch countdown {
            case .running(let until) where !runs: countdown = .frozen(left: until - now)
            case .frozen(let left) where runs: countdown = .running(until: now + left)
            case .running(let until): return now >= until
            case .none, .frozen: break
            }
            return false
        }

        /// When the number of seconds changes, or the countdown ends; nil if it is stopped.
        func nextSecond(at now: HostTime) -> HostTime? {
            guard case .running(let until) = countdown else { return nil }
            return until - .seconds(max(0, (until - now).wholeSecondsUp - 1))
        }

        mutating func stopCountdown() { countdown = .none }

        // MARK: Buttons and view

        /// - Returns: false if there is no button in that direction.
        mutating func moveFocus(by step: Int) -> Bool {
            guard buttons.indices.contains(focus + step) else { return false }
            focus += step
            return true
        }

        func view(of offered: ProposalPresentation, at now: HostTime, strings: StringCatalogue) -> ProposalView {
            let seconds = secondsLeft(at: now)
            let titles = buttons.map { button in
                switch button {
                case .playNow: seconds.map { strings.text(.playNowIn, "\($0)") } ?? strings.text(.playNow)
                case .backToCredits: strings.text(.backToCredits)
                case .home: strings.text(.home)
                }
            }
            return ProposalView(
                heading: strings.text(.upNext), title: offered.title ?? offered.next, subtitle: offered.subtitle,
                facts: [offered.genre, offered.rating, offered.duration.map { strings.duration($0) }].compactMap { $0 },
                summary: offered.summary, image: offered.image,
                buttons: titles.enumerated().map {
                    ButtonView(
                        title: $1, plainTitle: buttons[$0] == .playNow ? strings.text(.playNow) : nil,
                        formerTitle: buttons[$0] == .playNow && seconds == nil && length != nil
                            ? strings.text(.playNowIn, "0") : nil,
                        isFocused: $0 == focus)
                }, countdown: seconds,
                ringPercent: ringPercent(at: now), videoPlace: offered.videoPlace)
        }
    }
}
