import LinuxSupport
import MediaModel
import MediaTime
import Testing

@testable import Display

/// Everything that runs a main loop is serialized, because there is one main thread.
@Suite("Displays", .serialized) struct LoopSuites {}

extension LoopSuites {
    /// Suites on a card in memory, which need no device of the kernel: `scripts/check-vm` leaves them to the unit tests.
    @Suite("On a card in memory", .serialized) struct CardInMemory {}
}

extension LoopSuites {
    /// The contract of every display.
    @Suite("Every display", .serialized)
    @MainActor
    struct DisplayConformance {
        private func colour(_ red: UInt8) -> OpaqueColour { OpaqueColour(red: red, green: 0, blue: 0) }

        @Test(
            "asks for a scene at each blank while the next is wanted, and says when each was seen",
            arguments: DisplayKind.available)
        func cadence(kind: DisplayKind) throws {
            let rig = try DisplayRig(kind)
            defer { rig.display.stop() }
            let source = TestSource { count, opportunity in
                PresentationAnswer(
                    scene: Scene(
                        background: OpaqueColour(red: UInt8(count), green: 0, blue: 0), wantedTime: opportunity.targetTime),
                    wantsNext: count < 29)
            }
            try rig.display.start(source)
            try rig.run("30 flips") { source.seen.flips.count == 30 }
            let seen = source.seen
            #expect(seen.opportunities.count == 30)
            #expect(rig.display.counters.commits == 30)
            #expect(rig.display.counters.flips == 30)
            #expect(rig.display.counters.timeouts == 0)
            for (flip, opportunity) in zip(seen.flips, seen.opportunities) { #expect(flip.wantedTime == opportunity.targetTime) }
            for (earlier, later) in zip(seen.flips, seen.flips.dropFirst()) {
                #expect(later.sequence > earlier.sequence)
                #expect(later.time > earlier.time)
            }
            // A slow machine may miss blanks, but never sees one before its time.
            let period = 1_000_000_000.0 / rig.display.mode.refresh.approximateValue
            let (first, last) = (seen.flips[0], seen.flips[29])
            let mean = Double((last.time - first.time).wholeNanoseconds) / Double(last.sequence - first.sequence)
            #expect(abs(mean - period) < period / 50)
        }

        @Test(
            "a screen that is switched off is reported as lost, and with its mode when it is switched on",
            arguments: DisplayKind.available)
        func power(kind: DisplayKind) throws {
            let rig = try DisplayRig(kind)
            defer { rig.display.stop() }
            let source = TestSource { _, opportunity in
                PresentationAnswer(scene: Scene(wantedTime: opportunity.targetTime), wantsNext: true)
            }
            try rig.display.start(source)
            try rig.run("flips") { source.seen.flips.count > 3 }
            rig.display.setPower(false)
            try rig.run("the loss being reported") { !source.seen.modes.isEmpty }
            #expect(source.seen.modes == [nil])
            #expect(try rig.read() == nil, "the display still replies")
            let flips = source.seen.flips.count
            rig.display.wake()
            try rig.run(for: .milliseconds(200))
            #expect(source.seen.flips.count == flips)
            rig.display.setPower(true)
            try rig.run("flips after the return") { source.seen.flips.count > flips + 3 }
            #expect(source.seen.modes == [nil, rig.display.mode])
        }

        @Test(
            "sleeps when the next opportunity is not wanted, and wakes when asked from any thread",
            arguments: DisplayKind.available)
        func sleepAndWake(kind: DisplayKind) throws {
            let rig = try DisplayRig(kind)
            defer { rig.display.stop() }
            let source = TestSource { _, opportunity in
                PresentationAnswer(scene: Scene(wantedTime: opportunity.targetTime), wantsNext: false)
            }
            try rig.display.start(source)
            try rig.run("the first flip") { source.seen.flips.count == 1 }
            try rig.run(for: .milliseconds(200))
            #expect(source.seen.opportunities.count == 1)
            let thread = WorkerThread(name: "waker", clock: rig.loop.clock)
            let display = rig.display
            for _ in 0..<10 { thread.perform { display.wake() } }
            try rig.run("another flip") { source.seen.flips.count >= 2 }
            thread.stop()
            try rig.run(for: .milliseconds(200))
            // Ten rings may be handled as one or as a few, but each requested scene is shown once.
            try rig.run("each scene being shown") { source.seen.flips.count == source.seen.opportunities.count }
            try rig.run(for: .milliseconds(200))
            #expect(source.seen.flips.count == source.seen.opportunities.count)
            #expect(source.seen.flips.count < 12)
        }

        @Test("an answer without a scene changes nothing on the screen", arguments: DisplayKind.available)
        func unchanged(kind: DisplayKind) throws {
            let rig = try DisplayRig(kind)
            defer { rig.display.stop() }
            let source = TestSource { count, opportunity in
                let scene = Scene(background: OpaqueColour(red: 200, green: 10, blue: 60), wantedTime: opportunity.targetTime)
                return PresentationAnswer(scene: count == 0 ? scene : nil, wantsNext: count < 5)
            }
            try rig.display.start(source)
            try rig.run("six opportunities") { source.seen.opportunities.count == 6 }
            try rig.run(for: .milliseconds(100))
            #expect(source.seen.flips.count == 1)
            let picture = try rig.picture()
            #expect(picture.pixels.width == rig.display.mode.width)
            #expect(picture.pixels.height == rig.display.mode.height)
            #expect(picture.time == source.seen.flips[0].time)
            #expect(picture.pixels.pixel(7, 9).distance(RGB(red: 200, green: 10, blue: 60)) <= 1)
            #expect(try rig.picture().serial == picture.serial)
        }

        @Test("reading the screen gives the scene last shown, with its frame's time", arguments: DisplayKind.available)
        func reading(kind: DisplayKind) throws {
            let rig = try DisplayRig(kind)
            defer { rig.display.stop() }
            let size = rig.display.mode
            let frame = try TestPictures.slopes(.nv12, width: 160, height: 90, from: rig.display.videoAllocator)
            let label = try TestPictures.rgb(.argb8888, width: 40, height: 30, from: rig.display.interfaceAllocator) { x, y in
                (x * 3, y * 4, 0, 160)
            }
            let time = MediaTime(1001, 24000)
            let destination = PixelRect(x: 10, y: 20, width: 160, height: 90)
            let scene = Scene(
                background: OpaqueColour(red: 0, green: 0, blue: 90),
                video: VideoLayer(frame: TestPictures.frame(frame, time: time), source: frame.bounds, destination: destination),
                layers: [
                    InterfaceLayer(
                        id: "label", pixels: label, destination: PixelRect(x: 150, y: 100, width: 40, height: 30), alpha: 255,
                        z: 1),
                    InterfaceLayer(
                        id: "edge", pixels: label, destination: PixelRect(x: size.width - 20, y: -10, width: 40, height: 30),
                        alpha: 255, z: 2),
                ], wantedTime: .zero)
            let source = TestSource { _, _ in PresentationAnswer(scene: scene, wantsNext: false) }
            try rig.display.start(source)
            try rig.run("the flip") { source.seen.flips.count == 1 }
            #expect(source.seen.flips[0].frameTime == time)
            let picture = try rig.picture()
            #expect(picture.frameTime == time)
            let expected = try Compositor().compose(scene, width: size.width, height: size.height)
            #expect(expected.worstDifference(picture.pixels) <= 4)
        }

        @Test("memory is released once the scene that used it has left the screen", arguments: DisplayKind.available)
        func releasesMemory(kind: DisplayKind) throws {
            let rig = try DisplayRig(kind)
            defer { rig.display.stop() }
            let witness = Witness()
            try witness.make(rig.display.videoAllocator)
            let source = TestSource { [scene = witness.takeScene()] count, opportunity in
                count == 0
                    ? PresentationAnswer(scene: scene, wantsNext: true)
                    : PresentationAnswer(scene: Scene(wantedTime: opportunity.targetTime), wantsNext: count < 3)
            }
            try rig.display.start(source)
            try rig.run("four flips") { source.seen.flips.count == 4 }
            source.change { _, _ in PresentationAnswer(scene: nil, wantsNext: false) }
            try rig.run("the memory being released") { witness.isGone }
        }

        @Test("nothing is asked or shown after stop", arguments: DisplayKind.available)
        func stopped(kind: DisplayKind) throws {
            let rig = try DisplayRig(kind)
            let source = TestSource { _, opportunity in
                PresentationAnswer(scene: Scene(wantedTime: opportunity.targetTime), wantsNext: true)
            }
            try rig.display.start(source)
            try rig.run("three flips") { source.seen.flips.count >= 3 }
            rig.display.stop()
            let count = source.seen.opportunities.count
            rig.display.wake()
            try rig.run(for: .milliseconds(100))
            #expect(source.seen.opportunities.count == count)
            #expect(try rig.read() == nil)
            rig.display.stop()
        }

        @Test(
            "sets another refresh rate of the same size, reports it and continues at it; nil restores the first",
            arguments: DisplayKind.withRates)
        func refresh(kind: DisplayKind) throws {
            let rig = try DisplayRig(kind, cardMode: VirtualCard.modeOfTwoRates)
            defer { rig.display.stop() }
            let opened = rig.display.mode
            #expect(rig.display.refreshRates.contains(opened.refresh))
            let other = try #require(rig.display.refreshRates.first { $0 != opened.refresh })
            let source = TestSource { _, opportunity in
                PresentationAnswer(scene: Scene(wantedTime: opportunity.targetTime), wantsNext: true)
            }
            try rig.display.start(source)
            try rig.run("three flips") { source.seen.flips.count >= 3 }
            rig.display.setSignal(SignalRequest(refresh: opened.refresh))
            rig.display.setSignal(SignalRequest(refresh: other))
            try rig.run("the change being reported") { !source.seen.modes.isEmpty }
            #expect(source.seen.modes == [DisplayMode(width: opened.width, height: opened.height, refresh: other)])
            #expect(rig.display.mode.refresh == other)
            let count = source.seen.opportunities.count
            try rig.run("opportunities at it") { source.seen.opportunities.count >= count + 3 }
            let interval = source.seen.opportunities.last?.interval ?? .zero
            #expect(abs(interval.wholeNanoseconds - Int64(1_000_000_000 / other.approximateValue)) <= 1)
            rig.display.setSignal(SignalRequest())
            try rig.run("the restored rate being reported") { source.seen.modes.count == 2 }
            #expect(rig.display.mode == opened)
            let flips = source.seen.flips.count
            try rig.run("flips") { source.seen.flips.count >= flips + 3 }
            #expect(rig.display.counters.timeouts == 0)
        }

        /// Knows whether a picture that it made is still referenced.
        private final class Witness {
            private weak var pixels: PixelBuffer?
            private var scene: Scene?

            func make(_ allocator: any FrameAllocator) throws {
                let picture = try TestPictures.slopes(.nv12, width: 64, height: 64, from: allocator)
                pixels = picture
                scene = Scene(
                    video: VideoLayer(
                        frame: TestPictures.frame(picture), source: picture.bounds,
                        destination: PixelRect(x: 0, y: 0, width: 64, height: 64)),
                    wantedTime: .zero)
            }

            func takeScene() -> Scene? {
                defer { scene = nil }
                return scene
            }

            var isGone: Bool { pixels == nil }
        }
    }
}
