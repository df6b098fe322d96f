import LinuxSupport
import MediaModel
import MediaTime
import Testing

@testable import Display

@Suite("The parts of a window")
struct WindowPartsTests {
    private func rect(_ x: Int, _ y: Int, _ width: Int, _ height: Int) -> PixelRect {
        PixelRect(x: x, y: y, width: width, height: height)
    }

    // MARK: Geometry

    @Test(
        "a picture is as large as the window allows, in its middle, and keeps its shape",
        arguments: [
            (1280, 720, 1280, 720, PixelRect(x: 0, y: 0, width: 1280, height: 720)),
            (1280, 720, 1280, 900, PixelRect(x: 0, y: 90, width: 1280, height: 720)),
            (1280, 720, 1000, 400, PixelRect(x: 144, y: 0, width: 711, height: 400)),
            (320, 180, 1920, 1080, PixelRect(x: 0, y: 0, width: 1920, height: 1080)),
            (1280, 720, 1, 1, PixelRect(x: 0, y: 0, width: 1, height: 1)),
        ])
    func letterbox(width: Int, height: Int, windowWidth: Int, windowHeight: Int, bounds: PixelRect) {
        let fit = CanvasFit(width: width, height: height, windowWidth: windowWidth, windowHeight: windowHeight)
        #expect(fit.bounds == bounds)
        let whole = fit.place(rect(0, 0, width, height))
        #expect(abs(whole.width - Double(bounds.width)) <= 1 && abs(whole.height - Double(bounds.height)) <= 1)
        #expect(abs(whole.width * Double(height) - whole.height * Double(width)) < 1e-6)
    }

    @Test("in a window of its own size a picture is not scaled by a hair")
    func unscaled() {
        let fit = CanvasFit(width: 1366, height: 767, windowWidth: 1366, windowHeight: 767)
        #expect(fit.place(rect(7, 11, 1301, 5)) == PlacedRect(x: 7, y: 11, width: 1301, height: 5))
    }

    // MARK: Keys, the session

    @Test("the keys of a keyboard have the codes of the kernel")
    func codes() {
        let known: [(UInt32, UInt16)] = [
            (82, 103), (81, 108), (80, 105), (79, 106), (40, 28), (41, 1), (42, 14), (44, 57), (74, 102), (72, 119), (30, 2),
            (39, 11),
            (4, 30), (29, 44), (88, 96), (127, 113), (128, 115), (129, 114), (261, 164), (258, 163), (270, 158),
        ]
        for (scancode, code) in known { #expect(SDLKeys.code(ofScancode: scancode) == code, "scancode \(scancode)") }
        #expect(SDLKeys.code(ofScancode: SDLKeys.fullScreen) == nil, "F11 is the window's own")
        #expect(SDLKeys.code(ofScancode: 0) == nil && SDLKeys.code(ofScancode: 511) == nil)
        let letters = (UInt32(4)...29).map { SDLKeys.code(ofScancode: $0) }
        #expect(Set(letters).count == 26)
        #expect([1, 2, 3, 4].map { SDLKeys.code(ofButton: $0) } == [0x110, 0x112, 0x111, nil])
    }

    @Test("a desktop is where Wayland or X11 is named; Wayland comes first")
    func session() {
        func drivers(_ variables: [String: String]) -> [String]? { DesktopSession { variables[$0] }?.drivers }
        #expect(drivers([:]) == nil)
        #expect(drivers(["DISPLAY": "", "WAYLAND_DISPLAY": ""]) == nil)
        #expect(drivers(["DISPLAY": ":0"]) == ["x11"])
        #expect(drivers(["WAYLAND_DISPLAY": "wayland-1"]) == ["wayland"])
        #expect(drivers(["WAYLAND_DISPLAY": "wayland-1", "DISPLAY": ":1"]) == ["wayland", "x11"])
    }

    // MARK: Blanks

    @Test("without waiting, pictures are at the blanks of a clock, each once, and late ones at the blank that has passed")
    func ownBlanks() {
        let interval = Duration.milliseconds(20)
        func at(_ milliseconds: Int64) -> HostTime { HostTime(nanoseconds: milliseconds * 1_000_000) }
        var blanks = WindowBlanks()
        var seen: [(Int64, UInt64)] = []
        for (target, time) in [(100, 101), (120, 120), (140, 179), (180, 181), (300, 300), (300, 300)] as [(Int64, Int64)] {
            let blank = blanks.shown(for: at(target), at: at(time), waited: false, interval: interval)
            seen.append((blank.time.nanoseconds / 1_000_000, blank.number))
        }
        #expect(seen.map(\.1) == [1, 2, 4, 5, 11, 12])
        #expect(seen.map(\.0) == [101, 121, 161, 181, 301, 321])
        #expect(blanks.timeline.lastBlank(at: at(345), interval: interval).sequence == 13)
    }

    @Test("where showing a picture waits for the screen, its return is the blank, whatever rate the desktop states")
    func screensBlanks() {
        // The screen has 59.94 Hz, and the desktop says 60.
        let (interval, real) = (Duration.nanoseconds(16_666_666), Int64(16_683_333))
        var blanks = WindowBlanks()
        for frame in 1...3000 {
            let last = blanks.timeline.lastBlank(at: HostTime(nanoseconds: Int64(frame - 1) * real + 300_000), interval: interval)
            let blank = blanks.shown(
                for: last.time + interval, at: HostTime(nanoseconds: Int64(frame) * real), waited: true, interval: interval)
            #expect(blank.number == UInt64(frame))
            #expect(blank.time == HostTime(nanoseconds: Int64(frame) * real))
        }
    }

    @Test("a call that only took long, because the processor draws, is not taken for a blank")
    func slowDrawing() {
        let interval = Duration.milliseconds(20)
        func at(_ milliseconds: Int64) -> HostTime { HostTime(nanoseconds: milliseconds * 1_000_000) }
        var blanks = WindowBlanks(at(1000), interval: interval)
        let seen = (1...50).map { frame in
            blanks.shown(for: at(1000 + frame * 20), at: at(1000 + (frame - 1) * 20 + 8), waited: true, interval: interval).time
        }
        #expect(seen == (1...50).map { at(1000 + $0 * 20) })
        // The next one is late by a blank, and waits for it.
        let late = blanks.shown(for: at(2020), at: at(2041), waited: true, interval: interval)
        #expect(late.time == at(2041) && late.number == 52)
    }

    // MARK: Textures

    @MainActor
    private func makePainter(largest: Int? = 4096) throws -> (painter: WindowPainter, record: WindowRecord, loop: MainLoop) {
        let loop = try MainLoop(time: .real)
        let record = try WindowRecord(width: 320, height: 180)
        let clock = try #require(loop.clock as? RealClock)
        return (WindowPainter(try MemoryWindow(record, clock: clock, largest: largest)), record, loop)
    }

    private func layer(_ id: String, _ pixels: PixelBuffer, x: Int = 0, alpha: UInt8 = 255, z: Int = 1) -> InterfaceLayer {
        InterfaceLayer(id: id, pixels: pixels, destination: rect(x, 0, pixels.width, pixels.height), alpha: alpha, z: z)
    }

    private func video(
        _ pixels: PixelBuffer, matrix: ColourDescription.Matrix = .bt709, isFullRange: Bool = false, turns: Int = 0
    ) -> VideoLayer {
        VideoLayer(
            frame: TestPictures.frame(pixels, matrix: matrix, isFullRange: isFullRange, quarterTurns: turns),
            source: pixels.bounds, destination: rect(0, 0, 320, 180))
    }

    private let identity = CanvasFit(width: 320, height: 180, windowWidth: 320, windowHeight: 180)

    @Test("what has not changed is not uploaded again, and a layer that only moves or fades has not")
    @MainActor
    func uploads() throws {
        let (painter, record, loop) = try makePainter()
        let film = try (0..<6).map { _ in try TestPictures.slopes(.yuv420p, width: 64, height: 36) }
        let bar = try TestPictures.slopes(.argb8888, width: 40, height: 8)
        let label = try TestPictures.slopes(.argb8888, width: 16, height: 8)
        for (index, picture) in film.enumerated() {
            let scene = Scene(
                video: video(picture),
                layers: [layer("bar", bar, x: index * 3, alpha: UInt8(255 - index)), layer("label", label)],
                wantedTime: .zero)
            painter.show(try painter.prepare(scene, width: 320, height: 180), fit: identity)
        }
        let seen = record.now
        #expect(seen.uploads.count(where: { $0.picture === bar }) == 1)
        #expect(seen.uploads.count(where: { $0.picture === label }) == 1)
        #expect(
            seen.uploads.filter { $0.picture.format == .yuv420p }.map { ObjectIdentifier($0.picture) }
                == film.map { ObjectIdentifier($0) })
        #expect(seen.made == 4, "a film's pictures take turns in two textures")
        #expect(seen.drawn.count == 6)
        withExtendedLifetime(loop) {}
    }

    @Test("textures of layers that are gone are let go, and the last few are used for what has their shape")
    @MainActor
    func lettingGo() throws {
        let (painter, record, loop) = try makePainter()
        let old = try (0..<8).map { _ in try TestPictures.slopes(.argb8888, width: 16, height: 8) }
        let new = try (0..<2).map { _ in try TestPictures.slopes(.argb8888, width: 16, height: 8) }
        func show(_ pictures: [PixelBuffer]) throws {
            let layers = pictures.enumerated().map { layer("\($0)", $1) }
            _ = try painter.prepare(Scene(layers: layers, wantedTime: .zero), width: 320, height: 180)
        }
        try show(old)
        try show([])
        #expect(record.now.textures.count == 3)
        try show(new)
        #expect(record.now.made == 8)
        try show(Array(old.prefix(1)))
        #expect(record.now.uploads.count == 11, "a picture that has left is uploaded when it returns")
        painter.forgetTextures()
        #expect(record.now.textures.isEmpty)
        withExtendedLifetime(loop) {}
    }

    @Test("the same picture twice in a scene is uploaded once")
    @MainActor
    func twice() throws {
        let (painter, record, loop) = try makePainter()
        let label = try TestPictures.slopes(.argb8888, width: 16, height: 8)
        let scene = Scene(layers: [layer("one", label), layer("two", label, x: 50)], wantedTime: .zero)
        painter.show(try painter.prepare(scene, width: 320, height: 180), fit: identity)
        #expect(record.now.uploads.count == 1)
        #expect(record.now.drawn[0].count == 4)
        withExtendedLifetime(loop) {}
    }

    @Test("only conversions that a graphics processor has are left to it; all others have the compositor's colours")
    @MainActor
    func conversions() throws {
        for format in PixelFormat.allCases where format.isYUV {
            for matrix in [ColourDescription.Matrix.bt601, .bt709, .bt2020] {
                for isFullRange in [false, true] {
                    let (painter, record, loop) = try makePainter()
                    let picture = try TestPictures.slopes(format, width: 32, height: 18)
                    let layer = VideoLayer(
                        frame: TestPictures.frame(picture, matrix: matrix, isFullRange: isFullRange), source: picture.bounds,
                        destination: picture.bounds)
                    let scene = Scene(video: layer, wantedTime: .zero)
                    _ = try painter.prepare(scene, width: 32, height: 18)
                    let seen = record.now
                    let (shape, uploaded) = (try #require(seen.textures[1]), try #require(seen.uploads.first?.picture))
                    let isLeft = (format == .yuv420p || format == .nv12) && (matrix == .bt601 || matrix == .bt709 && !isFullRange)
                    #expect((uploaded === picture) == isLeft, "\(format) \(matrix) \(isFullRange)")
                    #expect((shape.kind == .colour) == !isLeft)
                    if !isLeft {
                        let expected = try Compositor().compose(scene, width: 32, height: 18)
                        #expect(uploaded.pixelRows == expected.pixelRows)
                    }
                    withExtendedLifetime(loop) {}
                }
            }
        }
    }

    @Test("a scene is drawn from the lowest to the highest, inside of the canvas")
    @MainActor
    func order() throws {
        let (painter, record, loop) = try makePainter()
        let film = try TestPictures.slopes(.nv12, width: 64, height: 36)
        let label = try TestPictures.slopes(.argb8888, width: 16, height: 8)
        var picture = video(film, turns: 1)
        picture.alpha = 90
        picture.ground = rect(10, 10, 100, 50)
        picture.source = rect(8, 4, 200, 20)
        let navy = OpaqueColour(red: 0, green: 0, blue: 90)
        let scene = Scene(
            background: navy, video: picture,
            layers: [
                layer("top", label, x: 40, alpha: 100, z: 9), layer("clear", film, alpha: 0), layer("low", label, x: 20, z: 2),
            ],
            wantedTime: .zero)
        let prepared = try painter.prepare(scene, width: 320, height: 180)
        painter.show(prepared, fit: CanvasFit(width: 320, height: 180, windowWidth: 640, windowHeight: 480))
        let expected: [DrawStep] = [
            .clear, .clip(rect(0, 60, 640, 360)), .fill(PlacedRect(x: 0, y: 60, width: 640, height: 360), navy),
            .fill(PlacedRect(x: 20, y: 80, width: 200, height: 100), .black),
            .texture(
                1, source: rect(8, 4, 56, 20), destination: PlacedRect(x: 0, y: 60, width: 640, height: 360),
                quarterTurns: 1,
                alpha: 90, isBlended: false),
            .texture(
                2, source: label.bounds, destination: PlacedRect(x: 40, y: 60, width: 32, height: 16), quarterTurns: 0,
                alpha: 255, isBlended: true),
            .texture(
                2, source: label.bounds, destination: PlacedRect(x: 80, y: 60, width: 32, height: 16), quarterTurns: 0,
                alpha: 100, isBlended: true),
        ]
        #expect(record.now.drawn == [expected])
        withExtendedLifetime(loop) {}
    }

    @Test("what textures cannot show is composed: a picture that is too large, and one for which there is no memory")
    @MainActor
    func composed() throws {
        for (largest, memory) in [(48, Int.max), (4096, 0)] {
            let (painter, record, loop) = try makePainter(largest: largest)
            let film = try TestPictures.slopes(.yuv420p, width: 64, height: 36)
            let scene = Scene(video: video(film), wantedTime: .zero)
            record.change { $0.memory = memory }
            let prepared = try painter.prepare(scene, width: 320, height: 180)
            guard case .composed(let picture) = prepared else {
                Issue.record("\(prepared)")
                continue
            }
            #expect(try picture.pixelRows == Compositor().compose(scene, width: 320, height: 180).pixelRows)
            withExtendedLifetime(loop) {}
        }
    }

    @Test("without a graphics processor a scene is put as one picture, letterboxed while the size changes")
    @MainActor
    func surface() throws {
        let (painter, record, loop) = try makePainter(largest: nil)
        let scene = Scene(background: OpaqueColour(red: 200, green: 0, blue: 0), wantedTime: .zero)
        let prepared = try painter.prepare(scene, width: 320, height: 180)
        painter.show(prepared, fit: CanvasFit(width: 320, height: 180, windowWidth: 320, windowHeight: 240))
        painter.show(nil, fit: identity)
        let put = record.now.put
        #expect(put.map(\.area) == [rect(0, 30, 320, 180), rect(0, 0, 320, 180)])
        #expect(put[0].picture.pixel(5, 5) == RGB(red: 200, green: 0, blue: 0))
        #expect(put[1].picture.pixel(5, 5) == RGB(red: 0, green: 0, blue: 0))
        #expect(record.now.drawn.isEmpty)
        withExtendedLifetime(loop) {}
    }
}
