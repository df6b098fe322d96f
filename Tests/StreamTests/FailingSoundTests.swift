import LinuxSupport
import MediaModel
import MediaTime
import Playback
import TestSupport
import Testing

/// A presentation with two sounds in playlists of their own, of which the one below zero cannot be had.
@Suite("Another sound that cannot be had", .serialized)
@MainActor
struct FailingSoundTests {
    private func makeRig() throws -> (rig: StreamRig, item: PlayerItem) {
        let rig = try StreamRig()
        rig.put("main", seconds: 90, kinds: "v")
        rig.put("en", seconds: 90, kinds: "a")
        rig.put("es", seconds: 90, kinds: "b")
        rig.script.put(
            """
            #EXTM3U
            #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="English",LANGUAGE="en",DEFAULT=YES,URI="en.m3u8"
            #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="Español",LANGUAGE="es",URI="es.m3u8"
            #EXT-X-STREAM-INF:BANDWIDTH=100000,CODECS="avc1.4d401e,mp4a.40.2",AUDIO="a"
            main.m3u8
            """, at: "http://test/all.m3u8")
        let item = rig.play("http://test/all.m3u8")
        #expect(rig.run { rig.player.currentTime >= .seconds(5) })
        return (rig, item)
    }

    private func chooseSpanish(_ item: PlayerItem) throws {
        let group = try #require(item.selection.group(.audible))
        item.selection.select(group.options.first { $0.extendedLanguageTag == "es" }, in: group)
    }

    @Test(
        "the one that was heard is chosen again and goes on to the end, that is told once, and no picture is missing",
        arguments: ["http://test/es.m3u8", "http://test/es-*"])
    func goesOn(_ missing: String) throws {
        let (rig, item) = try makeRig()
        defer { rig.close() }
        rig.script.fail(missing, with: .status(404))
        try chooseSpanish(item)
        #expect(rig.run(within: .seconds(30)) { !rig.soundFailures.isEmpty })
        #expect(item.selection.selectedOption(.audible)?.extendedLanguageTag == "en")
        #expect(rig.run { rig.player.currentTime >= .seconds(60) })
        let sound = rig.sink.enqueued
        let first = try #require(sound.first)
        #expect(first > 0 && sound.indices.first { sound[$0] != first + Float($0) } == nil)
        #expect(rig.run { rig.hasEnded })
        #expect(rig.error == nil && rig.player.state.stallCount == 0 && rig.soundFailures.count == 1)
        #expect(rig.times == (0..<90 * 25).map { MediaTime(Int64($0), 25) })
        #expect(item.log?.errorEvents.isEmpty == false)
        // Once it can be had it is.
        rig.script.heal()
        #expect(rig.seek(to: .seconds(10)))
        rig.player.play()
        try chooseSpanish(item)
        #expect(rig.run(within: .seconds(20)) { rig.sink.enqueued.last.map { $0 < 0 } ?? false })
    }

    @Test("where the one that was heard cannot be had any more either, play says so and does not go on in silence")
    func both() throws {
        let (rig, item) = try makeRig()
        defer { rig.close() }
        rig.script.fail("http://test/es*", with: .status(404))
        rig.script.fail("http://test/en-*", with: .status(404))
        try chooseSpanish(item)
        #expect(rig.run(within: .seconds(60)) { rig.error != nil })
        #expect(rig.player.currentTime < .seconds(40))
    }
}
