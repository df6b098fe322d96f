import LinuxSupport
import MediaModel
import MediaTime
import Testing

@testable import Display

extension LoopSuites.CardInMemory {
    /// What a picture costs: questions, and properties for the kernel.
    @Suite("Each picture costs as little as it can", .serialized)
    @MainActor
    struct PictureCostTests {
        /// Gives a scene for each question, and the length of time for which nothing else follows.
        private func restful(_ rig: CardRig, for length: Duration) {
            rig.source.change { _, opportunity in
                PresentationAnswer(
                    scene: Scene(wantedTime: opportunity.targetTime), wantsNext: true, notBefore: opportunity.targetTime + length)
            }
        }

        @Test("a source is not asked for blanks for which it has said that it has nothing, and the next one is met")
        func passedOver() throws {
            let rig = try CardRig()
            defer { rig.stop() }
            // Four and a half blanks: the fifth.
            restful(rig, for: .milliseconds(75))
            try rig.start()
            try rig.waitForFlips(12)
            let asked = rig.source.seen.opportunities.dropFirst()
            // The timer that makes the blanks is late on a busy computer: single questions are off by that.
            let steps = zip(asked, asked.dropFirst()).map { $1.targetTime - $0.targetTime }.sorted()
            #expect(steps[steps.count / 2] > .milliseconds(55), "\(steps)")
            #expect(zip(asked, asked.dropFirst()).contains { $1.sequence <= $0.sequence + 5 })
        }

        @Test("a source that is woken is asked at once, and may say anew when it has something")
        func woken() throws {
            let rig = try CardRig()
            defer { rig.stop() }
            restful(rig, for: .seconds(3600))
            try rig.start()
            try rig.waitForFlips(1)
            // Unwoken it would be asked after 32 blanks, half a second.
            let first = rig.source.seen.opportunities.count
            for _ in 0..<20 {
                let asked = rig.source.seen.opportunities.count
                rig.display.wake()
                try rig.wait("the question") { rig.source.seen.opportunities.count > asked }
            }
            let times = rig.source.seen.opportunities.dropFirst(first - 1).map(\.targetTime)
            let (begin, end) = (try #require(times.first), try #require(times.last))
            #expect(times.count >= 21 && end - begin < .seconds(5))
        }

        @Test("a picture names its framebuffers and what differs from the last one, and everything after a mode was set")
        func changes() throws {
            let rig = try CardRig()
            defer { rig.stop() }
            try rig.start()
            try rig.waitForFlips()
            #expect(rig.card.committed.sorted() == ["ACTIVE", "FB_ID", "FB_ID"])
            // The first picture after the mode is set again is not reported either, and stays the last commit for a while.
            rig.card.change { $0.lostFlips = 2 }
            try rig.wait("the first picture") { rig.card.committed.contains("SRC_W") }
            let names = rig.card.committed
            let whole = ["CRTC_ID", "SRC_X", "SRC_Y", "SRC_W", "SRC_H", "CRTC_X", "CRTC_Y", "CRTC_W", "CRTC_H", "alpha"]
            for name in whole { #expect(names.filter { $0 == name }.count == 2, "\(name)") }
            #expect(names.contains("COLOR_ENCODING") && names.contains("COLOR_RANGE"))
        }

        @Test("a layer that moves sends its place, and one that goes away its plane")
        func layers() throws {
            let rig = try CardRig()
            defer { rig.stop() }
            try rig.start()
            try rig.waitForFlips()
            let pixels = try rig.display.interfaceAllocator.makeBuffer(format: .argb8888, width: 32, height: 18)
            rig.source.change { count, opportunity in
                var scene = Scene(wantedTime: opportunity.targetTime)
                let place = PixelRect(x: 8 + count % 100, y: 8, width: 32, height: 18)
                scene.layers = [InterfaceLayer(id: "layer", pixels: pixels, destination: place, z: 1)]
                return PresentationAnswer(scene: scene, wantsNext: true)
            }
            try rig.wait("a move") { rig.card.committed.sorted() == ["ACTIVE", "CRTC_X", "FB_ID"] }
            rig.source.change { _, opportunity in
                PresentationAnswer(scene: Scene(wantedTime: opportunity.targetTime), wantsNext: true)
            }
            try rig.waitForPicture([])
            try rig.wait("nothing to say") { rig.card.committed == ["ACTIVE"] }
            rig.source.change { count, opportunity in
                var scene = Scene(wantedTime: opportunity.targetTime)
                scene.layers = [
                    InterfaceLayer(id: "layer", pixels: pixels, destination: PixelRect(x: 8, y: 8, width: 32, height: 18), z: 1)
                ]
                return PresentationAnswer(scene: scene, wantsNext: true)
            }
            try rig.waitForPicture(["AR24"])
        }
    }
}
