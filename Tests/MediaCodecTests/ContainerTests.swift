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

    @Test("pictures of a fragment whose time stamps go back are shown: encoders begin anew without saying so")
    func restarted() throws {
        let bytes = try FFmpegProgram.clip(extra: ["-movflags", "+frag_keyframe+empty_moov+default_base_moof"], suffix: "mp4")
        let fragments = try #require(bytes.firstRange(of: Array("moof".utf8))).lowerBound - 4
        let demuxer = try Media.demuxer(bytes + bytes[fragments...], hint: .fragmentedMP4, isSeekable: false)
        let video = try Media.track(.video, of: demuxer)
        let pictures = try Media.samples(demuxer).filter { $0.track == video.id }
        #expect(pictures.count == 100 && pictures.allSatisfy { !$0.doesNotDisplay })
        #expect(try Media.frames(pictures).count == 100)
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

    @Test(
        "a transport stream whose container is known has the rate of its pictures at once, whatever the ticks and fields of its codec",
        arguments: [
            ["libx264"], ["libx264", "-x264-params", "tff=1"], ["mpeg2video"], ["mpeg2video", "-flags", "+ilme+ildct"],
            ["libx265", "-x265-params", "log-level=none"],
        ], ["25", "24000/1001", "50"])
    func rates(codec: [String], rate: String) throws {
        let bytes = try FFmpegProgram.clip(rate: rate, video: ["-c:v"] + codec, suffix: "ts")
        let track = try Media.track(.video, of: try Media.demuxer(bytes, hint: .transportStream, isSeekable: false))
        let parts = rate.split(separator: "/").compactMap { Int64($0) }
        #expect(track.frameRate == Ratio(parts[0], parts.count == 2 ? parts[1] : 1))
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

    @Test(
        "sound that begins after what is looked at has the rate of its first sample, and each sample its time",
        arguments: ["aac", "libmp3lame", "ac3"])
    func muchLaterSound(codec: String) throws {
        let audio = ["-c:a", codec, "-af", "asetpts=PTS+4/TB"]
        let bytes = try FFmpegProgram.clip(seconds: 8, size: "160x90", audio: audio, suffix: "ts")
        for hint in [ContainerHint.transportStream, nil] {
            let demuxer = try Media.demuxer(bytes, hint: hint, isSeekable: hint == nil)
            let track = try Media.track(.audio, of: demuxer).id
            let samples = try Media.samples(demuxer).filter { $0.track == track }
            #expect(samples.count > 240)
            for (one, next) in zip(samples, samples.dropFirst()) {
                let duration = try #require(one.duration)
                #expect((next.presentationTime - one.presentationTime - duration).magnitude < .milliseconds(1))
            }
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

    @Test(
        "coded pictures without a container are all shown, in their order, also those between others, and are sought",
        arguments: [("h264", "libx264"), ("hevc", "libx265")])
    func elementary(suffix: String, codec: String) throws {
        let options = codec == "libx265" ? ["-x265-params", "log-level=error:bframes=3:keyint=25"] : ["-bf", "3", "-g", "25"]
        let bytes = try FFmpegProgram.clip(
            seconds: 3, size: "128x72", video: ["-c:v", codec, "-preset", "veryfast"] + options, audio: [], suffix: suffix)
        let demuxer = try Media.demuxer(bytes)
        let steps = try times(Media.samples(demuxer))
        #expect(steps.count == 75 && Set(zip(steps, steps.dropFirst()).map { $1 - $0 }) == [.milliseconds(40)])
        try demuxer.seek(to: .seconds(2))
        let again = try times(Media.samples(demuxer))
        #expect(again.last == steps.last && again.contains { $0 - steps[0] == .seconds(2) })
    }

    private func times(_ samples: [EncodedSample]) throws -> [MediaTime] { try Media.frames(samples).map(\.time) }

    @Test(
        "what stands behind large tags is recognised, from a file and from a server that only sends it from the start",
        arguments: [("flac", "flac"), ("aac", "adts"), ("ac3", "ac3"), ("libmp3lame", "mp3")])
    func behindTags(codec: String, suffix: String) throws {
        let sound = try FFmpegProgram.make(
            ["-f", "lavfi", "-i", "sine=f=440:r=48000:d=1", "-c:a", codec, "-f", suffix], suffix: suffix)
        let body = [UInt8]("APIC".utf8) + [0, 20, 0, 0, 0, 0] + (0..<20 << 16).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let size = (0..<4).map { UInt8(body.count >> (21 - 7 * $0) & 0x7F) }
        let tag = Array("ID3".utf8) + [3, 0, 0] + size + body
        for isSeekable in [true, false] {
            for tags in [tag, tag + tag] {
                let plain = try Media.samples(Media.demuxer(sound))
                let demuxer = try Media.demuxer(tags + sound, isSeekable: isSeekable)
                let samples = try Media.samples(demuxer)
                #expect(samples.count == plain.count && samples.first?.parameters.codecName == plain.first?.parameters.codecName)
                #expect(try Media.sound(samples).count == Media.sound(plain).count)
            }
        }
    }

    @Test(
        "behind the last picture of a film its sound is sought, and what is left of it comes",
        arguments: ["flv", "mp4", "mkv", "ts", "avi"])
    func behindTheLastPicture(suffix: String) throws {
        let bytes = try FFmpegProgram.make(
            [
                "-f", "lavfi", "-i", "testsrc2=s=128x72:r=25:d=4", "-f", "lavfi", "-i", "sine=f=440:r=44100:d=12", "-c:v",
                "libx264",
                "-preset", "ultrafast", "-g", "50", "-c:a", "aac",
            ], suffix: suffix)
        let demuxer = try Media.demuxer(bytes)
        let audio = try Media.track(.audio, of: demuxer)
        try demuxer.seek(to: demuxer.description.startTime + .seconds(8))
        let samples = try Media.samples(demuxer).filter { $0.track == audio.id }
        let last = try #require(samples.last)
        #expect(last.presentationTime - demuxer.description.startTime > .milliseconds(11_900))
        let first = try #require(samples.first)
        #expect(first.presentationTime - demuxer.description.startTime <= .seconds(8))
    }

    @Test("names in other encodings than UTF-8 are read")
    func foreignNames() throws {
        var bytes = try FFmpegProgram.clip(seconds: 1, size: "128x72", extra: ["-metadata", "title=Xxxxxxx Xxxx"], suffix: "avi")
        // In ISO 8859-1.
        let place = try #require(bytes.firstRange(of: Array("Xxxxxxx Xxxx".utf8)))
        bytes.replaceSubrange(place, with: [0x4D, 0xF6, 0x74, 0x6C, 0x65, 0x79, 0x20, 0x20, 0x43, 0x72, 0xFC, 0x65])
        #expect(try Media.demuxer(bytes).description.tags.first { $0.key == "title" }?.value == "Mötley  Crüe")
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
            "-vf", "setsar=4/3,setfield=tff,setparams=colorspace=smpte170m:range=tv", "-flags", "+ildct+ilme", "-c:v", "libx264",
            "-preset", "ultrafast",
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
