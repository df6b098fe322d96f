import HLSPlaylist
import MediaTime
import Testing

/// A literal playlist for each diagnostic: its code, its line, and whether a lenient parse continues.
@Suite struct DiagnosticTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var code: PlaylistDiagnostic.Code
        var line: Int
        var refused = false
        var isWarning = false
        var text: String
        var testDescription: String { "\(code.rawValue) at line \(line)" }
    }

    private static let head = "#EXTM3U\n#EXT-X-TARGETDURATION:6\n"
    private static let segment = "#EXTINF:6,\na.ts\n"

    static let cases: [Case] = [
        Case(code: .emptyInput, line: 0, refused: true, text: ""),
        Case(code: .missingHeader, line: 1, refused: true, text: "#EXTINF:6,\na.ts\n"),
        Case(code: .missingHeader, line: 1, refused: true, text: "<!DOCTYPE html><html><body>404</body></html>"),
        Case(code: .missingHeader, line: 1, refused: true, text: "#EXTM3U8\n#EXTINF:6,\na.ts\n"),
        Case(code: .missingHeader, line: 2, text: "\n#extm3u\n#ext-x-targetduration:6\n#extinf:6,\na.ts\n"),
        Case(code: .noContent, line: 0, refused: true, text: "#EXTM3U\n"),
        Case(code: .noContent, line: 0, refused: true, text: "#EXTM3U\nmovie.mp4\n"),
        Case(code: .headerNotFirst, line: 2, text: "# made by hand\n#EXTM3U\n#EXT-X-TARGETDURATION:6\n" + segment),
        Case(code: .byteOrderMark, line: 1, isWarning: true, text: "\u{FEFF}" + head + segment),
        Case(code: .controlCharacter, line: 3, isWarning: true, text: head + "#EXTINF:6,a\u{1}b\na.ts\n"),
        Case(code: .mixedKinds, line: 4, text: head + "#EXTINF:6,\n#EXT-X-MEDIA:TYPE=AUDIO\na.ts\n"),
        Case(code: .mixedKinds, line: 2, text: "#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXT-X-STREAM-INF:BANDWIDTH=1\nx.m3u8\n"),
        Case(code: .missingTag, line: 0, text: "#EXTM3U\n" + segment),
        Case(code: .duplicateTag, line: 3, text: head + "#EXT-X-TARGETDURATION:6\n" + segment),
        Case(code: .misplacedTag, line: 5, text: head + segment + "#EXT-X-MEDIA-SEQUENCE:5\n"),
        Case(code: .misplacedTag, line: 5, text: head + segment + "#EXT-X-DISCONTINUITY-SEQUENCE:5\n"),
        Case(code: .misplacedTag, line: 5, text: head + segment + "#EXT-X-SKIP:SKIPPED-SEGMENTS=1\n"),
        Case(code: .misplacedTag, line: 2, text: "#EXTM3U\nstray.m3u8\n#EXT-X-STREAM-INF:BANDWIDTH=1\nx.m3u8\n"),
        Case(code: .invalidValue, line: 2, text: "#EXTM3U\n#EXT-X-TARGETDURATION:NaN\n" + segment),
        Case(code: .invalidValue, line: 2, text: "#EXTM3U\n#EXT-X-TARGETDURATION:5.5\n#EXTINF:5,\na.ts\n"),
        Case(code: .invalidValue, line: 3, text: head + "#EXT-X-VERSION:x\n" + segment),
        Case(code: .invalidValue, line: 3, text: head + "#EXT-X-MEDIA-SEQUENCE:-3\n" + segment),
        Case(code: .invalidValue, line: 3, text: head + "#EXT-X-PLAYLIST-TYPE:LIVE\n" + segment),
        Case(code: .invalidValue, line: 3, text: head + "#EXTINF:long,\na.ts\n"),
        Case(code: .invalidValue, line: 3, text: head + "#EXTINF:-1,\na.ts\n"),
        Case(code: .invalidValue, line: 0, text: head + "#EXTINF:0,\na.ts\n#EXTINF:0.0,\nb.ts\n"),
        Case(code: .invalidValue, line: 3, text: head + "#EXTINF\n" + segment),
        Case(code: .invalidValue, line: 3, text: head + "#EXT-X-PROGRAM-DATE-TIME:noon\n" + segment),
        Case(code: .invalidValue, line: 3, text: head + "#EXT-X-BYTERANGE:all\n" + segment),
        Case(code: .invalidValue, line: 3, text: head + "#EXT-X-BITRATE:fast\n" + segment),
        Case(code: .invalidValue, line: 3, text: head + "#EXT-X-KEY:METHOD=AES-128,URI=\"k\",IV=0xZZ\n" + segment),
        Case(code: .invalidValue, line: 3, text: head + "#EXT-X-MAP:URI=\"i\",BYTERANGE=\"x\"\n" + segment),
        Case(code: .invalidValue, line: 3, text: head + "#EXT-X-START:TIME-OFFSET=soon\n" + segment),
        Case(code: .invalidValue, line: 3, text: head + "#EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=MAYBE\n" + segment),
        Case(code: .invalidValue, line: 2, text: "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=fast\nx.m3u8\n"),
        Case(code: .invalidValue, line: 2, text: "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1,RESOLUTION=big\nx.m3u8\n"),
        Case(
            code: .invalidValue, line: 2,
            text: "#EXTM3U\n#EXT-X-MEDIA:TYPE=SMELL,GROUP-ID=\"g\",NAME=\"n\"\n#EXT-X-STREAM-INF:BANDWIDTH=1\nx.m3u8\n"),
        Case(code: .malformedAttributes, line: 3, text: head + "#EXT-X-MAP:URI=\"init.mp4\n" + segment),
        Case(code: .malformedAttributes, line: 3, text: head + "#EXT-X-MAP:JUNK,URI=\"init.mp4\"\n" + segment),
        Case(code: .duplicateAttribute, line: 3, text: head + "#EXT-X-MAP:URI=\"a\",URI=\"b\"\n" + segment),
        Case(code: .missingAttribute, line: 3, text: head + "#EXT-X-KEY:URI=\"k\"\n" + segment),
        Case(code: .missingAttribute, line: 3, text: head + "#EXT-X-KEY:METHOD=AES-128\n" + segment),
        Case(code: .missingAttribute, line: 3, text: head + "#EXT-X-DATERANGE:ID=\"x\"\n" + segment),
        Case(code: .missingAttribute, line: 2, text: "#EXTM3U\n#EXT-X-STREAM-INF:RESOLUTION=1x1\nx.m3u8\n"),
        Case(code: .missingAttribute, line: 2, text: "#EXTM3U\n#EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=1\n"),
        Case(
            code: .conflictingAttributes, line: 4,
            text: head + "#EXT-X-DATERANGE:ID=\"x\",START-DATE=\"2026-01-01T00:00:00Z\"\n"
                + "#EXT-X-DATERANGE:ID=\"x\",START-DATE=\"2026-01-02T00:00:00Z\"\n" + segment),
        Case(
            code: .conflictingAttributes, line: 3,
            text: head + "#EXT-X-DATERANGE:ID=\"x\",START-DATE=\"2026-01-01T00:00:00Z\",END-DATE=\"2025-01-01T00:00:00Z\"\n"
                + segment),
        Case(code: .missingURI, line: 5, text: head + segment + "#EXTINF:6,\n"),
        Case(code: .missingURI, line: 3, text: head + "#EXTINF:6,\n#EXTINF:6,\na.ts\n"),
        Case(code: .missingURI, line: 2, text: "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\n"),
        Case(code: .missingDuration, line: 5, text: head + segment + "b.ts\n"),
        Case(code: .durationExceedsTarget, line: 3, isWarning: true, text: head + "#EXTINF:6.5,\na.ts\n"),
        Case(code: .implicitByteRange, line: 5, text: head + "#EXTINF:6,\n#EXT-X-BYTERANGE:5\na.ts\n"),
        Case(
            code: .dateWithoutZone, line: 3, isWarning: true,
            text: head + "#EXT-X-PROGRAM-DATE-TIME:2026-01-01T00:00:00\n" + segment),
        Case(code: .undefinedVariable, line: 4, refused: true, text: head + "#EXTINF:6,\n{$x}.ts\n"),
        Case(code: .invalidDefinition, line: 3, text: head + "#EXT-X-DEFINE:IMPORT=\"x\"\n" + segment),
        Case(code: .versionTooLow, line: 3, isWarning: true, text: head + "#EXTINF:5.5,\na.ts\n"),
        Case(code: .unknownGroup, line: 2, text: "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1,AUDIO=\"a\"\nx.m3u8\n"),
        Case(code: .noSegments, line: 0, isWarning: true, text: head + "#EXT-X-ENDLIST\n"),
    ]

    @Test(arguments: cases)
    func namesTheFaultItsLineAndWhatToDo(_ wanted: Case) throws {
        let parsed = PlaylistParser().parse(wanted.text)
        let found = (wanted.isWarning ? parsed.warnings : parsed.errors).filter { $0.code == wanted.code }
        #expect(found.contains { $0.line == wanted.line }, "\(parsed.errors) \(parsed.warnings)")
        #expect((parsed.playlist == nil) == wanted.refused)
        // A sentence with a problem and a remedy, joined by a semicolon or an "and".
        let message = try #require(found.first).message
        #expect(message.contains("; "))
        #expect(!message.hasSuffix("."))
    }

    @Test(arguments: cases.filter { !$0.isWarning })
    func aStrictParseRefusesEveryError(_ wanted: Case) {
        #expect(PlaylistParser(leniency: .strict).parse(wanted.text).playlist == nil)
    }

    @Test func invalidUTF8IsAnErrorOnItsLine() {
        let bytes = Array("#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXTINF:6,caf".utf8) + [0xE9] + Array("\na.ts\n".utf8)
        let parsed = PlaylistParser().parse(bytes)
        #expect(parsed.errorCodes == ["invalid-utf8"])
        #expect(parsed.errors.first?.line == 3)
        #expect(parsed.playlist?.media?.segments.first?.title == "caf\u{FFFD}")
    }

    @Test func addressesThatAreNotUTF8KeepTheirBytes() throws {
        let name = Array("caf".utf8) + [0xE9] + Array(" ñ.ts\n".utf8)
        let media = PlaylistParser().parse(Array((Self.head + "#EXTINF:6,\n").utf8) + name)
        #expect(media.playlist?.media?.segments.first?.uri == "caf%E9 ñ.ts")
        let multivariant = PlaylistParser().parse(Array("#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\n".utf8) + name)
        #expect(multivariant.playlist?.multivariant?.variants.first?.uri == "caf%E9 ñ.ts")
    }

    @Test(arguments: [false, true], [false, true])
    func utf16IsReadAndNamed(isBig: Bool, isMarked: Bool) throws {
        let text = (isMarked ? "\u{FEFF}" : "") + Self.head + "#EXTINF:6,Ñandú\r\nñ 1.ts\r\n"
        let bytes = text.utf16.flatMap { unit in
            let halves = [UInt8(unit >> 8), UInt8(truncatingIfNeeded: unit)]
            return isBig ? halves : halves.reversed()
        }
        let parsed = PlaylistParser().parse(bytes)
        #expect(parsed.errorCodes == ["invalid-utf8"] && parsed.errors.first?.message.contains("UTF-16") == true)
        let segment = try #require(parsed.playlist?.media?.segments.first)
        #expect(segment.title == "Ñandú" && segment.uri == "ñ 1.ts")
        // A reload is read like the first answer.
        let again = try #require(parsed.playlist?.media)
        #expect(PlaylistParser().parse(bytes, reusing: again).playlist == parsed.playlist)
        #expect(PlaylistParser(leniency: .strict).parse(bytes).playlist == nil)
    }

    @Test func tagsInSmallLettersAreReadWhereTheHeaderIsInThem() throws {
        let text =
            "\u{FEFF}#extm3u\n#ext-x-targetduration:6\n#ext-x-key:METHOD=AES-128,URI=\"Key\"\n#extinf:6,An Ext\nA/b.Ts?x=#extinf\n#ext-x-endlist"
        let playlist = try media(text)
        #expect(playlist.hasEndList && playlist.segments.map(\.uri) == ["A/b.Ts?x=#extinf"])
        #expect(playlist.segments.first?.title == "An Ext" && playlist.segments.first?.key?.uri == "Key")
    }

    @Test func everyCodeHasATest() {
        let tested = Set(Self.cases.map(\.code)).union([.invalidUTF8])
        #expect(tested == Set(PlaylistDiagnostic.Code.allCases))
    }

    @Test func theErrorIsOneSentenceThatNamesThePlaylist() {
        let error = #expect(throws: PlaylistError.self) {
            try PlaylistParser(url: "http://h/main.m3u8").playlist(from: Array("<html>".utf8))
        }
        #expect(error?.code == .missingHeader)
        #expect(
            error?.description
                == "Could not read the playlist http://h/main.m3u8: line 1: it is HTML or XML, not a playlist; check the address."
        )
    }

    @Test func oneKindOfFaultIsReportedAFewTimesOnly() {
        let parsed = PlaylistParser().parse(Self.head + String(repeating: "a.ts\n", count: 5000))
        #expect(parsed.errors.count == 20)
        #expect(parsed.playlist?.media?.segments.count == 5000)
    }

    @Test func aMissingTargetDurationIsTheLongestSegmentRoundedUp() throws {
        let playlist = try media("#EXTM3U\n#EXTINF:4.2,\na.ts\nb.ts\n")
        #expect(playlist.declaredTargetDuration == nil)
        #expect(playlist.targetDuration == .seconds(5))
        #expect(playlist.segments.map(\.duration) == [MediaTime(42, 10), .seconds(5)])
    }

    @Test func durationsBeyondADayAreTheTargetDuration() throws {
        let playlist = try media(
            "#EXTM3U\n#EXT-X-TARGETDURATION:6\n" + String(repeating: "#EXTINF:3999999999,\na.ts\n", count: 4))
        #expect(playlist.segments.map(\.duration) == [.seconds(6), .seconds(6), .seconds(6), .seconds(6)])
    }

    @Test func theTimelineEndsAfterTenYears() throws {
        let days = 3700
        let playlist = try media(
            "#EXTM3U\n#EXT-X-TARGETDURATION:86400\n" + String(repeating: "#EXTINF:86400,\na.ts\n", count: days))
        #expect(playlist.segments.count == days && playlist.totalDuration == .seconds(3660 * 86_400))
        #expect(playlist.segments.last?.duration == .zero)
    }
}
