import MediaTime

/// The rule that holds behind the last change of a zone's table: `CET-1CEST,M3.5.0,M10.5.0/3` (POSIX, with the hours of RFC 9636). A value.
struct ZoneRule: Sendable, Hashable {
    /// A day of each year and a time on it, by the clocks before the change.
    private struct Moment: Sendable, Hashable {
        enum Day: Sendable, Hashable {
            /// 1 to 365: the leap day is not counted.
            case julian(Int64)
            /// 0 to 365, with the leap day.
            case ofYear(Int64)
            /// The week 1 to 5, which is the last one, and the day of the week from Sunday, 0.
            case weekday(month: Int64, week: Int64, day: Int64)
        }
        let day: Day
        let second: Int64

        /// The day in a year, in days since 1970.
        func day(in year: Int64) -> Int64 {
            switch day {
            case .julian(let number):
                let isLeap = CalendarDate(year: year, month: 2, day: 29) != nil
                return Self.first(year, 1) + number - 1 + (isLeap && number >= 60 ? 1 : 0)
            case .ofYear(let number): return Self.first(year, 1) + number
            case .weekday(let month, let week, let day):
                let first = Self.first(year, month)
                // 1970-01-01 was a Thursday.
                let weekday = first + 4 - (first + 4).floored(by: 7) * 7
                let found = first + (day - weekday + 7) % 7 + (week - 1) * 7
                let next = month == 12 ? Self.first(year + 1, 1) : Self.first(year, month + 1)
                return found < next ? found : found - 7
            }
        }

        private static func first(_ year: Int64, _ month: Int64) -> Int64 {
            CalendarDate(year: year, month: month, day: 1)?.daysSince1970 ?? 0
        }
    }

    private let standard: Int64
    /// Summer time, and when it begins and ends; nil where clocks are not changed.
    private let summer: Summer?

    private struct Summer: Sendable, Hashable {
        let offset: Int64
        let begin: Moment
        let end: Moment
    }

    func offset(at instant: Int64) -> Int64 {
        guard summer != nil else { return standard }
        return changes(after: instant - 400 * 86_400, until: instant).last?.offset ?? standard
    }

    /// The changes in a range of instants, without its first one, in their order.
    func changes(after first: Int64, until last: Int64) -> [CivilZone.Change] {
        guard let summer else { return [] }
        let years = [first - 2 * 86_400, last + 2 * 86_400].map { CalendarDate(daysSince1970: $0.floored(by: 86_400)).year }
        var found: [CivilZone.Change] = []
        for year in years[0]...years[1] {
            found.append(.init(at: summer.begin.day(in: year) * 86_400 + summer.begin.second - standard, offset: summer.offset))
            found.append(.init(at: summer.end.day(in: year) * 86_400 + summer.end.second - summer.offset, offset: standard))
        }
        return found.filter { $0.at > first && $0.at <= last }.sorted { $0.at < $1.at }
    }

    // MARK: Parsing

    /// Nil if it is not a rule.
    init?(_ text: String) {
        var rest = Substring(text)
        guard Self.takeName(&rest), let west = Self.takeTime(&rest) else { return nil }
        standard = -west
        guard !rest.isEmpty else {
            summer = nil
            return
        }
        guard Self.takeName(&rest) else { return nil }
        var offset = standard + 3600
        if let first = rest.first, first != "," {
            guard let west = Self.takeTime(&rest) else { return nil }
            offset = -west
        }
        guard let begin = Self.takeMoment(&rest), let end = Self.takeMoment(&rest), rest.isEmpty else { return nil }
        summer = Summer(offset: offset, begin: begin, end: end)
    }

    /// `CET`, or `<+03>`.
    private static func takeName(_ rest: inout Substring) -> Bool {
        if rest.first == "<" {
            guard let end = rest.firstIndex(of: ">") else { return false }
            rest = rest[rest.index(after: end)...]
            return true
        }
        let name = rest.prefix { $0.isASCII && $0.isLetter }
        rest = rest[name.endIndex...]
        return name.count >= 3
    }

    /// `-1`, `3:30`, `24:59:59`, in seconds.
    private static func takeTime(_ rest: inout Substring) -> Int64? {
        let isNegative = rest.first == "-"
        if isNegative || rest.first == "+" { rest.removeFirst() }
        guard var seconds = takeNumber(&rest, most: 167).map({ $0 * 3600 }) else { return nil }
        for unit: Int64 in [60, 1] where rest.first == ":" {
            rest.removeFirst()
            guard let number = takeNumber(&rest, most: 59) else { return nil }
            seconds += number * unit
        }
        return isNegative ? -seconds : seconds
    }

    private static func takeNumber(_ rest: inout Substring, most: Int64) -> Int64? {
        let digits = rest.prefix { $0.isASCII && $0.isNumber }
        guard let number = Int64(digits), number <= most else { return nil }
        rest = rest[digits.endIndex...]
        return number
    }

    /// `,M3.5.0/2`
    private static func takeMoment(_ rest: inout Substring) -> Moment? {
        guard rest.first == "," else { return nil }
        rest.removeFirst()
        let day: Moment.Day
        switch rest.first {
        case "M":
            rest.removeFirst()
            var numbers: [Int64] = []
            for most: Int64 in [12, 5, 6] {
                guard let number = takeNumber(&rest, most: most), most == 6 || number >= 1 else { return nil }
                numbers.append(number)
                if most != 6 {
                    guard rest.first == "." else { return nil }
                    rest.removeFirst()
                }
            }
            day = .weekday(month: numbers[0], week: numbers[1], day: numbers[2])
        case "J":
            rest.removeFirst()
            guard let number = takeNumber(&rest, most: 365), number >= 1 else { return nil }
            day = .julian(number)
        default:
            guard let number = takeNumber(&rest, most: 365) else { return nil }
            day = .ofYear(number)
        }
        guard rest.first == "/" else { return Moment(day: day, second: 2 * 3600) }
        rest.removeFirst()
        return takeTime(&rest).map { Moment(day: day, second: $0) }
    }
}
