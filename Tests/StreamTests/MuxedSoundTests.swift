import LinuxSupport
import MediaModel
import MediaTime
import Playback
import TestSupport
import Testing

/// A presentation whose variant has audio in its segments, and another audio rendition, whose sound is negative.
@Suite("Audio in the video segments and in a separate rendition", .serialized)
@MainActor
struct MuxedSoundTests {
    private func makeRig(seconds: Int = 60) throws -> (rig: StreamRig, item: PlayerItem) {
        let rig = try StreamRig()
        return (rig, rig.playTwoSounds(english: nil, seconds: seconds))
    }

    private func choose(_ tag: String, _ item: PlayerItem) throws {
        let group = try #require(item.selection.group(.audible))
        item.selection.select(group.options.first { $0.extendedLanguageTag == tag }, in: group)
        #expect(item.audioTrack?.languageTag == tag)
    }

    /// How many segments of a playlist were requested.
    private func count(_ rig: StreamRig, _ name: String) -> Int {
        rig.script.requests.count { $0.url.hasPrefix("http://test/\(name)-") }
    }

    /// The sound that the device received last; nil if none since the last flush.
    private func heard(_ rig: StreamRig) -> String? { rig.sink.enqueued.last.map { $0 < 0 ? "es" : "en" } }

    /// The device's sound is continuous and in sync with the pictures.
    private func expectWhole(_ rig: StreamRig, _ tag: String) throws {
        let sound = rig.sink.enqueued
        let first = try #require(sound.first)
        let sign: Float = tag == "es" ? -1 : 1
        #expect(sound.indices.first { sound[$0] != first + sign * Float($0) } == nil)
        #expect((MediaTime(Int64(first.magnitude), 48_000) - rig.player.currentTime).magnitude <= .seconds(30))
    }

    @Test(
        "switching back and forth, pictures continue frame by frame without a stop, the new audio is heard within 300 ms, and no video segment is loaded twice"
    )
    func toAndFro() throws {
        let (rig, item) = try makeRig()
        defer { rig.close() }
        for tag in ["es", "en", "es", "en"] {
            let asked = rig.loop.clock.now
            try choose(tag, item)
            #expect(rig.run(within: .seconds(2), until: { heard(rig) == tag }), "\(tag) is not heard")
            #expect(rig.loop.clock.now - asked <= .milliseconds(300))
            let others = count(rig, "es")
            rig.run(for: .seconds(7))
            try expectWhole(rig, tag)
            #expect(heard(rig) == tag)
            // Audio that is not selected is not loaded.
            if tag == "en" { #expect(count(rig, "es") == others) } else { #expect(others > 0) }
        }
        #expect(rig.run { rig.hasEnded })
        #expect(rig.error == nil && rig.player.state.stallCount == 0)
        #expect(rig.times == (0..<60 * 25).map { MediaTime(Int64($0), 25) })
        #expect(count(rig, "main") == 30)
        for record in rig.frames { #expect((record.soundDelay ?? .zero).magnitude <= .milliseconds(40)) }
    }

    @Test(
        "with two selections in quick succession the last one is heard, and no picture is lost",
        arguments: [0, 40, 150, 1000])
    func quickly(_ pause: Int) throws {
        let (rig, item) = try makeRig()
        defer { rig.close() }
        for tag in ["es", "en", "es", "en", "en", "es", "es"] {
            try choose(tag, item)
            if pause > 0 { rig.run(for: .milliseconds(pause)) }
        }
        #expect(rig.run(within: .seconds(2), until: { heard(rig) == "es" }))
        rig.run(for: .seconds(3))
        try expectWhole(rig, "es")
        try choose("en", item)
        #expect(rig.run(within: .seconds(2), until: { heard(rig) == "en" }))
        rig.run(for: .seconds(3))
        try expectWhole(rig, "en")
        #expect(rig.run { rig.hasEnded })
        #expect(rig.error == nil && rig.player.state.stallCount == 0)
        #expect(rig.times == (0..<60 * 25).map { MediaTime(Int64($0), 25) })
        #expect(count(rig, "main") == 30)
    }

    @Test("after a seek the selected audio plays, and audio in the video segments can be selected again")
    func seeks() throws {
        let (rig, item) = try makeRig()
        defer { rig.close() }
        try choose("es", item)
        rig.run(for: .seconds(2))
        #expect(rig.seek(to: .seconds(40)))
        rig.run(for: .seconds(2))
        #expect(heard(rig) == "es")
        try expectWhole(rig, "es")
        let asked = rig.loop.clock.now
        try choose("en", item)
        #expect(rig.run(within: .seconds(2), until: { heard(rig) == "en" }))
        #expect(rig.loop.clock.now - asked <= .milliseconds(300))
        rig.run(for: .seconds(2))
        try expectWhole(rig, "en")
        #expect(rig.run { rig.hasEnded })
        #expect(rig.player.state.stallCount == 0)
    }

    @Test("with video disabled no pictures are loaded, wherever the audio is, and enabling it restores everything")
    func withoutPictures() throws {
        let (rig, item) = try makeRig(seconds: 120)
        defer { rig.close() }
        try choose("es", item)
        rig.run(for: .seconds(2))
        rig.player.presentsVideo = false
        rig.run(for: .seconds(2))
        let pictures = count(rig, "main")
        #expect(pictures < 30)
        rig.run(for: .seconds(30))
        #expect(count(rig, "main") == pictures)
        #expect(heard(rig) == "es")
        // Audio in the video segments requires the video.
        try choose("en", item)
        #expect(rig.run(within: .seconds(5), until: { heard(rig) == "en" }))
        rig.run(for: .seconds(5))
        try expectWhole(rig, "en")
        rig.player.presentsVideo = true
        let seen = rig.frames.count
        #expect(rig.run { rig.frames.count > seen + 10 })
        #expect(rig.run { rig.hasEnded })
        #expect(heard(rig) == "en" && rig.error == nil)
    }
}
