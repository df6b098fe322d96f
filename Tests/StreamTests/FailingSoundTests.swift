import LinuxSupport
import MediaModel
import MediaTime
import Playback
import TestSupport
import Testing

/// A presentation with two audio renditions, of which the negative one is not available.
@Suite("An unavailable audio rendition", .serialized)
@MainActor
struct FailingSoundTests {
    private func makeRig() throws -> (rig: StreamRig, item: PlayerItem) {
        let rig = try StreamRig()
        return (rig, rig.playTwoSounds(english: "en", seconds: 90))
    }

    private func chooseSpanish(_ item: PlayerItem) throws {
        let group = try #require(item.selection.group(.audible))
        item.selection.select(group.options.first { $0.extendedLanguageTag == "es" }, in: group)
    }

    @Test(
        "the previous one is selected again and continues to the end, the error is reported once, and no picture is lost",
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
        // Once the rendition is available, it is used.
        rig.script.heal()
        #expect(rig.seek(to: .seconds(10)))
        rig.player.play()
        try chooseSpanish(item)
        #expect(rig.run(within: .seconds(20)) { rig.sink.enqueued.last.map { $0 < 0 } ?? false })
    }

    @Test("when the default rendition cannot be decoded another one plays, and a message says that it is another language")
    func withoutDecoder() throws {
        let codecs = FakeCodecs()
        codecs.lack(["fake-b"])
        let rig = try StreamRig(codecs: codecs)
        defer { rig.close() }
        rig.put("main", seconds: 20, kinds: "v")
        rig.put("es", seconds: 20, kinds: "b")
        rig.put("en", seconds: 20, kinds: "a")
        rig.script.put(
            """
            #EXTM3U
            #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="Español",LANGUAGE="es",DEFAULT=YES,URI="es.m3u8"
            #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="English",LANGUAGE="en",URI="en.m3u8"
            #EXT-X-STREAM-INF:BANDWIDTH=100000,CODECS="avc1.4d401e,mp4a.40.2",AUDIO="a"
            main.m3u8
            """, at: "http://test/all.m3u8")
        let item = rig.play("http://test/all.m3u8")
        #expect(rig.run { rig.hasEnded || rig.error != nil })
        #expect(rig.error == nil && rig.soundFailures.count == 1)
        #expect(item.audioTrack?.languageTag == "en")
        #expect(item.selection.group(.audible)?.options.count == 1)
        #expect(Array(rig.times.suffix(20 * 25)) == (0..<20 * 25).map { MediaTime(Int64($0), 25) })
        let sound = rig.sink.enqueued.prefix(20 * 48_000)
        #expect(sound.count == 20 * 48_000 && sound.indices.first { sound[$0] != Float($0) } == nil)
    }

    @Test(
        "a rendition whose playlist is missing at the start is done without, and heard once it is there", arguments: [404, 503])
    func missingAtTheStart(_ status: Int) throws {
        let rig = try StreamRig()
        defer { rig.close() }
        rig.put("main", seconds: 120, kinds: "v")
        rig.put("en", seconds: 120, kinds: "a")
        rig.script.put(
            """
            #EXTM3U
            #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="English",LANGUAGE="en",DEFAULT=YES,URI="en.m3u8"
            #EXT-X-STREAM-INF:BANDWIDTH=100000,CODECS="avc1.4d401e,mp4a.40.2",AUDIO="a"
            main.m3u8
            """, at: "http://test/all.m3u8")
        rig.script.fail("http://test/en.m3u8", with: .status(status), during: .zero..<(.seconds(60)))
        var messages = 0
        let listening = rig.player.events.listen { if case .soundUnplayable = $0 { messages += 1 } }
        defer { listening.cancel() }
        let item = rig.play("http://test/all.m3u8")
        #expect(rig.run(within: .seconds(60)) { rig.player.currentTime >= .seconds(10) })
        #expect(rig.error == nil && messages == 1 && item.audioTrack == nil)
        #expect(item.log?.errorEvents.isEmpty == false)
        #expect(rig.run(within: .seconds(90)) { rig.sink.enqueued.contains { $0 > 0 } })
        #expect(item.audioTrack?.languageTag == "en" && messages == 1)
        #expect(rig.run { rig.hasEnded } && rig.error == nil)
        #expect(rig.sink.enqueued.last { $0 > 0 } == Float(120 * 48_000 - 1))
        #expect(Set(rig.times) == Set((0..<120 * 25).map { MediaTime(Int64($0), 25) }))
    }

    @Test("when the previous audio rendition is unavailable too, playback fails with an error and does not continue silently")
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
