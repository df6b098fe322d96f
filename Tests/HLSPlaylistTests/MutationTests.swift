import HLSPlaylist
import LinuxSupport
import MediaTime
import Testing

/// Damaged playlists, the same in each run: no parse may crash, hang, or return an inconsistent value.
@Suite struct MutationTests {
    private static let seeds: [String] = [
        """
        #EXTM3U
        #EXT-X-VERSION:10
        #EXT-X-TARGETDURATION:6
        #EXT-X-MEDIA-SEQUENCE:9223372036854775807
        #EXT-X-DISCONTINUITY-SEQUENCE:3
        #EXT-X-SERVER-CONTROL:CAN-SKIP-UNTIL=24.0,PART-HOLD-BACK=1.0,CAN-BLOCK-RELOAD=YES
        #EXT-X-PART-INF:PART-TARGET=0.33334
        #EXT-X-DEFINE:NAME="v",VALUE="x"
        #EXT-X-KEY:METHOD=AES-128,URI="k{$v}",IV=0x00112233445566778899AABBCCDDEEFF
        #EXT-X-MAP:URI="i.mp4",BYTERANGE="720@9223372036854775000"
        #EXT-X-PROGRAM-DATE-TIME:2026-03-01T20:15:00.123+01:00
        #EXTINF:3999999999.999999999,title, \u{E9}
        #EXT-X-BYTERANGE:1000@9223372036854775800
        {$v}.ts
        #EXT-X-DATERANGE:ID="a",CLASS="com.apple.hls.interstitial",START-DATE="2261-12-31T23:59:59Z",DURATION=8999999999,X-ASSET-URI="u",CUE="PRE,ONCE"
        #EXT-X-DISCONTINUITY
        #EXT-X-GAP
        #EXT-X-BITRATE:1200
        #EXT-X-PART:DURATION=0.3,URI="p",BYTERANGE="20@1"
        #EXTINF:6,
        b.ts
        #EXT-X-PART:DURATION=0.3,URI="p",BYTERANGE="20"
        #EXT-X-PRELOAD-HINT:TYPE=PART,URI="p2",BYTERANGE-START=4
        #EXT-X-RENDITION-REPORT:URI="r",LAST-MSN=3,LAST-PART=1
        """,
        """
        #EXTM3U
        #EXT-X-MEDIA-SEQUENCE:4
        #EXT-X-TARGETDURATION:6
        #EXT-X-SKIP:SKIPPED-SEGMENTS=3,RECENTLY-REMOVED-DATERANGES="a	b"
        #EXTINF:6,
        c.ts
        #EXT-X-ENDLIST
        """,
        """
        #EXTM3U
        #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="n",LANGUAGE="en",DEFAULT=YES,AUTOSELECT=YES,CHANNELS="2",URI="a.m3u8"
        #EXT-X-STREAM-INF:BANDWIDTH=1280000,RESOLUTION=640x360,CODECS="avc1,mp4a",FRAME-RATE=29.97,SCORE=1.5,AUDIO="a"
        v.m3u8
        #EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=1,URI="i"
        #EXT-X-SESSION-DATA:DATA-ID="d",VALUE="v"
        #EXT-X-SESSION-KEY:METHOD=AES-128,URI="k"
        #EXT-X-CONTENT-STEERING:SERVER-URI="s"
        """,
    ]

    private static let tokens = [
        "\n", "\r", "\"", ",", "=", "@", ":", "#", "{$v}", "{$", "-", ".", "0x", "99999999999999999999", "\u{0}", "\t", "NONE",
        "YES",
        "#EXTINF:", "#EXT-X-DISCONTINUITY\n", "9223372036854775807", "1e9", "#EXTM3U",
    ]

    private static func mutated(_ bytes: [UInt8], _ random: inout SeededGenerator) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<Int.random(in: 1...6, using: &random) {
            let place = Int.random(in: 0...bytes.count, using: &random)
            switch Int.random(in: 0..<6, using: &random) {
            case 0 where place < bytes.count: bytes[place] = UInt8.random(in: 0...255, using: &random)
            case 1: bytes.insert(contentsOf: Array(tokens.randomElement(using: &random)!.utf8), at: place)
            case 2: bytes.removeSubrange(place..<min(bytes.count, place + Int.random(in: 0...40, using: &random)))
            case 3: bytes.removeSubrange(place...)
            case 4 where place < bytes.count:
                let end = min(bytes.count, place + Int.random(in: 1...80, using: &random))
                bytes.insert(contentsOf: bytes[place..<end], at: Int.random(in: 0...bytes.count, using: &random))
            default:
                // Inserted digits reach the limits of the numbers.
                if let digit = bytes.indices.filter({ bytes[$0] >= 0x30 && bytes[$0] <= 0x39 }).randomElement(using: &random) {
                    bytes.insert(UInt8.random(in: 0x30...0x39, using: &random), at: digit)
                }
            }
        }
        return bytes
    }

    @Test(arguments: seeds.indices)
    func damagedPlaylistsNeitherCrashNorContradictThemselves(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        let original = Array(Self.seeds[seed].utf8)
        let previous = PlaylistParser().parse(original).playlist?.media
        var parsedCount = 0
        for _ in 0..<700 {
            let bytes = Self.mutated(original, &random)
            let parsed = PlaylistParser(url: "http://h/p?v=1").parse(bytes)
            let report = InspectReport(parsed)
            #expect(report.json.utf8.count > 2)
            guard let playlist = parsed.playlist else {
                #expect(!parsed.errors.isEmpty)
                continue
            }
            parsedCount += 1
            if let media = playlist.media {
                Self.check(media)
                if let previous {
                    #expect(PlaylistParser(url: "http://h/p?v=1").parse(bytes, reusing: previous) == parsed)
                    if let merged = try? media.merging(into: previous) { Self.check(merged) }
                }
            }
            if PlaylistParser(leniency: .strict, url: "http://h/p?v=1").parse(bytes).playlist != nil {
                #expect(parsed.errors.isEmpty)
            }
        }
        #expect(parsedCount > 100)
    }

    private static func check(_ playlist: MediaPlaylist) {
        var time = MediaTime.zero
        for segment in playlist.segments {
            #expect(segment.startTime == time)
            #expect(segment.duration >= .zero)
            time += segment.duration
        }
        #expect(time == playlist.totalDuration)
        #expect(playlist.targetDuration > .zero)
    }
}
