import LinuxSupport
import MediaModel
import MediaTime
import Playback
import TestSupport
import Testing
import Viewing

@testable import Appliance

@Suite("Captions that are shown for a while", .serialized)
@MainActor
struct PassingCaptionsTests {
    /// Its sound is understood, so its captions are off.
    private static var film: FakeMedia {
        var film = FakeMedia(frameCount: 3000, soundDuration: .seconds(120))
        film.language = "en"
        return film
    }

    /// A box that plays an item with English captions, which are off.
    private func playing(_ change: (inout ViewerSettings) -> Void) throws -> BoxRig {
        let store = MemorySettingsStore()
        var settings = ViewerSettings()
        change(&settings)
        store.save(settings.entries)
        let rig = try BoxRig(viewer: ViewerParts(settings: store))
        rig.put(["a.mp4": Self.film, "b.mp4": Self.film])
        for name in ["a", "b"] {
            rig.loader.put(Array("WEBVTT\n\n00:00.000 --> 02:00.000\nWords\n".utf8), at: "https://test/\(name).vtt")
        }
        let items = ["a", "b"].map {
            #"{"id": "\#($0)", "type": "movie", "title": "\#($0)", "streams": [{"url": "\#($0).mp4"}], "#
                + #""subtitles": [{"language": "en", "url": "\#($0).vtt"}]}"#
        }
        try rig.apply(items: "[\(items.joined(separator: ", "))]")
        rig.box.open(id: "a")
        #expect(rig.run(until: { rig.frames.count > 20 }))
        rig.box.carryOut(.selectSubtitles(.off))
        return rig
    }

    private func language(_ rig: BoxRig) -> String? {
        rig.player.currentItem?.selection.selectedOption(.legible)?.extendedLanguageTag
    }

    @Test("while the sound is muted, if that is set, also for the next item, and the choice comes back with the sound")
    func muted() throws {
        let rig = try playing { $0[.captionsWhenMuted] = true }
        defer { rig.close() }
        #expect(language(rig) == nil)
        rig.press(.mute)
        #expect(language(rig) == "en")
        rig.box.open(id: "b")
        #expect(rig.run(within: .seconds(5), until: { language(rig) == "en" && rig.nowPlaying.state == .playing }))
        rig.press(.mute)
        rig.run(for: .seconds(1))
        #expect(language(rig) == nil)
    }

    @Test("while the sound of the item is turned off in the Audio tab, and not for the next item")
    func turnedOff() throws {
        let rig = try playing { $0[.captionsWhenMuted] = true }
        defer { rig.close() }
        rig.box.carryOut(.selectAudio(id: nil))
        #expect(language(rig) == "en")
        let sound = try #require(rig.box.mediaOptions.audio.first?.id)
        rig.box.carryOut(.selectAudio(id: sound))
        #expect(language(rig) == nil)
        rig.box.carryOut(.selectAudio(id: nil))
        #expect(language(rig) == "en")
        rig.box.open(id: "b")
        #expect(rig.run(within: .seconds(5), until: { rig.nowPlaying.state == .playing }))
        rig.run(for: .seconds(1))
        #expect(language(rig) == nil)
    }

    @Test("they follow the setting, and without it muting shows none")
    func setting() throws {
        let rig = try playing { _ in }
        defer { rig.close() }
        rig.press(.mute)
        #expect(language(rig) == nil)
        var settings = ViewerSettings()
        settings[.captionsWhenMuted] = true
        rig.box.carryOut(.saveSettings(settings))
        #expect(language(rig) == "en")
        rig.box.carryOut(.saveSettings(ViewerSettings()))
        #expect(language(rig) == nil)
    }

    @Test("what the viewer chooses meanwhile stays")
    func chosen() throws {
        let rig = try playing { $0[.captionsWhenMuted] = true }
        defer { rig.close() }
        rig.press(.mute)
        let option = try #require(rig.player.currentItem?.selection.selectedOption(.legible))
        rig.box.carryOut(.selectSubtitles(.option(option.id)))
        rig.press(.mute)
        #expect(language(rig) == "en")
    }

    @Test(
        "after skipping back, if that is set, until the position before, and mute and replay together end with the last of them")
    func replay() throws {
        let rig = try playing {
            $0[.captionsOnReplay] = true
            $0[.captionsWhenMuted] = true
        }
        defer { rig.close() }
        rig.run(for: .seconds(20))
        rig.press(.left)
        #expect(rig.run(within: .seconds(3), until: { language(rig) == "en" }))
        rig.press(.mute)
        rig.run(for: .seconds(15))
        #expect(language(rig) == "en", "still muted")
        rig.press(.mute)
        #expect(language(rig) == nil)
    }
}
