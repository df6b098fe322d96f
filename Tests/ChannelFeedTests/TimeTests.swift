import LinuxSupport
import MediaTime
import Testing

@testable import ChannelFeed

@Suite("Times of a feed")
struct FeedTimeTests {
    @Test(
        "every spelling is read exactly",
        arguments: [
            ("600", MediaTime.seconds(600)), ("600.5", MediaTime(1201, 2)), ("600.500", MediaTime(1201, 2)),
            ("10:00", .seconds(600)),
            ("1:10:00.5", MediaTime(8401, 2)), ("0", .zero), ("0.000000001", .nanoseconds(1)), ("90:00", .seconds(5400)),
            ("5:7", .seconds(307)),
            ("99999999.999999999", .nanoseconds(99_999_999_999_999_999)), ("0.1", MediaTime(1, 10)), ("007", .seconds(7)),
        ] as [(String, MediaTime)])
    func spellings(_ text: String, _ time: MediaTime) {
        #expect(FeedTime.parse(text) == time)
    }

    @Test(
        "text that is not a time is refused",
        arguments: [
            "", " 1", "1 ", "22m", "1e3", "1E3", "-1", "+1", "1.", ".5", "1.0000000001", "10:75", "1:60:00", "1:2:3:4", "1:-2",
            ":10", "10:", "٣",
            "100000000", "99999999999999999999", "1:2.5:3", "0x10", "1,5", "nan", "1::2",
        ])
    func refused(_ text: String) {
        #expect(FeedTime.parse(text) == nil)
    }

    @Test("a sign is accepted only where it is allowed")
    func signs() {
        #expect(FeedTime.parse("-1.5", signed: true) == MediaTime(-3, 2))
        #expect(FeedTime.parse("+0:05", signed: true) == .seconds(5))
        #expect(FeedTime.parse("-1.5") == nil)
        #expect(FeedTime.parse("--1", signed: true) == nil)
    }

    @Test("random times survive a round trip in each of their spellings")
    func roundTrip() {
        var random = SeededGenerator(seed: 7)
        for _ in 0..<5000 {
            let time = MediaTime.nanoseconds(Int64.random(in: 0..<99_999_999_999_999_999, using: &random))
            #expect(FeedTime.parse(FeedTime.plain(time)) == time)
            #expect(FeedTime.parse(FeedTime.clock(time)) == time)
            #expect(FeedTime.parse(time.description) == time)
        }
    }

    @Test(
        "the intended time is suggested",
        arguments: [
            ("22m", 1320), ("22 min", 1320), ("1h10m", 4200), ("90s", 90), ("2 hours", 7200), ("1.32e3", 1320), ("1e2", 100),
            ("-5", 5), ("+1:00", 60),
        ] as [(String, Int64)])
    func guesses(_ text: String, _ seconds: Int64) {
        #expect(FeedTime.guess(text) == .seconds(seconds))
    }

    @Test(
        "nonsense gets no suggestion", arguments: ["", "soon", "m22", "22x", "e", "1e99", "999999999h", "5 5", "٣m", "1.2.3e4"])
    func noGuess(_ text: String) {
        #expect(FeedTime.guess(text) == nil)
    }
}

@Suite("Dates of a feed")
struct FeedDateTests {
    @Test(
        "dates are read to the millisecond",
        arguments: [
            ("1970-01-01T00:00:00Z", 0), ("2026-11-20T10:00:00Z", 1_795_168_800_000),
            ("2026-11-20T11:00:00.250+01:00", 1_795_168_800_250),
            ("2026-11-20T06:30:00-0330", 1_795_168_800_000), ("1969-12-31T23:59:59.999Z", -1),
            ("2000-02-29T00:00:00Z", 951_782_400_000),
            ("2026-11-20T10:00Z", 1_795_168_800_000), ("1600-01-01T00:00:00Z", -11_676_096_000_000),
            ("2016-12-31T23:59:60Z", 1_483_228_800_000),
            ("2026-11-20t10:00:00.1239z", 1_795_168_800_123),
        ] as [(String, Int64)])
    func known(_ text: String, _ milliseconds: Int64) {
        #expect(FeedDate(text)?.milliseconds == milliseconds)
    }

    @Test(
        "text that is not a date is refused",
        arguments: [
            "", "2026", "2026-11-20", "2026-11-20T10:00:00", "2026-13-01T00:00:00Z", "2026-02-29T00:00:00Z",
            "2100-02-29T00:00:00Z", "2026-11-20T24:00:00Z",
            "2026-11-20T10:60:00Z", "2026-11-20T10:00:00Zx", "2026-11-20T10:00:00+25:00", "20261120T100000Z",
            "2026-11-20T10:00:00.Z", "2026-00-10T00:00:00Z",
        ])
    func refused(_ text: String) {
        #expect(FeedDate(text) == nil)
    }

    @Test("random dates over eight thousand years survive a round trip")
    func roundTrip() {
        var random = SeededGenerator(seed: 11)
        for _ in 0..<5000 {
            // 0001-01-01 to 9999-12-31.
            let date = FeedDate(milliseconds: Int64.random(in: -62_135_596_800_000...253_402_300_799_999, using: &random))
            #expect(FeedDate(date.description) == date)
        }
    }
}
