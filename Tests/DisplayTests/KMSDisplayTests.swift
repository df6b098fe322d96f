import CDRM
import Glibc
import LinuxSupport
import MediaModel
import MediaTime
import Testing

@testable import Display

extension LoopSuites {
    /// On a real kernel with its virtual card: the errors that only a card can have.
    @Suite(
        "KMSDisplay on vkms", .serialized, .enabled(if: VirtualCard.isPresent, "there is no vkms card; run in the test machine"))
    @MainActor
    struct KMSDisplayTests {
        private func options(
            _ rungs: Set<LadderRung> = Set(LadderRung.allCases), rotation: DisplayRotation = .none,
            video: KMSDisplay.VideoMemory = .automatic, interface: KMSDisplay.InterfaceMemory = .automatic
        ) throws -> KMSDisplay.Options {
            KMSDisplay.Options(
                path: try #require(VirtualCard.path), mode: VirtualCard.mode, rotation: rotation, rungs: rungs,
                videoMemory: video,
                interfaceMemory: interface)
        }

        /// A scene with video and two layers.
        private func scene(
            _ display: any DisplayOutput, _ format: PixelFormat = .nv12, scaled: Bool = false,
            matrix: ColourDescription.Matrix = .bt709,
            isFullRange: Bool = false
        ) throws -> Scene {
            let frame = try TestPictures.slopes(format, width: 320, height: 180, from: display.videoAllocator)
            let label = try TestPictures.rgb(.argb8888, width: 60, height: 40, from: display.interfaceAllocator) { x, y in
                (x * 2, y * 3, 20, 150)
            }
            return Scene(
                video: VideoLayer(
                    frame: TestPictures.frame(frame, time: MediaTime(1, 25), matrix: matrix, isFullRange: isFullRange),
                    source: frame.bounds,
                    destination: scaled
                        ? PixelRect(x: 0, y: 60, width: 640, height: 360) : PixelRect(x: 100, y: 100, width: 320, height: 180)),
                layers: [
                    InterfaceLayer(
                        id: "label", pixels: label, destination: PixelRect(x: 380, y: 250, width: 60, height: 40), z: 1),
                    InterfaceLayer(
                        id: "faint", pixels: label, destination: PixelRect(x: 20, y: 110, width: 120, height: 90), alpha: 128,
                        z: 2),
                    InterfaceLayer(
                        id: "edge", pixels: label, destination: PixelRect(x: 610, y: -10, width: 60, height: 40), z: 3),
                ], wantedTime: .zero)
        }

        @Test("unscaled video and layers go to planes, and the kernel composes the same as the compositor")
        func planes() throws {
            let rig = try DisplayRig(try options())
            defer { rig.display.stop() }
            #expect(try rig.worstDifference(try scene(rig.display)) <= 4)
            #expect(try rig.kms.probe.rungs == [.planes])
            #expect(try rig.kms.attachedPlaneCount == 4)
            #expect(try rig.kms.readBackCount == 1)
            #expect(rig.display.counters.timeouts == 0)
        }

        @Test("video that no plane can scale is scaled by the CPU and still shown as YUV")
        func scaledVideo() throws {
            let rig = try DisplayRig(try options())
            defer { rig.display.stop() }
            #expect(try rig.worstDifference(try scene(rig.display, scaled: true)) <= 6)
            #expect(try rig.kms.probe.rungs == [.scaledVideo])
            #expect(try rig.kms.attachedPlaneCount == 4)
        }

        /// Those that read the screen get it upright: what planes and what the CPU have turned is turned back by the same code.
        @Test(
            "a screen that hangs turned shows the scene, turned by the planes that can and else by the CPU",
            arguments: DisplayRotation.allCases, [Set(LadderRung.allCases), [.scaledVideo], []])
        func turned(rotation: DisplayRotation, rungs: Set<LadderRung>) throws {
            let rig = try DisplayRig(try options(rungs, rotation: rotation))
            defer { rig.display.stop() }
            let seen = rotation.turn(VirtualCard.mode)
            #expect(rig.display.mode.width == seen.width && rig.display.mode.height == seen.height)
            #expect(try rig.worstDifference(try scene(rig.display)) <= (rungs.isEmpty ? 2 : 4))
            let probe = try rig.kms.probe
            #expect(try rig.kms.readBackCount == 1)
            let turnsVideo = probe.planesThatTurn == probe.planes
            let expected: LadderRung =
                rungs.isEmpty ? .composed : rungs.contains(.planes) && turnsVideo ? .planes : .scaledVideo
            #expect(probe.rungs == [expected], "\(probe)")
            let (commits, flips) = (rig.display.counters.commits, rig.display.counters.flips)
            try rig.run(for: .milliseconds(200))
            #expect(rig.display.counters.commits == commits && rig.display.counters.flips == flips, "at rest")
        }

        @Test("on the lowest rung one plane shows the CPU's composition, bit-exactly")
        func composed() throws {
            let rig = try DisplayRig(try options([]))
            defer { rig.display.stop() }
            #expect(try rig.worstDifference(try scene(rig.display, scaled: true)) == 0)
            #expect(try rig.kms.probe.rungs == [.composed])
            #expect(try rig.kms.attachedPlaneCount == 1)
        }

        @Test(
            "each frame's matrix and range are set on its plane",
            arguments: [ColourDescription.Matrix.bt601, .bt709, .bt2020])
        func colours(matrix: ColourDescription.Matrix) throws {
            for isFullRange in [false, true] {
                let rig = try DisplayRig(try options())
                defer { rig.display.stop() }
                #expect(try rig.worstDifference(try scene(rig.display, matrix: matrix, isFullRange: isFullRange)) <= 4)
            }
        }

        @Test("every YUV format is shown", arguments: PixelFormat.allCases.filter(\.isYUV))
        func formats(format: PixelFormat) throws {
            let rig = try DisplayRig(try options())
            defer { rig.display.stop() }
            #expect(try rig.worstDifference(try scene(rig.display, format)) <= 4)
            // The kernel has no format code for this one, so the CPU converts it.
            #expect(try rig.kms.probe.rungs == [format == .yuv420p10 ? .composed : .planes])
        }

        @Test(
            "every kind of memory is shown and can be read back",
            arguments: [
                KMSDisplay.VideoMemory.dumb, .dmaHeap("system"),
            ], VirtualCard.interfaceMemory)
        func memory(video: KMSDisplay.VideoMemory, interface: KMSDisplay.InterfaceMemory) throws {
            let rig = try DisplayRig(try options(video: video, interface: interface))
            defer { rig.display.stop() }
            #expect(rig.display.videoAllocator.name == (video == .dumb ? "dumb" : "dma-heap"))
            let probe = try rig.kms.probe.description
            #expect(rig.display.interfaceAllocator.name == (interface == .dumb ? "dumb" : "gbm"), "\(probe)")
            #expect(try rig.worstDifference(try scene(rig.display)) <= 4)
            #expect(try rig.kms.probe.rungs == [.planes])
            #expect(rig.display.videoAllocator.isCached)
        }

        @Test("the shared suite runs once for each allocator")
        func everyAllocator() {
            #expect(Set(DisplayKind.available).isSuperset(of: [.kmsDumb, .kmsDMAHeap, .kmsGBM]))
        }

        @Test("frames in memory that the card cannot scan out are copied and shown")
        func foreignMemory() throws {
            let rig = try DisplayRig(try options())
            defer { rig.display.stop() }
            let frame = try TestPictures.slopes(.yuv420p, width: 320, height: 180)
            let label = try TestPictures.rgb(.argb8888, width: 60, height: 40) { x, y in (x, y, 0, 200) }
            let scene = Scene(
                background: OpaqueColour(red: 20, green: 60, blue: 90),
                video: VideoLayer(
                    frame: TestPictures.frame(frame), source: frame.bounds,
                    destination: PixelRect(x: 0, y: 0, width: 320, height: 180)),
                layers: [
                    InterfaceLayer(
                        id: "label", pixels: label, destination: PixelRect(x: 300, y: 100, width: 60, height: 40), z: 0)
                ],
                wantedTime: .zero)
            #expect(try rig.worstDifference(scene) <= 4)
            #expect(try rig.kms.probe.rungs == [.scaledVideo])
        }

        @Test("with nothing visible no plane is attached")
        func nothing() throws {
            let rig = try DisplayRig(try options())
            defer { rig.display.stop() }
            let full = try scene(rig.display)
            let source = TestSource { count, opportunity in
                PresentationAnswer(scene: count == 0 ? full : Scene(wantedTime: opportunity.targetTime), wantsNext: count < 1)
            }
            try rig.display.start(source)
            try rig.run("two flips") { source.seen.flips.count == 2 }
            #expect(try rig.kms.attachedPlaneCount == 0)
            let picture = try rig.picture()
            #expect(picture.pixels.pixel(200, 200) == RGB(red: 0, green: 0, blue: 0))
        }

        /// How many pictures are shown in order. An emulated machine takes a while for a thousand.
        nonisolated private static let pictures = getenv("MARQUEE_LONG") == nil ? 120 : 1000

        @Test("flips come in order at the mode's rate, each with the kernel's time and number, at the requested blank")
        func rate() throws {
            let rig = try DisplayRig(try options())
            defer { rig.display.stop() }
            let full = try scene(rig.display)
            let source = TestSource { count, opportunity in
                var scene = full
                scene.layers[0].destination.x = count % 120
                scene.wantedTime = opportunity.targetTime
                return PresentationAnswer(scene: scene, wantsNext: count < Self.pictures - 1)
            }
            try rig.display.start(source)
            try rig.run("\(Self.pictures) flips") { source.seen.flips.count == Self.pictures }
            let flips = source.seen.flips
            let interval = source.seen.opportunities[0].interval
            #expect(flips.map(\.wantedTime) == source.seen.opportunities.map(\.targetTime))
            let (first, last) = (try #require(flips.first), try #require(flips.last))
            let span = last.time - first.time
            let blanks = last.sequence - first.sequence
            let mean = span / Double(blanks)
            #expect(abs((mean - interval).wholeNanoseconds) < interval.wholeNanoseconds / 100)
            // A busy emulated machine misses blanks, but a display that used only every second blank would meet none of its targets.
            let met = zip(flips, source.seen.opportunities).filter { $0.sequence == $1.sequence }
            #expect(met.count >= flips.count / 6)
            print("pictures at their blank: \(met.count) of \(flips.count)")
            #expect(met.allSatisfy { abs(($0.time - $1.targetTime).wholeNanoseconds) < 2_000_000 })
            #expect(zip(flips, flips.dropFirst()).contains { $1.sequence == $0.sequence + 1 })
            #expect(rig.display.counters.timeouts == 0)
        }

        @Test("a scene is tested once per shape: moving a layer over a hundred flips changes no rung")
        func moving() throws {
            let rig = try DisplayRig(try options())
            defer { rig.display.stop() }
            let full = try scene(rig.display)
            let source = TestSource { count, _ in
                var scene = full
                scene.layers[0].destination.y = count
                return PresentationAnswer(scene: scene, wantsNext: count < 29)
            }
            try rig.display.start(source)
            try rig.run("30 flips") { source.seen.flips.count == 30 }
            #expect(try rig.kms.probe.rungs == [.planes])
        }

        @Test("a missing flip is handled within its deadline, and the next scenes are shown")
        func lostFlip() throws {
            let faults = ScreenFaults()
            faults.change { $0.lostFlips = 2 }
            let rig = try DisplayRig(try options()) { FaultyScreen($0, faults, clock: $1) }
            defer { rig.display.stop() }
            let full = try scene(rig.display)
            let source = TestSource { _, opportunity in
                var scene = full
                scene.wantedTime = opportunity.targetTime
                return PresentationAnswer(scene: scene, wantsNext: true)
            }
            let start = rig.loop.clock.now
            try rig.display.start(source)
            try rig.run("ten flips") { source.seen.flips.count >= 10 }
            #expect(rig.display.counters.timeouts == 2)
            #expect(source.seen.modes.isEmpty)
            #expect(source.seen.flips[0].time - start > .milliseconds(200))
            #expect(source.seen.flips[0].time - start < .seconds(10))
        }

        @Test("after stop no framebuffer is left, and the card can be opened again")
        func leaks() throws {
            let before = VirtualCard.framebuffers
            for _ in 0..<3 {
                let rig = try DisplayRig(try options())
                let held = try scene(rig.display)
                _ = try rig.worstDifference(held)
                rig.display.stop()
                // Pictures in the card's memory are still held here.
                withExtendedLifetime(held) {}
            }
            if let before, let after = VirtualCard.framebuffers { #expect(after.count <= before.count) }
        }

        @Test("stop leaves connector, CRTC and planes as they were found")
        func restores() throws {
            // A second handle keeps the kernel from restoring its console when the display closes its own.
            let witness = try DRMDevice(path: try #require(VirtualCard.path))
            _ = drmDropMaster(witness.number)
            func state() throws -> [String] {
                let output = try KMSOutput(witness)
                var facts = [
                    "connector on \(output.connector["CRTC_ID"]?.value ?? 0)", "active \(output.crtc["ACTIVE"]?.value ?? 0)",
                ]
                for plane in output.planes {
                    for name in ["FB_ID", "CRTC_ID", "SRC_W", "SRC_H", "CRTC_X", "CRTC_W"]
                    where plane.properties["CRTC_ID"]?.value != 0 {
                        facts.append("plane \(plane.id) \(name) \(plane.properties[name]?.value ?? 0)")
                    }
                }
                return facts
            }
            let before = try state()
            let rig = try DisplayRig(try options())
            _ = try rig.worstDifference(try scene(rig.display))
            #expect(try state() != before)
            rig.display.stop()
            #expect(try state() == before)
        }

        @Test("a second program is refused with one sentence")
        func busy() throws {
            let rig = try DisplayRig(try options())
            defer { rig.display.stop() }
            let options = try self.options()
            let error = #expect(throws: MediaError.self) { _ = try KMSDisplay(options, clock: rig.loop.clock) }
            #expect(error?.sentence.contains("stop the program that holds the screen") == true)
        }

        @Test("the probe lists what was found and is used")
        func probe() throws {
            let rig = try DisplayRig(try options())
            defer { rig.display.stop() }
            let probe = try rig.kms.probe
            #expect(probe.driver == "vkms")
            #expect(probe.planes == 9)
            #expect(probe.planesForVideo == 9)
            #expect(probe.canReadBack)
            #expect(probe.memory.contains { $0.purpose == .video && $0.remark == "used" && ($0.readBytesPerSecond ?? 0) > 0 })
            #expect(probe.mode.width == 640)
        }
    }

    @Suite("Opening displays", .serialized)
    @MainActor
    struct OpeningTests {
        @Test("a missing card is refused with one sentence that names it")
        func missing() throws {
            let loop = try MainLoop(time: .real)
            let error = #expect(throws: MediaError.self) { _ = try DisplayFactory.make(.kms(card: "card63"), loop: loop) }
            #expect(
                error?.sentence.hasPrefix("Opening the graphics card /dev/dri/card63 failed: No such file or directory") == true)
        }

        @Test("a card is refused in simulated time")
        func simulated() throws {
            let loop = try MainLoop(time: .simulated)
            let error = #expect(throws: MediaError.self) { _ = try DisplayFactory.make(.kms(card: "card63"), loop: loop) }
            #expect(error?.sentence.contains("simulated time") == true)
        }

        @Test("in simulated time auto is a headless 1080p60 display that gives the reason")
        func automatic() throws {
            let loop = try MainLoop(time: .simulated)
            let display = try DisplayFactory.make(.auto, loop: loop)
            defer { display.stop() }
            #expect(display.name == "headless")
            #expect(display.mode == DisplayChoice.defaultHeadlessMode)
            #expect(DisplayFactory.probe(display)?.remarks.count == 1)
        }
    }
}
