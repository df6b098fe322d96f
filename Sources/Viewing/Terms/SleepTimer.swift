import LinuxSupport
import Screens

/// When the box enters standby automatically.
package enum SleepChoice: Sendable, Hashable {
    case off
    case minutes(Int)
    case endOfItem

    /// All choices, in menu order.
    static let all: [SleepChoice] = [.off, .minutes(15), .minutes(30), .minutes(60), .minutes(90), .endOfItem]

    func title(in strings: StringCatalogue) -> String {
        switch self {
        case .off: strings.text(.off)
        case .minutes(let minutes): strings.plural(.minutes, minutes)
        case .endOfItem: strings.text(.endOfProgramme)
        }
    }
}

/// The sleep timer. In its last minute a card counts down.
package struct SleepTimer: Sendable, Equatable {
    package enum Status: Sendable, Equatable {
        /// It is off, or its last minute has not begun.
        case waiting
        case lastMinute
        case over
    }
    package private(set) var choice = SleepChoice.off
    /// nil if it is off, or if it ends with the item.
    private var end: HostTime?
    package var hours = ClosingTime()
    /// When the opening hours, or the time after them, end; nil if they do not.
    package var closes: HostTime?
    /// What is first.
    private var next: HostTime? { [end, closes].compactMap { $0 }.min() }
    /// What that is, as the title of the card.
    package var title: Phrase { closes != nil && next == closes ? .openingHours : .sleepTimer }

    package init() {}

    package mutating func set(_ choice: SleepChoice, at now: HostTime) {
        self.choice = choice
        if case .minutes(let minutes) = choice { end = now + .seconds(Int64(minutes) * 60) } else { end = nil }
    }

    /// When the last minute begins; nil if it has no end time.
    package var lastMinute: HostTime? { next.map { $0 - Timing.sleepWarning } }

    package func status(at now: HostTime) -> Status {
        guard let next, let lastMinute, now >= lastMinute else { return .waiting }
        return now >= next ? .over : .lastMinute
    }

    /// Seconds until standby, rounded up.
    package func secondsLeft(at now: HostTime) -> Int64? { next.map { max(0, ($0 - now).wholeSecondsUp) } }

    /// When the last minute begins; in it, when the countdown advances.
    package func deadline(at now: HostTime) -> HostTime? {
        guard let next, let lastMinute else { return nil }
        return now < lastMinute ? lastMinute : next - .seconds(max(0, (next - now).wholeSecondsUp - 1))
    }

    /// "Off", the remaining minutes, rounded up, or the end of the programme.
    func value(at now: HostTime, in strings: StringCatalogue) -> String {
        guard let end else { return choice.title(in: strings) }
        return strings.plural(.minutes, Int(((end - now).wholeSecondsUp + 59) / 60))
    }
}
