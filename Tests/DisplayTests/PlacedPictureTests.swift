import Glibc
import LinuxSupport
import MediaModel
import MediaTime
import Synchronization
import Testing

@testable import Display
@testable import Playback

/// A lone picture of an edited programme in its place.
private struct PlacedCase: Sendable, CustomTestStringConvertible {
    var testDescription: String
    /// The size of the picture.
    var width = 64
    var height = 36
    var layer = (opacity: 1.0, x: 0.0, y: 0.0, scaleX: 1.0, scaleY: 1.0)
    var crop = (x: 0.0, y: 0.0, width: 1.0, height: 1.0)

    static let all: [PlacedCase] = [
        PlacedCase(testDescription: "moved", layer: (1, 30, 20, 1, 1)),
        PlacedCase(testDescription: "half transparent", width: 128, height: 72, layer: (0.5, 0, 0, 1, 1)),
        PlacedCase(testDescription: "nearly black", width: 128, height: 72, layer: (0.03, 0, 0, 1, 1)),
        PlacedCase(testDescription: "nearly opaque", width: 128, height: 72, layer: (0.99, 0, 0, 1, 1)),
        PlacedCase(testDescription: "cropped", width: 128, height: 72, crop: (0.25, 0.125, 0.5, 0.75)),
        PlacedCase(testDescription: "enlarged to the whole", layer: (1, 0, 0, 2, 2)),
        PlacedCase(testDescription: "made smaller", width: 128, height: 72, layer: (1, 64, 36, 0.5, 0.25)),
        PlacedCase(testDescription: "beyond the left and the top", width: 128, height: 72, layer: (1, -41, -23, 1, 1)),
        PlacedCase(testDescription: "beyond the right and the bottom", layer: (1, 90, 50, 1, 1)),
        PlacedCase(
            testDescription: "everything at once", width: 128, height: 72, layer: (0.4, 30, -9, 0.75, 1.25),
            crop: (0.1, 0.2, 0.6, 0.7)),
    ]

    /// The request of a canvas with this picture alone, which has slopes in all components.
    func request(
        _ format: PixelFormat, on canvas: (width: Int, height: Int) = (128, 72), from allocator: any FrameAllocator
    ) throws -> VideoCompositionRequest {
        // All colours are inside the range of RGB: what a screen cuts off is not the same before and after a fade.
        let pixels = try TestPictures.yuv(format, width: width, height: height, from: allocator) { component, x, y in
            switch component {
            case 0: 70 + x * 60 / width + y * 30 / height
            case 1: 120 + x * 16 / width
            default: 136 - y * 16 / height
            }
        }
        let picture = VideoCompositionRequest.Layer(
            frame: TestPictures.frame(pixels), opacity: layer.opacity, x: layer.x, y: layer.y, scaleX: layer.scaleX,
            scaleY: layer.scaleY, crop: crop)
        return VideoCompositionRequest(
            width: canvas.width, height: canvas.height, background: 0, layers: [picture], time: .zero, duration: .seconds(1))
    }
}

/// Both ways to show a request: its picture in its place, and the composed picture.
private func bothWays(_ request: VideoCompositionRequest, _ allocator: any FrameAllocator) throws -> [VideoFrame] {
    [try #require(request.placed), try PictureCompositor().compose(request, allocator: allocator)]
}

@Suite("A lone picture in its place, on a screen in memory")
struct PlacedPictureTests {
    private func screens(
        _ request: VideoCompositionRequest, _ gravity: VideoGravity = .resizeAspect, width: Int = 128, height: Int = 72,
        in rect: PixelRect? = nil, background: OpaqueColour = .black
    ) throws -> [PixelBuffer] {
        try bothWays(request, TestPictures.memory).map { frame in
            var layout = ScreenLayout(width: width, height: height)
            layout.setGravity(gravity)
            if let rect { layout.setInterface([], video: rect, background: background) }
            return try Compositor().compose(layout.makeScene(of: frame, for: .zero), width: width, height: height)
        }
    }

    @Test("at its own size a picture is moved and cut off, and never scaled", arguments: [-41.0, -41.9, -1, 0.4, 3, 77, 77.9])
    func unscaled(place: Double) throws {
        let moved = PlacedCase(testDescription: "", layer: (1, place, place / 2, 1, 1), crop: (0.1, 0.3, 0.77, 0.61))
        let placement = try #require(moved.request(.yuv420p, from: TestPictures.memory).placed?.placement)
        let (source, destination) = (placement.source, placement.destination)
        #expect(source.width == destination.width && source.height == destination.height)
        #expect([source.x, source.y, destination.x, destination.y].allSatisfy { $0.isMultiple(of: 2) })
        #expect(abs(Double(destination.x - source.x) - place) <= 1 && abs(Double(destination.y - source.y) - place / 2) <= 1)
    }

    @Test("is within 2 of 255 of the composed picture, in every format", arguments: PlacedCase.all)
    private func agrees(_ placed: PlacedCase) throws {
        for format in [PixelFormat.yuv420p, .nv12, .yuv422p, .yuv444p, .yuv420p10] {
            let both = try screens(try placed.request(format, from: TestPictures.memory))
            #expect(both[0].greatestDifference(both[1]) <= 2, "\(format)")
        }
    }

    @Test("fills, is stretched and is fitted into a rectangle as the composed picture is", arguments: PlacedCase.all)
    private func gravities(_ placed: PlacedCase) throws {
        let request = try placed.request(.yuv420p, from: TestPictures.memory)
        let colour = OpaqueColour(red: 200, green: 30, blue: 90)
        // Beside the edges both ways scale something else.
        for (gravity, rect) in [
            (VideoGravity.resizeAspect, PixelRect(x: 20, y: 0, width: 256, height: 200)),
            (.resizeAspectFill, PixelRect(x: 0, y: 0, width: 192, height: 144)),
            (.resizeAspectFill, PixelRect(x: 30, y: 40, width: 256, height: 100)),
            (.resize, PixelRect(x: 10, y: 20, width: 256, height: 72)),
        ] {
            let both = try screens(request, gravity, width: 320, height: 240, in: rect, background: colour)
            // What is scaled twice lies up to half a pixel of the picture elsewhere.
            let wrong = both[0].differences(both[1], above: 3)
            let layer = gravity.place(try #require(request.placed), in: rect)
            let edges = [layer.destination, layer.ground ?? layer.destination]
            let isAway = wrong.allSatisfy { place in edges.contains { $0.isEdge(place.x, place.y, within: 4) } }
            #expect(isAway, "\(gravity) in \(rect)")
        }
    }

    @Test("its canvas is black on a coloured background, also where nothing of it is seen")
    func ground() throws {
        let colour = OpaqueColour(red: 200, green: 30, blue: 90)
        let small = PlacedCase(testDescription: "", layer: (1, 0, 0, 0.5, 0.5))
        let request = try small.request(.yuv420p, from: TestPictures.memory)
        let rect = PixelRect(x: 32, y: 20, width: 128, height: 36)
        // The fill leaves only the middle of the canvas, which is black.
        for screen in try screens(request, .resizeAspectFill, width: 200, height: 100, in: rect, background: colour) {
            for (x, y) in [(32, 20), (159, 55), (90, 40)] { #expect(screen.pixel(x, y) == RGB(red: 0, green: 0, blue: 0)) }
            for (x, y) in [(31, 20), (160, 55), (90, 19), (90, 56)] {
                #expect(screen.pixel(x, y) == RGB(red: 200, green: 30, blue: 90))
            }
        }
    }

    @Test("only what a plane can place is left to it")
    func conditions() throws {
        let moved = PlacedCase(testDescription: "", layer: (0.5, 30, 20, 1, 1))
        let request = try moved.request(.yuv420p, from: TestPictures.memory)
        let placement = try #require(request.placed?.placement)
        #expect(placement.destination == PixelRect(x: 30, y: 20, width: 64, height: 36) && placement.alpha == 128)
        #expect(request.placed?.shownSize.width == 128 && request.placed?.shownSize.height == 72)
        func change(_ body: (inout VideoCompositionRequest) -> Void) -> VideoFrame? {
            var other = request
            body(&other)
            return other.placed
        }
        #expect(change { $0.background = 1 } == nil)
        #expect(change { $0.layers += $0.layers } == nil)
        #expect(change { $0.layers = [] } == nil)
        #expect(change { $0.layers[0].frame.quarterTurns = 1 } == nil)
        #expect(change { $0.layers[0].opacity = 0.001 } == nil)
        #expect(change { $0.layers[0].x = 128 } == nil)
        // A picture of more than four canvases would take more memory than is counted for it.
        #expect(change { ($0.width, $0.height, $0.layers[0].y) = (32, 18, 0) }?.placement != nil)
        #expect(change { ($0.width, $0.height, $0.layers[0].y) = (30, 18, 0) } == nil)
        let rgb = try TestPictures.memory.makeBuffer(format: .xrgb8888, width: 64, height: 36)
        #expect(change { $0.layers[0].frame = TestPictures.frame(rgb) } == nil)
        // A whole picture is its own canvas.
        let whole = try PlacedCase(testDescription: "", width: 128, height: 72).request(.nv12, from: TestPictures.memory).placed
        #expect(whole != nil && whole?.placement == nil)
    }
}

/// The greatest difference of two colours in luma and in both colour differences, of 255: those are what both ways round.
private func difference(_ one: SIMD3<Double>, _ other: SIMD3<Double>) -> Double {
    func parts(_ colour: SIMD3<Double>) -> SIMD3<Double> {
        let luma = 0.2126 * colour.x + 0.7152 * colour.y + 0.0722 * colour.z
        return SIMD3(luma, (colour.x - luma) / 1.5748, (colour.z - luma) / 1.8556)
    }
    let difference = parts(one) - parts(other)
    return max(difference.max(), -difference.min())
}

extension RGB {
    fileprivate var colour: SIMD3<Double> { SIMD3(Double(red), Double(green), Double(blue)) }
}

extension PixelBuffer {
    /// The places of the blocks that differ from those of another RGB picture of the same size by more than a limit. A block is the four pixels of one
    /// sample of chroma, so that the rounding of RGB is not what is measured.
    fileprivate func differences(_ other: PixelBuffer, above limit: Double) -> [(x: Int, y: Int)] {
        blocks.filter { x, y in difference(block(x, y), other.block(x, y)) > limit }
    }

    fileprivate func greatestDifference(_ other: PixelBuffer) -> Double {
        blocks.map { x, y in difference(block(x, y), other.block(x, y)) }.max() ?? 255
    }

    private var blocks: [(x: Int, y: Int)] {
        (0..<width / 2 * (height / 2)).map { ($0 % (width / 2) * 2, $0 / (width / 2) * 2) }
    }

    private func block(_ x: Int, _ y: Int) -> SIMD3<Double> {
        (pixel(x, y).colour + pixel(x + 1, y).colour + pixel(x, y + 1).colour + pixel(x + 1, y + 1).colour) / 4
    }
}

extension PixelRect {
    /// Whether a pixel is near an edge.
    fileprivate func isEdge(_ x: Int, _ y: Int, within distance: Int) -> Bool {
        let columns = [self.x, self.x + width].contains { abs(x - $0) <= distance }
        let rows = [self.y, self.y + height].contains { abs(y - $0) <= distance }
        return columns || rows
    }
}

extension SoftwareCardScreen.Colour {
    fileprivate var colour: SIMD3<Double> { SIMD3(x, y, z) }
}

/// A display on a card in memory that shows frames as the player's layout places them, with a layer of the interface above.
@MainActor
private final class PlacedRig {
    let card: SoftwareCard
    let display: KMSDisplay
    let source: TestSource
    private let loop: MainLoop
    private let layer: PixelBuffer
    private var isOver = false

    init(_ quirks: SoftwareCard.Quirks) throws {
        card = try SoftwareCard(
            quirks, screens: [SoftwareCard.Screen(modes: [SoftwareCard.mode(128, 72, 60, isPreferred: true)])])
        loop = try MainLoop(time: .real)
        display = try KMSDisplay(KMSDisplay.Options(path: card.path), clock: loop.clock)
        layer = try display.interfaceAllocator.makeBuffer(format: .argb8888, width: 16, height: 8)
        layer.withMutableBytes { $0.copyBytes(from: [UInt8](repeating: 0xC0, count: $0.count)) }
        source = TestSource { _, _ in PresentationAnswer(scene: nil, wantsNext: false) }
        try display.start(source)
        nextBlank()
    }

    private func nextBlank() {
        guard !isOver else { return }
        card.blank()
        loop.clock.schedule(after: .microseconds(16_667)) { [weak self] in self?.nextBlank() }
    }

    /// Shows frames one after another, each for a blank, and waits for the last.
    func show(_ frames: [VideoFrame], background: OpaqueColour = .black) throws {
        let before = source.seen.flips.count
        let layout = Mutex(ScreenLayout(width: 128, height: 72))
        let interface = InterfaceLayer(
            id: "layer", pixels: layer, destination: PixelRect(x: 100, y: 60, width: 16, height: 8), z: 1)
        layout.withLock {
            $0.setInterface([interface], video: PixelRect(x: 0, y: 0, width: 128, height: 72), background: background)
        }
        let next = Mutex(0)
        source.change { _, opportunity in
            let index = next.withLock { next in
                defer { next += 1 }
                return min(next, frames.count - 1)
            }
            let scene = layout.withLock { $0.makeScene(of: frames[index], for: opportunity.targetTime) }
            return PresentationAnswer(scene: scene, wantsNext: true)
        }
        display.wake()
        try loop.run("\(frames.count) flips", until: { source.seen.flips.count >= before + frames.count + 2 })
    }

    var pixels: [SoftwareCardScreen.Colour] { SoftwareCardScreen(card).pixels(width: 128, height: 72) }

    func stop() {
        isOver = true
        display.stop()
        source.change { _, _ in PresentationAnswer(scene: nil, wantsNext: false) }
    }
}

extension LoopSuites.CardInMemory {
    @Suite("A lone picture in its place, on a card in memory", .serialized)
    @MainActor
    struct PlacedPictureCardTests {
        /// A driver, and how it shows a picture in its place.
        struct Driver: Sendable, CustomTestStringConvertible {
            var testDescription: String
            var quirks: @Sendable (inout SoftwareCard.Quirks) -> Void
            /// Whether the picture's own memory is on its plane, or the CPU scales and fades it; nil: the CPU composes the screen.
            var isDirect: (@Sendable (_ isScaled: Bool, _ isFaded: Bool) -> Bool)?
        }

        nonisolated static let drivers = [
            Driver(testDescription: "all properties", quirks: { _ in }, isDirect: { _, _ in true }),
            Driver(testDescription: "no scaling", quirks: { $0.scales = false }, isDirect: { isScaled, _ in !isScaled }),
            Driver(testDescription: "no alpha", quirks: { $0.hasAlpha = false }, isDirect: { _, isFaded in !isFaded }),
            Driver(
                testDescription: "neither",
                quirks: {
                    $0.scales = false
                    $0.hasAlpha = false
                }, isDirect: { !$0 && !$1 }),
            Driver(testDescription: "no YUV", quirks: { $0.showsYUV = false }, isDirect: nil),
        ]

        @Test("is within 2 of 255 of the composed picture, on every rung of the ladder", arguments: drivers)
        func agrees(_ driver: Driver) throws {
            var quirks = SoftwareCard.Quirks()
            driver.quirks(&quirks)
            let rig = try PlacedRig(quirks)
            defer { rig.stop() }
            let memory = rig.display.videoAllocator
            for placed in PlacedCase.all {
                for format in [PixelFormat.nv12, .yuv420p] {
                    let request = try placed.request(format, from: memory)
                    let frame = try #require(request.placed)
                    let placement = try #require(frame.placement)
                    try rig.show([frame])
                    let planes = rig.card.shownPlanes()
                    let isScaled =
                        placement.source.width != placement.destination.width
                        || placement.source.height != placement.destination.height
                    if let isDirect = driver.isDirect {
                        let isOwn = isDirect(isScaled, placement.alpha < 255)
                        #expect(planes.map(\.format) == [format == .nv12 ? "NV12" : "YU12", "AR24"], "\(placed)")
                        #expect(
                            Int(planes[0].framebuffer.width) == (isOwn ? frame.pixels.width : placement.destination.width),
                            "\(placed)")
                        #expect(planes[0].left == placement.destination.x && planes[0].wide == placement.destination.width)
                        if quirks.hasAlpha { #expect(planes[0].alpha == Int(placement.alpha) * 257) }
                    } else {
                        #expect(planes.map(\.format) == ["XR24"], "\(placed)")
                    }
                    let inPlace = rig.pixels
                    // What the CPU composes is in the format that it composes in.
                    try rig.show([try PictureCompositor().compose(request, allocator: memory)])
                    let worst = zip(inPlace, rig.pixels).map { difference($0.colour, $1.colour) }.max()
                    #expect(worst ?? 255 <= 2, "\(placed) \(format)")
                }
            }
        }

        @Test("a ramp of place, size and opacity sets no mode, draws nothing, and needs few tests")
        func ramp() throws {
            let rig = try PlacedRig(SoftwareCard.Quirks())
            defer { rig.stop() }
            let pixels = try TestPictures.slopes(.nv12, width: 64, height: 36, from: rig.display.videoAllocator)
            let frames = (0..<120).map { step -> VideoFrame in
                let share = Double(step) / 120
                var frame = TestPictures.frame(pixels, time: MediaTime(Int64(step), 60))
                frame.placement = PicturePlacement(
                    width: 128, height: 72, source: PixelRect(x: 0, y: 0, width: 64 - Int(share * 15) * 2, height: 36),
                    destination: PixelRect(
                        x: Int(30 * share) * 2, y: Int(15 * share) * 2, width: 16 + Int(share * 24) * 2,
                        height: 10 + Int(share * 14) * 2), alpha: UInt8(40 + share * 200))
                return frame
            }
            try rig.show([frames[0]])
            let (modes, planes) = (rig.card.modesets, rig.card.shownPlanes())
            let calls = { (rig.card.count(.makeDumb), rig.card.count(.addFramebuffer)) }
            let (before, commits, flips) = (calls(), rig.card.count(.commit), rig.source.seen.flips.count)
            try rig.show(frames)
            let shown = rig.card.shownPlanes()
            #expect(rig.card.modesets == modes)
            // The same two pictures, at another place.
            #expect(calls() == before)
            #expect(shown.map(\.framebuffer.offsets) == planes.map(\.framebuffer.offsets))
            #expect(shown[0].left == 58 && shown[0].wide == 62 && shown[0].alpha == 238 * 257)
            let tests = rig.card.count(.commit) - commits - (rig.source.seen.flips.count - flips)
            #expect((1...40).contains(tests), "\(tests) test commits")
        }

        @Test("on a coloured background the canvas is black, and the CPU composes")
        func ground() throws {
            let rig = try PlacedRig(SoftwareCard.Quirks())
            defer { rig.stop() }
            let request = try PlacedCase.all[0].request(.nv12, from: rig.display.videoAllocator)
            try rig.show([try #require(request.placed)], background: OpaqueColour(red: 200, green: 30, blue: 90))
            #expect(rig.card.shownFormats() == ["XR24"])
            #expect(rig.pixels[0] == SoftwareCardScreen.Colour(0, 0, 0, 255))
        }
    }
}
