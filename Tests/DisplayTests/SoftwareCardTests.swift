import Glibc
import LinuxSupport
import MediaModel
import MediaTime
import Testing

@testable import Display

/// A display on a card in memory, whose blanks come sixty times in a second.
@MainActor
final class CardRig {
    let card: SoftwareCard
    let display: KMSDisplay
    let source: TestSource
    private let loop: MainLoop
    private var isOver = false

    static let mode = SoftwareCard.mode(320, 180, 60, isPreferred: true)

    /// - Parameter isStill: gives a picture only when the display needs one.
    init(
        _ quirks: SoftwareCard.Quirks = SoftwareCard.Quirks(),
        screens: [SoftwareCard.Screen] = [SoftwareCard.Screen(modes: [CardRig.mode])], crtcs: Int = 1, isStill: Bool = false,
        before: (SoftwareCard) -> Void = { _ in }
    ) throws {
        card = try SoftwareCard(quirks, screens: screens, crtcs: crtcs)
        before(card)
        loop = try MainLoop(time: .real)
        display = try KMSDisplay(KMSDisplay.Options(path: card.path), clock: loop.clock)
        let video = try TestPictures.slopes(.nv12, width: 160, height: 90, from: display.videoAllocator)
        let layer = try display.interfaceAllocator.makeBuffer(format: .argb8888, width: 32, height: 18)
        let frame = VideoFrame(
            pixels: video, time: .zero, duration: .zero, colour: ColourDescription(matrix: .bt709, isFullRange: false))
        source = TestSource { count, opportunity in
            guard !isStill || count == 0 || opportunity.needsScene else {
                return PresentationAnswer(scene: nil, wantsNext: false)
            }
            var scene = Scene(
                video: VideoLayer(
                    frame: frame, source: video.bounds, destination: PixelRect(x: 0, y: 0, width: 320, height: 180)),
                wantedTime: opportunity.targetTime)
            scene.layers = [
                InterfaceLayer(id: "layer", pixels: layer, destination: PixelRect(x: 8, y: 8, width: 32, height: 18), z: 1)
            ]
            return PresentationAnswer(scene: scene, wantsNext: !isStill)
        }
        nextBlank()
    }

    private func nextBlank() {
        guard !isOver else { return }
        card.blank()
        loop.clock.schedule(after: .microseconds(16_667)) { [weak self] in self?.nextBlank() }
    }

    func start() throws { try display.start(source) }

    func stop() {
        isOver = true
        display.stop()
    }

    func wait(_ what: String, until isDone: @MainActor () -> Bool) throws { try loop.run(what, until: isDone) }

    /// Waits for some more pictures.
    func waitForFlips(_ count: Int = 5) throws {
        let before = source.seen.flips.count
        try wait("\(count) more flips") { self.source.seen.flips.count >= before + count }
    }

    /// Waits until the planes of a CRTC show these formats.
    func waitForPicture(_ formats: [String], crtc: Int = 0) throws {
        try wait("\(formats)") { self.card.shownFormats(crtc: crtc) == formats }
    }
}

extension LoopSuites.CardInMemory {
    @Suite("The display on a card in memory", .serialized)
    @MainActor
    struct SoftwareCardTests {
        /// The planes of the scene where the card shows everything itself.
        nonisolated static let onPlanes = ["NV12", "AR24"]

        /// Stops a rig, and looks for what it has left in the kernel.
        private func expectNothingLeft(_ rig: CardRig) {
            rig.stop()
            rig.source.change { _, _ in PresentationAnswer(scene: nil, wantsNext: false) }
            #expect(rig.card.leftovers == ["framebuffers": 0, "buffers": 0, "blobs": 0])
        }

        /// A driver, and the planes on which it shows the scene.
        struct Driver: Sendable, CustomTestStringConvertible {
            var testDescription: String
            var quirks: @Sendable (inout SoftwareCard.Quirks) -> Void
            var formats: [String]
        }

        nonisolated static let drivers = [
            Driver(testDescription: "plain", quirks: { _ in }, formats: onPlanes),
            Driver(testDescription: "no scaling", quirks: { $0.scales = false }, formats: onPlanes),
            Driver(testDescription: "no YUV", quirks: { $0.showsYUV = false }, formats: ["XR24"]),
            Driver(
                testDescription: "one RGB plane without blanks",
                quirks: {
                    $0.showsYUV = false
                    $0.scales = false
                    $0.hasBlanks = false
                    $0.overlays = 0
                    $0.hasAlpha = false
                }, formats: ["XR24"]),
            Driver(testDescription: "no blanks", quirks: { $0.hasBlanks = false }, formats: onPlanes),
            Driver(testDescription: "one picture at a time", quirks: { $0.refusedPictures = 2 }, formats: ["XR24"]),
            Driver(
                testDescription: "one picture at a time, but tests accept two",
                quirks: {
                    $0.refusedPictures = 2
                    $0.testsTellTheTruth = false
                }, formats: ["XR24"]),
            Driver(
                testDescription: "the last blank is in a distant future", quirks: { $0.blankTime = .max / 2 }, formats: onPlanes),
            Driver(testDescription: "the last blank was at the start", quirks: { $0.blankTime = 1 }, formats: onPlanes),
        ]

        @Test("every kind of driver shows the scene, at its pace, and keeps nothing", arguments: drivers)
        func driver(_ driver: Driver) throws {
            var quirks = SoftwareCard.Quirks()
            driver.quirks(&quirks)
            let rig = try CardRig(quirks)
            defer { rig.stop() }
            try rig.start()
            try rig.waitForFlips(31)
            try rig.waitForPicture(driver.formats)
            let flips = rig.source.seen.flips
            let gap = flips[30].time - flips[0].time
            // Half a second at 60 Hz. A card without blanks ends each flip at once: its pace is the display's own.
            #expect(gap >= .milliseconds(quirks.hasBlanks ? 150 : 450), "thirty flips")
            let pace = zip(flips[1...], flips.dropFirst(2)).map { $1.sequence - $0.sequence }
            #expect(pace.allSatisfy { $0 > 0 }, "each flip has a blank of its own")
            #expect(rig.source.seen.modes.isEmpty)
            expectNothingLeft(rig)
        }

        /// The calls that are made while a screen is lost, found and lit again.
        nonisolated static let callsInPlay: [SoftwareCard.Call] = [
            .authenticate, .sequence, .resources, .encoder, .connector, .property, .properties, .blob, .planes, .plane,
            .addFramebuffer,
            .removeFramebuffer, .makeDumb, .mapDumb, .commit, .makeBlob, .freeBlob,
        ]

        @Test(
            "a call that fails once, and one that fails for a while, cost the picture only for that long", arguments: callsInPlay)
        func failingCalls(call: SoftwareCard.Call) throws {
            let rig = try CardRig()
            defer { rig.stop() }
            try rig.start()
            try rig.waitForPicture(Self.onPlanes)
            var serial: UInt8 = 1
            for (code, times) in [(EINVAL, 1), (ENOMEM, 1), (EBUSY, 1), (EIO, nil)] as [(Int32, Int?)] {
                let before = rig.card.count(call)
                rig.card.fail(call, code, times: times)
                // Another screen: everything is read and set again.
                serial += 1
                rig.card.changeScreen { $0.edid = [serial] }
                rig.display.connectorsChanged()
                if Self.isAlwaysCalled(call) {
                    try rig.wait("the call") { rig.card.count(call) > before + (times == nil ? 2 : 0) }
                }
                rig.card.heal()
                try rig.waitForFlips()
                try rig.waitForPicture(Self.onPlanes)
                try rig.wait("the screen being the right one") { rig.card.crtc(ofConnector: 0) == 0 }
            }
            #expect(rig.card.isMaster)
            // What the kernel has refused to free stays.
            if call != .freeBlob, call != .removeFramebuffer { expectNothingLeft(rig) }
        }

        /// Whether a new screen is not lit without the call, and it is repeated until it succeeds.
        private static func isAlwaysCalled(_ call: SoftwareCard.Call) -> Bool {
            switch call {
            case .resources, .connector, .property, .properties, .planes, .plane, .commit, .sequence: true
            default: false
            }
        }

        @Test(
            "a call that always fails from the start gives one sentence, or a display without it",
            arguments: SoftwareCard.Call.allCases)
        func failingStart(call: SoftwareCard.Call) throws {
            for code in [EINVAL, EACCES, ENOMEM] {
                let card: SoftwareCard
                do {
                    let rig = try CardRig(before: { $0.fail(call, code) })
                    card = rig.card
                    defer { rig.stop() }
                    try rig.start()
                    rig.display.wake()
                    rig.card.heal()
                    try rig.waitForFlips(2)
                    rig.stop()
                } catch let error as MediaError {
                    #expect(
                        error.sentence.contains("errno \(code)") || error.sentence.contains("marquee-card")
                            || error.sentence.contains("HDMI"))
                    #expect(error.code == .internal)
                    continue
                }
                #expect(card.leftovers["framebuffers"] == 0)
            }
        }

        @Test(
            "a card that refuses what it accepted in the test shows composed pictures, and planes again when it no longer refuses"
        )
        func refusedForAWhile() throws {
            let rig = try CardRig()
            defer { rig.stop() }
            try rig.start()
            try rig.waitForPicture(Self.onPlanes)
            let resets = rig.card.modesets
            rig.card.change { quirks in
                quirks.refusedPictures = 2
                quirks.testsTellTheTruth = false
            }
            try rig.waitForPicture(["XR24"])
            rig.card.change { $0.refusedPictures = .max }
            try rig.waitForPicture(Self.onPlanes)
            #expect(rig.card.modesets == resets)
            #expect(rig.source.seen.modes.isEmpty)
        }

        @Test("a card that another program takes is lost, and shows the picture on planes as soon as it is free")
        func master() throws {
            let rig = try CardRig(isStill: true)
            defer { rig.stop() }
            try rig.start()
            try rig.waitForPicture(Self.onPlanes)
            rig.card.setOtherMaster(true)
            rig.source.change { [source = rig.source] count, opportunity in
                _ = source
                return PresentationAnswer(scene: Scene(wantedTime: opportunity.targetTime), wantsNext: false)
            }
            rig.display.wake()
            try rig.wait("the loss being reported") { rig.source.seen.modes == [nil] }
            rig.card.setOtherMaster(false)
            try rig.wait("the return being reported") { rig.source.seen.modes.count == 2 }
            try rig.waitForFlips(1)
            #expect(rig.card.isMaster)
        }

        @Test("while another program has the card, the planes are not blamed")
        func masterInPlay() throws {
            let rig = try CardRig()
            defer { rig.stop() }
            try rig.start()
            try rig.waitForPicture(Self.onPlanes)
            rig.card.setOtherMaster(true)
            try rig.wait("the loss being reported") { rig.source.seen.modes == [nil] }
            rig.card.setOtherMaster(false)
            try rig.waitForFlips(1)
            #expect(rig.card.shownFormats() == Self.onPlanes)
            #expect(rig.display.probe.rungs == [.planes])
        }

        private func screens(_ first: Bool, _ second: Bool) -> [SoftwareCard.Screen] {
            [
                SoftwareCard.Screen(isConnected: first, modes: [CardRig.mode], edid: [1]),
                SoftwareCard.Screen(isConnected: second, modes: [SoftwareCard.mode(640, 360, 50)], edid: [2]),
            ]
        }

        @Test("a screen that is moved to the other connector is lit there with its own mode", arguments: [1, 2])
        func otherConnector(crtcs: Int) throws {
            var quirks = SoftwareCard.Quirks()
            quirks.forgetsEncoder = true
            let rig = try CardRig(quirks, screens: screens(true, false), crtcs: crtcs)
            defer { rig.stop() }
            try rig.start()
            try rig.waitForFlips()
            rig.card.changeScreen(0) { $0.isConnected = false }
            rig.card.changeScreen(1) { $0.isConnected = true }
            rig.display.connectorsChanged()
            try rig.wait("the other screen") { rig.source.seen.modes.count == 2 }
            try rig.waitForFlips()
            #expect(rig.card.crtc(ofConnector: 0) == nil)
            let crtc = try #require(rig.card.crtc(ofConnector: 1))
            #expect(rig.card.mode(crtc: crtc)?.hdisplay == 640)
            #expect(rig.source.seen.modes[1]?.width == 640)
            expectNothingLeft(rig)
        }

        @Test("the CRTC of a screen that shows the console is left alone when there is another one")
        func console() throws {
            let rig = try CardRig(screens: screens(true, true), crtcs: 2, before: { $0.light(connector: 1, crtc: 0) })
            defer { rig.stop() }
            try rig.start()
            try rig.waitForFlips()
            #expect(rig.card.crtc(ofConnector: 0) == 1)
            #expect(rig.card.crtc(ofConnector: 1) == 0)
        }

        @Test("the only CRTC is taken from a screen that shows the console")
        func onlyCRTC() throws {
            let rig = try CardRig(screens: screens(true, true), crtcs: 1, before: { $0.light(connector: 1, crtc: 0) })
            defer { rig.stop() }
            try rig.start()
            try rig.waitForFlips()
            #expect(rig.card.crtc(ofConnector: 0) == 0)
            #expect(rig.card.crtc(ofConnector: 1) == nil)
        }

        @Test("another screen on the same connector gets its own mode, though it was never seen to be away")
        func otherScreen() throws {
            let rig = try CardRig()
            defer { rig.stop() }
            try rig.start()
            try rig.waitForFlips()
            rig.card.changeScreen { screen in
                screen.edid = [9]
                screen.modes = [SoftwareCard.mode(640, 360, 50)]
            }
            rig.display.connectorsChanged()
            try rig.wait("the other mode") { rig.source.seen.modes.last??.width == 640 }
            try rig.waitForFlips()
            #expect(rig.card.mode()?.hdisplay == 640)
        }

        @Test(
            "a rate that the screen lists but shows nothing at is left for the one before, and not offered until there is another screen"
        )
        func darkRate() throws {
            var quirks = SoftwareCard.Quirks()
            quirks.darkRate = 50
            let modes = [CardRig.mode, SoftwareCard.mode(320, 180, 50), SoftwareCard.mode(320, 180, 75)]
            let rig = try CardRig(quirks, screens: [SoftwareCard.Screen(modes: modes)])
            defer { rig.stop() }
            try rig.start()
            try rig.waitForFlips()
            #expect(rig.display.refreshRates == [Ratio(60), Ratio(50), Ratio(75)])
            rig.display.setSignal(SignalRequest(refresh: Ratio(50)))
            try rig.wait("the rate before") { rig.source.seen.modes.map { $0?.refresh } == [Ratio(50), Ratio(60)] }
            try rig.waitForFlips()
            #expect(rig.card.mode()?.vrefresh == 60)
            #expect(rig.display.refreshRates == [Ratio(60), Ratio(75)])
            rig.display.setSignal(SignalRequest(refresh: Ratio(75)))
            try rig.wait("a good rate") { rig.source.seen.modes.last??.refresh == Ratio(75) }
            try rig.waitForFlips()
            #expect(rig.card.mode()?.vrefresh == 75)
            rig.card.changeScreen { $0.edid = [7] }
            rig.display.connectorsChanged()
            try rig.wait("the rates of another screen") { rig.display.refreshRates.count == 3 }
        }

        @Test(
            "a link that no longer carries the picture is set up again in the same mode; an event without a reason does nothing")
        func badLink() throws {
            let rig = try CardRig()
            defer { rig.stop() }
            try rig.start()
            try rig.waitForFlips()
            rig.display.connectorsChanged()
            try rig.waitForFlips()
            let commits = rig.card.count(.makeBlob)
            #expect(commits == 1)
            rig.card.changeScreen { $0.isLinkBad = true }
            rig.display.connectorsChanged()
            try rig.wait("the mode being set") { rig.card.count(.makeBlob) == 2 }
            try rig.waitForFlips()
            #expect(rig.source.seen.modes.isEmpty)
        }

        @Test("a screen that returns without its EDID is waited for, and gets its mode instead of the kernel's guess")
        func missingEDID() throws {
            let rig = try CardRig()
            defer { rig.stop() }
            try rig.start()
            try rig.waitForFlips()
            rig.card.changeScreen { $0.isConnected = false }
            rig.display.connectorsChanged()
            try rig.wait("the loss") { rig.source.seen.modes == [nil] }
            rig.card.changeScreen { screen in
                screen.isConnected = true
                screen.edid = []
                screen.modes = [SoftwareCard.mode(1024, 768, 60)]
            }
            rig.display.connectorsChanged()
            let reads = rig.card.count(.resources)
            try rig.wait("some attempts") { rig.card.count(.resources) >= reads + 4 }
            #expect(rig.source.seen.modes == [nil])
            rig.card.changeScreen { screen in
                screen.edid = [1]
                screen.modes = [CardRig.mode]
            }
            try rig.wait("the return") { rig.source.seen.modes.count == 2 }
            #expect(rig.source.seen.modes[1]?.width == 320)
            try rig.waitForFlips()
        }

        @Test("a screen that has no modes yet is lit when it has them, without another event")
        func lateModes() throws {
            let rig = try CardRig()
            defer { rig.stop() }
            try rig.start()
            try rig.waitForFlips()
            rig.card.changeScreen { screen in
                screen.isConnected = false
                screen.modes = []
            }
            rig.display.connectorsChanged()
            try rig.wait("the loss") { rig.source.seen.modes == [nil] }
            rig.card.changeScreen { $0.isConnected = true }
            rig.display.connectorsChanged()
            let reads = rig.card.count(.resources)
            try rig.wait("some attempts") { rig.card.count(.resources) >= reads + 2 }
            rig.card.changeScreen { $0.modes = [CardRig.mode] }
            try rig.wait("the return") { rig.source.seen.modes.count == 2 }
            try rig.waitForFlips()
        }

        @Test("fifty removals and returns leave the picture on the screen and nothing else")
        func fiftyTimes() throws {
            let rig = try CardRig()
            defer { rig.stop() }
            try rig.start()
            try rig.waitForPicture(Self.onPlanes)
            let held = rig.card.leftovers
            for round in 1...50 {
                rig.card.changeScreen { $0.isConnected = false }
                rig.display.connectorsChanged()
                try rig.wait("loss \(round)") { rig.source.seen.modes.count == 2 * round - 1 }
                rig.card.changeScreen { $0.isConnected = true }
                rig.display.connectorsChanged()
                try rig.wait("return \(round)") { rig.source.seen.modes.count == 2 * round }
            }
            try rig.waitForFlips()
            try rig.waitForPicture(Self.onPlanes)
            #expect(rig.card.leftovers == held)
            expectNothingLeft(rig)
        }
    }
}

@Suite("What is known of screens that are away")
struct KnownScreensTests {
    private func modes(_ width: Int) -> [KMSMode] { [KMSMode(SoftwareCard.mode(width, 360, 60))].compactMap(\.self) }
    private func widths(_ modes: [KMSMode]?) -> [Int]? { modes?.map(\.mode.width) }
    private func time(_ milliseconds: Int) -> HostTime { HostTime(nanoseconds: Int64(milliseconds) * 1_000_000) }

    @Test("an EDID is waited for six seconds from when it was first missed, and then the modes from before are offered")
    func patience() {
        var known = KnownScreens()
        #expect(widths(known.modes(of: 1, offered: modes(640), hasEDID: true, at: time(0))) == [640])
        #expect(known.modes(of: 1, offered: modes(1024), hasEDID: false, at: time(10_000)) == nil)
        #expect(known.modes(of: 1, offered: modes(1024), hasEDID: false, at: time(15_999)) == nil)
        #expect(widths(known.modes(of: 1, offered: modes(1024), hasEDID: false, at: time(16_000))) == [640])
        #expect(widths(known.modes(of: 1, offered: modes(800), hasEDID: true, at: time(17_000))) == [800])
        #expect(known.modes(of: 1, offered: modes(1024), hasEDID: false, at: time(18_000)) == nil, "it is missed anew")
    }

    @Test("a screen that never had an EDID is taken at once, and each connector is known for itself")
    func without() {
        var known = KnownScreens()
        #expect(widths(known.modes(of: 1, offered: modes(640), hasEDID: false, at: time(0))) == [640])
        #expect(widths(known.modes(of: 1, offered: modes(640), hasEDID: true, at: time(1))) == [640])
        #expect(widths(known.modes(of: 2, offered: modes(800), hasEDID: false, at: time(2))) == [800])
    }

    @Test("a rate without a flip is given up after three seconds or five recoveries, one with a flip never")
    func rates() {
        var trial = RateTrial()
        func fails(at milliseconds: Int, _ recoveries: Int) -> Bool {
            trial.hasFailed(at: time(milliseconds), recoveries: recoveries)
        }
        #expect(!fails(at: 9000, 9), "no rate was requested")
        trial.begin(Ratio(50), at: time(0))
        #expect(!fails(at: 2999, 4))
        #expect(fails(at: 3000, 1))
        #expect(!fails(at: 3001, 9), "once is enough")
        trial.begin(Ratio(24), at: time(4000))
        #expect(fails(at: 4001, 5))
        trial.begin(Ratio(75), at: time(5000))
        trial.flipped()
        #expect(!fails(at: 9000, 9))
        #expect(trial.usable(of: [Ratio(24), Ratio(50), Ratio(60), Ratio(75)]) == [Ratio(60), Ratio(75)])
    }

    @Test("a lost screen is tried after a quarter of a second, then less often, and soon again after an event")
    func pace() {
        var pace = ReturnPace()
        #expect(
            (0..<5).map { _ in pace.pause() } == [.milliseconds(250), .milliseconds(500), .seconds(1), .seconds(2), .seconds(2)])
        pace.hurry()
        #expect(pace.pause() == .milliseconds(250))
    }
}
