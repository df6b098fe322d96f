import LinuxSupport
import MediaModel
import MediaTime
import Testing

@testable import Screens
@testable import Shell
@testable import Viewing

@Suite struct DelayTests {
    private func viewer(_ change: (inout InterfacePolicy) -> Void = { _ in }) -> Viewer {
        var policy = InterfacePolicy()
        policy.soundOutput = "hdmi"
        policy.lipSyncFilm = "lip-sync"
        change(&policy)
        var viewer = Viewer(policy: policy)
        viewer.send(.homeChanged(Items.home))
        viewer.options = Items.options
        viewer.options.shownSubtitles = "s-en"
        viewer.open(Items.plain)
        viewer.run(.seconds(1))
        viewer.effects = []
        return viewer
    }

    private func saved(_ viewer: Viewer) -> [ViewerSettings] {
        viewer.effects.compactMap { if case .saveSettings(let settings) = $0 { settings } else { nil } }
    }

    @Test func aPressIsTenMillisecondsOfSoundForThisOutputAlone() {
        var viewer = viewer()
        viewer.openTab(.audio)
        viewer.choose("Audio Delay")
        #expect(viewer.state.panel == nil && viewer.state.delay?.value == "0 ms", "the picture is free")
        viewer.press(.right)
        viewer.press(.right)
        #expect(viewer.state.delay?.value == "+20 ms")
        #expect(saved(viewer).map(\.soundDelays) == [["hdmi": 10], ["hdmi": 20]], "each press is heard at once")
        viewer.press(.ok)
        #expect(viewer.state.page == nil && viewer.machine.settings.soundDelays == ["hdmi": 20])
        viewer.changePolicy { $0.soundOutput = "usb" }
        viewer.openTab(.audio)
        #expect(viewer.menu?.rows.contains { $0.title == "Audio Delay" && $0.value == "0 ms" } == true)
    }

    @Test func backRestoresTheDelayBefore() {
        var viewer = viewer { $0.soundDelay = -40 }
        viewer.openTab(.audio)
        viewer.choose("Audio Delay")
        #expect(viewer.state.delay?.value == "\u{2212}40 ms", "that of the box")
        for _ in 0..<7 { viewer.press(.left) }
        #expect(viewer.state.delay?.value == "\u{2212}110 ms")
        #expect(viewer.press(.back) == .success)
        #expect(viewer.state.page == nil && viewer.machine.settings.soundDelays.isEmpty)
        #expect(saved(viewer).last == ViewerSettings())
    }

    @Test func theDelayEndsAtItsBounds() {
        var viewer = viewer()
        viewer.openTab(.audio)
        viewer.choose("Audio Delay")
        for _ in 0..<100 { #expect(viewer.press(.right) == .success) }
        #expect(viewer.state.delay?.value == "+1000 ms" && viewer.state.delay?.canRaise == false)
        #expect(viewer.press(.right) == .failed(.noChange))
        for _ in 0..<200 { viewer.press(.left) }
        #expect(viewer.state.delay?.value == "\u{2212}1000 ms" && viewer.state.delay?.percent == -100)
        #expect(ViewerSettings(entries: [("audio.delay.hdmi", "1010"), ("captions.delay.x", "-10050")]) == ViewerSettings())
        #expect(ViewerSettings(entries: viewer.machine.settings.entries) == viewer.machine.settings)
    }

    @Test func captionsHaveTheDelayOfTheirItem() {
        var viewer = viewer()
        viewer.openTab(.subtitles)
        viewer.choose("Subtitle Delay")
        viewer.press(.left)
        #expect(viewer.state.delay?.value == "\u{2212}50 ms")
        #expect(viewer.effects.contains(.setCaptionDelay(-50)))
        viewer.press(.ok)
        var other = Items.plain
        other.id = "other"
        viewer.effects = []
        viewer.open(other)
        #expect(viewer.effects.contains(.setCaptionDelay(0)))
        viewer.open(Items.plain)
        #expect(viewer.effects.contains(.setCaptionDelay(-50)))
    }

    @Test func captionsInThePicturesAreNotEarlierThanThese() {
        var viewer = viewer()
        viewer.options.subtitles.append(MediaOption(id: "cc", languageTag: "en", badges: [.closedCaptions]))
        viewer.options.shownSubtitles = "cc"
        viewer.tell()
        viewer.openTab(.subtitles)
        viewer.choose("Subtitle Delay")
        #expect(viewer.press(.left) == .failed(.noChange) && viewer.state.delay?.canLower == false)
        #expect(viewer.press(.right) == .success)
    }

    @Test func withoutCaptionsTheirDelayHasNoFocus() {
        var viewer = viewer()
        viewer.options.shownSubtitles = nil
        viewer.tell()
        viewer.openTab(.subtitles)
        #expect(viewer.menu?.rows.first { $0.title == "Subtitle Delay" }?.isEnabled == false)
    }

    @Test func theLineFollowsTheDirectionOfTheLanguage() {
        var viewer = viewer()
        viewer.send(.settingsRestored(ViewerSettings(entries: [("interface.language", "ar")])))
        viewer.press(.down)
        for _ in 0..<5 where viewer.state.panel.map({ $0.tabs[$0.selected].tab }) != .audio { viewer.press(.left) }
        viewer.press(.down)
        viewer.choose(viewer.machine.strings.text(.soundDelay))
        viewer.press(.left)
        #expect(viewer.machine.settings.soundDelays == ["hdmi": 10])
    }

    /// The box has opened the film.
    private func showFilm(_ viewer: inout Viewer) {
        #expect(viewer.effects.contains(.open(id: "lip-sync")))
        viewer.run(.milliseconds(400))
        #expect(viewer.state.delay?.explanation != nil && viewer.state.screen == .player)
    }

    @Test func theTestFromThePanelReturnsToWhatPlayed() {
        let entry = Items.home.rows[0].entries[0]
        var viewer = viewer()
        viewer.open(ItemPresentation(id: entry.id) { $0.duration = .seconds(100) })
        viewer.run(.seconds(5))
        viewer.openTab(.audio)
        viewer.choose("Lip-Sync Test")
        #expect(viewer.effects.contains { if case .savePlace(entry.id, .some) = $0 { true } else { false } })
        showFilm(&viewer)
        viewer.press(.right)
        viewer.effects = []
        viewer.press(.back)
        #expect(viewer.effects.contains(.open(id: entry.id)) && viewer.machine.settings.soundDelays.isEmpty)
    }

    @Test func theTestFromSettingsReturnsThere() throws {
        var viewer = viewer()
        viewer.press(.home)
        viewer.press(.menu)
        viewer.choose("Audio")
        viewer.choose("Audio Delay")
        showFilm(&viewer)
        viewer.press(.right)
        viewer.press(.ok)
        #expect(viewer.effects.contains(.leavePlayer))
        #expect(viewer.state.settings?.page == "sound")
        let row = try #require(viewer.menu?.focusedRow.flatMap { viewer.menu?.rows[$0] })
        #expect(row.title == "Audio Delay" && row.value == "+10 ms")
    }

    @Test func aKioskWithoutHomeHasNoTest() {
        var viewer = viewer { $0.hasHome = false }
        viewer.openTab(.audio)
        #expect(viewer.menu?.rows.contains { $0.title == "Lip-Sync Test" } == false)
    }
}
