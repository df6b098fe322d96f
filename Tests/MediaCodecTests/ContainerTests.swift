import MediaModel
import MediaTime
import TestSupport
import Testing

@testable import MediaCodec

@Suite("Containers", .enabled(if: FFmpegProgram.isPresent, Comment(rawValue: FFmpegProgram.absence)))
struct ContainerTests {
    private func check(
        _ bytes: [UInt8], hint: ContainerHint? = nil, isSeekable: Bool = true, frames count: Int, tolerance: MediaTime = .zero
    ) throws {
        let demuxer = try Media.demuxer(bytes, hint: hint, isSeekable: isSeekable)
        let video = try Media.track(.video, of: demuxer)
        let audio = try Media.track(.audio, of: demuxer)
        let samples = try Media.samples(demuxer)
        let frames = try Media.frames(samples.filter { $0.track == video.id })
        let start = try #require(frames.first).time
        #expect(frames.count == count)
        for (index, frame) in frames.enumerated() {
            #expect((frame.time - start - MediaTime(Int64(index), 25)).magnitude <= tolerance)
        }
        let buffers = try Media.sound(samples.filter { $0.track == audio.id })
        for (one, next) in zip(buffers, buffers.dropFirst()) { #expect(one.end == next.time) }
        let sound = ToneMeter.channel(0, of: buffers.flatMap(\.samples), channels: 2)
        #expect(abs(sound.count - 96000) <= 3 * 1024)
        #expect(ToneMeter.tone(in: Array(sound[24000..<72000]), sampleRate: 48000) == 440)
    }

    @Test(
        "MP4, with its index at the start or the end, gives every frame at its exact time",
        arguments: [[], ["-movflags", "+faststart"]])
    func mp4(extra: [String]) throws {
        try check(try FFmpegProgram.clip(extra: extra, suffix: "mp4"), frames: 50)
    }

    @Test(
        "an MP4 file with its index at the end gives every frame also from a server that only sends it from the start, up to a length"
    )
    func indexAtEnd() throws {
        let bytes = try FFmpegProgram.clip(suffix: "mp4")
        try check(bytes, isSeekable: false, frames: 50)
        let length = bytes.firstRange(of: Array("mdat".utf8)).map { $0.lowerBound + 4 } ?? 0
        let long = bytes.prefix(length) + [UInt8](repeating: 0, count: WholeMovie.longest)
        do {
            _ = try Media.demuxer(Array(long), isSeekable: false)
            Issue.record("it was opened")
        } catch let error as MediaError {
            #expect(error.code == .sourceFormat && error.sentence.contains("its index comes after its media"))
        }
    }

    @Test("fragmented MP4 can only be read forward when its container is known")
    func fragmented() throws {
        let bytes = try FFmpegProgram.clip(extra: ["-movflags", "+frag_keyframe+delay_moov+default_base_moof"], suffix: "mp4")
        try check(bytes, hint: .fragmentedMP4, isSeekable: false, frames: 50)
        try check(bytes, frames: 50)
    }

    @Test("Matroska gives every frame within its millisecond rounding")
    func matroska() throws {
        try check(try FFmpegProgram.clip(suffix: "mkv"), frames: 50, tolerance: .milliseconds(1))
    }

    @Test("transport streams give every frame with or without a container hint")
    func transportStream() throws {
        let bytes = try FFmpegProgram.clip(suffix: "ts")
        try check(bytes, hint: .transportStream, isSeekable: false, frames: 50)
        try check(bytes, frames: 50)
    }

    @Test("sound that starts late in a transport stream is described and timed as usual")
    func lateSound() throws {
        let video = ["-vf", "noise=alls=60:allf=t", "-c:v", "libx264", "-preset", "ultrafast", "-qp", "10", "-g", "25"]
        let bytes = try FFmpegProgram.clip(seconds: 1, size: "640x360", video: video, suffix: "ts")
        let demuxer = try Media.demuxer(bytes, hint: .transportStream, isSeekable: false)
        let audio = try Media.track(.audio, of: demuxer)
        let samples = try Media.samples(demuxer).filter { $0.track == audio.id }
        #expect(audio.sampleRate == 48000 && audio.channels == 1)
        #expect(samples.allSatisfy { $0.duration == MediaTime(1024, 48000) || ($0.duration ?? .zero) == MediaTime(1920, 90000) })
        for (one, next) in zip(samples, samples.dropFirst()) {
            #expect((next.presentationTime - one.presentationTime - MediaTime(1024, 48000)).magnitude < .milliseconds(1))
        }
    }

    @Test("a seek in a transport stream file gives a sync sample at or before the position, and everything after it")
    func seekInTransportStream() throws {
        let demuxer = try Media.demuxer(try FFmpegProgram.clip(seconds: 6, suffix: "ts"))
        let video = try Media.track(.video, of: demuxer)
        let start = try #require(try Media.samples(demuxer).first { $0.track == video.id }).presentationTime
        for frame in [0, 24, 25, 26, 60, 130, 149] {
            let time = start + MediaTime(Int64(frame), 25)
            try demuxer.seek(to: time)
            let samples = try Media.samples(demuxer).filter { $0.track == video.id }
            let first = try #require(samples.first)
            #expect(first.isSync && first.presentationTime <= time)
            #expect(try Media.frames(samples).contains { $0.time == time })
        }
    }

    @Test("seeks in MP4 and Matroska land on the last sync sample", arguments: ["mp4", "mkv"])
    func seek(suffix: String) throws {
        let demuxer = try Media.demuxer(try FFmpegProgram.clip(seconds: 6, suffix: suffix))
        let video = try Media.track(.video, of: demuxer)
        let start = try #require(try Media.samples(demuxer).first { $0.track == video.id }).presentationTime
        for frame in [130, 0, 25, 24, 149, 1000] {
            try demuxer.seek(to: start + MediaTime(Int64(frame), 25))
            let first = try #require(try Media.samples(demuxer).first { $0.track == video.id })
            #expect(first.isSync)
            #expect((first.presentationTime - start).milliseconds == Int64(min(frame, 149) / 25 * 1000))
        }
    }

    @Test("packed audio starts at the time in its tag")
    func packed() throws {
        let plain = try FFmpegProgram.make(["-f", "lavfi", "-i", "sine=f=440:r=48000:d=1", "-c:a", "aac"], suffix: "aac")
        let owner = Array("com.apple.streaming.transportStreamTimestamp".utf8) + [0, 0, 0, 0, 0, 0, 13, 0xbb, 0xa0]
        let size = owner.count
        let tag =
            Array("ID3".utf8) + [4, 0, 0, 0, 0, 0, UInt8(size + 10)] + Array("PRIV".utf8) + [0, 0, 0, UInt8(size), 0, 0] + owner
        let demuxer = try Media.demuxer(tag + plain, hint: .packedAAC, isSeekable: false)
        let samples = try Media.samples(demuxer)
        #expect(samples.first?.presentationTime == MediaTime(0x0dbba0, 90000))
        let buffers = try Media.sound(samples)
        #expect(buffers.first?.time == .seconds(10))
        #expect(buffers.last?.end == .seconds(10) + MediaTime(Int64(samples.count * 1024), 48000))
    }

    @Test(
        "sound of other rates and layouts is converted to the requested format with its duration",
        arguments: [
            ("44100", "mono"), ("48000", "5.1"), ("22050", "stereo"),
        ])
    func formats(rate: String, layout: String) throws {
        let arguments = [
            "-f", "lavfi", "-i", "sine=f=440:r=\(rate):d=3", "-af", "aformat=channel_layouts=\(layout)", "-c:a", "flac",
        ]
        let bytes = try FFmpegProgram.make(arguments, suffix: "flac")
        let buffers = try Media.sound(try Media.samples(try Media.demuxer(bytes)))
        for (one, next) in zip(buffers, buffers.dropFirst()) { #expect(one.end == next.time) }
        let sound = ToneMeter.channel(0, of: buffers.flatMap(\.samples), channels: 2)
        #expect(abs(sound.count - 3 * 48000) <= 2)
        #expect(ToneMeter.tone(in: sound, sampleRate: 48000) == 440)
    }

    @Test("priming of MP3 and Opus is dropped", arguments: [("libmp3lame", "mp3"), ("libopus", "ogg")])
    func priming(codec: String, suffix: String) throws {
        let click = "aevalsrc=exprs='0.8*cos(2*PI*1000*t)*lt(mod(t+1\\,1)\\,0.005)':s=48000:d=3"
        let bytes = try FFmpegProgram.make(
            ["-f", "lavfi", "-i", click, "-ac", "2", "-c:a", codec, "-b:a", "192k"], suffix: suffix)
        let demuxer = try Media.demuxer(bytes)
        let buffers = try Media.sound(try Media.samples(demuxer))
        #expect(buffers.first?.time == demuxer.description.startTime)
        let sound = ToneMeter.channel(0, of: buffers.flatMap(\.samples), channels: 2)
        #expect(abs(sound.count - 3 * 48000) <= 1200)
        for (index, onset) in ToneMeter.onsets(in: sound, threshold: 0.4).enumerated() {
            #expect(abs(onset - index * 48000) < 60)
        }
    }

    @Test(
        "frames of unsupported pixel formats are converted, others are decoded in place",
        arguments: [
            ("yuv420p", PixelFormat.yuv420p), ("yuv422p", .yuv422p), ("yuv444p", .yuv444p), ("yuv420p10le", .yuv420p),
            ("yuv422p10le", .yuv420p),
        ])
    func pixelFormats(name: String, expected: PixelFormat) throws {
        let video = ["-pix_fmt", name, "-c:v", "libx264", "-preset", "ultrafast"]
        let demuxer = try Media.demuxer(
            try FFmpegProgram.clip(seconds: 1, size: "322x182", video: video, audio: [], suffix: "mkv"))
        let samples = try Media.samples(demuxer)
        let cached = try Media.frames(samples)
        let uncached = try Media.frames(samples, allocator: UncachedAllocator())
        #expect(cached.count == 25 && uncached.count == 25)
        #expect(cached.allSatisfy { $0.pixels.format == expected && $0.pixels.width == 322 && $0.pixels.height == 182 })
        for (one, other) in zip(cached, uncached) { #expect(visible(one.pixels) == visible(other.pixels)) }
    }

    @Test("rotation, aspect ratio and colours are reported, and the picture is no longer interlaced")
    func showing() throws {
        let video = [
            "-vf", "setsar=4/3,setfield=tff", "-flags", "+ildct+ilme", "-c:v", "libx264", "-preset", "ultrafast", "-colorspace",
            "smpte170m",
            "-color_range", "tv",
        ]
        var bytes = try FFmpegProgram.clip(seconds: 1, video: video, audio: [], suffix: "mp4")
        // The matrix of the track's header (ISO/IEC 14496-12, 8.3.2): a quarter turn clockwise.
        let header = try #require((0..<bytes.count - 4).first { bytes[$0..<$0 + 4].elementsEqual("tkhd".utf8) }) + 44
        let matrix: [UInt32] = [0, 0x10000, 0, 0xffff_0000, 0, 0, 180 << 16, 0, 0x4000_0000]
        bytes.replaceSubrange(
            header..<header + 36,
            with: matrix.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> (24 - 8 * $0)) } })
        let demuxer = try Media.demuxer(bytes)
        let frame = try #require(try Media.frames(try Media.samples(demuxer)).first)
        #expect(frame.sampleAspect == Ratio(4, 3))
        #expect(!frame.isInterlaced)
        #expect(frame.colour == ColourDescription(matrix: .bt601, isFullRange: false))
        #expect(frame.quarterTurns == 1)
    }

    @Test("a sample aspect ratio that changes in the pictures is theirs from there on, where the container states none")
    func changingAspect() throws {
        func part(_ aspect: String, _ start: String) throws -> [UInt8] {
            try FFmpegProgram.clip(
                seconds: 1, size: "240x180", video: ["-vf", "setsar=\(aspect)", "-c:v", "libx264", "-preset", "ultrafast"],
                audio: [],
                extra: ["-output_ts_offset", start], suffix: "ts")
        }
        for hint in [nil, ContainerHint.transportStream] {
            let demuxer = try Media.demuxer(try part("1/1", "10") + part("4/3", "11"), hint: hint)
            let aspects = try Media.frames(try Media.samples(demuxer)).map(\.sampleAspect)
            #expect(aspects.prefix(25).allSatisfy { $0 == .one } && aspects.suffix(24).allSatisfy { $0 == Ratio(4, 3) })
        }
    }

    private func visible(_ pixels: PixelBuffer) -> [[UInt8]] {
        pixels.withBytes { bytes in
            zip(pixels.planes, pixels.format.planeShapes).flatMap { plane, shape in
                let columns = (pixels.width + (1 << shape.horizontalShift) - 1) >> shape.horizontalShift
                let rows = (pixels.height + (1 << shape.verticalShift) - 1) >> shape.verticalShift
                return (0..<rows).map { Array(bytes[(plane.offset + $0 * plane.stride)...].prefix(columns * shape.bytes)) }
            }
        }
    }
}

/// Memory that is slow to read back, as on a display without cached buffers.
final class UncachedAllocator: FrameAllocator {
    private let memory = MemoryAllocator()
    var name: String { "uncached" }
    var isCached: Bool { false }
    func makeBuffer(format: PixelFormat, width: Int, height: Int, codedWidth: Int, codedHeight: Int) throws(MediaError)
        -> PixelBuffer
    {
        try memory.makeBuffer(format: format, width: width, height: height, codedWidth: codedWidth, codedHeight: codedHeight)
    }
}
