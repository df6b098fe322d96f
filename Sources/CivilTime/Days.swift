import MediaTime

/// Days on which something recurs: days of the week, days of each year, or dates. A value.
package enum Days: Sendable, Hashable {
    /// A bit for each day of the week, the lowest for Monday.
    case week(UInt8)
    /// From a day of each year to another one, both included; past the end of the year if the second one comes first.
    case yearly(YearDay, YearDay)
    /// Dates, in days since 1970-01-01.
    case dates(ClosedRange<Int64>)

    /// A day of each year. 29 February is in leap years only.
    package struct YearDay: Sendable, Hashable, Comparable {
        let month: Int64
        let day: Int64

        /// Its place in a leap year, from 0.
        var place: Int64 { (CalendarDate(year: 2000, month: month, day: day)?.daysSince1970 ?? 0) - 10_957 }

        package static func < (left: YearDay, right: YearDay) -> Bool { (left.month, left.day) < (right.month, right.day) }
    }

    package static let daily = Days.week(0b111_1111)

    /// Whether a day is one of them.
    ///
    /// - Parameter day: in days since 1970-01-01.
    package func contains(_ day: Int64) -> Bool {
        switch self {
        case .week(let bits): return bits >> Self.weekday(of: day) & 1 == 1
        case .dates(let range): return range.contains(day)
        case .yearly(let first, let last):
            let date = CalendarDate(daysSince1970: day)
            let day = YearDay(month: date.month, day: date.day)
            return first <= last ? first <= day && day <= last : day >= first || day <= last
        }
    }

    /// How exactly they name a day: dates more than days of each year, and these more than days of the week.
    var exactness: Int {
        switch self {
        case .week: 0
        case .yearly: 1
        case .dates: 2
        }
    }

    /// 0 for Monday to 6 for Sunday. 1970-01-01 was a Thursday.
    static func weekday(of day: Int64) -> Int64 { day + 3 - (day + 3).floored(by: 7) * 7 }

    // MARK: Parsing

    private static let names = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]

    /// Parses `daily`, `mon`, `fri-mon`, `12-25`, `12-24..01-06`, `2026-12-25` or `2026-12-24..2027-01-06`.
    package init(_ text: String) throws(CivilFault) {
        guard text != "daily" else {
            self = .daily
            return
        }
        if text.contains(where: \.isLetter) {
            self = try Self.week(text)
        } else {
            let ends = text.split(separator: "..", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            self = try Self.range(ends, text)
        }
    }

    private static func week(_ text: String) throws(CivilFault) -> Days {
        let words = text.split(separator: "-", omittingEmptySubsequences: false).map(String.init)
        var places: [Int] = []
        for word in words {
            guard let place = names.firstIndex(of: word), words.count <= 2 else {
                throw CivilFault(
                    "\"\(text)\" names no days", "Write daily, days such as mon or mon-fri, or dates such as 2026-12-25 or 12-25."
                )
            }
            places.append(place)
        }
        var (bits, place) = (UInt8(1) << places[0], places[0])
        while place != places[places.count - 1] {
            place = (place + 1) % 7
            bits |= 1 << place
        }
        return .week(bits)
    }

    private static func range(_ ends: [String], _ text: String) throws(CivilFault) -> Days {
        let dates = ends.compactMap { date($0) }
        if dates.count == ends.count {
            let (first, last) = (dates[0], dates[dates.count - 1])
            guard first <= last else {
                throw CivilFault("\"\(text)\" ends before it begins", "Write the earlier date first.")
            }
            return .dates(first...last)
        }
        let days = ends.compactMap { yearDay($0) }
        guard days.count == ends.count else {
            throw CivilFault(
                "\"\(text)\" is not a date of the calendar", "Write dates such as 2026-12-25, or 12-25 for each year.")
        }
        return .yearly(days[0], days[days.count - 1])
    }

    /// `2026-12-25`, in days since 1970-01-01.
    package static func date(_ text: String) -> Int64? {
        guard let read = ISO8601(text), read.isExtended, read.nanoseconds == nil else { return nil }
        return read.date.daysSince1970
    }

    private static func yearDay(_ text: String) -> YearDay? {
        guard text.utf8.count == 5, let read = ISO8601("2000-" + text), read.isExtended, read.nanoseconds == nil else {
            return nil
        }
        return YearDay(month: read.date.month, day: read.date.day)
    }

    // MARK: Overlaps

    /// Whether some day of these and the other ones, so many days later, follow each other so, where both are named equally exactly.
    func overlaps(_ other: Days, shift: Int64) -> Bool {
        switch (self, other) {
        case (.week(let mine), .week(let other)):
            for day: Int64 in 0..<7 where mine >> UInt8(day) & 1 == 1 {
                let later = UInt8((day + shift + 7) % 7)
                if other >> later & 1 == 1 { return true }
            }
            return false
        case (.dates(let mine), .dates(let other)):
            return mine.lowerBound + shift <= other.upperBound && other.lowerBound <= mine.upperBound + shift
        case (.yearly(let first, let last), .yearly(let otherFirst, let otherLast)):
            // A year has 366 places, and what goes past its end goes on from its beginning.
            let mine = Self.places(first, last)
            let other = Self.places(otherFirst, otherLast)
            for turn: Int64 in [-366, 0, 366] {
                let moved = shift + turn
                if mine.lowerBound + moved <= other.upperBound, other.lowerBound <= mine.upperBound + moved { return true }
            }
            return false
        case (.week, _), (.yearly, _), (.dates, _): return false
        }
    }

    private static func places(_ first: YearDay, _ last: YearDay) -> ClosedRange<Int64> {
        first.place...(first <= last ? last.place : last.place + 366)
    }
}

/// What is wrong with a text about days and times.
package struct CivilFault: Error, Sendable, Hashable {
    /// The problem: part of a sentence, without its full stop.
    package let message: String
    /// What to write instead: whole sentences.
    package let remedy: String

    init(_ message: String, _ remedy: String) { (self.message, self.remedy) = (message, remedy) }
}
