import Testing

@testable import marquee

@Suite("The list of the playbacks")
struct LogShowTests {
    private static let none = ELFTable("#Fields: date time cs-uri x-duration-watched x-stalls x-dropped-video-frames\n")
    private static let failure = ELFTable(
        """
        #Fields: date time x-playback-session-id cs-uri x-error-comment
        2026-11-28 17:40:16 "A-1" https://cdn.example/e1.m3u8 "There is nothing at this address."

        """)

    @Test("a playback that failed before its first picture is there with its date and its address")
    func failed() {
        #expect(
            LogCommand.Show.line("12-A-1", Self.none, Self.failure)
                == "2026-11-28 17:40:16  A-1  https://cdn.example/e1.m3u8  watched 0 s  stalls 0  dropped 0  errors 1")
    }

    @Test("of a playback that was shown it is its beginning; a number that no player writes ends nothing")
    func shown() {
        let access = ELFTable(
            """
            #Fields: date time cs-uri x-duration-watched x-stalls x-dropped-video-frames
            2026-11-28 17:40:10 https://cdn.example/high.m3u8 12.5 1 0
            2026-11-28 17:40:22 https://cdn.example/low.m3u8 2.5 1e300 -

            """)
        let line = LogCommand.Show.line("12-A-1", access, Self.failure)
        #expect(line.hasPrefix("2026-11-28 17:40:10  A-1  https://cdn.example/high.m3u8  watched 15 s  stalls 1e+300  dropped 0"))
        for number in ["inf", "nan", "9e18"] {
            #expect(!ELFTable("#Fields: bytes\n\(number)\n").sum("bytes").isEmpty)
        }
    }
}
