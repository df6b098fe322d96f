import MediaModel
import MediaTime
import TestSupport
import Testing

@testable import MediaCodec

@Suite("Decoders", .enabled(if: FFmpegProgram.isPresent, Comment(rawValue: FFmpegProgram.absence)))
struct DecoderTests {
    private let stereo = AudioFormat(sampleRate: 48000, channels: 2)

    @Test("a drained decoder can be reused, and a flushed one starts again")
    func reuse() throws {
        let demuxer = try Media.demuxer(try FFmpegProgram.clip(audio: [], suffix: "mp4"))
        let samples = try Media.samples(demuxer)
        let decoder = try Media.codecs.openVideoDecoder(samples[0].parameters, allocator: MemoryAllocator())
        let first = try samples.flatMap { try decoder.decode($0) } + decoder.decode(nil)
        #expect(try decoder.decode(nil).isEmpty)
        let second = try samples.flatMap { try decoder.decode($0) } + decoder.decode(nil)
        _ = try samples.prefix(7).flatMap { try decoder.decode($0) }
        decoder.flush()
        let third = try samples.flatMap { try decoder.decode($0) } + decoder.decode(nil)
        #expect(first.count == 50 && second.map(\.time) == first.map(\.time) && third.map(\.time) == first.map(\.time))
    }

    @Test(
        "a piece that begins inside a group of pictures goes on in the decoder of the piece before it",
        .enabled(if: FFmpegProgram.isPresent), arguments: ["libx264", "mpeg2video"])
    func insideGroup(_ encoder: String) throws {
        let whole = try FFmpegProgram.make(
            [
                "-f", "lavfi", "-i", "testsrc2=size=160x90:rate=25", "-t", "2", "-c:v", encoder, "-g", "50", "-bf", "0",
                "-pix_fmt", "yuv420p",
            ], suffix: "ts")
        let middle = whole.count / 188 / 2 * 188
        let pieces = try [whole[..<middle], whole[middle...]].map { bytes in
            try Media.samples(try Media.demuxer(Array(bytes), hint: .transportStream, isSeekable: false))
        }
        let (before, after) = (try #require(pieces[0].first), try #require(pieces[1].first))
        let sync = pieces[1].filter { $0.isSync }
        #expect(sync.isEmpty)
        #expect(before.parameters.canContinue(as: after.parameters) && after.parameters.canContinue(as: before.parameters))
        // The picture that was cut in two may be lost.
        let frames = try Media.frames(pieces[0] + pieces[1])
        #expect(frames.count >= 49)
    }

    @Test("when the parameters change in the stream, every frame of both parts is decoded")
    func change() throws {
        let small = try Media.samples(try Media.demuxer(try FFmpegProgram.clip(audio: [], suffix: "mp4")))
        var large = try Media.samples(try Media.demuxer(try FFmpegProgram.clip(size: "640x360", audio: [], suffix: "mp4")))
        for index in large.indices {
            large[index].presentationTime += .seconds(2)
            large[index].decodeTime += .seconds(2)
            large[index].run = 1
        }
        #expect(!small[0].parameters.canContinue(as: large[0].parameters))
        #expect(small[0].parameters.canContinue(as: small[9].parameters))
        let frames = try Media.frames(small + large)
        #expect(frames.map(\.time) == (0..<100).map { MediaTime(Int64($0), 25) })
        #expect(frames.map(\.pixels.width) == Array(repeating: 320, count: 50) + Array(repeating: 640, count: 50))
    }

    @Test("in a hurry, pictures that no other picture needs are skipped")
    func haste() throws {
        let video = ["-c:v", "libx264", "-preset", "medium", "-bf", "3", "-x264-params", "b-pyramid=none:b-adapt=0"]
        let samples = try Media.samples(try Media.demuxer(try FFmpegProgram.clip(video: video, audio: [], suffix: "mp4")))
        let decoder = try Media.codecs.openVideoDecoder(samples[0].parameters, allocator: MemoryAllocator())
        decoder.skipsNonReference = true
        let frames = try samples.flatMap { try decoder.decode($0) } + decoder.decode(nil)
        #expect(frames.count > 5 && frames.count < 25)
    }

    @Test("a picture outlives its decoder")
    func lifetime() throws {
        let samples = try Media.samples(try Media.demuxer(try FFmpegProgram.clip(seconds: 1, audio: [], suffix: "mp4")))
        var frames = try Media.frames(samples)
        let again = try Media.frames(samples)
        frames.removeLast(20)
        for (one, other) in zip(frames, again) {
            #expect(LumaSum.of(one.pixels) == LumaSum.of(other.pixels))
        }
    }

    @Test("an overhang at a splice is cut, and the sound on both sides is at the right time")
    func splice() throws {
        let tone = { (frequency: Int) throws -> [EncodedSample] in
            let arguments = ["-f", "lavfi", "-i", "sine=f=\(frequency):r=48000:d=1", "-c:a", "aac"]
            return try Media.samples(try Media.demuxer(try FFmpegProgram.make(arguments, suffix: "ts"), hint: .transportStream))
        }
        var first = try tone(440)
        var second = try tone(880)
        func move(_ samples: inout [EncodedSample], to time: MediaTime, run: Int) {
            let shift = time - samples[0].presentationTime
            for index in samples.indices {
                samples[index].presentationTime += shift
                samples[index].decodeTime += shift
                samples[index].run = run
            }
        }
        move(&first, to: .zero, run: 0)
        let end = MediaTime(Int64(first.count * 1024), 48000)
        for overhang in [0, 5, 500, 1024, 1500] {
            let splice = end - MediaTime(Int64(overhang), 48000)
            move(&second, to: splice, run: 1)
            let buffers = try Media.sound(first + second)
            for (one, next) in zip(buffers, buffers.dropFirst()) { #expect(one.end == next.time) }
            let frames = buffers.reduce(0) { $0 + $1.frameCount }
            #expect(MediaTime(Int64(frames), 48000) == splice + MediaTime(Int64(second.count * 1024), 48000))
            // An overhang longer than a codec frame was partly output: that part is cut from what follows.
            #expect(overhang > 1024 || buffers.contains { $0.time == splice })
        }
    }

    @Test("a gap in the timestamps is kept, and small timestamp errors are inaudible")
    func stamps() throws {
        let bytes = try FFmpegProgram.make(["-f", "lavfi", "-i", "sine=f=440:r=48000:d=1", "-c:a", "aac"], suffix: "ts")
        var samples = try Media.samples(try Media.demuxer(bytes, hint: .transportStream))
        for index in samples.indices { samples[index].presentationTime += .milliseconds(Int64(index % 3) * 2 - 2) }
        let smooth = try Media.sound(samples)
        for (one, next) in zip(smooth, smooth.dropFirst()) { #expect(one.end == next.time) }
        samples.removeSubrange(10..<20)
        let holed = try Media.sound(samples)
        let jumps = zip(holed, holed.dropFirst()).map { $1.time - $0.end }.filter { $0 != .zero }
        #expect(jumps.count == 1)
        #expect(abs((jumps.first ?? .zero).milliseconds - 213) <= 4)
    }

    @Test("a codec without a decoder and encrypted tracks are refused with a sentence")
    func refused() throws {
        var bytes = try FFmpegProgram.clip(suffix: "mp4")
        replace("avc1", by: "zzv1", in: &bytes)
        let demuxer = try Media.demuxer(bytes, name: "odd.mp4")
        let video = try Media.track(.video, of: demuxer)
        #expect(video.codec == "zzv1")
        let refusal = try #require(throws: MediaError.self) {
            try Media.codecs.openVideoDecoder(try #require(video.parameters), allocator: MemoryAllocator())
        }
        #expect(refusal.code == .decoderUnsupported && refusal.sentence.contains("zzv1") && refusal.sentence.contains("odd.mp4"))

        let key = [
            "-encryption_scheme", "cenc-aes-ctr", "-encryption_key", String(repeating: "0f", count: 16), "-encryption_kid",
            String(repeating: "a7", count: 16),
        ]
        let locked = try FFmpegProgram.clip(extra: key, suffix: "mp4")
        let protected = try #require(throws: MediaError.self) { try Media.demuxer(locked, name: "locked.mp4") }
        #expect(protected.code == .protected && protected.sentence.contains("locked.mp4"))
    }

    private func replace(_ old: String, by new: String, in bytes: inout [UInt8]) {
        let (old, new) = (Array(old.utf8), Array(new.utf8))
        for index in 0..<bytes.count - old.count where bytes[index..<index + old.count].elementsEqual(old) {
            bytes.replaceSubrange(index..<index + old.count, with: new)
        }
    }
}

/// A number that depends on the picture.
enum LumaSum {
    static func of(_ pixels: PixelBuffer) -> UInt64 {
        pixels.withBytes { bytes in
            var sum: UInt64 = 14_695_981_039_346_656_037
            for row in 0..<pixels.height {
                let start = pixels.planes[0].offset + row * pixels.planes[0].stride
                for byte in bytes[start..<start + pixels.width] { sum = (sum ^ UInt64(byte)) &* 1_099_511_628_211 }
            }
            return sum
        }
    }
}
