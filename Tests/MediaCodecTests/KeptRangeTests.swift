import CFFmpeg
import Glibc
import LinuxSupport
import MediaModel
import MediaTime
import TestSupport
import Testing

@testable import MediaCodec

/// Memory of a screen that gets a high range.
private final class RangeMemory: FrameAllocator {
    private let inner = MemoryAllocator()
    let keptRange: HighDynamicRange?

    init(_ range: HighDynamicRange?) { keptRange = range }

    var name: String { "range" }
    var isCached: Bool { true }

    func makeBuffer(
        format: PixelFormat, width: Int, height: Int, codedWidth: Int, codedHeight: Int
    ) throws(MediaError) -> PixelBuffer {
        try inner.makeBuffer(format: format, width: width, height: height, codedWidth: codedWidth, codedHeight: codedHeight)
    }
}

@Suite("Pictures that keep their dynamic range", .enabled(if: FFmpegProgram.isPresent, Comment(rawValue: FFmpegProgram.absence)))
struct KeptRangeTests {
    private func film(_ transfer: String, pixels: String = "yuv420p10le", primaries: String = "bt2020") throws -> [UInt8] {
        try FFmpegProgram.make(
            [
                "-f", "lavfi", "-i", "testsrc2=s=318x178:r=25:d=0.08", "-pix_fmt", pixels, "-vf",
                FFmpegProgram.colours(primaries: primaries, transfer: transfer), "-c:v", "libx265", "-preset", "ultrafast",
                "-x265-params", "lossless=1:log-level=none:max-cll=850,120:hdr10=1:repeat-headers=1",
            ], suffix: "mp4")
    }

    private func decode(_ bytes: [UInt8], _ range: HighDynamicRange?) throws -> [VideoFrame] {
        try Media.frames(try Media.samples(try Media.demuxer(bytes)), allocator: RangeMemory(range))
    }

    @Test(
        "the container tells the range before anything is decoded",
        arguments: [
            ("smpte2084", "bt2020", HighDynamicRange.pq), ("arib-std-b67", "bt2020", .hlg), ("bt2020-10", "bt2020", nil),
            ("smpte2084", "smpte432", nil),
        ] as [(String, String, HighDynamicRange?)])
    func stated(transfer: String, primaries: String, range: HighDynamicRange?) throws {
        let tracks = try Media.demuxer(try film(transfer, primaries: primaries)).description.tracks
        #expect(tracks.map(\.highRange) == [range])
    }

    @Test("every sample is as it was decoded, in the layout that planes show")
    func samples() throws {
        let bytes = try film("smpte2084")
        let frames = try decode(bytes, .pq)
        let folder = ScratchFolder("kept")
        let file = try #require(fopen("\(folder.path)/film.mp4", "wb"))
        #expect(fwrite(bytes, 1, bytes.count, file) == bytes.count)
        fclose(file)
        let raw = try FFmpegProgram.make(
            ["-i", "\(folder.path)/film.mp4", "-pix_fmt", "p010le", "-f", "rawvideo"], suffix: "yuv")
        #expect(frames.count == 2)
        for (index, frame) in frames.enumerated() {
            #expect(frame.pixels.format == .p010 && frame.colour == frame.original && frame.colour.highRange == .pq)
            #expect(frame.colour.light?.brightestPixel == 850)
            let (width, height) = (318, 178)
            let start = index * width * height * 3
            var wrong = 0
            frame.pixels.withBytes { memory in
                for row in 0..<height * 3 / 2 {
                    let (plane, line) = row < height ? (0, row) : (1, row - height)
                    let offset = frame.pixels.planes[plane].offset + line * frame.pixels.planes[plane].stride
                    let expected = raw[(start + row * width * 2)..<(start + (row + 1) * width * 2)]
                    if !memory[offset..<offset + width * 2].elementsEqual(expected) { wrong += 1 }
                }
            }
            #expect(wrong == 0)
        }
    }

    @Test("only pictures of the screen's range, in 4:2:0 of ten bits and with the primaries of BT.2020, are kept")
    func others() throws {
        func formats(_ bytes: [UInt8], _ range: HighDynamicRange?) throws -> Set<PixelFormat> {
            Set(try decode(bytes, range).map(\.pixels.format))
        }
        let film = try film("smpte2084")
        #expect(try formats(film, nil) == [.yuv420p] && formats(film, .hlg) == [.yuv420p])
        #expect(try formats(try self.film("arib-std-b67"), .hlg) == [.p010])
        #expect(try formats(try self.film("bt2020-10"), .pq) == [.yuv420p])
        #expect(try formats(try self.film("smpte2084", primaries: "smpte432"), .pq) == [.yuv420p])
        #expect(try formats(try self.film("smpte2084", pixels: "yuv422p10le"), .pq) == [.yuv420p])
        let mapped = try decode(film, nil)
        #expect(mapped.allSatisfy { $0.original.highRange == .pq && $0.colour.highRange == nil })
    }
}

@Suite("Pictures and layers fitted to the range of a screen")
struct RangeConverterTests {
    private let converter = RangeConverter()

    private func picture(
        _ format: PixelFormat, _ colour: ColourDescription, width: Int = 66, height: Int = 34, luma: Int, cb: Int = 512,
        cr: Int = 512
    ) throws -> VideoFrame {
        let pixels = try MemoryAllocator().makeBuffer(format: format, width: width, height: height)
        let isWide = format == .p010 || format == .yuv420p10
        pixels.withMutableBytes { bytes in
            for (index, plane) in pixels.planes.enumerated() {
                let values = index == 0 ? [luma] : pixels.planes.count == 2 ? [cb, cr] : [index == 1 ? cb : cr]
                for place in 0..<plane.stride * plane.rows / (isWide ? 2 : 1) {
                    let value = values[place % values.count]
                    if isWide {
                        let word = UInt16(format == .p010 ? value << 6 : value)
                        bytes.storeBytes(of: word, toByteOffset: plane.offset + 2 * place, as: UInt16.self)
                    } else {
                        bytes[plane.offset + place] = UInt8(value >> 2)
                    }
                }
            }
        }
        return VideoFrame(pixels: pixels, time: .seconds(3), duration: .seconds(1), colour: colour)
    }

    /// Luma, Cb and Cr of a pixel in ten bits.
    private func values(_ frame: VideoFrame, _ x: Int, _ y: Int) -> [Int] {
        let pixels = frame.pixels
        return pixels.withBytes { bytes in
            func word(_ plane: Int, _ offset: Int) -> Int {
                Int(bytes.loadUnaligned(fromByteOffset: pixels.planes[plane].offset + offset, as: UInt16.self)) >> 6
            }
            let chroma = y / 2 * pixels.planes[1].stride + x / 2 * 4
            return [word(0, y * pixels.planes[0].stride + 2 * x), word(1, chroma), word(1, chroma + 2)]
        }
    }

    @Test(
        "white of every format is 203 cd/m² in PQ, and all of the picture is converted",
        arguments: [PixelFormat.yuv420p, .nv12, .yuv422p, .yuv444p, .yuv420p10], [(66, 34), (65, 33), (2, 2), (1, 1)])
    func white(format: PixelFormat, size: (Int, Int)) throws {
        let frame = try picture(format, .standardRange, width: size.0, height: size.1, luma: 940)
        let high = try converter.picture(frame, for: .pq, from: MemoryAllocator())
        #expect(high.pixels.format == .p010 && high.colour == HighDynamicRange.pq.colour && high.time == frame.time)
        #expect(high.original == frame.original)
        // 58.07 % of 876 above 64.
        for (x, y) in [(0, 0), (size.0 - 1, size.1 - 1)] {
            let found = values(high, x, y)
            #expect(abs(found[0] - 573) <= 1 && abs(found[1] - 512) <= 1 && abs(found[2] - 512) <= 1, "\(found)")
        }
    }

    @Test("a picture keeps its light from one high range to the other, and back in its own")
    func betweenRanges() throws {
        // 203 cd/m² are 58 % in PQ and 75 % in HLG (BT.2408).
        let perceptual = try picture(.p010, HighDynamicRange.pq.colour, luma: 573)
        let hybrid = try converter.picture(perceptual, for: .hlg, from: MemoryAllocator())
        #expect(abs(values(hybrid, 5, 5)[0] - 721) <= 3, "\(values(hybrid, 5, 5))")
        let back = try converter.picture(hybrid, for: .pq, from: MemoryAllocator())
        #expect(abs(values(back, 5, 5)[0] - 573) <= 3)
    }

    @Test("a picture in PQ becomes the same as a decoder would have made of it")
    func standard() throws {
        let frame = try picture(.p010, HighDynamicRange.pq.colour, luma: 480, cb: 500, cr: 540)
        let low = try converter.picture(frame, for: nil, from: MemoryAllocator())
        #expect(low.pixels.format == .yuv420p && low.colour == .standardRange)
        let planar = try picture(.yuv420p10, HighDynamicRange.pq.colour, luma: 480, cb: 500, cr: 540)
        let other = try converter.picture(planar, for: nil, from: MemoryAllocator())
        for plane in 0..<3 {
            #expect(
                low.pixels.withBytes { $0[low.pixels.planes[plane].offset + 7] }
                    == other.pixels.withBytes { $0[other.pixels.planes[plane].offset + 7] })
        }
    }

    @Test("pixels that are not luma and chroma are refused with a sentence")
    func refused() throws {
        let pixels = try MemoryAllocator().makeBuffer(format: .argb8888, width: 4, height: 4)
        let frame = VideoFrame(pixels: pixels, time: .zero, duration: .zero, colour: .standardRange)
        let error = #expect(throws: MediaError.self) {
            _ = try converter.picture(frame, for: .pq, from: MemoryAllocator())
        }
        #expect(error?.code == .decoderUnsupported)
    }

    @Test("a colour is the same as a pixel of that colour; black stays black, and transparent pixels stay transparent")
    func colours() throws {
        for range in HighDynamicRange.allCases {
            let layer = try MemoryAllocator().makeBuffer(format: .argb8888, width: 5000, height: 2)
            layer.withMutableBytes { bytes in
                for index in bytes.indices { bytes[index] = 0 }
                for (place, value) in [200, 100, 30, 255].enumerated() {
                    bytes[layer.planes[0].stride + 4 * 4999 + place] = UInt8(value)
                }
            }
            let shown = try MemoryAllocator().makeBuffer(format: .argb8888, width: 5000, height: 2)
            shown.withMutableBytes { bytes in for index in bytes.indices { bytes[index] = 77 } }
            try converter.convert(layer, for: range, into: shown)
            let colour = try converter.colour(OpaqueColour(red: 30, green: 100, blue: 200), for: range)
            let pixel = shown.withBytes { bytes in (0..<4).map { bytes[shown.planes[0].stride + 4 * 4999 + $0] } }
            #expect(pixel == [colour.blue, colour.green, colour.red, 255])
            #expect(shown.withBytes { bytes in (0..<4 * 5000).allSatisfy { bytes[$0] == 0 } })
            #expect(try converter.colour(.black, for: range) == .black)
        }
    }
}
