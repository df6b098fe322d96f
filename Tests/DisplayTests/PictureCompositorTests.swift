import MediaModel
import MediaTime
import Testing

@testable import Display

@Suite("Composing pictures of films")
struct PictureCompositorTests {
    private let colour = ColourDescription(matrix: .bt709, isFullRange: false)

    private func frame(_ width: Int, _ height: Int, aspect: Ratio = .one, _ luma: (Int, Int) -> UInt8) throws -> VideoFrame {
        let pixels = try MemoryAllocator().makeBuffer(format: .yuv420p, width: width, height: height)
        pixels.withMutableBytes { bytes in
            for (plane, place) in pixels.planes.enumerated() {
                let (columns, rows) = plane == 0 ? (width, height) : ((width + 1) / 2, (height + 1) / 2)
                for y in 0..<rows {
                    for x in 0..<columns {
                        bytes[place.offset + y * place.stride + x] = plane == 0 ? luma(x, y) : UInt8(100 + 20 * plane)
                    }
                }
            }
        }
        return VideoFrame(pixels: pixels, time: .zero, duration: .seconds(1), colour: colour, sampleAspect: aspect)
    }

    private func compose(
        _ width: Int, _ height: Int, background: UInt32 = 0, _ layers: [VideoCompositionRequest.Layer]
    ) throws -> VideoFrame {
        try PictureCompositor().compose(
            VideoCompositionRequest(
                width: width, height: height, background: background, layers: layers, time: .seconds(3), duration: .seconds(2)),
            allocator: MemoryAllocator())
    }

    private func sample(_ frame: VideoFrame, _ plane: Int, _ x: Int, _ y: Int) -> Int {
        frame.pixels.withBytes { Int($0[frame.pixels.planes[plane].offset + y * frame.pixels.planes[plane].stride + x]) }
    }

    @Test("every opacity mixes luma and chroma within one step", arguments: [0.0, 0.01, 0.25, 0.5, 0.75, 0.996, 0.999, 1])
    func opacity(share: Double) throws {
        let front = try frame(32, 16) { x, y in UInt8(20 + 6 * x + y) }
        let back = try frame(32, 16) { x, y in UInt8(200 - 3 * x - 2 * y) }
        let mixed = try compose(32, 16, [.init(frame: front, opacity: share), .init(frame: back)])
        #expect(mixed.time == .seconds(3) && mixed.duration == .seconds(2))
        for y in 0..<16 {
            for x in 0..<32 {
                let wanted = Double(20 + 6 * x + y) * share + Double(200 - 3 * x - 2 * y) * (1 - share)
                #expect(abs(Double(sample(mixed, 0, x, y)) - wanted) <= 1)
            }
        }
        #expect(sample(mixed, 1, 3, 3) == 120 && sample(mixed, 2, 3, 3) == 140)
    }

    @Test("a picture is placed, magnified and cropped, and the background is around it")
    func places() throws {
        let picture = try frame(16, 16) { x, _ in x < 8 ? 60 : 180 }
        let small = try compose(64, 32, background: 0xFFFFFF, [.init(frame: picture, x: 10, y: 4)])
        #expect(sample(small, 0, 9, 5) == 235 && sample(small, 0, 10, 4) == 60 && sample(small, 0, 25, 19) == 180)
        #expect(sample(small, 0, 26, 10) == 235 && sample(small, 0, 12, 3) == 235 && sample(small, 0, 12, 20) == 235)
        let large = try compose(64, 32, [.init(frame: picture, x: -16, y: 0, scaleX: 4, scaleY: 2)])
        #expect(sample(large, 0, 0, 0) == 60 && sample(large, 0, 8, 31) == 60 && sample(large, 0, 47, 31) == 180)
        #expect(sample(large, 0, 48, 0) == 16)
        let cropped = try compose(64, 32, [.init(frame: picture, scaleX: 2, scaleY: 2, crop: (0.5, 0.25, 0.5, 0.5))])
        #expect(sample(cropped, 0, 15, 10) == 16 && sample(cropped, 0, 16, 8) == 180 && sample(cropped, 0, 31, 23) == 180)
        #expect(sample(cropped, 0, 20, 7) == 16 && sample(cropped, 0, 20, 24) == 16)
        let wide = try compose(64, 32, [.init(frame: try frame(16, 16, aspect: Ratio(2)) { _, _ in 90 })])
        #expect(sample(wide, 0, 31, 15) == 90 && sample(wide, 0, 32, 15) == 16 && sample(wide, 0, 31, 16) == 16)
    }

    @Test("extreme places, sizes and crops draw what is visible of them")
    func extremes() throws {
        let picture = try frame(15, 9) { _, _ in 77 }
        for place in [-1e9, -32_768, -15, -1, -0.5, 0, 31, 32, 1e9, Double.infinity] {
            for scale in [1e-9, 1.0 / 64, 1, 64, 1e9] {
                for crop in [(0.0, 0.0, 1.0, 1.0), (0.999, 0.999, 0.001, 0.001), (0, 0, 1e-9, 1e-9)] {
                    let result = try compose(
                        33, 17, [.init(frame: picture, opacity: 1, x: place, y: place, scaleX: scale, scaleY: scale, crop: crop)])
                    #expect(result.pixels.width == 33 && [16, 77].contains(sample(result, 0, 32, 16)))
                }
            }
        }
        let filled = try compose(33, 17, [.init(frame: picture, x: -100, y: -100, scaleX: 64, scaleY: 64)])
        #expect(sample(filled, 0, 0, 0) == 77 && sample(filled, 0, 32, 16) == 77 && sample(filled, 1, 16, 8) == 120)
    }

    @Test("the background has the code values of its colour", arguments: [false, true])
    func background(isFullRange: Bool) throws {
        let colour = ColourDescription(matrix: .bt601, isFullRange: isFullRange)
        let (black, white, red) = (
            PictureCompositor.code(0, colour), PictureCompositor.code(0xFFFFFF, colour), PictureCompositor.code(0xFF0000, colour)
        )
        #expect(black == (isFullRange ? 0 : 16, 128, 128) && white == (isFullRange ? 255 : 235, 128, 128))
        #expect(red == (isFullRange ? (76, 85, 255) : (81, 90, 240)))
    }

    @Test("a single whole picture is passed on without copying")
    func whole() throws {
        let picture = try frame(16, 16) { _, _ in 50 }
        #expect(try compose(16, 16, [.init(frame: picture)]).pixels === picture.pixels)
        #expect(try compose(16, 16, [.init(frame: picture, opacity: 0.5)]).pixels !== picture.pixels)
        #expect(try compose(16, 16, [.init(frame: picture, x: 2)]).pixels !== picture.pixels)
    }
}
