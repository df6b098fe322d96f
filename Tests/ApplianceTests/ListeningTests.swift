import LinuxSupport
import MediaModel
import MediaTime
import Screens
import TestSupport
import Testing

@testable import Appliance
@testable import Playback

@Suite("Listening with the screen off")
@MainActor
struct ListeningTests {
    private static func focusedRow(of rig: BoxRig) -> String? {
        guard case .menu(let menu)? = rig.box.machine.state.panel?.content else { return nil }
        return menu.focusedRow.map { menu.rows[$0].title }
    }

    @Test("no picture is decoded, the sound does not stop, and the first picture afterwards is in sync")
    func pictures() throws {
        let rig = try BoxRig()
        defer { rig.close() }
        rig.put(["a.mp4": FakeMedia(frameCount: 2000, soundDuration: .seconds(80))])
        rig.box.open(Programme(.url("https://test/a.mp4")))
        #expect(rig.run(until: { rig.frames.count > 50 }))
        rig.press(.down)
        for _ in 0..<5 where rig.box.machine.state.panel.map({ $0.tabs[$0.selected].tab }) != .picture { rig.press(.right) }
        rig.press(.down)
        for _ in 0..<10 where Self.focusedRow(of: rig) != "Listen with Screen Off" { rig.press(.down) }
        rig.press(.ok)
        #expect(rig.told(.presentVideo) == [.presentVideo(false)])
        rig.run(for: .milliseconds(200))
        let (decoded, seen, began) = (rig.codecs.counts.decodedPictures, rig.frames.count, rig.player.currentTime)
        rig.run(for: .seconds(20))
        #expect(rig.codecs.counts.decodedPictures == decoded && rig.frames.count == seen)
        #expect(rig.player.currentTime - began == .seconds(20))
        #expect(rig.box.machine.state.audioOnly != nil)

        let here = rig.player.currentTime
        rig.press(.back)
        // Until a picture is available the card stays: the screen is never black without text.
        #expect(
            rig.drawing.states.allSatisfy { $0.screen != .player || $0.audioOnly != nil || $0.poster != nil || $0.video == .full }
        )
        #expect(rig.run(until: { rig.frames.count > seen + 10 }))
        #expect(rig.frames[seen] >= here.milliseconds - 40 && rig.frames[seen] <= here.milliseconds + 500)
        #expect(rig.box.machine.state.audioOnly == nil && rig.box.machine.state.video == .full)
    }
}
