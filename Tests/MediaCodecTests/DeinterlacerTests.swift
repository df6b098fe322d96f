import Glibc
import MediaModel
import MediaTime
import TestSupport
import Testing

@testable import MediaCodec

@Suite("Deinterlacing")
struct DeinterlacerTests {
    private static let size = (width: 320, height: 192)
    private static let frameBytes = size.width * size.height * 3 / 2
    /// A white bar that moves 8 pixels in each of fifty fields a second.
    private static let fields = [
        "-f", "lavfi", "-i",
        "color=black:s=320x192:r=50:d=2[b];color=white:s=40x192:r=50:d=2[w];[b][w]overlay=x=mod(n*8\\,280),format=yuv420p",
    ]
    private static let interlaced = "interlace=lowpass=off,setfield=tff"
    /// Without loss, so that the decoder's pictures are the source's.
    private static let encoder = ["-flags", "+ildct+ilme", "-c:v", "libx264", "-preset", "ultrafast", "-qp", "0", "-g", "10"]

    private func clip(_ filter: String = interlaced, extra: [String] = []) throws -> [EncodedSample] {
        let bytes = try FFmpegProgram.make(Self.fields + ["-vf", filter] + extra + Self.encoder, suffix: "mkv")
        return try Media.samples(try Media.demuxer(bytes))
    }

    /// The planes of a picture in 4:2:0, without padding.
    private func planes(_ frame: VideoFrame) -> [UInt8] {
        frame.pixels.withBytes { bytes in
            zip(frame.pixels.planes, [0, 1, 1]).flatMap { plane, shift in
                (0..<frame.pixels.height >> shift).flatMap {
                    Array(bytes[(plane.offset + $0 * plane.stride)...].prefix(frame.pixels.width >> shift))
                }
            }
        }
    }

    /// What ffmpeg makes of the same fields.
    private func expected() throws -> [[UInt8]] {
        let filter = Self.interlaced + ",bwdif=mode=send_frame:deint=interlaced"
        let bytes = try FFmpegProgram.make(Self.fields + ["-vf", filter, "-f", "rawvideo"], suffix: "yuv")
        return stride(from: 0, to: bytes.count, by: Self.frameBytes).map { Array(bytes[$0..<$0 + Self.frameBytes]) }
    }

    @Test(
        "each picture of two fields gives one whole picture with its time, as ffmpeg's bwdif makes it", arguments: [true, false])
    func pictures(isCached: Bool) throws {
        let samples = try clip()
        let frames = try Media.frames(samples, allocator: isCached ? MemoryAllocator() : UncachedAllocator())
        let expected = try expected()
        #expect(frames.count == 50 && expected.count == 50)
        #expect(frames.allSatisfy { !$0.isInterlaced })
        #expect(frames.map(\.time) == samples.map(\.presentationTime).sorted())
        #expect(zip(frames, expected).allSatisfy { planes($0) == $1 })
    }

    @Test("after a flush nothing of the pictures before it is left")
    func flush() throws {
        let samples = try clip()
        let decoder = try Media.codecs.openVideoDecoder(samples[0].parameters, allocator: MemoryAllocator())
        for sample in samples[..<17] { _ = try decoder.decode(sample) }
        decoder.flush()
        let second = try #require(samples.indices.dropFirst(17).first { samples[$0].isSync })
        let frames = try samples[second...].flatMap { try decoder.decode($0) } + decoder.decode(nil)
        #expect(frames.map(\.time) == samples[second...].map(\.presentationTime).sorted())
        // The first one had no picture before it; the others are as always.
        #expect(zip(frames, try expected()[second...]).dropFirst().allSatisfy { planes($0) == $1 })
    }

    @Test("a stream that changes from fields to whole pictures, and its size, loses no picture")
    func changes() throws {
        let decoder = try Media.codecs.openVideoDecoder(try clip()[0].parameters, allocator: MemoryAllocator())
        var frames: [VideoFrame] = []
        for samples in [
            try clip(), try clip("framestep=2,setfield=prog,scale=160x96"), try clip(), try clip("framestep=2,setfield=prog"),
        ] {
            for sample in samples { frames += try decoder.decode(sample) }
        }
        frames += try decoder.decode(nil)
        #expect(frames.count == 200)
        #expect(frames.map(\.pixels.width) == [320, 160, 320, 320].flatMap { [Int](repeating: $0, count: 50) })
        #expect(frames.allSatisfy { !$0.isInterlaced })
    }

    @Test("the image's FFmpeg has the filters that are used")
    func image() throws {
        let script = try #require(fileBytes(Fixtures.root + "/scripts/image.d/ffmpeg.sh"))
        let lines = String(decoding: script, as: UTF8.self).split(separator: "\n")
        let option = try #require(lines.first { $0.contains("--enable-filter=") }?.split(separator: "=", maxSplits: 1).last)
        #expect(Set(option.split(separator: ",").map(String.init)).isSuperset(of: FilterLibrary.used))
    }
}
