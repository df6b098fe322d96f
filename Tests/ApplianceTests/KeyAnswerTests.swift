import LinuxSupport
import MediaModel
import MediaTime
import TestSupport
import Testing

@testable import Appliance

@Suite("The time from a key to the screen")
@MainActor
struct KeyAnswerTests {
    @Test("keys that change the interface are measured; keys that do not, releases and what time changes are not")
    func measured() throws {
        let rig = try BoxRig()
        defer { rig.close() }
        rig.put(["a.mp4": FakeMedia(frameCount: 2000)])
        rig.box.open(Programme(.url("https://test/a.mp4")))
        #expect(rig.run(until: { rig.frames.count > 50 }))
        _ = rig.player.scheduler.takeKeyTiming()
        rig.press(.ok)
        rig.run(for: .seconds(1))
        let first = rig.player.scheduler.takeKeyTiming()
        #expect(first.count == 1)
        // Drawing takes no simulated time: the effect is on the next blank.
        #expect(first.within(percent: 100) ?? 1000 <= 35)
        // The bar disappears by itself, and its times go on.
        rig.press(.ok)
        rig.run(for: .seconds(1))
        #expect(rig.player.scheduler.takeKeyTiming().count == 1)
        rig.run(for: .seconds(20))
        #expect(rig.player.scheduler.takeKeyTiming().count == 0)
    }
}
