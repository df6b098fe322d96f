import MediaModel
import MediaTime
import Playback
import TestSupport
import Testing

/// Playlists at other addresses: on cloned pathways, or of another angle.
@Suite("Pathways and angles", .serialized)
@MainActor
struct PlacesTests {
    @Test("playback moves to a pathway cloned by content steering, for video and separate audio, without a gap")
    func clones() throws {
        let rig = try StreamRig()
        rig.put("main", seconds: 40)
        rig.put("sound", seconds: 40)
        for number in 0..<20 {
            for name in ["main", "sound"] {
                rig.script.put(
                    FakeSegment.bytes(kinds: "va", start: 900_000 + Int64(number) * 180_000, count: 50),
                    at: "http://cdn.test/\(name)-\(number).ts")
            }
        }
        let list =
            "#EXTM3U\n#EXT-X-TARGETDURATION:2\n" + (0..<20).map { "#EXTINF:2,\nNAME-\($0).ts\n" }.joined() + "#EXT-X-ENDLIST\n"
        for (name, address) in [("main", "http://cdn.test/main.m3u8?key=1"), ("sound", "http://cdn.test/special/sound.m3u8")] {
            rig.script.put(list.replacing("NAME", with: name == "main" ? "main" : "../sound"), at: address)
        }
        rig.script.put(
            """
            #EXTM3U
            #EXT-X-CONTENT-STEERING:SERVER-URI="steer.json",PATHWAY-ID="base"
            #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="English",LANGUAGE="en",DEFAULT=YES,URI="sound.m3u8",STABLE-RENDITION-ID="s1"
            #EXT-X-STREAM-INF:BANDWIDTH=100000,CODECS="avc1.4d401e,mp4a.40.2",AUDIO="a",PATHWAY-ID="base"
            main.m3u8
            """, at: "http://test/all.m3u8")
        rig.script.put(
            #"{"VERSION":1,"TTL":10,"PATHWAY-PRIORITY":["copy","base"],"PATHWAY-CLONES":[{"BASE-ID":"base","ID":"copy","URI-REPLACEMENT":{"HOST":"cdn.test","PARAMS":{"key":"1"},"PER-RENDITION-URIS":{"s1":"http://cdn.test/special/sound.m3u8"}}}]}"#,
            at: #"http://test/steer.json?_HLS_pathway="base""#)
        defer { rig.close() }
        rig.play("http://test/all.m3u8")
        #expect(rig.run { rig.hasEnded })
        #expect(rig.error == nil && rig.times.count == 40 * 25)
        let requests = rig.script.requests.map(\.url)
        #expect(requests.contains("http://cdn.test/main.m3u8?key=1") && requests.contains("http://cdn.test/main-19.ts"))
        #expect(requests.contains("http://cdn.test/special/sound.m3u8") && requests.contains("http://cdn.test/sound-19.ts"))
        #expect(!requests.contains("http://test/main-19.ts"))
        #expect(requests.contains { $0.hasSuffix(#"_HLS_pathway="copy""#) })
    }

    @Test("VIDEO renditions are angles: the default one is shown, and selecting another switches at the current position")
    func angles() throws {
        let rig = try StreamRig()
        rig.player.scheduler.hashFrames(true)
        for name in ["main", "left"] { rig.put(name, seconds: 20) }
        rig.put("right", seconds: 20, kinds: "wa")
        rig.script.put(
            """
            #EXTM3U
            #EXT-X-MEDIA:TYPE=VIDEO,GROUP-ID="v",NAME="Left",URI="left.m3u8"
            #EXT-X-MEDIA:TYPE=VIDEO,GROUP-ID="v",NAME="Main",DEFAULT=YES
            #EXT-X-MEDIA:TYPE=VIDEO,GROUP-ID="v",NAME="Right",URI="right.m3u8"
            #EXT-X-STREAM-INF:BANDWIDTH=100000,CODECS="avc1.4d401e,mp4a.40.2",VIDEO="v"
            main.m3u8
            """, at: "http://test/all.m3u8")
        defer { rig.close() }
        let item = rig.play("http://test/all.m3u8")
        rig.run(for: .seconds(5))
        let group = try #require(item.selection.group(.visual))
        #expect(group.options.map(\.displayName) == ["Main", "Left", "Right"])
        #expect(rig.script.requests.allSatisfy { !$0.url.contains("left") && !$0.url.contains("right") })
        let (main, asked) = (rig.frames[0].contentHash, try #require(rig.times.last))
        item.selection.select(group.options[2], in: group)
        rig.run(for: .seconds(5))
        // From the position of the choice on the pictures are those of the angle: each once, without a gap.
        let angle = try #require(rig.frames.last?.contentHash)
        #expect(angle != main)
        let first = try #require(rig.frames.first { $0.contentHash == angle })
        #expect((first.time - asked).magnitude <= .milliseconds(80))
        #expect(rig.frames.allSatisfy { ($0.contentHash == angle) == ($0.flip >= first.flip) })
        // The first one again, the same way; a seek does not change the angle.
        item.selection.select(group.options[0], in: group)
        rig.run(for: .seconds(1))
        #expect(rig.frames.last?.contentHash == main)
        item.selection.select(group.options[2], in: group)
        rig.run(for: .seconds(1))
        #expect(rig.frames.last?.contentHash == angle)
        #expect(rig.seek(to: rig.player.currentTime))
        #expect(rig.frames.last?.contentHash == angle)
        #expect(rig.run { rig.hasEnded })
        #expect(rig.error == nil)
        #expect(rig.script.requests.contains { $0.url == "http://test/right-9.ts" })
        #expect(!rig.script.requests.contains { $0.url == "http://test/right-0.ts" })
        #expect(zip(rig.times, rig.times.dropFirst()).allSatisfy { $1 - $0 <= .milliseconds(40) })
        #expect(Set(rig.times).count == 20 * 25)
    }
}
