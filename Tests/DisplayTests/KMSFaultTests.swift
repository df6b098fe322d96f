import LinuxSupport
import MediaModel
import MediaTime
import Synchronization
import Testing

@testable import Display

/// The display's thread on a screen without a card.
@MainActor
private final class FaultRig {
    let faults = ScreenFaults()
    let link: KMSLink
    private let loop: MainLoop
    private let compose: WorkerThread
    private let thread: WorkerThread

    /// - Parameters:
    ///   - memory: of what the CPU composes.
    ///   - fault: the faults from the start.
    init(
        refresh: Ratio, source: TestSource, memory allocator: any FrameAllocator = MemoryAllocator(),
        fault: (inout ScreenFaults.State) -> Void = { _ in }
    ) throws {
        faults.change(fault)
        let mode = DisplayMode(width: 320, height: 180, refresh: refresh)
        loop = try MainLoop(time: .real)
        let clock = try #require(loop.clock as? RealClock)
        link = try KMSLink(mode: mode, refreshRates: [refresh])
        compose = WorkerThread(name: "compose", clock: clock)
        let memory = DisplayMemory(video: allocator, interface: allocator, readBack: MemoryAllocator())
        let loop = try KMSLoop(
            screen: FaultyScreen(FakeScreen(mode), faults, clock: clock), link: link, clock: clock, composeThread: compose,
            memory: memory,
            options: KMSDisplay.Options(path: "fake", mode: mode))
        let owner = Mutex(Optional(loop))
        thread = WorkerThread(name: "display", clock: clock)
        thread.perform { owner.withLock { $0?.run() } }
        link.post { mail in
            mail.source = KMSLink.WeakSource(source: source)
            mail.isAwake = true
        }
    }

    func stop() {
        link.post { $0.isStopped = true }
        thread.stop()
        compose.stop()
    }

    func wait(_ what: String, until isDone: @MainActor () -> Bool) throws { try loop.run(what, until: isDone) }

    /// Sets another refresh rate for the first time, and returns the mode.
    func changeRate(to rate: Ratio, of source: TestSource) throws -> DisplayMode {
        link.post { $0.signal = KMSLink.Signal(request: SignalRequest(refresh: rate), number: 1) }
        let mode = DisplayMode(width: 320, height: 180, refresh: rate)
        try wait("the other rate") { source.seen.modes == [mode] }
        return mode
    }

    /// Waits until some more pictures were shown.
    func waitForFlips(of source: TestSource) throws {
        let flips = source.seen.flips.count
        try wait("flips again") { source.seen.flips.count >= flips + 3 }
    }
}

extension LoopSuites {
    @Suite("The display's thread and the faults of drivers", .serialized)
    @MainActor
    struct KMSFaultTests {
        /// Gives a scene for every opportunity, with a layer.
        private func source() throws -> TestSource {
            let layer = try MemoryAllocator().makeBuffer(format: .argb8888, width: 32, height: 18)
            return TestSource { _, opportunity in
                var scene = Scene(wantedTime: opportunity.targetTime)
                scene.layers = [
                    InterfaceLayer(
                        id: "layer", pixels: layer, destination: PixelRect(x: 0, y: 0, width: 32, height: 18), z: 1)
                ]
                return PresentationAnswer(scene: scene, wantsNext: true)
            }
        }

        /// Gives a scene for every opportunity, with a video and a layer.
        private func sourceWithVideo() throws -> TestSource {
            let picture = PixelRect(x: 0, y: 0, width: 320, height: 180)
            let frame = VideoFrame(
                pixels: try TestPictures.slopes(.nv12, width: 320, height: 180), time: .zero, duration: .zero,
                colour: ColourDescription(matrix: .bt709, isFullRange: false))
            let layer = try MemoryAllocator().makeBuffer(format: .argb8888, width: 32, height: 18)
            return TestSource { _, opportunity in
                var scene = Scene(
                    video: VideoLayer(frame: frame, source: picture, destination: picture),
                    wantedTime: opportunity.targetTime)
                scene.layers = [
                    InterfaceLayer(
                        id: "layer", pixels: layer, destination: PixelRect(x: 0, y: 0, width: 32, height: 18), z: 1)
                ]
                return PresentationAnswer(scene: scene, wantsNext: true)
            }
        }

        @Test(
            "a missing flip is waited for three blanks, but at least 100 ms, and then the mode is set again",
            arguments: [(Ratio(60), Duration.milliseconds(100)), (Ratio(10), .milliseconds(300))])
        func deadline(refresh: Ratio, patience: Duration) throws {
            let source = try source()
            let rig = try FaultRig(refresh: refresh, source: source)
            defer { rig.stop() }
            try rig.wait("a flip") { !source.seen.flips.isEmpty }
            rig.faults.change { $0.lostFlips = 1 }
            try rig.wait("the screen to be reset") { rig.faults.now.resets == 1 }
            let waited = try #require(rig.faults.now.resetAfter)
            #expect(waited >= patience)
            #expect(waited < patience + .seconds(1))
            let flips = source.seen.flips.count
            try rig.wait("the next flips") { source.seen.flips.count >= flips + 3 }
            #expect(rig.link.notice.counters.timeouts == 1)
            #expect(source.seen.modes.isEmpty)
        }

        /// Gives one scene, and then only those that the display needs.
        private func stillSource() -> TestSource {
            TestSource { count, opportunity in
                PresentationAnswer(
                    scene: count == 0 || opportunity.needsScene ? Scene(wantedTime: opportunity.targetTime) : nil,
                    wantsNext: false)
            }
        }

        @Test("a still picture whose flip is lost is shown again, although the source has nothing new")
        func lostStillPicture() throws {
            let source = stillSource()
            let rig = try FaultRig(refresh: Ratio(60), source: source) { $0.lostFlips = 1 }
            defer { rig.stop() }
            try rig.wait("the picture") { !source.seen.flips.isEmpty }
            #expect(rig.faults.now.resets == 1)
            #expect(source.seen.opportunities.map(\.needsScene) == [false, true])
        }

        @Test("a screen that is switched off is lost, replies, and shows the still picture when it is switched on")
        func power() throws {
            let source = stillSource()
            let rig = try FaultRig(refresh: Ratio(60), source: source)
            defer { rig.stop() }
            try rig.wait("a flip") { !source.seen.flips.isEmpty }
            rig.link.post { $0.isPowered = false }
            try rig.wait("the loss to be reported") { !source.seen.modes.isEmpty }
            #expect(source.seen.modes == [nil])
            let answers = Mutex(0)
            rig.link.post { mail in mail.reads.append { picture in answers.withLock { $0 += picture == nil ? 1 : 0 } } }
            try rig.wait("a reply") { answers.withLock { $0 } == 1 }
            rig.link.post { $0.isPowered = true }
            try rig.wait("the picture") { source.seen.flips.count == 2 }
            #expect(source.seen.modes == [nil, DisplayMode(width: 320, height: 180, refresh: Ratio(60))])
        }

        @Test("a screen that is gone when it is switched on stays lost until it comes back")
        func powerWithoutScreen() throws {
            let source = stillSource()
            let rig = try FaultRig(refresh: Ratio(60), source: source)
            defer { rig.stop() }
            try rig.wait("a flip") { !source.seen.flips.isEmpty }
            rig.link.post { $0.isPowered = false }
            try rig.wait("the loss to be reported") { !source.seen.modes.isEmpty }
            rig.faults.change { $0.isUnplugged = true }
            rig.link.post { $0.isPowered = true }
            try rig.wait("an attempt") { rig.faults.now.resets >= 1 }
            #expect(source.seen.modes == [nil])
            rig.faults.change { $0.isUnplugged = false }
            rig.link.post { $0.connectorsChanged = true }
            try rig.wait("the picture") { source.seen.flips.count == 2 }
            #expect(source.seen.modes == [nil, DisplayMode(width: 320, height: 180, refresh: Ratio(60))])
        }

        @Test("a flip that is reported after its commit was abandoned is not taken for the next one")
        func oldFlip() throws {
            let source = try source()
            let rig = try FaultRig(refresh: Ratio(60), source: source)
            defer { rig.stop() }
            try rig.wait("two flips") { source.seen.flips.count >= 2 }
            rig.faults.change { state in
                state.lostFlips = 1
                state.reportsLateFlips = true
            }
            try rig.wait("the screen to be reset") { rig.faults.now.resets == 1 }
            let before = source.seen.flips.count
            try rig.wait("the next flips") { source.seen.flips.count >= before + 3 }
            // Each flip has the number of its own blank.
            let numbers = source.seen.flips.map(\.sequence)
            let lost = UInt64(try #require(rig.faults.now.lostNumbers.first))
            #expect(numbers.count >= 5)
            #expect(!numbers.contains(lost))
            #expect(numbers.contains(lost + 1))
            #expect(rig.link.notice.counters.timeouts == 1)
        }

        @Test("a busy card is tried again, and nothing is lost")
        func busy() throws {
            let source = try source()
            let rig = try FaultRig(refresh: Ratio(60), source: source)
            defer { rig.stop() }
            rig.faults.change { $0.busyCommits = 3 }
            try rig.wait("flips") { source.seen.flips.count >= 3 && rig.faults.now.busyCommits == 0 }
            #expect(rig.faults.now.resets == 0)
            #expect(rig.link.notice.counters.timeouts == 0)
        }

        @Test("a card that stays busy is reset at the deadline of a flip")
        func stuck() throws {
            let source = try source()
            let rig = try FaultRig(refresh: Ratio(60), source: source)
            defer { rig.stop() }
            try rig.wait("a flip") { !source.seen.flips.isEmpty }
            rig.faults.change { $0.busyCommits = .max }
            try rig.wait("the screen to be reset") { rig.faults.now.resets >= 1 }
            rig.faults.change { $0.busyCommits = 0 }
            try rig.waitForFlips(of: source)
        }

        @Test("flips that are lost in a row are each recovered from, and the screen does not count as lost")
        func lostInARow() throws {
            let source = try source()
            let rig = try FaultRig(refresh: Ratio(60), source: source)
            defer { rig.stop() }
            try rig.wait("a flip") { !source.seen.flips.isEmpty }
            rig.faults.change { $0.lostFlips = 4 }
            try rig.wait("the screen to be reset") { rig.faults.now.resets >= 4 }
            let flips = source.seen.flips.count
            try rig.wait("flips again") { source.seen.flips.count >= flips + 3 }
            #expect(source.seen.modes.isEmpty)
            // Each recovery counts from the last flip that came.
            rig.faults.change { $0.lostFlips = 4 }
            try rig.wait("the screen to be reset") { rig.faults.now.resets >= 8 }
            try rig.wait("flips again") { source.seen.flips.count >= flips + 6 }
            #expect(source.seen.modes.isEmpty)
        }

        @Test(
            "a card that takes modes and refuses every picture is lost after some attempts, is not set again and again, and comes back"
        )
        func refusesEverything() throws {
            let source = try source()
            let rig = try FaultRig(refresh: Ratio(60), source: source)
            defer { rig.stop() }
            try rig.wait("a flip") { !source.seen.flips.isEmpty }
            rig.faults.change { $0.refusedPlanes = 0 }
            try rig.wait("the loss to be reported") { !source.seen.modes.isEmpty }
            #expect(source.seen.modes.first == .some(nil))
            // From now on it is tried at intervals, once each; a connector that changes is one more attempt.
            rig.link.post { $0.connectorsChanged = true }
            try rig.wait("an attempt, and the next loss") { source.seen.modes.count >= 3 }
            rig.faults.change { $0.refusedPlanes = .max }
            let flips = source.seen.flips.count
            rig.link.post { $0.connectorsChanged = true }
            try rig.wait("flips again") { source.seen.flips.count >= flips + 3 }
            #expect(source.seen.modes.last == DisplayMode(width: 320, height: 180, refresh: Ratio(60)))
            #expect(rig.faults.now.resets <= 5 + source.seen.modes.count { $0 != nil })
        }

        @Test("a refresh rate that the returned screen lists and the card refuses is given up for the mode of the start")
        func vanishedMode() throws {
            let source = try source()
            let rig = try FaultRig(refresh: Ratio(60), source: source)
            defer { rig.stop() }
            try rig.wait("a flip") { !source.seen.flips.isEmpty }
            let fast = try rig.changeRate(to: Ratio(50), of: source)
            rig.faults.change { state in
                state.lostFlips = 1
                state.refusedModes = [fast]
            }
            let initial = DisplayMode(width: 320, height: 180, refresh: Ratio(60))
            try rig.wait("the first mode") { source.seen.modes.last == initial }
            try rig.waitForFlips(of: source)
        }

        @Test("a screen that comes back in the middle of an attempt gets the wanted mode, not another one that it has")
        func comesBackMeanwhile() throws {
            let source = try source()
            let rig = try FaultRig(refresh: Ratio(60), source: source)
            defer { rig.stop() }
            try rig.wait("a flip") { !source.seen.flips.isEmpty }
            let fast = try rig.changeRate(to: Ratio(50), of: source)
            for _ in 0..<3 {
                let resets = rig.faults.now.resets
                rig.faults.change { state in
                    state.lostFlips = 1
                    state.missedResets = 1
                }
                try rig.wait("another attempt") { rig.faults.now.resets >= resets + 2 }
                try rig.waitForFlips(of: source)
            }
            #expect(source.seen.modes == [fast] + (0..<3).flatMap { _ in [nil, fast] })
        }

        @Test("without memory the last picture stays, nothing is reset, and pictures follow when there is memory again")
        func noMemory() throws {
            let source = try sourceWithVideo()
            let memory = ScarceAllocator()
            let rig = try FaultRig(refresh: Ratio(60), source: source, memory: memory)
            defer { rig.stop() }
            try rig.wait("a flip") { !source.seen.flips.isEmpty }
            memory.isScarce = true
            // From now on the CPU composes, for which there is no memory.
            rig.faults.change { $0.refusedPlanes = 2 }
            try rig.wait("attempts") { memory.refusals >= 10 }
            #expect(rig.faults.now.resets == 0 && source.seen.modes.isEmpty)
            let flips = source.seen.flips.count
            memory.isScarce = false
            try rig.wait("flips again") { source.seen.flips.count >= flips + 3 }
            #expect(rig.faults.now.resets == 0 && source.seen.modes.isEmpty)
        }

        @Test("thirty changes of the connectors are each reported once, and the picture is there after the last one")
        func hotPlugs() throws {
            let source = try source()
            let rig = try FaultRig(refresh: Ratio(60), source: source)
            defer { rig.stop() }
            try rig.wait("a flip") { !source.seen.flips.isEmpty }
            for number in 1...15 {
                rig.faults.change { $0.isUnplugged = true }
                rig.link.post { $0.connectorsChanged = true }
                try rig.wait("loss \(number)") { source.seen.modes.count == 2 * number - 1 }
                rig.faults.change { $0.isUnplugged = false }
                rig.link.post { $0.connectorsChanged = true }
                try rig.wait("return \(number)") { source.seen.modes.count == 2 * number }
            }
            // As many that come faster than they can be read.
            for number in 0..<30 {
                rig.faults.change { $0.isUnplugged = number % 2 == 0 }
                rig.link.post { $0.connectorsChanged = true }
            }
            rig.link.post { $0.connectorsChanged = true }
            try rig.waitForFlips(of: source)
            let modes = source.seen.modes
            #expect(zip(modes, modes.dropFirst()).allSatisfy { ($0 == nil) != ($1 == nil) })
            #expect(modes.last == DisplayMode(width: 320, height: 180, refresh: Ratio(60)))
            #expect(rig.faults.now.resets <= 100)
        }

        @Test("a commit that is refused although its test passed goes to the next arrangement")
        func refused() throws {
            let source = try sourceWithVideo()
            let rig = try FaultRig(refresh: Ratio(60), source: source)
            defer { rig.stop() }
            try rig.wait("a flip") { !source.seen.flips.isEmpty }
            #expect(rig.link.notice.rungs == Set([LadderRung.planes]))
            #expect(rig.link.notice.attachedPlanes == 2)
            rig.faults.change { $0.refusedPlanes = 2 }
            try rig.wait("one plane") { rig.link.notice.attachedPlanes == 1 }
            #expect(rig.link.notice.rungs.contains(LadderRung.composed))
            #expect(rig.faults.now.resets == 0)
        }

        @Test("a screen that was unplugged at the deadline is lost, and comes back when the connectors change")
        func unplugged() throws {
            let source = try source()
            let rig = try FaultRig(refresh: Ratio(60), source: source)
            defer { rig.stop() }
            try rig.wait("a flip") { !source.seen.flips.isEmpty }
            rig.faults.change { state in
                state.lostFlips = 1
                state.isUnplugged = true
            }
            try rig.wait("the loss to be reported") { source.seen.modes.count == 1 }
            #expect(source.seen.modes == [nil])
            let flips = source.seen.flips.count
            rig.faults.change { $0.isUnplugged = false }
            rig.link.post { $0.connectorsChanged = true }
            try rig.wait("flips again") { source.seen.flips.count >= flips + 3 }
            #expect(source.seen.modes.last == DisplayMode(width: 320, height: 180, refresh: Ratio(60)))
        }
    }
}
