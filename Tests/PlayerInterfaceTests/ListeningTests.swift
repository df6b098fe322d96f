import BoxModel
import LinuxSupport
import MediaTime
import Testing

@testable import Screens
@testable import Shell

@Suite("Listen with screen off") struct ListeningTests {
    private func listening() -> Viewer {
        var viewer = Viewer(watching: Items.plain)
        viewer.options = Items.options
        viewer.tell()
        viewer.openTab(.picture)
        viewer.choose("Listen with Screen Off")
        return viewer
    }

    @Test func videoIsDisabledAndACardShowsWhatPlays() {
        let viewer = listening()
        #expect(viewer.effects.contains(.presentVideo(false)))
        #expect(viewer.state.audioOnly?.title == Items.plain.title)
        #expect(viewer.state.video == .hidden)
        #expect(viewer.state.panel == nil && viewer.state.bar == nil)
        #expect(viewer.state.toast == "Any button brings the picture back")
        #expect(viewer.isPlaying)
    }

    @Test(
        "a key turns the picture on and does nothing else",
        arguments: [RemoteKey.ok, .back, .left, .right, .up, .down, .info, .subtitle, .ff, .next])
    func anyKey(key: RemoteKey) {
        var viewer = listening()
        viewer.run(.seconds(3))
        viewer.effects = []
        #expect(viewer.press(key) == .success)
        viewer.run(.seconds(1))
        #expect(viewer.effects.contains(.presentVideo(true)))
        #expect(viewer.state.audioOnly == nil && viewer.state.video == .full)
        #expect(viewer.state.panel == nil && viewer.state.screen == .player && viewer.isPlaying)
        #expect(!viewer.effects.contains { if case .seek = $0 { true } else { false } })
        #expect(!viewer.effects.contains { if case .selectSubtitles = $0 { true } else { false } })
    }

    @Test func aKeyHeldDownStartsNoScan() {
        var viewer = listening()
        viewer.press(.right, for: .seconds(2))
        #expect(viewer.state.audioOnly == nil && viewer.state.video == .full)
        #expect(!viewer.effects.contains { if case .seek = $0 { true } else { false } })
    }

    @Test func playPauseAndVolumeControlTheSound() {
        var viewer = listening()
        viewer.press(.playpause)
        #expect(!viewer.isPlaying && viewer.state.audioOnly != nil)
        viewer.press(.playpause)
        viewer.press(.volumeUp)
        #expect(viewer.isPlaying && viewer.state.audioOnly != nil)
        #expect(!viewer.effects.contains(.presentVideo(true)))
    }

    @Test func itLastsAcrossItemsAndEndsAtHome() {
        var viewer = listening()
        viewer.open(Items.episode())
        viewer.run(.seconds(2))
        #expect(viewer.state.audioOnly != nil)
        viewer.press(.home)
        #expect(viewer.effects.contains(.presentVideo(true)))
        #expect(viewer.state.screen == .home && viewer.hasVideo)
    }

    @Test func theCardMovesEachMinute() {
        var viewer = listening()
        let first = viewer.state.audioOnly?.frame
        viewer.run(.seconds(61))
        #expect(viewer.state.audioOnly != nil && viewer.state.audioOnly?.frame != first)
    }

    @Test func withoutSoundOrWithoutAPictureItIsNotOffered() {
        for hasSound in [false, true] {
            var viewer = Viewer(watching: Items.plain)
            viewer.hasVideo = !hasSound
            if hasSound { viewer.options = Items.options }
            viewer.tell()
            viewer.openTab(.picture)
            #expect(viewer.menu?.rows.isEmpty == false)
            #expect(viewer.menu?.rows.contains { $0.title == "Listen with Screen Off" } == false)
        }
    }
}
