import MediaTime

/// How a language writes a day without its year: a pattern of CLDR (UTS 35, date format patterns) with the letters `E`, `d`, `M`, `MM` and `MMM`, and letters of
/// other meaning in apostrophes.
struct DateFormat: Sendable, Equatable {
    private enum Part: Sendable, Equatable {
        case weekday
        case day
        /// With at least so many digits.
        case month(digits: Int)
        case monthName
        case words(String)
    }

    private let parts: [Part]
    /// From Sunday on.
    private let weekdays: [String]
    private let months: [String]

    /// - Parameters:
    ///   - pattern: such as `E d MMM`.
    ///   - weekdays: the names of the days of the week from Sunday on, between vertical bars.
    ///   - months: those of the months.
    /// - Returns: nil if names are missing, or the pattern has no day.
    init?(pattern: String, weekdays: String, months: String) {
        self.weekdays = weekdays.split(separator: "|").map(String.init)
        self.months = months.split(separator: "|").map(String.init)
        guard self.weekdays.count == 7, self.months.count == 12 else { return nil }
        var parts: [Part] = []
        var rest = pattern[...]
        var isQuoted = false
        while let letter = rest.first {
            let run = rest.prefix { $0 == letter }
            rest = rest[run.endIndex...]
            switch letter {
            case "'": isQuoted.toggle()
            case "E" where !isQuoted: parts.append(.weekday)
            case "d" where !isQuoted: parts.append(.day)
            case "M" where !isQuoted: parts.append(run.count > 2 ? .monthName : .month(digits: run.count))
            default: parts.append(.words(String(run)))
            }
        }
        guard parts.contains(.day) else { return nil }
        self.parts = parts
    }

    /// A day: "Sun 29 Nov".
    func text(_ date: CalendarDate) -> String {
        parts.map { part in
            switch part {
            // 1970-01-01 was a Thursday.
            case .weekday: weekdays[Int(((date.daysSince1970 + 4) % 7 + 7) % 7)]
            case .day: "\(date.day)"
            case .month(let digits): date.month < 10 && digits > 1 ? "0\(date.month)" : "\(date.month)"
            case .monthName: months[Int(date.month) - 1]
            case .words(let words): words
            }
        }.joined()
    }
}
