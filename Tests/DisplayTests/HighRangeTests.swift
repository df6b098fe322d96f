import CDRM
import Glibc
import LinuxSupport
import MediaCodec
import MediaModel
import MediaTime
import Synchronization
import Testing

@testable import Display

/// Counts the layers that it converts.
private final class CountingConverter: RangeConverting {
    private let inner = RangeConverter()
    private let layers = Mutex(0)

    var count: Int { layers.withLock { $0 } }

    func picture(
        _ frame: VideoFrame, for range: HighDynamicRange?, from allocator: any FrameAllocator
    ) throws(MediaError) -> VideoFrame { try inner.picture(frame, for: range, from: allocator) }

    func convert(_ pixels: PixelBuffer, for range: HighDynamicRange, into target: PixelBuffer) throws(MediaError) {
        layers.withLock { $0 += 1 }
        try inner.convert(pixels, for: range, into: target)
    }

    func colour(_ colour: OpaqueColour, for range: HighDynamicRange) throws(MediaError) -> OpaqueColour {
        try inner.colour(colour, for: range)
    }
}

/// The metadata of `RangeRig.light`.
private func metadata(_ eotf: UInt8, light: LightMetadata? = RangeRig.light) -> [UInt8] {
    func word(_ value: UInt16?) -> [UInt8] { [UInt8((value ?? 0) & 255), UInt8((value ?? 0) >> 8)] }
    return [0, 0, 0, 0, eotf, 0] + [UInt8](repeating: 0, count: 16) + word(light?.peak) + word(light?.black)
        + word(light?.brightestPixel) + word(light?.brightestAverage) + [0, 0]
}

/// The code value, 0…255, of a colour of the interface on a screen in PQ: BT.1886, white at 203 cd/m² (BT.2408), the primaries of BT.2020, SMPTE ST 2084.
private func perceptual(_ red: Double, _ green: Double, _ blue: Double) -> [Double] {
    let light = [red, green, blue].map { pow(min(max($0, 0), 1), 2.4) * 203 / 10_000 }
    let matrix = [[0.6274, 0.3293, 0.0433], [0.0691, 0.9195, 0.0114], [0.0164, 0.0880, 0.8956]]
    return matrix.map { row in
        let power = pow(zip(row, light).reduce(0) { $0 + $1.0 * $1.1 }, 0.1593017578125)
        return 255 * pow((0.8359375 + 18.8515625 * power) / (1 + 18.6875 * power), 78.84375)
    }
}

extension LoopSuites.CardInMemory {
    @Suite("A high dynamic range on a card in memory", .serialized)
    @MainActor
    struct HighRangeTests {
        private static let high = ["P010", "AR24"]

        @Test(
            "is signalled once, with the light of its first picture and together with the rate; afterwards everything is as before",
            arguments: [ColourDescription.Transfer.pq, .hlg])
        func signalled(transfer: ColourDescription.Transfer) throws {
            let rig = try RangeRig()
            defer { rig.stop() }
            #expect(rig.display.range == ScreenRange(offered: [.pq, .hlg]))
            let first = try rig.high(transfer)
            try rig.begin(first, refresh: Ratio(50))
            #expect(rig.display.videoAllocator.keptRange == first.colour.highRange)
            let modesets = rig.card.modesets
            try rig.waitForPicture(Self.high)
            let expected = metadata(transfer == .pq ? 2 : 3)
            #expect(rig.card.signals == [expected] && rig.card.modesets == modesets + 1)
            let signal = rig.card.signal()
            #expect(signal.metadata == expected && signal.space == 9 && signal.bits == 12)
            #expect(rig.card.mode()?.vrefresh == 50)
            #expect(rig.card.shownPlanes()[0].encoding == 2, "the matrix of BT.2020")
            #expect(rig.display.range.current == first.colour.highRange && rig.display.range.refusal == nil)
            #expect(rig.source.seen.modes.map { $0?.refresh } == [Ratio(50)])
            // Further pictures, also with other light, and an advertisement in a standard range change nothing.
            rig.show(try rig.high(transfer, light: nil))
            try rig.waitForFlips()
            rig.show(try rig.standard())
            try rig.waitForFlips()
            #expect(rig.card.shownFormats() == Self.high && rig.card.modesets == modesets + 1)
            rig.display.setSignal(SignalRequest())
            try rig.waitForPicture(["NV12", "AR24"])
            let end = rig.card.signal()
            #expect(end.metadata == nil && end.space == 0 && end.bits == 8)
            #expect(rig.card.modesets == modesets + 2 && rig.card.mode()?.vrefresh == 60)
            #expect(rig.display.range == ScreenRange(offered: [.pq, .hlg]) && rig.display.videoAllocator.keptRange == nil)
            rig.stop()
            rig.show(nil)
        }

        @Test("the next item in the range signals its own light; with the same light nothing changes")
        func nextItem() throws {
            let rig = try RangeRig()
            defer { rig.stop() }
            try rig.begin(try rig.high())
            try rig.waitForPicture(Self.high)
            let modesets = rig.card.modesets
            rig.display.setSignal(SignalRequest(range: .pq))
            rig.show(try rig.high(luma: 90))
            try rig.waitForFlips()
            #expect(rig.card.signals.count == 1 && rig.card.modesets == modesets)
            rig.display.setSignal(SignalRequest(range: .pq))
            // The last picture of the item before stays for a while.
            try rig.waitForFlips()
            #expect(rig.card.signals.count == 1)
            rig.show(try rig.high(light: nil))
            try rig.wait("the light of the next item") { rig.card.signals == [metadata(2), metadata(2, light: nil)] }
        }

        @Test("layers have the code values of the range, and its white is 203 cd/m²")
        func layers() throws {
            let rig = try RangeRig()
            defer { rig.stop() }
            try rig.begin(try rig.high(luma: 16))
            try rig.waitForPicture(Self.high)
            try rig.waitForFlips()
            let screen = SoftwareCardScreen(rig.card)
            var worst = 0.0
            for y in 0..<18 {
                let alpha = Double(255 - y * 14) / 255
                for x in 0..<32 {
                    let codes = perceptual(Double(x * 8) / 255, Double(y * 14) / 255, 128.0 / 255)
                    let pixel = screen.pixel(x + 8, y + 8)
                    // Colours that were drawn with a small alpha have few levels.
                    guard alpha > 0.5 else { continue }
                    for (channel, code) in codes.enumerated() { worst = max(worst, abs(pixel[channel] - code * alpha)) }
                }
            }
            #expect(worst <= 2, "\(worst)")
            #expect(Int(perceptual(1, 1, 1)[0].rounded()) == 148)
        }

        @Test("a layer is converted once, also while it fades; a fade is that of the converted colours")
        func fade() throws {
            let converter = CountingConverter()
            let rig = try RangeRig(converter: converter)
            defer { rig.stop() }
            try rig.begin(try rig.high(luma: 16))
            try rig.waitForPicture(Self.high)
            try rig.waitForFlips()
            let whole = SoftwareCardScreen(rig.card).pixel(30, 8)
            for alpha in [UInt8(200), 128, 60] {
                rig.shown.state.withLock { $0.layers[0].alpha = alpha }
                try rig.waitForFlips(3)
                let faded = SoftwareCardScreen(rig.card).pixel(30, 8)
                for channel in 0..<3 { #expect(abs(faded[channel] - whole[channel] * Double(alpha) / 255) <= 2) }
            }
            // A flip that a busy machine brings too late sets the mode again, which forgets what was converted.
            #expect(converter.count <= 1 + rig.display.counters.timeouts)
        }

        @Test(
            "a picture of a standard range has its white at 203 cd/m², in PQ and in HLG",
            arguments: [("pq", 148.0), ("hlg", 191.0)])
        func advertisement(name: String, white: Double) throws {
            let rig = try RangeRig()
            defer { rig.stop() }
            try rig.begin(try rig.high(name == "pq" ? .pq : .hlg))
            try rig.waitForPicture(Self.high)
            rig.show(try rig.standard(luma: 235))
            try rig.wait("the white") {
                let pixel = SoftwareCardScreen(rig.card).pixel(100, 100)
                return (0..<3).allSatisfy { abs(pixel[$0] - white) <= 2 }
            }
            #expect(rig.card.shownFormats() == Self.high)
        }

        @Test("pictures of a high range on a screen of a standard one are mapped, and so is what is read of a screen")
        func mapped() throws {
            let rig = try RangeRig()
            defer { rig.stop() }
            try rig.begin(try rig.high(luma: 120))
            try rig.waitForPicture(Self.high)
            var read: ScreenPicture??
            rig.display.readScreen { read = .some($0) }
            try rig.wait("the screen being read") { read != nil }
            let pixel = try #require(read??.pixels.pixel(100, 100))
            rig.display.setSignal(SignalRequest())
            // What was decoded before keeps its range until it is shown.
            try rig.waitForPicture(["YU12", "AR24"])
            let shown = SoftwareCardScreen(rig.card).pixel(100, 100)
            #expect(abs(Double(pixel.red) - shown.x) <= 2 && abs(Double(pixel.blue) - shown.z) <= 2)
            // The code value is 48 % of the range: about 77 cd/m².
            #expect((150...190).contains(pixel.red), "\(pixel)")
        }

        /// Something that refuses a high range, and how often the mode is set until the screen is back in the standard one.
        struct Refusal: Sendable, CustomTestStringConvertible {
            var testDescription: String
            var quirks: @Sendable (inout SoftwareCard.Quirks) -> Void
            var modesets: Int
            var reason: String
            var isLasting = false
        }

        nonisolated static let refusals = [
            Refusal(
                testDescription: "the mode set",
                quirks: {
                    $0.refusesRange = true
                    $0.testsTellTheTruth = false
                }, modesets: 1, reason: "Invalid argument", isLasting: true),
            Refusal(testDescription: "the test of it", quirks: { $0.refusesRange = true }, modesets: 0, reason: "planes"),
            Refusal(
                testDescription: "planes for one picture only", quirks: { $0.refusedPictures = 2 }, modesets: 0, reason: "planes"),
            Refusal(
                testDescription: "a black screen", quirks: { $0.isDarkInRange = true }, modesets: 3, reason: "nothing appeared",
                isLasting: true),
        ]

        @Test("whatever refuses it leaves a standard range, in which the item goes on, and says why", arguments: refusals)
        func refused(_ refusal: Refusal) throws {
            let rig = try RangeRig { refusal.quirks(&$0) }
            defer { rig.stop() }
            rig.show(try rig.standard())
            try rig.display.start(rig.source)
            try rig.waitForFlips()
            let modesets = rig.card.modesets
            rig.display.setSignal(SignalRequest(range: .pq))
            rig.show(try rig.high())
            try rig.wait("the refusal") { rig.display.range.refusal != nil }
            try rig.waitForFlips()
            #expect(rig.display.range.refusal?.contains(refusal.reason) == true, "\(rig.display.range.refusal ?? "")")
            #expect(rig.card.signal().metadata == nil && rig.display.range.current == nil)
            #expect(rig.display.videoAllocator.keptRange == nil)
            #expect(["YU12", "XR24"].contains(rig.card.shownFormats().first), "\(rig.card.shownFormats())")
            #expect(rig.card.modesets - modesets <= refusal.modesets)
            // The owner of the log hears of it.
            #expect(!rig.source.seen.modes.isEmpty)
            // What the screen itself does not show is not tried with each item, until there is another screen.
            let remaining: Set<HighDynamicRange> = refusal.isLasting ? [.hlg] : [.pq, .hlg]
            #expect(rig.display.range.offered == remaining)
            rig.card.changeScreen { screen in
                var other = TelevisionEDID()
                other.serial = 9
                screen.edid = other.bytes
            }
            rig.display.connectorsChanged()
            try rig.wait("another screen") { rig.display.range.offered == [.pq, .hlg] }
        }

        @Test("planes that fail in play end the range without ending the picture")
        func failsInPlay() throws {
            let rig = try RangeRig { $0.testsTellTheTruth = false }
            defer { rig.stop() }
            try rig.begin(try rig.high())
            try rig.waitForPicture(Self.high)
            rig.card.change { $0.refusedPictures = 2 }
            try rig.waitForPicture(["XR24"])
            #expect(rig.card.signal().metadata == nil && rig.display.range.refusal?.contains("planes") == true)
            try rig.waitForFlips()
        }

        @Test("flips that do not come for a while in play do not end a range that was on the screen")
        func standsStill() throws {
            let rig = try RangeRig()
            defer { rig.stop() }
            try rig.begin(try rig.high())
            try rig.waitForPicture(Self.high)
            try rig.waitForFlips()
            let modesets = rig.card.modesets
            rig.isStill = true
            try rig.wait("attempts") { rig.card.modesets >= modesets + 3 }
            rig.isStill = false
            try rig.waitForFlips()
            #expect(rig.card.shownFormats() == Self.high && rig.card.signal().metadata == metadata(2))
            #expect(rig.display.range == ScreenRange(offered: [.pq, .hlg], current: .pq))
        }

        @Test("a screen that is exchanged in play for one of a standard range gets that; one that returns gets the range again")
        func exchanged() throws {
            let rig = try RangeRig()
            defer { rig.stop() }
            try rig.begin(try rig.high())
            try rig.waitForPicture(Self.high)
            rig.card.changeScreen { $0.isConnected = false }
            rig.display.connectorsChanged()
            try rig.wait("the loss") { rig.source.seen.modes.last == .some(nil) }
            // Otherwise the picture from before would be taken for that of the screen that returns.
            try rig.waitForPicture([])
            rig.card.changeScreen { $0.isConnected = true }
            rig.display.connectorsChanged()
            try rig.waitForPicture(Self.high)
            #expect(rig.card.signal().metadata == metadata(2))
            var plain = TelevisionEDID()
            plain.transfers = nil
            rig.card.changeScreen { [plain] in $0.edid = plain.bytes }
            rig.display.connectorsChanged()
            try rig.waitForPicture(["YU12", "AR24"])
            #expect(rig.card.signal().metadata == nil && rig.display.range.offered.isEmpty)
            #expect(rig.display.range.refusal?.contains("screen") == true)
        }

        @Test("the planes of a screen that is lost while a flip is pending are disabled")
        func lostInFlip() throws {
            let rig = try RangeRig()
            defer { rig.stop() }
            try rig.begin(try rig.high())
            try rig.waitForPicture(Self.high)
            rig.isStill = true
            try rig.wait("a flip that is pending") { rig.card.isFlipPending }
            rig.card.changeScreen { $0.isConnected = false }
            rig.display.connectorsChanged()
            try rig.wait("the loss") { rig.source.seen.modes.last == .some(nil) }
            rig.isStill = false
            try rig.waitForPicture([])
        }

        @Test("switched off and on again it has the range as before")
        func standby() throws {
            let rig = try RangeRig()
            defer { rig.stop() }
            try rig.begin(try rig.high())
            try rig.waitForPicture(Self.high)
            rig.display.setPower(false)
            try rig.waitForPicture([])
            rig.display.setPower(true)
            try rig.waitForPicture(Self.high)
            #expect(rig.card.signal().metadata == metadata(2))
        }

        @Test("is not offered without the card's properties, without a converter, and by a screen whose EDID is damaged")
        func notOffered() throws {
            var damaged = TelevisionEDID().bytes
            damaged[200] ^= 1
            for rig in [
                try RangeRig { $0.signalsRange = false }, try RangeRig(converter: nil), try RangeRig(edid: damaged),
                try RangeRig(edid: []), try RangeRig { $0.overlays = 0 },
            ] {
                defer { rig.stop() }
                #expect(rig.display.range == .standard)
                rig.display.setSignal(SignalRequest(range: .pq))
                #expect(rig.display.videoAllocator.keptRange == nil)
                rig.show(try rig.standard())
                try rig.display.start(rig.source)
                try rig.waitForFlips()
                #expect(rig.card.signals.isEmpty)
            }
        }

        @Test("layers for which there are no planes are composed, with a background, in the range")
        func composed() throws {
            let rig = try RangeRig { $0.overlays = 1 }
            defer { rig.stop() }
            try rig.begin(try rig.high())
            try rig.waitForPicture(Self.high)
            rig.shown.state.withLock { state in
                state.frame = nil
                state.background = OpaqueColour(red: 255, green: 255, blue: 255)
                let layer = state.layers[0]
                for index in 1..<4 {
                    var other = layer
                    other.id = "\(index)"
                    other.destination.x += 50 * index
                    state.layers.append(other)
                }
            }
            try rig.waitForPicture(["XR24"])
            #expect(rig.card.signal().metadata == metadata(2), "the next item may be in it")
            let corner = SoftwareCardScreen(rig.card).pixel(300, 170)
            for channel in 0..<3 { #expect(abs(corner[channel] - perceptual(1, 1, 1)[channel]) <= 1) }
        }

        @Test("at the end the screen has the signal that was found, and nothing is left in the kernel")
        func restored() throws {
            let rig = try RangeRig()
            try rig.begin(try rig.high())
            try rig.waitForPicture(Self.high)
            rig.stop()
            rig.show(nil)
            rig.shown.state.withLock { $0.layers = [] }
            let signal = rig.card.signal()
            #expect(signal.metadata == nil && signal.space == 0 && signal.bits == 8)
            #expect(rig.card.leftovers["framebuffers"] == 0 && rig.card.leftovers["blobs"] == 0)
        }
    }
}
