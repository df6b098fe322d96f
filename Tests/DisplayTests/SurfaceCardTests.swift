import CDRM
import Glibc
import LinuxSupport
import MediaModel
import MediaTime
import TestSupport
import Testing

@testable import Display

/// A display on a card in memory, which shows numbered pictures of a hardware decoder.
@MainActor
private final class SurfaceRig {
    let card: SoftwareCard
    let display: KMSDisplay
    let pool = SurfacePool()
    var surfaces: TestSurfaces
    /// The number of the next picture.
    var number = 0
    let source: TestSource
    private let loop: MainLoop
    private var isOver = false

    init(
        _ shape: TestSurfaces.Shape, width: Int = 320, _ quirks: SoftwareCard.Quirks = SoftwareCard.Quirks(),
        before: (SoftwareCard) -> Void = { _ in }
    ) throws {
        card = try SoftwareCard(quirks, screens: [SoftwareCard.Screen(modes: [CardRig.mode])])
        surfaces = try TestSurfaces(shape, width: width, height: 180, count: 4)
        loop = try MainLoop(time: .real)
        display = try KMSDisplay(KMSDisplay.Options(path: card.path), clock: loop.clock)
        source = TestSource { _, _ in PresentationAnswer(scene: nil, wantsNext: false) }
        before(card)
        nextBlank()
    }

    private func nextBlank() {
        guard !isOver else { return }
        card.blank()
        loop.clock.schedule(after: .microseconds(16_667)) { [weak self] in self?.nextBlank() }
    }

    func start() throws { try display.start(source) }

    /// Shows the next picture and waits until it is on the screen.
    func show() throws {
        number += 1
        let pixels = try #require(try surfaces.picture(pool, number: number))
        let frame = TestPictures.frame(pixels, time: MediaTime(Int64(number), 25))
        let shown = source.seen.flips.count
        source.change { _, opportunity in
            PresentationAnswer(
                scene: Scene(
                    video: VideoLayer(
                        frame: frame, source: pixels.bounds, destination: PixelRect(x: 0, y: 0, width: 320, height: 180)),
                    wantedTime: opportunity.targetTime), wantsNext: false)
        }
        display.wake()
        try loop.run("picture \(number)") {
            self.source.seen.flips.count > shown && self.source.seen.flips.last?.frameTime == frame.time
        }
    }

    /// The number of the picture on the lowest plane, from its own memory.
    func shownNumber() throws -> Int? {
        let plane = try #require(card.shownPlanes().first)
        let buffer = plane.framebuffer
        let (pitch, modifier) = (Int(buffer.pitches[0]), SurfaceLayout.Tiling(modifier: buffer.modifier))
        let height = Int(buffer.height)
        let width = buffer.format == SoftwareCard.State.code("XR24") ? Int(buffer.width) * 4 : Int(buffer.width)
        var rows = [UInt8](repeating: 0, count: width * height)
        for y in 0..<height {
            for x in stride(from: 0, to: width, by: 128) {
                let place =
                    if case .sand128(let columnHeight) = modifier { (x / 128 * columnHeight + y) * 128 } else { y * pitch + x }
                let bytes = card.bytes(
                    at: buffer.offsets[0] + UInt64(place), count: min(128, width - x), of: buffer.files.first ?? nil)
                rows.replaceSubrange(y * width + x..<y * width + x + bytes.count, with: bytes)
            }
        }
        let isRGB = width != Int(buffer.width)
        let picture = try TestPictures.yuv(.nv12, width: Int(buffer.width), height: height) { plane, x, y in
            plane == 0 ? Int(rows[y * width + (isRGB ? 4 * x : x)]) : 128
        }
        return NumberGrid.number(in: picture)
    }

    func read() throws -> ScreenPicture? {
        var result: ScreenPicture??
        display.readScreen { result = .some($0) }
        try loop.run("the screen being read") { result != nil }
        return result!
    }

    /// Stops it, and looks for what it has left.
    func expectNothingLeft() {
        isOver = true
        display.stop()
        source.change { _, _ in PresentationAnswer(scene: nil, wantsNext: false) }
        #expect(surfaces.freeCount == 4)
        pool.forgetAll()
        #expect(card.leftovers == ["framebuffers": 0, "buffers": 0, "blobs": 0])
        #expect(card.wrongCloses == 0)
    }
}

extension LoopSuites.CardInMemory {
    @Suite("Surfaces of hardware decoders on a card in memory", .serialized)
    @MainActor
    struct SurfaceCardTests {
        nonisolated private static let linear: [TestSurfaces.Shape] = [.rows, .rowsInTwoBuffers]
        nonisolated private static let columns: [TestSurfaces.Shape] = [.columns, .columnsInTwoBuffers]

        @Test(
            "each picture is on a plane in its decoder's own memory; a surface costs one framebuffer, and nothing is left of it",
            arguments: TestSurfaces.Shape.allCases)
        func shown(_ shape: TestSurfaces.Shape) throws {
            var quirks = SoftwareCard.Quirks()
            quirks.showsColumns = Self.columns.contains(shape)
            let buffers = TestSurfaces.openBuffers
            do {
                let rig = try SurfaceRig(shape, quirks)
                try rig.start()
                let framebuffers = rig.card.count(.addFramebuffer)
                for _ in 0..<40 {
                    try rig.show()
                    let planes = rig.card.shownPlanes()
                    #expect(planes.map(\.format) == ["NV12"] && planes.allSatisfy(\.framebuffer.isImported))
                    #expect(planes.first?.framebuffer.modifier == rig.surfaces.layout.tiling.modifier)
                    #expect(try rig.shownNumber() == rig.number)
                    // The one that it replaced was held until the flip.
                    #expect(rig.surfaces.freeCount >= 2)
                }
                #expect(rig.pool.refusal == nil)
                #expect(rig.card.count(.addFramebuffer) - framebuffers == 4)
                #expect(rig.display.probe.rungs == [.planes])
                rig.expectNothingLeft()
            }
            #expect(TestSurfaces.openBuffers == buffers)
        }

        /// What a card refuses, and whether the picture is then brought to the screen by the CPU.
        struct Refusal: Sendable, CustomTestStringConvertible {
            var testDescription: String
            var shapes: [TestSurfaces.Shape]
            var quirks: @Sendable (inout SoftwareCard.Quirks) -> Void = { _ in }
            var before: @Sendable (SoftwareCard) -> Void = { _ in }
            /// In the reason; nil: the decoder is not left.
            var word: String?
        }

        nonisolated static let refusals = [
            Refusal(
                testDescription: "the import", shapes: TestSurfaces.Shape.allCases, quirks: { $0.showsColumns = true },
                before: { $0.fail(.importBuffer, EINVAL) }, word: "errno 22"),
            Refusal(
                testDescription: "the framebuffer", shapes: linear,
                before: { $0.fail(.addFramebuffer, ENOMEM, times: 1) }, word: "errno 12"),
            Refusal(testDescription: "columns", shapes: columns, word: "in columns"),
            Refusal(
                testDescription: "columns, which can be registered", shapes: columns, quirks: { $0.registersColumns = true },
                word: "in columns"),
            Refusal(
                testDescription: "commits", shapes: linear, quirks: { $0.refusesImports = true }, word: "refused the commit"),
            Refusal(
                testDescription: "tests", shapes: linear,
                quirks: { ($0.refusesImports, $0.testsRefuseImports) = (true, true) }, word: nil),
            Refusal(testDescription: "YUV", shapes: linear, quirks: { $0.showsYUV = false }, word: nil),
        ]

        @Test(
            "whatever a card refuses, the picture is shown by the CPU, and the decoder is told where that must not last",
            arguments: refusals)
        func refused(_ refusal: Refusal) throws {
            for shape in refusal.shapes {
                var quirks = SoftwareCard.Quirks()
                refusal.quirks(&quirks)
                let rig = try SurfaceRig(shape, quirks, before: refusal.before)
                try rig.start()
                for _ in 0..<3 {
                    try rig.show()
                    #expect(rig.card.shownPlanes().allSatisfy { !$0.framebuffer.isImported })
                    #expect(try rig.shownNumber() == rig.number)
                }
                if let word = refusal.word {
                    #expect(rig.pool.refusal?.sentence.contains(word) == true, "\(rig.pool.refusal?.sentence ?? "no refusal")")
                } else {
                    #expect(rig.pool.refusal == nil)
                }
                if !quirks.showsYUV { #expect(rig.card.count(.importBuffer) == 0) }
                rig.card.heal()
                rig.expectNothingLeft()
            }
        }

        @Test("an import that fails in the second of two buffers leaves no handle of the first")
        func secondBuffer() throws {
            let card = try SoftwareCard(screens: [SoftwareCard.Screen(modes: [CardRig.mode])])
            let device = try DRMDevice(path: card.path)
            let surfaces = try TestSurfaces(.rowsInTwoBuffers, width: 64, height: 36, count: 1)
            let pool = SurfacePool()
            let surface = try #require(try surfaces.picture(pool, number: 1)?.surface)
            for (call, calls) in [(SoftwareCard.Call.importBuffer, 0), (.importBuffer, 1), (.addFramebuffer, 0)] {
                card.fail(call, EIO, times: 1, after: calls)
                #expect(throws: DisplayError.self) { try surface.framebuffer(on: device) }
                #expect(card.leftovers["buffers"] == 0 && card.wrongCloses == 0)
            }
            _ = try surface.framebuffer(on: device)
            #expect(card.leftovers["buffers"] == 2 && card.leftovers["framebuffers"] == 1)
        }

        @Test("a buffer that is imported several times has one handle, which is closed once, with its last user")
        func handles() throws {
            let card = try SoftwareCard(screens: [SoftwareCard.Screen(modes: [CardRig.mode])])
            let device = try DRMDevice(path: card.path)
            let surfaces = try TestSurfaces(.rows, width: 64, height: 36, count: 1)
            let pool = SurfacePool()
            let surface = try #require(try surfaces.picture(pool, number: 1)?.surface)
            let number = surface.memory.buffers[0].number
            let other = FileDescriptor(adopting: dup(number))
            let (first, second) = (try device.importBuffer(number), try device.importBuffer(other.number))
            #expect(first == second && card.leftovers["buffers"] == 1)
            device.closeBuffer(first)
            #expect(card.leftovers["buffers"] == 1)
            _ = try surface.framebuffer(on: device)
            device.closeBuffer(second)
            #expect(card.leftovers["buffers"] == 1)
            pool.forgetAll()
            #expect(card.leftovers["buffers"] == 1, "the surface is still held")
            withExtendedLifetime(surface) {}
            #expect(card.wrongCloses == 0)
        }

        @Test("a change of format gives up the framebuffers and buffers of the last one, but for what is on the screen")
        func changes() throws {
            let rig = try SurfaceRig(.rows)
            try rig.start()
            for _ in 0..<4 { try rig.show() }
            let buffers = rig.card.leftovers["buffers"] ?? 0
            rig.surfaces = try TestSurfaces(.rows, width: 160, height: 90, count: 4)
            try rig.show()
            try rig.show()
            // Two of the new format instead of four of the old one.
            #expect(rig.card.leftovers["buffers"] == buffers - 2)
            #expect(try rig.shownNumber() == rig.number)
            rig.expectNothingLeft()
        }

        @Test("the screen is read with surfaces of every kind", arguments: TestSurfaces.Shape.allCases)
        func read(_ shape: TestSurfaces.Shape) throws {
            var quirks = SoftwareCard.Quirks()
            quirks.showsColumns = true
            let rig = try SurfaceRig(shape, width: 300, quirks)
            try rig.start()
            try rig.show()
            #expect(NumberGrid.number(in: try #require(try rig.read()).pixels) == rig.number)
            rig.expectNothingLeft()
        }

        @Test("a display in memory shows surfaces of every kind", arguments: TestSurfaces.Shape.allCases)
        func headless(_ shape: TestSurfaces.Shape) throws {
            let rig = try DisplayRig(.headlessSimulated)
            defer { rig.display.stop() }
            let pool = SurfacePool()
            let surfaces = try TestSurfaces(shape, width: 300, height: 170, count: 1)
            let pixels = try #require(try surfaces.picture(pool, number: 12_345))
            let scene = Scene(
                video: VideoLayer(
                    frame: TestPictures.frame(pixels), source: pixels.bounds,
                    destination: PixelRect(x: 0, y: 0, width: 320, height: 180)), wantedTime: .zero)
            let source = TestSource { _, _ in PresentationAnswer(scene: scene, wantsNext: false) }
            try rig.display.start(source)
            try rig.run("the flip") { source.seen.flips.count == 1 }
            #expect(NumberGrid.number(in: try rig.picture().pixels) == 12_345)
        }

        @Test("the kernel's list of formats and orders is read, however it is damaged")
        func formats() throws {
            let card = try SoftwareCard(screens: [SoftwareCard.Screen(modes: [CardRig.mode])])
            var state = SoftwareCard.State(quirks: SoftwareCard.Quirks(), screens: [])
            let blob = try #require(state.blobs[state.makeFormatsBlob()])
            #expect(FormatModifiers(blob).sand128 == [.nv12])
            for length in blob.indices { #expect(FormatModifiers(Array(blob[..<length])).sand128.isSubset(of: [.nv12])) }
            for index in blob.indices {
                for value in [0, 0x7F, 0xFF] as [UInt8] {
                    var damaged = blob
                    damaged[index] = value
                    _ = FormatModifiers(damaged)
                }
            }
            // The column height is a parameter: planes list the order without it.
            var listed = blob
            listed[listed.count - 7] = 0x21
            #expect(FormatModifiers(listed).sand128 == [.nv12])
            withExtendedLifetime(card) {}
        }
    }
}
