import Foundation
import InterfaceTexts
import MediaTime
import Testing

@testable import Screens

/// What CLDR says about a language: `Tests/Fixtures/cldr.json`, which `scripts/cldr-fixture` writes.
private struct LanguageFacts: Decodable {
    /// Times of day of CLDR's short format by minutes since midnight, and 7 s past them with seconds.
    var times: [String: String]
    var seconds: [String: String]
    /// Days without their years, by the days since the start of 1970.
    var dates: [String: String]
    var ranges: [Range]
    var plurals: [String: String]
    var percent: String
    var decimal: String
    var gigabytes: String
    var megabytes: String

    struct Range: Decodable {
        var start: Int64
        var end: Int64
        var text: String

        init(from decoder: any Decoder) throws {
            var list = try decoder.unkeyedContainer()
            start = try list.decode(Int64.self)
            end = try list.decode(Int64.self)
            text = try list.decode(String.self)
        }
    }

    static let all: [String: LanguageFacts] = {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../Fixtures/cldr.json")
        guard let data = try? Data(contentsOf: file) else { return [:] }
        return (try? JSONDecoder().decode([String: LanguageFacts].self, from: data)) ?? [:]
    }()
}

@Suite("Numbers and times are written as CLDR says") struct LanguageRuleTests {
    /// Without direction marks, which depend on how a text is put together.
    private func plain(_ text: String) -> String {
        String(
            String.UnicodeScalarView(
                text.unicodeScalars.filter { !["\u{200E}", "\u{200F}", "\u{2067}", "\u{2068}", "\u{2069}"].contains($0) }))
    }

    /// With ordinary spaces only: CLDR's units and ranges break where ours do not.
    private func plainSpaces(_ text: String) -> String {
        plain(text).replacing("\u{A0}", with: " ").replacing("\u{202F}", with: " ")
    }

    @Test func everyLanguageHasItsFacts() { #expect(Set(LanguageFacts.all.keys) == Set(InterfaceTexts.languages)) }

    @Test(arguments: InterfaceTexts.languages) func timesOfDay(_ language: String) throws {
        let facts = try #require(LanguageFacts.all[language])
        let strings = StringCatalogue.best(for: [language])
        #expect(facts.times.count > 10 && facts.seconds.count == facts.times.count)
        for (minutes, expected) in facts.times {
            let seconds = try #require(Int64(minutes)) * 60
            #expect(strings.timeOfDay(seconds) == expected)
            // The same time of another day.
            #expect(strings.timeOfDay(seconds - 86_400) == expected && strings.timeOfDay(seconds + 3 * 86_400) == expected)
            #expect(strings.timeOfDayWithSeconds(seconds + 7) == facts.seconds[minutes])
        }
    }

    @Test(arguments: InterfaceTexts.languages) func days(_ language: String) throws {
        let facts = try #require(LanguageFacts.all[language])
        let strings = StringCatalogue.best(for: [language])
        #expect(facts.dates.count == 12)
        for (day, expected) in facts.dates {
            let date = CalendarDate(daysSince1970: try #require(Int64(day)))
            #expect(plain(strings.day(date)) == plain(expected))
        }
        // Of the week that begins before 1970.
        let old = CalendarDate(daysSince1970: -4)
        #expect(StringCatalogue.english.day(old) == "Sun 28 Dec")
    }

    @Test(arguments: InterfaceTexts.languages) func rangesOfTimes(_ language: String) throws {
        let facts = try #require(LanguageFacts.all[language])
        let strings = StringCatalogue.best(for: [language])
        for range in facts.ranges {
            #expect(plainSpaces(strings.timeRange(range.start * 60, range.end * 60)) == plainSpaces(range.text))
        }
    }

    /// Its two times would be read in the order of the words around it.
    @Test(arguments: InterfaceTexts.languages) func aRangeReadsInItsOwnDirection(_ language: String) {
        let strings = StringCatalogue.best(for: [language])
        let range = strings.timeRange(72_000, 73_800)
        #expect(range.hasPrefix("\u{2067}") == strings.isRightToLeft && range.hasSuffix("\u{2069}") == strings.isRightToLeft)
    }

    @Test(arguments: InterfaceTexts.languages) func numbers(_ language: String) throws {
        let facts = try #require(LanguageFacts.all[language])
        let strings = StringCatalogue.best(for: [language])
        #expect(plain(strings.text(.percent)) == plain(facts.percent))
        #expect(strings.text(.decimalSeparator) == facts.decimal)
        #expect(plainSpaces(strings.text(.gigabytes)) == plainSpaces(facts.gigabytes))
        #expect(plainSpaces(strings.text(.megabytes)) == plainSpaces(facts.megabytes))
        #expect(facts.plurals.count > 200)
        for (number, category) in facts.plurals {
            #expect(PluralCategory(try #require(Int(number)), language: language).rawValue == category, "\(number)")
        }
    }

    @Test func aRangeSaysThePartOfTheDayTwiceWhenItIsNotTheSameOne() {
        let american = StringCatalogue.best(for: ["en-US"])
        // From ten in the morning to nine in the morning of the next day, and backwards.
        #expect(american.timeRange(36_000, 118_800) == "10:00\u{202F}AM\u{2009}–\u{2009}9:00\u{202F}AM")
        #expect(american.timeRange(36_000, 32_400) == "10:00\u{202F}AM\u{2009}–\u{2009}9:00\u{202F}AM")
        #expect(american.timeRange(36_000, 36_000) == "10:00\u{2009}–\u{2009}10:00\u{202F}AM")
        // Numbers from a guide that nobody checked.
        for extreme in [Int64.min, .max, -1, 0] {
            #expect(american.timeRange(extreme, .max).isEmpty == false && american.timeRange(.min, extreme).isEmpty == false)
        }
    }

    @Test(arguments: ["", "mm", "HH", "h:mm a", "HH:"]) func anIncompletePatternIsNone(_ pattern: String) {
        #expect(ClockFormat(pattern: pattern, periods: "") == nil)
        #expect(ClockFormat(pattern: pattern, periods: "6 AM") == nil)
    }

    @Test func aCatalogueWithoutAPatternHasTwentyFourHours() {
        let bare = StringCatalogue(language: "xx", texts: [:])
        #expect(bare.timeOfDay(78_180) == "21:43" && bare.timeOfDayWithSeconds(5) == "00:00:05")
    }
}
