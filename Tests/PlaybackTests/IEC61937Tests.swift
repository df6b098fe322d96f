import Glibc
import MediaCodec
import MediaModel
import Sound
import TestSupport
import Testing

@Suite("Compressed sound for a receiver", .enabled(if: FFmpegProgram.isPresent, Comment(rawValue: FFmpegProgram.absence)))
struct IEC61937Tests {
    @Test("bursts equal those of libavformat's own muxer, byte for byte", arguments: IEC61937.Codec.allCases)
    func framing(codec: IEC61937.Codec) throws {
        let stream = try FFmpegProgram.make(
            ["-f", "lavfi", "-i", "sine=f=440:r=48000:d=1", "-ac", "6", "-c:a", codec.rawValue, "-b:a", "384k"],
            suffix: codec.rawValue)
        let path = "/tmp/marquee-burst-\(UInt32.random(in: 0 ... .max)).\(codec.rawValue)"
        let file = try #require(fopen(path, "w"))
        fwrite(stream, 1, stream.count, file)
        fclose(file)
        defer { unlink(path) }
        let wanted = try FFmpegProgram.make(["-i", path, "-c:a", "copy", "-f", "spdif"], suffix: "spdif")
        var framer = IEC61937(codec)
        let demuxer = try FFmpegCodecs().openDemuxer(MemoryByteStream(stream), hint: nil)
        var found: [[UInt8]] = []
        while let sample = try demuxer.nextSample() {
            if let burst = framer.burst(sample.payload.withBytes { Array($0) }) { found.append(burst) }
        }
        #expect(found.count > 20)
        let bytes = found.flatMap { $0 }
        #expect(bytes.count == wanted.count)
        #expect(bytes == wanted)
    }

    @Test("incomplete sync frames give nothing")
    func garbage() {
        var framer = IEC61937(.ac3)
        #expect(framer.burst([]) == nil && framer.burst([0x0B, 0x77, 0]) == nil)
        #expect(framer.burst([UInt8](repeating: 0x0B, count: 100)) == nil)
        #expect(framer.burst([0x0B, 0x77] + [UInt8](repeating: 0, count: 7000)) == nil)
    }
}
