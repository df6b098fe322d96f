import CAllocationCounter
import CFFmpeg
import Glibc
import MediaModel
import MediaTime
import TestSupport
import Testing

@testable import MediaCodec

/// Pictures with a high dynamic range, wide colours or more than eight bits: what is known of them, and what they become on a screen of standard
/// dynamic range.
@Suite("Colours", .enabled(if: FFmpegProgram.isPresent, Comment(rawValue: FFmpegProgram.absence)))
struct ColourTests {
    private static let master = "master-display=G(13250,34500)B(7500,3000)R(34000,16000)WP(15635,16450)L(10000000,50)"

    /// Lossless HEVC.
    private func hevc(_ transfer: String, _ more: String = "", pixels: String = "yuv420p10le") -> [String] {
        [
            "-pix_fmt", pixels, "-vf", FFmpegProgram.colours(primaries: "bt2020", transfer: transfer), "-c:v", "libx265",
            "-preset", "ultrafast", "-x265-params", "lossless=1:log-level=none" + more,
        ]
    }

    private func frames(
        _ video: [String], _ suffix: String = "mkv", source: String = "testsrc2=s=320x180:r=25:d=0.08"
    ) throws -> (bytes: [UInt8], frames: [VideoFrame]) {
        let bytes = try FFmpegProgram.make(["-f", "lavfi", "-i", source] + video, suffix: suffix)
        let demuxer = try Media.demuxer(bytes)
        return (bytes, try Media.frames(try Media.samples(demuxer)))
    }

    // MARK: What is stated

    @Test(
        "transfer function, primaries, matrix, range and light are those of the stream",
        arguments: ["mkv", "mp4", "ts"])
    func stated(suffix: String) throws {
        let words = hevc("smpte2084", ":hdr10=1:repeat-headers=1:max-cll=850,120:" + Self.master)
        let (_, frames) = try frames(words, suffix)
        func point(_ x: UInt16, _ y: UInt16) throws -> LightMetadata.Chromaticity { try #require(.init(x: x, y: y)) }
        let gamut = LightMetadata.Gamut(
            red: try point(34000, 16000), green: try point(13250, 34500), blue: try point(7500, 3000),
            white: try point(15635, 16450))
        let light = LightMetadata(gamut: gamut, peak: 1000, black: 50, brightestPixel: 850, brightestAverage: 120)
        #expect(frames.count == 2)
        for frame in frames {
            #expect(
                frame.original
                    == ColourDescription(matrix: .bt2020, isFullRange: false, primaries: .bt2020, transfer: .pq, light: light))
            #expect(frame.colour == ColourDescription(matrix: .bt709, isFullRange: false))
            #expect(frame.pixels.format == .yuv420p)
        }
    }

    @Test("what the pictures do not state comes from the container")
    func container() throws {
        // The bitstream of VP9 has no transfer function and no light.
        let words = [
            "-pix_fmt", "yuv420p10le", "-vf", FFmpegProgram.colours(primaries: "bt2020", transfer: "arib-std-b67"), "-c:v",
            "libvpx-vp9", "-deadline", "realtime", "-cpu-used", "8",
        ]
        for suffix in ["webm", "mp4"] {
            let frame = try #require(try frames(words, suffix).frames.first)
            #expect(
                frame.original == ColourDescription(matrix: .bt2020, isFullRange: false, primaries: .bt2020, transfer: .hlg),
                "\(suffix)")
        }
    }

    @Test("a picture that states nothing has what its container states, property by property")
    func fallback() throws {
        let frame = try Picture(width: 64, height: 64, AV_PIX_FMT_YUV420P10LE)
        let light = LightMetadata(gamut: nil, peak: 600, black: nil, brightestPixel: nil, brightestAverage: nil)
        var parameters = AVCodecParameters()
        parameters.color_trc = AVCOL_TRC_SMPTE2084
        parameters.color_primaries = AVCOL_PRI_SMPTE432
        parameters.color_space = AVCOL_SPC_BT709
        parameters.color_range = AVCOL_RANGE_JPEG
        #expect(
            ColourDescription(frame.pointer, &parameters, light: light)
                == ColourDescription(matrix: .bt709, isFullRange: true, primaries: .displayP3, transfer: .pq, light: light))
        frame.pointer.pointee.color_trc = AVCOL_TRC_BT709
        frame.pointer.pointee.color_range = AVCOL_RANGE_MPEG
        frame.pointer.pointee.colorspace = AVCOL_SPC_BT2020_NCL
        #expect(
            ColourDescription(frame.pointer, &parameters, light: light)
                == ColourDescription(matrix: .bt2020, isFullRange: false, primaries: .displayP3))
    }

    @Test("numbers that are none are not taken for light", arguments: [0, 10_001, Int.max, -5])
    func noLight(peak: Int) {
        #expect(LightMetadata(gamut: nil, peak: peak, black: 3, brightestPixel: peak, brightestAverage: peak) == nil)
        #expect(LightMetadata.Chromaticity(x: 50_001, y: 0) == nil && LightMetadata.Chromaticity(x: 0, y: 50_000) != nil)
    }

    @Test("wrong fractions in side data are left out")
    func wrongFractions() throws {
        let frame = try Picture(width: 64, height: 64, AV_PIX_FMT_YUV420P10LE)
        frame.pointer.pointee.color_trc = AVCOL_TRC_SMPTE2084
        let data = try #require(
            av_frame_new_side_data(
                frame.pointer, AV_FRAME_DATA_MASTERING_DISPLAY_METADATA, MemoryLayout<AVMasteringDisplayMetadata>.size))
        func light(_ change: (inout AVMasteringDisplayMetadata) -> Void) -> LightMetadata? {
            var stated = AVMasteringDisplayMetadata()
            let half = AVRational(num: 1, den: 2)
            stated.display_primaries = ((half, half), (half, half), (half, half))
            stated.white_point = (half, half)
            stated.max_luminance = AVRational(num: 600, den: 1)
            stated.min_luminance = AVRational(num: 1, den: 1000)
            (stated.has_luminance, stated.has_primaries) = (1, 1)
            change(&stated)
            data.pointee.data.withMemoryRebound(to: AVMasteringDisplayMetadata.self, capacity: 1) { $0.pointee = stated }
            var parameters = AVCodecParameters()
            return ColourDescription(frame.pointer, &parameters, light: nil).light
        }
        let whole = try #require(light { _ in })
        #expect(whole.gamut?.white.x == 25_000 && whole.peak == 600 && whole.black == 10)
        #expect(light { $0.white_point.0 = AVRational(num: 3, den: 2) }?.gamut == nil)
        #expect(light { $0.white_point.0 = AVRational(num: 1, den: 0) }?.gamut == nil)
        #expect(light { $0.display_primaries.2.1 = AVRational(num: .min, den: -1) }?.gamut == nil)
        #expect(light { $0.max_luminance = AVRational(num: .max, den: 1) }?.peak == nil)
        #expect(light { $0.min_luminance = AVRational(num: -1, den: 1) }?.black == nil)
        #expect(light { ($0.has_luminance, $0.has_primaries) = (0, 0) } == nil)
    }

    // MARK: Tone mapping

    /// SMPTE ST 2084, from cd/m² to a code value 0…1.
    private func pq(_ luminance: Double) -> Double {
        let power = pow(luminance / 10_000, 2610.0 / 16384)
        return pow((3424.0 / 4096 + 2413.0 / 128 * power) / (1 + 2392.0 / 128 * power), 2523.0 / 32)
    }

    private func luminance(_ code: Double) -> Double {
        let power = pow(code, 32.0 / 2523)
        return 10_000 * pow(max(power - 3424.0 / 4096, 0) / (2413.0 / 128 - 2392.0 / 128 * power), 16384.0 / 2610)
    }

    /// ITU-R BT.2390, 5.4.1, from a peak to 203 cd/m², both with a black of 0.
    private func mapped(_ light: Double, peak: Double) -> Double {
        let (value, most) = (min(pq(light) / pq(peak), 1), pq(203) / pq(peak))
        let knee = 1.5 * most - 0.5
        guard value >= knee, most < 1 else { return luminance(value * pq(peak)) }
        let t = (value - knee) / (1 - knee)
        let (second, third) = (t * t, t * t * t)
        let result =
            (2 * third - 3 * second + 1) * knee + (third - 2 * second + t) * (1 - knee) + (-2 * third + 3 * second) * most
        return luminance(result * pq(peak))
    }

    /// The 8-bit code of a grey by BT.1886, where 203 cd/m² are white.
    private func shown(_ light: Double) -> Double { 16 + 219 * pow(min(light / 203, 1), 1 / 2.4) }

    /// Greys after conversion.
    private struct Greys {
        let colour: ColourDescription
        private let frame: Picture
        private let converter: StandardRangeConverter

        init(_ colour: ColourDescription, usesCurve: Bool = true) throws {
            self.colour = colour
            frame = try Picture(width: 64, height: 64, AV_PIX_FMT_YUV420P10LE)
            for plane in 1...2 { frame.fill(plane) { _, _ in 512 } }
            converter = StandardRangeConverter(usesCurve: usesCurve)
        }

        /// The mean of luma and of the first chroma plane.
        func convert(_ code: Int) throws -> (luma: Double, chroma: Double) {
            frame.fill(0) { _, _ in UInt16(code) }
            let result = try converter.convert(frame.pointer, colour, into: MemoryAllocator())
            #expect(result.colour == ColourDescription(matrix: .bt709, isFullRange: false))
            return (mean(result.pixels, 0), mean(result.pixels, 1))
        }

        private func mean(_ pixels: PixelBuffer, _ plane: Int) -> Double {
            let rows = Picture.samples(pixels, plane)
            return Double(rows.joined().reduce(0) { $0 + Int($1) }) / Double(rows.count * rows[0].count)
        }
    }

    @Test("greys of HDR10 follow BT.2390 and BT.1886", arguments: [400, 1000, 4000])
    func greys(peak: Int) throws {
        let light = LightMetadata(gamut: nil, peak: peak, black: nil, brightestPixel: nil, brightestAverage: nil)
        let colour = ColourDescription(matrix: .bt2020, isFullRange: false, transfer: .pq, light: light)
        let greys = try Greys(colour)
        for code in stride(from: 64, through: 940, by: 12) {
            let wanted = shown(mapped(luminance(Double(code - 64) / 876), peak: Double(peak)))
            let (luma, chroma) = try greys.convert(code)
            #expect(abs(luma - wanted) < 1, "code \(code): \(luma), not \(wanted)")
            #expect(abs(chroma - 128) < 1)
        }
    }

    @Test(
        "the brightest pixel of the programme has precedence over a brighter mastering display; without either it is 1,000 cd/m²")
    func peaks() throws {
        func peak(_ display: Int?, _ pixel: Int?, _ transfer: ColourDescription.Transfer = .pq) -> Double {
            let light = LightMetadata(gamut: nil, peak: display, black: nil, brightestPixel: pixel, brightestAverage: nil)
            return ToneCurve.peak(of: ColourDescription(matrix: .bt2020, isFullRange: false, transfer: transfer, light: light))
        }
        #expect(peak(4000, 600) == 600 && peak(1000, 9000) == 1000 && peak(4000, nil) == 4000 && peak(nil, 500) == 500)
        #expect(peak(nil, nil) == 1000 && peak(4000, 4000, .hlg) == 1000)
    }

    @Test("greys of HLG have the light of a screen of 1,000 cd/m²")
    func hybrid() throws {
        let colour = ColourDescription(matrix: .bt2020, isFullRange: false, transfer: .hlg)
        let greys = try Greys(colour)
        for code in stride(from: 64, through: 940, by: 12) {
            let signal = Double(code - 64) / 876
            let scene = signal <= 0.5 ? signal * signal / 3 : (exp((signal - 0.55991073) / 0.17883277) + 0.28466892) / 12
            let wanted = shown(mapped(1000 * pow(scene, 1.2), peak: 1000))
            let (luma, _) = try greys.convert(code)
            #expect(abs(luma - wanted) < 1, "code \(code): \(luma), not \(wanted)")
        }
    }

    @Test("without libplacebo what is up to 203 cd/m² is unchanged, and all that is brighter is white")
    func withoutCurve() throws {
        let colour = ColourDescription(matrix: .bt2020, isFullRange: false, transfer: .pq)
        let greys = try Greys(colour, usesCurve: false)
        for light in [0.1, 5, 50, 150, 203, 220, 500, 5000] {
            let code = Int((64 + 876 * pq(light)).rounded())
            let wanted = shown(luminance(Double(code - 64) / 876))
            #expect(abs(try greys.convert(code).luma - wanted) < 1)
        }
    }

    /// For each 16-bit code value of SMPTE ST 2084 the mapped one.
    private func mappedCodes(peak: Double) -> [UInt16] {
        (0...65535).map { UInt16(pq(mapped(luminance(Double($0) / 65535), peak: peak)) * 65535 + 0.5) }
    }

    @Test(
        "pictures with colours are those of ffmpeg's zscale with the curve between its two passes, within 2 of 255",
        arguments: ["smpte2084", "arib-std-b67"], ["yuv420p10le", "yuv422p10le", "yuv444p12le"])
    func reference(transfer: String, pixels: String) throws {
        let (bytes, frames) = try frames(hevc(transfer, pixels: pixels))
        let frame = try #require(frames.first)
        let folder = ScratchFolder("colour")
        try write(bytes, "\(folder.path)/clip.mkv")
        let raw = ["-f", "rawvideo", "-frames:v", "1"]
        // Several threads would convert parts of the picture, with edges between them.
        let whole = ["-filter_threads", "1"]
        // In whole numbers what the screen cannot show is cut off.
        let light = try FFmpegProgram.make(
            whole + ["-i", "\(folder.path)/clip.mkv", "-vf", "zscale=m=gbr:r=full:t=smpte2084:npl=203:agamma=0,format=gbrp16le"]
                + raw, suffix: "gbr")
        let codes = mappedCodes(peak: 1000)
        let mapped = light.withUnsafeBytes { bytes in
            (0..<bytes.count / 2).flatMap { index -> [UInt8] in
                let value = codes[Int(bytes.loadUnaligned(fromByteOffset: 2 * index, as: UInt16.self))]
                return [UInt8(truncatingIfNeeded: value), UInt8(value >> 8)]
            }
        }
        try write(mapped, "\(folder.path)/light.gbr")
        let back =
            "zscale=min=gbr:rin=full:tin=smpte2084:pin=bt2020:npl=203:m=gbr:t=bt709:p=bt709:r=full:d=none:agamma=0,format=gbrp16le,"
            + "zscale=min=gbr:rin=full:tin=bt709:pin=bt709:m=bt709:t=bt709:p=bt709:r=tv:c=left:d=none,format=yuv420p"
        let wanted = try FFmpegProgram.make(
            whole + ["-f", "rawvideo", "-s", "320x180", "-pix_fmt", "gbrp16le", "-i", "\(folder.path)/light.gbr", "-vf", back]
                + raw,
            suffix: "yuv")
        let found = (0..<3).flatMap { Picture.samples(frame.pixels, $0).joined() }
        #expect(found.count == wanted.count)
        let differences = zip(found, wanted).map { abs(Int($0) - Int($1)) }
        #expect(differences.max() ?? 255 <= 2)
        #expect(Double(differences.reduce(0, +)) / Double(max(differences.count, 1)) < 0.6)
        // The clip is not grey.
        #expect(Set(wanted.suffix(wanted.count / 3)).count > 30)
    }

    private func write(_ bytes: [UInt8], _ path: String) throws {
        let file = try #require(fopen(path, "wb"))
        #expect(fwrite(bytes, 1, bytes.count, file) == bytes.count)
        fclose(file)
    }

    // MARK: Ten bits

    @Test("ten bits of standard dynamic range are dithered: on average no level is lost, and the matrix stays")
    func dithered() throws {
        let frame = try Picture(width: 256, height: 64, AV_PIX_FMT_YUV420P10LE)
        frame.fill(0) { x, _ in UInt16(400 + x / 8) }
        for plane in 1...2 { frame.fill(plane) { x, _ in UInt16(500 + x / 4) } }
        for matrix in [ColourDescription.Matrix.bt601, .bt709] {
            let colour = ColourDescription(matrix: matrix, isFullRange: false)
            let result = try StandardRangeConverter().convert(frame.pointer, colour, into: MemoryAllocator())
            #expect(result.colour == colour && result.pixels.format == .yuv420p)
            let rows = Picture.samples(result.pixels, 0)
            for step in 0..<32 {
                let values = rows.flatMap { $0[8 * step..<8 * step + 8] }
                let wanted = Double(400 + step) / 4
                let mean = Double(values.reduce(0) { $0 + Int($1) }) / Double(values.count)
                #expect(abs(mean - wanted) < 0.1, "step \(step): \(mean), not \(wanted)")
                #expect(values.allSatisfy { abs(Double($0) - wanted) <= 1 })
            }
        }
    }

    @Test("wide colours of standard dynamic range become those of BT.709: greys stay, green loses what the screen has not")
    func wide() throws {
        let colour = ColourDescription(matrix: .bt2020, isFullRange: false)
        let (luma, chroma) = try Greys(colour).convert(64 + 438)
        #expect(abs(luma - (16 + 109.5)) < 1 && abs(chroma - 128) < 1)
    }

    @Test("pictures of odd sizes, and with rows that begin anywhere, are the same as aligned ones")
    func oddSizes() throws {
        let colour = ColourDescription(matrix: .bt2020, isFullRange: false, transfer: .pq)
        func value(_ x: Int, _ y: Int) -> UInt16 { UInt16(100 + 5 * x + 3 * y) }
        let even = try Picture(width: 130, height: 74, AV_PIX_FMT_YUV420P10LE)
        let odd = try Picture(width: 129, height: 73, AV_PIX_FMT_YUV420P10LE)
        let shifted = try Picture(width: 130 + 8, height: 74, AV_PIX_FMT_YUV420P10LE)
        // The size of the odd one, with its last column and row repeated.
        even.fill(0) { value(min($0, 128), min($1, 72)) }
        odd.fill(0) { value($0, $1) }
        shifted.fill(0) { value(min(max($0 - 8, 0), 128), min($1, 72)) }
        for plane in 1...2 {
            even.fill(plane) { value($0, $1) }
            odd.fill(plane) { value($0, $1) }
            shifted.fill(plane) { value(max($0 - 4, 0), $1) }
        }
        shifted.crop(left: 8)
        func convert(_ picture: Picture) throws -> PixelBuffer {
            try StandardRangeConverter().convert(picture.pointer, colour, into: MemoryAllocator()).pixels
        }
        let (plain, fromOdd, fromShifted) = (try convert(even), try convert(odd), try convert(shifted))
        #expect(fromOdd.width == 129 && fromOdd.height == 73)
        for plane in 0..<3 {
            let wanted = Picture.samples(plain, plane)
            #expect(Picture.samples(fromShifted, plane) == wanted)
            let found = Picture.samples(fromOdd, plane)
            #expect(found == wanted.prefix(found.count).map { Array($0.prefix(found[0].count)) })
        }
    }

    @Test("a converted picture costs no allocation", .enabled(if: allocation_counter_works(), "a sanitizer counts here"))
    func allocations() throws {
        let frame = try Picture(width: 320, height: 180, AV_PIX_FMT_YUV420P10LE)
        for plane in 0..<3 { frame.fill(plane) { x, y in UInt16(64 + (x + y) % 800) } }
        for transfer in [ColourDescription.Transfer.pq, .hlg, .standard] {
            let colour = ColourDescription(matrix: .bt2020, isFullRange: false, transfer: transfer)
            let shape = RangeConversion.Shape(frame.pointer.pointee, colour)
            let conversion = try RangeConversion(shape, usesCurve: true)
            let pixels = try MemoryAllocator().makeBuffer(format: .yuv420p, width: 320, height: 180)
            try conversion.run(frame.pointer, into: pixels)
            allocation_counter_watch(allocation_counter_this_thread())
            for _ in 0..<5 { try conversion.run(frame.pointer, into: pixels) }
            let count = allocation_counter_count()
            allocation_counter_watch(0)
            #expect(count == 0, "\(transfer)")
        }
    }
}

/// A frame of libavutil, made by a test. Freed in `deinit`.
private final class Picture {
    let pointer: UnsafeMutablePointer<AVFrame>

    init(width: Int, height: Int, _ format: AVPixelFormat) throws {
        pointer = try #require(av_frame_alloc())
        pointer.pointee.width = Int32(width)
        pointer.pointee.height = Int32(height)
        pointer.pointee.format = format.rawValue
        pointer.pointee.chroma_location = AVCHROMA_LOC_LEFT
        try #require(av_frame_get_buffer(pointer, 64) >= 0)
    }

    deinit {
        var frame: UnsafeMutablePointer<AVFrame>? = pointer
        av_frame_free(&frame)
    }

    /// Sets the samples of a plane of 4:2:0 in words.
    func fill(_ plane: Int, _ value: (Int, Int) -> UInt16) {
        FramePlanes.withPointers(pointer) { data, strides in
            let (width, height) = (Int(pointer.pointee.width), Int(pointer.pointee.height))
            let shift = plane == 0 ? 0 : 1
            for y in 0..<(height + shift) >> shift {
                let row = UnsafeMutableRawPointer(data[plane]!) + y * Int(strides[plane])
                for x in 0..<(width + shift) >> shift {
                    row.storeBytes(of: value(x, y), toByteOffset: 2 * x, as: UInt16.self)
                }
            }
        }
    }

    /// Leaves out columns at the left, as cropping in a bitstream does: rows are then not aligned.
    func crop(left: Int) {
        pointer.pointee.width -= Int32(left)
        pointer.pointee.data.0 = pointer.pointee.data.0.map { $0 + 2 * left }
        pointer.pointee.data.1 = pointer.pointee.data.1.map { $0 + left }
        pointer.pointee.data.2 = pointer.pointee.data.2.map { $0 + left }
    }

    /// The visible rows of a plane of 8-bit samples.
    static func samples(_ pixels: PixelBuffer, _ plane: Int) -> [[UInt8]] {
        let shape = pixels.format.planeShapes[plane]
        let columns = (pixels.width + (1 << shape.horizontalShift) - 1) >> shape.horizontalShift
        let rows = (pixels.height + (1 << shape.verticalShift) - 1) >> shape.verticalShift
        return pixels.withBytes { bytes in
            (0..<rows).map { row in
                let start = pixels.planes[plane].offset + row * pixels.planes[plane].stride
                return Array(bytes[start..<start + columns])
            }
        }
    }
}
