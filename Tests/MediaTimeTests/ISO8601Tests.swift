import Testing

@testable import MediaTime

@Suite("Calendar dates")
struct ISO8601Tests {
    @Test("every day from year 0 to 2400 has a consecutive number, and is recovered from it")
    func days() throws {
        let first = try #require(CalendarDate(year: 0, month: 1, day: 1)).daysSince1970
        let last = try #require(CalendarDate(year: 2400, month: 12, day: 31)).daysSince1970
        #expect(first == -719_528 && last - first + 1 == 6 * 146_097 + 366)
        var before = CalendarDate(daysSince1970: first - 1)
        for number in first...last {
            let date = CalendarDate(daysSince1970: number)
            guard date.daysSince1970 == number, CalendarDate(year: date.year, month: date.month, day: date.day) == date,
                (date.year, date.month, date.day) > (before.year, before.month, before.day)
            else { return #expect(Bool(false), "\(date)") }
            before = date
        }
        #expect(CalendarDate(daysSince1970: 0).description == "1970-01-01")
        #expect(CalendarDate(year: 1900, month: 2, day: 29) == nil && CalendarDate(year: 2000, month: 2, day: 29) != nil)
        #expect(CalendarDate(year: 2026, month: 13, day: 1) == nil && CalendarDate(year: 2026, month: 4, day: 31) == nil)
    }

    @Test("both forms are read, and the form is reported")
    func forms() throws {
        let extended = try #require(ISO8601("2026-03-01T20:15:00.250+01:30"))
        #expect(extended.nanoseconds == 72_900_250_000_000 && extended.offset == 5400 && extended.isExtended)
        let basic = try #require(ISO8601("20260301t201500Z"))
        #expect(basic.nanoseconds == 72_900_000_000_000 && basic.offset == 0 && !basic.isExtended)
        #expect(try #require(ISO8601("2026-03-01T2015")).isExtended == false)
        let date = try #require(ISO8601("2026-03-01"))
        #expect(date.nanoseconds == nil && date.offset == nil && date.isExtended)
        #expect(try #require(ISO8601("2026-03-01 24:00")).isEndOfDay)
        #expect(try #require(ISO8601("2026-03-01 20:15.5")).hasFractionOfMinute)
        for text in [
            "", "2026", "2026-3-1", "2026-03-01T", "2026-03-01T25:00", "2026-03-01T20:60", "2026-03-01T20:15:61",
            "2026-03-01T20:15:00.", "2026-03-01T20:15:00+24:00", "2026-03-01T20:15:00Zx", "2026-0301",
        ] {
            #expect(ISO8601(text) == nil, "\(text)")
        }
    }

    @Test("an instant is written in UTC with as many digits as necessary")
    func text() {
        #expect(ISO8601.text(secondsSince1970: -1, nanoseconds: 0, minimumDigits: 0) == "1969-12-31T23:59:59Z")
        #expect(ISO8601.text(secondsSince1970: 0, nanoseconds: 0, minimumDigits: 3) == "1970-01-01T00:00:00.000Z")
        #expect(ISO8601.text(secondsSince1970: 86_400, nanoseconds: 1_500_000, minimumDigits: 3) == "1970-01-02T00:00:00.0015Z")
    }
}
