import MediaModel
import TestSupport
import Testing

@testable import Appliance

@MainActor
private final class FakeAmplifier {
    var hasVolume = true
    private(set) var pressed: [Int] = []

    func take(_ steps: Int) -> Bool {
        pressed.append(steps)
        return hasVolume
    }
}

@Suite("An amplifier that has the volume")
@MainActor
struct AmplifierTests {
    @Test("its volume is shown when it answers, and the box's own stays; without it the box changes its own")
    func volume() throws {
        let rig = try BoxRig()
        defer { rig.close() }
        rig.put(["a.mp4": FakeMedia(frameCount: 1000)])
        rig.box.open(Programme(.url("https://test/a.mp4")))
        #expect(rig.run(until: { rig.frames.count > 10 }))
        let amplifier = FakeAmplifier()
        rig.box.amplifier.report(percent: 20, isMuted: false)
        #expect(rig.box.machine.state.volume == nil, "nobody has pressed a key")
        rig.box.amplifier.take = { amplifier.take($0) }
        let own = rig.player.volume
        rig.press(.volumeUp)
        rig.press(.mute)
        #expect(amplifier.pressed == [1, 0] && rig.player.volume == own && !rig.player.isMuted)
        #expect(rig.box.machine.state.volume == nil)
        rig.box.amplifier.report(percent: 51, isMuted: true)
        #expect(rig.box.machine.state.volume?.percent == 51 && rig.box.machine.state.volume?.isMuted == true)
        amplifier.hasVolume = false
        rig.press(.volumeDown)
        #expect(amplifier.pressed == [1, 0, -1] && rig.player.volume < own)
        #expect(rig.box.machine.state.volume?.percent == Int((rig.player.volume * 100).rounded()))
    }
}
