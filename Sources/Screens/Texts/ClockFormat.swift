/// How a language writes times of day: a pattern of CLDR (UTS 35, date format patterns) with the letters `H`, `HH`, `h`, `mm`, and `a` or `B`.
struct ClockFormat: Sendable, Equatable {
    private enum Part: Sendable, Equatable {
        /// From 0 to 23, or from 1 to 12, with at least so many digits.
        case hour(isOfTwelve: Bool, digits: Int)
        case minute
        /// The part of the day: "PM", "晚上".
        case period
        case words(String)
    }

    /// A part of the day, from an hour on.
    private struct Period: Sendable, Equatable {
        let hour: Int
        let name: String
    }

    private let parts: [Part]
    private let periods: [Period]

    /// - Parameter pattern: such as `HH:mm` or `h:mm a`.
    /// - Parameter periods: the parts of the day and the hours at which they begin, such as `0 AM 12 PM`. Empty for a pattern without `a` and `B`.
    /// - Returns: nil if the pattern lacks hour or minute, or the parts of the day that it needs.
    init?(pattern: String, periods: String) {
        var parts: [Part] = []
        var rest = pattern[...]
        while let letter = rest.first {
            let run = rest.prefix { $0 == letter }
            rest = rest[run.endIndex...]
            switch letter {
            case "H": parts.append(.hour(isOfTwelve: false, digits: run.count))
            case "h": parts.append(.hour(isOfTwelve: true, digits: run.count))
            case "m": parts.append(.minute)
            case "a", "B": parts.append(.period)
            default: parts.append(.words(String(run)))
            }
        }
        let names = periods.split(separator: " ")
        let all = stride(from: 0, to: names.count - 1, by: 2).compactMap { index in
            Int(names[index]).map { Period(hour: $0, name: String(names[index + 1])) }
        }
        let hasHour = parts.contains { if case .hour = $0 { true } else { false } }
        guard hasHour, parts.contains(.minute), !parts.contains(.period) || all.first?.hour == 0 else { return nil }
        self.parts = parts
        self.periods = all
    }

    private init() {
        parts = [.hour(isOfTwelve: false, digits: 2), .words(":"), .minute]
        periods = []
    }

    /// `21:43`.
    static let plain = ClockFormat()

    /// Whether the part of the day comes before the hour.
    private var isPeriodFirst: Bool { parts.first == .period }

    /// A time of day.
    ///
    /// - Parameter seconds: since midnight; a time of another day is that of the clock.
    func text(_ seconds: Int64, withSeconds: Bool = false) -> String {
        text(seconds, withSeconds: withSeconds, hidesPeriod: false)
    }

    /// Both ends of a range, and whether they share the part of the day, which is then said once.
    func range(_ start: Int64, _ end: Int64) -> (start: String, end: String, isShared: Bool) {
        let (first, second) = (period(at: start), period(at: end))
        // Half a day later the same words mean another time.
        let isNear = end.subtractingReportingOverflow(start).overflow ? false : (0..<43_200).contains(end - start)
        let isShared = first != nil && first == second && isNear
        return (
            text(start, withSeconds: false, hidesPeriod: isShared && !isPeriodFirst),
            text(end, withSeconds: false, hidesPeriod: isShared && isPeriodFirst), isShared
        )
    }

    private func period(at seconds: Int64) -> String? {
        guard parts.contains(.period) else { return nil }
        let hour = Int(Self.inDay(seconds) / 3600)
        return periods.last { $0.hour <= hour }?.name
    }

    private func text(_ seconds: Int64, withSeconds: Bool, hidesPeriod: Bool) -> String {
        let inDay = Self.inDay(seconds)
        let hour = inDay / 3600
        var text = ""
        for part in parts {
            switch part {
            case .hour(true, let digits): text += Self.padded((hour + 11) % 12 + 1, digits)
            case .hour(false, let digits): text += Self.padded(hour, digits)
            case .minute:
                text += Self.padded(inDay / 60 % 60, 2)
                if withSeconds { text += ":" + Self.padded(inDay % 60, 2) }
            case .period: text += hidesPeriod ? "" : period(at: seconds) ?? ""
            case .words(let words): text += words
            }
        }
        guard hidesPeriod else { return text }
        // The space beside the omitted part.
        let kept = text.drop(while: \.isWhitespace)
        return String(kept.reversed().drop(while: \.isWhitespace).reversed())
    }

    private static func inDay(_ seconds: Int64) -> Int64 { ((seconds % 86_400) + 86_400) % 86_400 }

    private static func padded(_ number: Int64, _ digits: Int) -> String {
        number < 10 && digits > 1 ? "0\(number)" : "\(number)"
    }
}
