import Glibc
import Testing

@testable import Remote

@Suite("The tour")
struct TourTests {
    private static var path: String {
        #filePath.split(separator: "/").dropLast(3).map { "/" + $0 }.joined() + "/scripts/tour.d/tour.keys"
    }

    private static func read(_ path: String) -> String? {
        guard let file = fopen(path, "r") else { return nil }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        while case let byte = getc(file), byte != EOF { bytes.append(UInt8(truncatingIfNeeded: byte)) }
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test("it covers every row of the key table and every page; scripts/tour checks that each is reached")
    func rows() throws {
        let script = try KeyScript(try #require(Self.read(Self.path)))
        let wanted: Set<String> = [
            "playing", "bar", "actions-row", "paused", "scrubbing", "scanning", "linear", "live", "loading", "panel-info",
            "panel-chapters", "panel-subtitles", "panel-audio", "panel-picture", "proposal", "card-end", "card-error", "corner",
            "home", "pin", "refused", "toast", "banner", "digits", "volume", "channels", "guide", "search", "settings",
            "long-text", "delay", "screen-saver", "audio-only", "action-skipIntro", "action-skipInterstitial", "dimmed",
            "standby",
        ]
        #expect(wanted.subtracting(script.looks.map(\.state)) == [])
        #expect(script.looks.allSatisfy { !$0.words.isEmpty })
    }
}
