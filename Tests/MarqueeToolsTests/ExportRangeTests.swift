import ChannelFeed
import MediaTime
import Testing

@testable import MarqueeTools

@Suite("Words on the command line and its answers")
struct ExportRangeTests {
    @Test("a start with a length or an end; nothing else")
    func forms() {
        #expect(ExportRange(argument: "12.5+30")?.range == TimeRange(start: MediaTime(25, 2), duration: .seconds(30)))
        #expect(ExportRange(argument: "0-0.04")?.range == TimeRange(start: .zero, duration: MediaTime(1, 25)))
        #expect(ExportRange(argument: "5-5")?.range.isEmpty == true)
        for bad in ["", "5", "-5+3", "5-3", "5+-3", "+", "1+2+3", "a+b", "1e3+2", "99999999999+1", "1:00+5", "nan+1"] {
            #expect(ExportRange(argument: bad) == nil, "\(bad)")
        }
    }

    @Test("standard output is no file that an export can be completed in, and no file gets the name -")
    func standardOutput() {
        #expect(throws: (any Error).self) { try ExportCommand.parse(["--in", "a.mp4", "--out", "-"]).validate() }
        #expect(throws: Never.self) { try ExportCommand.parse(["--in", "a.mp4", "--out", "./-"]) }
    }

    @Test("a finding begins with file, line and column, as those of compilers do")
    func findings() {
        let feed =
            "{\"feedVersion\": 1,\n \"id\": \"f\", \"odd\": 1, \"channels\": [{\"id\": \"n\", \"title\": \"N\", \"streams\": [{\"url\": \"https://h/n.m3u8\"}]}]}"
        let verdict = FeedReader.read(Array(feed.utf8), baseURL: "https://h/feed.json")
        let lines = FeedCommand.Check.text(verdict, of: "my feed.json").split(separator: "\n")
        #expect(lines.first?.hasPrefix("my feed.json:2:") == true && lines.first?.contains(": warning: FEED-002 /odd: ") == true)
        #expect(lines.last.map(String.init) == verdict.summary)
    }
}
