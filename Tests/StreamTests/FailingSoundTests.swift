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
        rig.putSeparateSound(seconds: 120)
        rig.script.fail("http://test/en.m3u8", with: .status(status), during: .zero..<(.seconds(60)))
        var messages = 0
        let listening = rig.player.events.listen { if case .playsWithoutSound = $0 { messages += 1 } }
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

    /// What fails in the middle of a live programme: the name of the file, and the status; nil for a playlist that does not change.
    nonisolated static let losses: [(file: String, status: Int?)] = [
        ("en.m3u8", nil), ("en.m3u8", 404), ("en.m3u8", 503), ("en-", 404), ("en-", 503),
    ]

    @Test("a rendition that is lost in a live programme stops no picture, and is heard again once it is there", arguments: losses)
    func lostWhileLive(_ loss: (file: String, status: Int?)) throws {
        var plan = LiveOrigin.Plan()
        plan.renditions = ["main": ("v", 0), "en": ("a", 0)]
        if let status = loss.status {
            plan.faults = [.init(loss.file, status, during: 20..<80)]
        } else {
            plan.stops = ["en": 20..<80]
        }
        plan.documents["master.m3u8"] = StreamRig.separateSound
        let rig = try StreamRig(live: plan)
        defer { rig.close() }
        var messages: [MediaError] = []
        let listening = rig.player.events.listen { if case .playsWithoutSound(let error) = $0 { messages.append(error) } }
        defer { listening.cancel() }
        let item = rig.play("http://live/master.m3u8")
        rig.run(for: .seconds(60))
        #expect(messages.count == 1 && messages.first?.code == .sourceTimeout && item.audioTrack == nil)
        let silent = rig.sink.enqueued.count { $0 > 0 }
        #expect(rig.run(within: .seconds(80)) { rig.sink.enqueued.count { $0 > 0 } > silent })
        rig.run(for: .seconds(20))
        #expect(rig.error == nil && item.audioTrack?.languageTag == "en" && messages.count == 1)
        let times = Set(rig.times)
        let first = try #require(times.min())
        let last = try #require(times.max())
        let steps = zip(times.sorted(), times.sorted().dropFirst()).filter { $1 - $0 > .milliseconds(50) }
        #expect(MediaTime(Int64(times.count), 25) == last - first + .milliseconds(40), "steps \(steps)")
        #expect(rig.player.state.stallCount <= 1)
    }

    @Test("a rendition of a film that is lost in the middle, and the pictures after it")
    func lostInTheMiddle() throws {
        let rig = try StreamRig()
        defer { rig.close() }
        rig.putSeparateSound(seconds: 180)
        let item = rig.play("http://test/all.m3u8")
        #expect(rig.run { rig.player.currentTime >= .seconds(10) })
        rig.script.fail("http://test/en-*", with: .status(503))
        #expect(rig.run(within: .seconds(200)) { item.audioTrack == nil })
        let lost = rig.player.currentTime
        rig.run(for: .seconds(20))
        #expect(rig.player.currentTime - lost > .seconds(19))
        rig.script.heal()
        #expect(rig.run { rig.hasEnded } && rig.error == nil)
        #expect(item.audioTrack?.languageTag == "en")
        #expect(Set(rig.times) == Set((0..<180 * 25).map { MediaTime(Int64($0), 25) }))
        #expect(rig.sink.enqueued.last { $0 > 0 } == Float(180 * 48_000 - 1))
    }

    @Test("a network that is down for half a minute costs no sound")
    func outage() throws {
        let rig = try StreamRig()
        defer { rig.close() }
        rig.putSeparateSound(seconds: 180)
        let item = rig.play("http://test/all.m3u8")
        #expect(rig.run { rig.player.currentTime >= .seconds(10) })
        rig.script.fail("http://test/*", with: .status(503))
        #expect(rig.run(within: .seconds(200)) { rig.player.state.stallCount > 0 })
        rig.run(for: .seconds(30))
        #expect(item.audioTrack != nil)
        rig.script.heal()
        #expect(rig.run(within: .seconds(300)) { rig.hasEnded } && rig.error == nil && item.audioTrack != nil)
    }
}
