import MediaModel
import MediaTime
import Playback
import Screens
import TestSupport
import Testing

@testable import BoxAssembly
@testable import marquee

/// The viewer's choice of an angle.
@Suite("Angles in a whole box", .serialized)
@MainActor
struct AngleTests {
    private static let feed = """
        "series":[{"id":"s","title":"Cup","seasons":[{"number":1,"episodes":["e1","e2"]}]}],"items":[\
        {"id":"e1","type":"episode","title":"One","streams":[{"url":"e1.m3u8"}],"proposal":null},\
        {"id":"e2","type":"episode","title":"Two","streams":[{"url":"e2.m3u8"}],"proposal":null},\
        {"id":"m","title":"Other","streams":[{"url":"m.m3u8"}],"proposal":null}]
        """

    private func rig(in folder: ScratchFolder) throws -> ScriptedBox {
        let rig = try ScriptedBox(in: folder)
        rig.put(feed: Self.feed)
        for name in ["e1", "e2", "m"] {
            rig.put(stream: name + "-main", seconds: 60)
            rig.put(stream: name + "-right", seconds: 60, kinds: "wa")
            rig.script.put(
                """
                #EXTM3U
                #EXT-X-MEDIA:TYPE=VIDEO,GROUP-ID="v",NAME="Main",DEFAULT=YES
                #EXT-X-MEDIA:TYPE=VIDEO,GROUP-ID="v",NAME="Right",URI="\(name)-right.m3u8"
                #EXT-X-STREAM-INF:BANDWIDTH=100000,CODECS="avc1.4d401e,mp4a.40.2",VIDEO="v"
                \(name)-main.m3u8
                """, at: "\(ScriptedBox.cdn)\(name).m3u8")
        }
        rig.keeping.start()
        #expect(rig.run(until: { rig.box.appliance.offersChannels }), "\(rig.log)")
        return rig
    }

    private func open(_ id: String, _ rig: ScriptedBox) {
        let before = rig.box.player.currentItem
        rig.box.appliance.open(id: id)
        #expect(rig.run { rig.box.player.currentItem !== before && rig.isPlaying && rig.box.player.currentTime >= .seconds(5) })
    }

    private func angle(_ rig: ScriptedBox) -> String? {
        rig.box.player.currentItem?.selection.selectedOption(.visual)?.displayName
    }

    /// Whether of the second episode nothing else was loaded.
    private func isRead(_ rig: ScriptedBox, _ prefix: String) -> Bool {
        let segments = rig.requests().filter { $0.hasPrefix("e2-") && $0.hasSuffix(".ts") }
        return !segments.isEmpty && segments.allSatisfy { $0.hasPrefix(prefix) }
    }

    @Test("an angle that is chosen in the panel is loaded and marked, and shown again for its series, also after a restart")
    func remembered() throws {
        let folder = ScratchFolder("scripted")
        let first = try rig(in: folder)
        open("e1", first)
        #expect(angle(first) == "Main" && !first.requests().contains { $0.contains("right") })
        let item = first.box.player.currentItem
        first.openTab(.picture)
        first.choose("Angle")
        #expect(first.rows == ["Main", "Right"])
        first.choose("Right")
        #expect(first.run(within: .seconds(10), until: { first.requests().contains { $0.hasPrefix("e1-right-") } }))
        #expect(angle(first) == "Right" && first.box.player.currentItem === item && first.isPlaying)
        #expect(first.value(of: "Angle") == "Right")
        open("e2", first)
        #expect(angle(first) == "Right" && isRead(first, "e2-right-"))
        open("m", first)
        #expect(
            angle(first) == "Main" && !first.requests().contains { $0.hasPrefix("m-right-") },
            "another programme is not of the series")
        first.close()

        let second = try rig(in: folder)
        defer { second.close() }
        open("e2", second)
        #expect(angle(second) == "Right" && isRead(second, "e2-right-"), "\(second.box.settings) \(second.requests())")
    }
}
