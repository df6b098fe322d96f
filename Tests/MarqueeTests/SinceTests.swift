import Testing

@testable import marquee

@Suite("Since when")
struct SinceTests {
    @Test("a date of RFC 3339, or how long ago; nothing else, and nothing that overflows")
    func parsed() {
        func since(_ text: String) -> Int64? { SinceOption.nanoseconds(text, now: 1_000_000) }
        #expect(since("1970-01-12T13:46:40Z") == 1_000_000_000_000_000)
        #expect(since("1970-01-01T01:00:00.5+01:00") == 500_000_000)
        #expect(since("90s") == 999_910 * 1_000_000_000 && since("2h") == 992_800 * 1_000_000_000)
        #expect(since("30m") == 998_200 * 1_000_000_000 && since("7d") == 395_200 * 1_000_000_000)
        for wrong in [
            "", "h", "-2h", "2 h", "2w", "yesterday", "1970-01-12", "9999-12-31T00:00:00Z", "99999999999999999999s", "2.5h",
        ] {
            #expect(since(wrong) == nil, "\(wrong)")
        }
    }
}
