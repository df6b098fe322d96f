import LinuxSupport
import MediaModel
import MediaTime
import Synchronization
import Testing

@testable import Display

@Suite("Compositor")
struct CompositorTests {
    private let compositor = Compositor()

    private func scene(_ video: VideoLayer?, layers: [InterfaceLayer] = [], background: OpaqueColour = .black) -> Scene {
        Scene(background: background, video: video, layers: layers, wantedTime: .zero)
    }

    private func rect(_ x: Int, _ y: Int, _ width: Int, _ height: Int) -> PixelRect {
        PixelRect(x: x, y: y, width: width, height: height)
    }

    @Test("every YUV format, matrix and range matches the recommendations' formulas")
    func formats() throws {
        for format in PixelFormat.allCases where format.isYUV {
            let picture = try TestPictures.slopes(format, width: 70, height: 46)
            for matrix in [ColourDescription.Matrix.bt601, .bt709, .bt2020] {
                for isFullRange in [false, true] {
                    let frame = TestPictures.frame(picture, matrix: matrix, isFullRange: isFullRange)
                    let layer = VideoLayer(frame: frame, source: picture.bounds, destination: rect(4, 2, 70, 46))
                    let screen = try compositor.compose(scene(layer), width: 80, height: 50)
                    var worst = 0
                    for y in 0..<46 {
                        for x in 0..<70 {
                            worst = max(worst, screen.pixel(x + 4, y + 2).distance(picture.plainRGB(x, y, frame.colour)))
                        }
                    }
                    #expect(worst <= 3, "\(format) \(matrix) full range \(isFullRange)")
                    #expect(screen.pixel(3, 2) == RGB(red: 0, green: 0, blue: 0))
                    #expect(screen.pixel(74, 47) == RGB(red: 0, green: 0, blue: 0))
                }
            }
        }
    }

    @Test("the background shows where the picture does not reach")
    func letterbox() throws {
        let picture = try TestPictures.slopes(.yuv420p, width: 32, height: 18)
        let layer = VideoLayer(frame: TestPictures.frame(picture), source: picture.bounds, destination: rect(0, 7, 32, 18))
        let screen = try compositor.compose(
            scene(layer, background: OpaqueColour(red: 9, green: 40, blue: 200)), width: 32, height: 32)
        let bar = RGB(red: 9, green: 40, blue: 200)
        #expect(screen.pixelRows[0..<7].allSatisfy { $0.allSatisfy { $0 == bar } })
        #expect(screen.pixelRows[25...].allSatisfy { $0.allSatisfy { $0 == bar } })
        #expect(screen.pixelRows[7..<25].allSatisfy { $0.allSatisfy { $0 != bar } })
    }

    @Test("a crop shows exactly that part of the picture")
    func crop() throws {
        for format in PixelFormat.allCases where format.isYUV {
            let picture = try TestPictures.slopes(format, width: 64, height: 48)
            let frame = TestPictures.frame(picture)
            let layer = VideoLayer(frame: frame, source: rect(20, 10, 24, 16), destination: rect(0, 0, 24, 16))
            let screen = try compositor.compose(scene(layer), width: 24, height: 16)
            for (x, y) in [(0, 0), (23, 15), (11, 8)] {
                #expect(
                    screen.pixel(x, y).distance(picture.plainRGB(20 + x, 10 + y, frame.colour)) <= 3, "\(format) at \(x) \(y)")
            }
        }
    }

    @Test("scaling up and down keeps the colours in place, in every format")
    func scaling() throws {
        for format in PixelFormat.allCases where format.isYUV {
            let picture = try TestPictures.slopes(format, width: 128, height: 96)
            let frame = TestPictures.frame(picture)
            for (width, height) in [(64, 48), (50, 31), (256, 192), (171, 133)] {
                let layer = VideoLayer(frame: frame, source: picture.bounds, destination: rect(0, 0, width, height))
                let screen = try compositor.compose(scene(layer), width: width, height: height)
                var (worst, place) = (0, "")
                for y in stride(from: 4, to: height - 4, by: 5) {
                    for x in stride(from: 4, to: width - 4, by: 5) {
                        let from = picture.plainRGB(
                            (2 * x + 1) * 128 / (2 * width), (2 * y + 1) * 96 / (2 * height), frame.colour)
                        let distance = screen.pixel(x, y).distance(from)
                        if distance > worst { (worst, place) = (distance, "worst at \(x) \(y)") }
                    }
                }
                // Chroma has half the samples, so it may be off by the change of the slopes within a pixel of the result.
                #expect(worst <= 6 + 400 / height, "\(format) to \(width)x\(height), \(place)")
            }
        }
    }

    @Test("scaling to half averages four pixels instead of picking one")
    func box() throws {
        let picture = try TestPictures.yuv(.yuv420p, width: 32, height: 32) { component, x, y in
            component == 0 ? ((x + y) % 2 == 0 ? 16 : 235) : 128
        }
        let layer = VideoLayer(frame: TestPictures.frame(picture), source: picture.bounds, destination: rect(0, 0, 16, 16))
        let screen = try compositor.compose(scene(layer), width: 16, height: 16)
        #expect(screen.pixelRows.joined().allSatisfy { $0.distance(RGB(red: 128, green: 128, blue: 128)) <= 3 })
    }

    @Test("a picture larger than the screen is clipped at the edges and not squeezed")
    func fill() throws {
        let picture = try TestPictures.slopes(.nv12, width: 64, height: 64)
        let frame = TestPictures.frame(picture)
        let layer = VideoLayer(frame: frame, source: picture.bounds, destination: rect(-32, -16, 128, 128))
        let screen = try compositor.compose(scene(layer), width: 64, height: 96)
        for (x, y) in [(0, 0), (63, 95), (30, 40)] {
            let expected = picture.plainRGB((x + 32) / 2, (y + 16) / 2, frame.colour)
            #expect(screen.pixel(x, y).distance(expected) <= 6, "at \(x) \(y)")
        }
    }

    @Test("quarter turns are clockwise")
    func turns() throws {
        let picture = try TestPictures.slopes(.yuv420p, width: 40, height: 24)
        for turns in 0...3 {
            let frame = TestPictures.frame(picture, quarterTurns: turns)
            let (width, height) = turns % 2 == 0 ? (40, 24) : (24, 40)
            let layer = VideoLayer(frame: frame, source: picture.bounds, destination: rect(0, 0, width, height))
            let screen = try compositor.compose(scene(layer), width: width, height: height)
            // The position of the picture's top left corner, and of the pixel to its right.
            let corner = [(0, 0), (23, 0), (39, 23), (0, 39)][turns]
            let right = [(39, 0), (23, 39), (0, 23), (0, 0)][turns]
            #expect(screen.pixel(corner.0, corner.1).distance(picture.plainRGB(0, 0, frame.colour)) <= 3, "\(turns) turns")
            #expect(screen.pixel(right.0, right.1).distance(picture.plainRGB(39, 0, frame.colour)) <= 3, "\(turns) turns")
        }
    }

    @Test("the video's alpha lets the background through")
    func fadedVideo() throws {
        let white = try TestPictures.yuv(.yuv420p, width: 16, height: 16) { component, _, _ in component == 0 ? 235 : 128 }
        let layer = VideoLayer(
            frame: TestPictures.frame(white), source: white.bounds, destination: rect(0, 0, 16, 16), alpha: 128)
        let screen = try compositor.compose(
            scene(layer, background: OpaqueColour(red: 0, green: 100, blue: 0)), width: 16, height: 16)
        #expect(screen.pixel(8, 8).distance(RGB(red: 128, green: 178, blue: 128)) <= 2)
    }

    @Test("layers are stacked in z order, premultiplied, with their own alpha, clipped at the edges")
    func layers() throws {
        let red = try TestPictures.rgb(.argb8888, width: 20, height: 20) { _, _ in (200, 0, 0, 255) }
        let veil = try TestPictures.rgb(.argb8888, width: 20, height: 20) { x, _ in x < 10 ? (0, 0, 0, 0) : (0, 0, 100, 128) }
        let layers = [
            InterfaceLayer(id: "veil", pixels: veil, destination: rect(10, 0, 20, 20), z: 2),
            InterfaceLayer(id: "red", pixels: red, destination: rect(-5, -5, 40, 40), alpha: 255, z: 1),
            InterfaceLayer(id: "off", pixels: red, destination: rect(100, 0, 20, 20), z: 3),
            InterfaceLayer(id: "clear", pixels: veil, destination: rect(0, 0, 20, 20), alpha: 0, z: 4),
        ]
        let screen = try compositor.compose(
            scene(nil, layers: layers, background: OpaqueColour(red: 0, green: 50, blue: 0)), width: 40, height: 40)
        // libyuv's scaler works with seven bits of fraction, so even a flat colour may lose a step or two.
        #expect(screen.pixel(0, 0).distance(RGB(red: 200, green: 0, blue: 0)) <= 3)
        #expect(screen.pixel(15, 5).distance(RGB(red: 200, green: 0, blue: 0)) <= 3)
        #expect(screen.pixel(25, 5).distance(RGB(red: 100, green: 0, blue: 100)) <= 1)
        #expect(screen.pixel(36, 36) == RGB(red: 0, green: 50, blue: 0))
        let half = [InterfaceLayer(id: "red", pixels: red, destination: rect(0, 0, 20, 20), alpha: 128, z: 0)]
        let faint = try compositor.compose(
            scene(nil, layers: half, background: OpaqueColour(red: 0, green: 50, blue: 0)), width: 20, height: 20)
        #expect(faint.pixel(10, 10).distance(RGB(red: 100, green: 25, blue: 0)) <= 1)
    }

    @Test("the same scene gives the same bytes, also as PNG")
    func repeatable() throws {
        let picture = try TestPictures.slopes(.yuv420p, width: 100, height: 60)
        let layer = VideoLayer(
            frame: TestPictures.frame(picture), source: picture.bounds, destination: rect(3, 3, 77, 41), alpha: 200)
        let first = try compositor.compose(scene(layer), width: 90, height: 50)
        let second = try Compositor().compose(scene(layer), width: 90, height: 50)
        #expect(first.pixelRows == second.pixelRows)
        let bytes = try first.png()
        #expect(bytes == (try second.png()))
        #expect(Array(bytes.prefix(8)) == [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
        #expect(Array(try first.jpeg(quality: 80).prefix(2)) == [0xFF, 0xD8])
    }

    @Test("a screen is read back only where something is blended over it")
    func readsScreen() throws {
        let picture = try TestPictures.slopes(.yuv420p, width: 32, height: 18)
        let frame = TestPictures.frame(picture)
        let screen = rect(0, 0, 64, 36)
        func reads(_ change: (inout VideoLayer) -> Void, layers: [InterfaceLayer] = []) -> Bool {
            var video = VideoLayer(frame: frame, source: picture.bounds, destination: rect(0, 0, 64, 36))
            change(&video)
            return Compositor.readsScreen(scene(video, layers: layers), screen)
        }
        #expect(!Compositor.readsScreen(scene(nil), screen))
        #expect(!reads { _ in })
        #expect(!reads { $0.destination = rect(8, 8, 32, 18) })
        #expect(!reads { $0.alpha = 0 })
        #expect(!reads { $0.destination = rect(64, 0, 64, 36) })
        #expect(reads { $0.alpha = 254 })
        #expect(!reads { $0.frame.quarterTurns = 1 })
        #expect(reads { $0.destination = rect(-2, 0, 64, 36) })
        let pixels = try MemoryAllocator().makeBuffer(format: .argb8888, width: 8, height: 8)
        func layer(x: Int, alpha: UInt8) -> InterfaceLayer {
            InterfaceLayer(id: "layer", pixels: pixels, destination: rect(x, 0, 8, 8), alpha: alpha, z: 1)
        }
        #expect(reads({ _ in }, layers: [layer(x: 60, alpha: 1)]))
        #expect(!reads({ _ in }, layers: [layer(x: 60, alpha: 0), layer(x: 64, alpha: 255)]))
    }

    @Test("in memory that is slow to read a plain picture is converted in place, and what is blended is composed beside it")
    func slowMemory() throws {
        let picture = try TestPictures.slopes(.yuv420p, width: 32, height: 18)
        let plain = scene(
            VideoLayer(frame: TestPictures.frame(picture), source: picture.bounds, destination: rect(0, 0, 32, 18)),
            background: OpaqueColour(red: 9, green: 40, blue: 200))
        let pixels = try TestPictures.slopes(.argb8888, width: 8, height: 8)
        let layered = scene(
            plain.video, layers: [InterfaceLayer(id: "layer", pixels: pixels, destination: rect(4, 4, 8, 8), z: 1)],
            background: plain.background)
        // A fill and a conversion, or one copy.
        for (scene, writes) in [(plain, 2), (layered, 1)] {
            let memory = SlowMemory()
            let preparer = FramePreparer(
                width: 64, height: 36, compositor: compositor, videoAllocator: memory, interfaceAllocator: memory,
                converter: nil)
            let (pictures, _) = try preparer.prepare(
                VisibleScene(
                    scene, on: FakeScreen(DisplayMode(width: 64, height: 36, refresh: Ratio(60))), range: nil,
                    background: scene.background),
                Arrangement(rung: .composed, base: 0, layers: [], prepared: []), known: [:])
            #expect(memory.accesses == writes)
            let shown = try #require(pictures.first?.pixels)
            #expect(try shown.pixelRows == compositor.compose(scene, width: 64, height: 36).pixelRows)
        }
    }

    @Test("video that is turned for a plane is written once to slow memory, and is the same as in fast memory")
    func slowTurns() throws {
        let picture = try TestPictures.slopes(.nv12, width: 40, height: 24)
        for (turns, width, height) in [(1, 24, 40), (1, 48, 64), (2, 40, 24), (3, 24, 40), (3, 12, 80)] {
            let frame = TestPictures.frame(picture, quarterTurns: turns)
            let memory = SlowMemory()
            func turned(_ memory: any FrameAllocator) throws -> PixelBuffer {
                try compositor.turnedUpright(
                    frame, area: picture.bounds, width: width, height: height, alpha: nil, from: memory)
            }
            let slow = try turned(memory)
            #expect(memory.accesses == 1)
            let fast = try turned(MemoryAllocator())
            for component in 0..<3 {
                for y in 0..<height {
                    for x in 0..<width { #expect(slow.component(component, x, y) == fast.component(component, x, y)) }
                }
            }
        }
    }
}

/// Plain memory that counts how often it is lent, and says that it is slow to read.
private final class SlowMemory: FrameAllocator {
    private final class Storage: PixelStorage {
        let inner: any PixelStorage
        let memory: SlowMemory

        init(_ inner: any PixelStorage, _ memory: SlowMemory) { (self.inner, self.memory) = (inner, memory) }

        var base: UnsafeMutableRawPointer { inner.base }
        var byteCount: Int { inner.byteCount }
        func beginAccess() { memory.count.withLock { $0 += 1 } }
        func endAccess() {}
    }
    private let inner = MemoryAllocator()
    private let count = Mutex(0)

    var accesses: Int { count.withLock { $0 } }
    var name: String { "slow" }
    var isCached: Bool { false }

    func makeBuffer(
        format: PixelFormat, width: Int, height: Int, codedWidth: Int, codedHeight: Int
    ) throws(MediaError) -> PixelBuffer {
        let buffer = try inner.makeBuffer(
            format: format, width: width, height: height, codedWidth: codedWidth, codedHeight: codedHeight)
        return PixelBuffer(
            format: format, width: width, height: height, planes: buffer.planes, storage: Storage(buffer.storage, self))
    }
}
