import LinuxSupport
import MediaModel
import MediaTime
import Testing

@testable import Display

/// A display on a card in memory that hangs turned, with a scene of video and layers.
@MainActor
private final class TurnedRig {
    let card: SoftwareCard
    let display: KMSDisplay
    let source: TestSource
    private let loop: MainLoop
    private var isOver = false
    private var blanks = 0

    /// - Parameter mode: that of viewers.
    init(
        _ quirks: SoftwareCard.Quirks, _ rotation: DisplayRotation, width: Int = 96, height: Int = 128
    ) throws {
        let own = rotation.size(width: width, height: height)
        card = try SoftwareCard(
            quirks,
            screens: [
                SoftwareCard.Screen(modes: [SoftwareCard.mode(own.width, own.height, 60, isPreferred: true)])
            ])
        loop = try MainLoop(time: .real)
        display = try KMSDisplay(KMSDisplay.Options(path: card.path, rotation: rotation), clock: loop.clock)
        source = TestSource { _, _ in PresentationAnswer(scene: nil, wantsNext: false) }
        try display.start(source)
        nextBlank()
    }

    private func nextBlank() {
        guard !isOver else { return }
        card.blank()
        blanks += 1
        loop.clock.schedule(after: .microseconds(16_667)) { [weak self] in self?.nextBlank() }
    }

    /// Video at its own size or enlarged, a layer with alpha, one that is enlarged and faded, and one that an edge cuts off.
    func makeScene(_ format: PixelFormat, isScaled: Bool, quarterTurns: Int = 0) throws -> Scene {
        let size = quarterTurns % 2 == 0 ? (width: 64, height: 36) : (width: 36, height: 64)
        let video = try TestPictures.slopes(format, width: size.width, height: size.height, from: display.videoAllocator)
        let label = try TestPictures.rgb(.argb8888, width: 20, height: 12, from: display.interfaceAllocator) { x, y in
            (x * 4, y * 6, 20, 110 + x * 3)
        }
        let place =
            isScaled ? PixelRect(x: 4, y: 20, width: 88, height: 60) : PixelRect(x: 14, y: 40, width: 64, height: 36)
        return Scene(
            video: VideoLayer(
                frame: TestPictures.frame(video, quarterTurns: quarterTurns), source: video.bounds, destination: place),
            layers: [
                InterfaceLayer(id: "label", pixels: label, destination: PixelRect(x: 50, y: 60, width: 20, height: 12), z: 1),
                InterfaceLayer(
                    id: "faint", pixels: label,
                    destination: PixelRect(x: 7, y: 90, width: isScaled ? 50 : 20, height: isScaled ? 31 : 12), alpha: 128, z: 2),
                InterfaceLayer(id: "edge", pixels: label, destination: PixelRect(x: 85, y: -5, width: 20, height: 12), z: 3),
            ], wantedTime: .zero)
    }

    /// Shows a scene, and waits for its flip.
    func show(_ scene: Scene) throws {
        let before = source.seen.flips.count
        let first = source.seen.opportunities.count
        source.change { count, opportunity in
            PresentationAnswer(scene: count == first || opportunity.needsScene ? scene : nil, wantsNext: false)
        }
        display.wake()
        try loop.run("the flip") { source.seen.flips.count > before }
    }

    func wait(_ what: String, until isDone: @MainActor () -> Bool) throws { try loop.run(what, until: isDone) }

    func waitForBlanks(_ count: Int) throws {
        let before = blanks
        try loop.run("\(count) blanks") { self.blanks >= before + count }
    }

    func read() throws -> PixelBuffer {
        var picture: ScreenPicture??
        display.readScreen { picture = .some($0) }
        try loop.run("the screen being read") { picture != nil }
        let read = try #require(picture)
        return try #require(read).pixels
    }

    /// What the card sends to its screen.
    func pixels(_ rotation: DisplayRotation) -> [SoftwareCardScreen.Colour] {
        let own = rotation.turn(display.mode)
        return SoftwareCardScreen(card).pixels(width: own.width, height: own.height)
    }

    func stop() {
        isOver = true
        display.stop()
        source.change { _, _ in PresentationAnswer(scene: nil, wantsNext: false) }
    }
}

extension LoopSuites.CardInMemory {
    @Suite("A screen that hangs turned, on a card in memory", .serialized)
    @MainActor
    struct RotatedCardTests {
        /// A driver, and the rung on which a turned scene is shown.
        struct Driver: Sendable, CustomTestStringConvertible {
            var testDescription: String
            var quirks: @Sendable (inout SoftwareCard.Quirks) -> Void
            var rung: @Sendable (DisplayRotation) -> LadderRung
        }

        nonisolated static let drivers = [
            Driver(
                testDescription: "planes turn",
                quirks: { $0.rotations = ["rotate-0", "rotate-90", "rotate-180", "rotate-270", "reflect-x", "reflect-y"] },
                rung: { _ in .planes }),
            Driver(
                testDescription: "planes turn upside down and mirror, as vc4's do",
                quirks: { $0.rotations = ["rotate-0", "rotate-180", "reflect-x", "reflect-y"] },
                rung: { $0.isSideways ? .scaledVideo : .planes }),
            Driver(
                testDescription: "planes mirror", quirks: { $0.rotations = ["rotate-0", "reflect-x", "reflect-y"] },
                rung: { $0.isSideways ? .scaledVideo : .planes }),
            Driver(
                testDescription: "planes say that they turn, and refuse it",
                quirks: {
                    $0.rotations = ["rotate-0", "rotate-90", "rotate-180", "rotate-270"]
                    $0.turnsPictures = false
                }, rung: { _ in .scaledVideo }),
            Driver(
                testDescription: "planes turn and do not scale",
                quirks: {
                    $0.rotations = ["rotate-0", "rotate-90", "rotate-180", "rotate-270"]
                    $0.scales = false
                }, rung: { _ in .planes }),
            Driver(testDescription: "no plane turns or scales", quirks: { $0.scales = false }, rung: { _ in .scaledVideo }),
            Driver(testDescription: "no YUV", quirks: { $0.showsYUV = false }, rung: { _ in .composed }),
        ]

        private func worst(
            _ turned: [SoftwareCardScreen.Colour], _ upright: [SoftwareCardScreen.Colour], _ mode: DisplayMode,
            _ rotation: DisplayRotation
        ) -> Double {
            let width = rotation.turn(mode).width
            var worst = 0.0
            for y in 0..<mode.height {
                for x in 0..<mode.width {
                    let place = turnedPlace(x, y, width: mode.width, height: mode.height, degrees: rotation.rawValue)
                    let (one, two) = (turned[place.y * width + place.x], upright[y * mode.width + x])
                    for channel in 0..<3 { worst = max(worst, abs(one[channel] - two[channel])) }
                }
            }
            return worst
        }

        @Test(
            "shows the scene of an upright screen turned, within 2 of 255; rests without a commit; is read upright",
            arguments: drivers, [DisplayRotation.quarter, .half, .threeQuarters])
        func shows(_ driver: Driver, _ rotation: DisplayRotation) throws {
            var quirks = SoftwareCard.Quirks()
            driver.quirks(&quirks)
            for isScaled in [false, true] {
                // Where the CPU scales for the turned screen, it does so for the upright one.
                var plain = quirks
                if driver.rung(rotation) == .scaledVideo { plain.scales = false }
                let (upright, rig) = (try TurnedRig(plain, .none), try TurnedRig(quirks, rotation))
                defer {
                    upright.stop()
                    rig.stop()
                }
                #expect(rig.display.mode == upright.display.mode)
                for format in [PixelFormat.nv12, .yuv420p] {
                    try upright.show(try upright.makeScene(format, isScaled: isScaled))
                    try rig.show(try rig.makeScene(format, isScaled: isScaled))
                    let difference = worst(rig.pixels(rotation), upright.pixels(.none), rig.display.mode, rotation)
                    #expect(difference <= 2, "\(format), scaled \(isScaled)")
                    #expect(try rig.read().worstDifference(upright.read()) <= 2)
                    let commits = rig.card.count(.commit)
                    try rig.waitForBlanks(10)
                    #expect(rig.card.count(.commit) == commits, "at rest")
                }
                if !isScaled { #expect(rig.display.probe.rungs == [driver.rung(rotation)]) }
            }
        }

        @Test("a picture that is stored turned needs no turn on the screen that hangs so")
        func storedTurned() throws {
            let rig = try TurnedRig(SoftwareCard.Quirks(), .threeQuarters)
            defer { rig.stop() }
            let upright = try TurnedRig(SoftwareCard.Quirks(), .none)
            defer { upright.stop() }
            try rig.show(try rig.makeScene(.nv12, isScaled: false, quarterTurns: 1))
            try upright.show(try upright.makeScene(.nv12, isScaled: false, quarterTurns: 1))
            #expect(rig.display.probe.rungs == [.planes])
            #expect(upright.display.probe.rungs == [.scaledVideo])
            let difference = worst(rig.pixels(.threeQuarters), upright.pixels(.none), rig.display.mode, .threeQuarters)
            #expect(difference <= 2)
        }

        @Test("layers that the CPU has turned are turned once, and are not drawn again by a picture of the video")
        func layersAreKept() throws {
            let rig = try TurnedRig(SoftwareCard.Quirks(), .quarter)
            defer { rig.stop() }
            let scene = try rig.makeScene(.nv12, isScaled: false)
            try rig.show(scene)
            let first = rig.card.shownPlanes().dropFirst().map(\.framebuffer.offsets)
            var next = scene
            let other = try TestPictures.slopes(.nv12, width: 64, height: 36, from: rig.display.videoAllocator)
            next.video?.frame = TestPictures.frame(other)
            try rig.show(next)
            #expect(rig.card.shownPlanes().dropFirst().map(\.framebuffer.offsets) == first)
            #expect(first.count == 3)
        }

        @Test("another screen keeps the rotation, and its mode is told as viewers see it; a rate is set in the screen's own mode")
        func hotPlug() throws {
            let rig = try TurnedRig(SoftwareCard.Quirks(), .quarter)
            defer { rig.stop() }
            try rig.show(try rig.makeScene(.nv12, isScaled: false))
            rig.card.changeScreen {
                $0.edid = [2]
                $0.modes = [
                    SoftwareCard.mode(160, 90, 60, isPreferred: true), SoftwareCard.mode(160, 90, 50, isPreferred: false),
                ]
            }
            rig.display.connectorsChanged()
            try rig.wait("the other mode") { rig.display.mode.height == 160 }
            #expect(rig.display.mode.width == 90)
            #expect(rig.source.seen.modes.last == rig.display.mode)
            let other = try #require(rig.display.refreshRates.first { $0 != rig.display.mode.refresh })
            rig.display.setSignal(SignalRequest(refresh: other))
            try rig.wait("the other rate") { rig.display.mode.refresh == other }
            #expect(rig.display.mode.width == 90 && rig.display.mode.height == 160)
            let own = try #require(rig.card.mode())
            #expect(own.hdisplay == 160 && own.vdisplay == 90)
        }

        @Test("says what turns the picture")
        func words() throws {
            func facts(_ rotations: [String], _ rotation: DisplayRotation) throws -> [String] {
                var quirks = SoftwareCard.Quirks()
                quirks.rotations = rotations
                let rig = try TurnedRig(quirks, rotation)
                defer { rig.stop() }
                return rig.display.probe.cardFacts.filter { $0.hasPrefix("rotation") }
            }
            #expect(try facts(["rotate-0", "rotate-180"], .half) == ["rotation 180: planes turn the picture"])
            #expect(
                try facts(["rotate-0", "rotate-180"], .quarter)
                    == ["rotation 90: no plane turns by that: the CPU turns the picture"])
            #expect(try facts([], .none) == [])
        }
    }
}
