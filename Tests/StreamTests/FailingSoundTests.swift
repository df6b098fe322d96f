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
