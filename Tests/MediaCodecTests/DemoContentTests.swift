import MediaModel
import MediaTime
import TestSupport
import Testing

@testable import MediaCodec

@Suite("Demo content", .enabled(if: DemoContent.isPresent, Comment(rawValue: DemoContent.absence)))
struct DemoContentTests {
    private func film() throws -> any Demuxing {
        try Media.demuxer(try Media.joined([DemoContent.path("film/film-low.mp4")]), name: "film-low.mp4")
    }

    @Test("the film's tracks, tags, chapters, artwork and duration are reported")
    func description() throws {
        let demuxer = try film()
        let description = demuxer.description
        let video = try Media.track(.video, of: demuxer)
        let audio = try Media.track(.audio, of: demuxer)
        #expect(description.tracks.count == 2)
        #expect(video.codec == "h264" && video.width == 320 && video.height == 180 && video.frameRate == Ratio(25))
        #expect(audio.codec == "aac" && audio.sampleRate == 48000 && audio.channels == 2 && audio.languageTag == "en")
        #expect(description.duration == .seconds(36))
        #expect(description.startTime == .zero)
        #expect(description.tags.contains { $0 == ("title", "Orchard in Winter") })
        #expect(description.chapters.count == 3)
        #expect(description.chapters.first?.range.start == .zero)
        #expect(description.artwork.count == 1)
        #expect(description.artwork.first?.starts(with: [0xff, 0xd8]) == true)
    }

    @Test("every frame of the film is decoded once, in order, at its exact time, with its burned-in number")
    func frames() throws {
        let demuxer = try film()
        let video = try Media.track(.video, of: demuxer)
        demuxer.select([video.id])
        let frames = try Media.frames(try Media.samples(demuxer))
        #expect(frames.map(\.time) == (0..<900).map { MediaTime(Int64($0), 25) })
        #expect(frames.allSatisfy { $0.duration == MediaTime(1, 25) })
        #expect(frames.map { FrameStrip($0.pixels) } == (0..<900).map { FrameStrip(clip: 3, frame: $0) })
        #expect(frames.allSatisfy { $0.colour == ColourDescription(matrix: .bt709, isFullRange: false) })
    }

    @Test("the film's sound is continuous and its clicks are at the right times")
    func sound() throws {
        let demuxer = try film()
        let audio = try Media.track(.audio, of: demuxer)
        demuxer.select([audio.id])
        let buffers = try Media.sound(try Media.samples(demuxer))
        #expect(buffers.first?.time == .zero)
        for (one, next) in zip(buffers, buffers.dropFirst()) { #expect(one.end == next.time) }
        let samples = ToneMeter.channel(0, of: buffers.flatMap(\.samples), channels: 2)
        #expect(samples.count == 36 * 48000)
        #expect(ToneMeter.tone(in: Array(samples[48000 * 3 + 5000..<48000 * 4 - 5000]), sampleRate: 48000) == 550)
        let onsets = ToneMeter.onsets(in: samples)
        #expect(onsets.count == 36)
        for (second, onset) in onsets.enumerated() where second > 0 { #expect(abs(onset - second * 48000) <= 2) }
    }

    @Test("a seek lands on the sync sample at or before the position", arguments: [0, 39, 40, 41, 777, 1799])
    func seek(halfFrame: Int) throws {
        let demuxer = try film()
        let video = try Media.track(.video, of: demuxer)
        let time = MediaTime(Int64(halfFrame), 50)
        try demuxer.seek(to: time)
        let first = try #require(try Media.samples(demuxer).first { $0.track == video.id })
        #expect(first.isSync)
        #expect(first.presentationTime == MediaTime(Int64(halfFrame / 200 * 4), 1))
    }

    @Test(
        "transport stream segments joined into one stream give every frame at the stream's own time",
        arguments: [
            ("p1", 1, 0, 500, 10 * 90000), ("p2", 65, 0, 250, 1000 * 90000), ("p4", 66, 0, 250, 9_543_772 * 900),
        ])
    func transportStream(piece: String, clip: Int, firstFrame: Int, count: Int, start: Int) throws {
        let segments = (0..<(count + 99) / 100).map { DemoContent.path("episode1/180/\(piece)-\($0).ts") }
        let demuxer = try Media.demuxer(try Media.joined(segments), hint: .transportStream, isSeekable: false)
        let video = try Media.track(.video, of: demuxer)
        #expect(video.width == 320 && video.height == 180 && video.frameRate == Ratio(25))
        let frames = try Media.frames(try Media.samples(demuxer))
        let period = MediaTime(1 << 33, 90000)
        let first = try #require(frames.first).time
        #expect((first - MediaTime(Int64(start), 90000)).wholeSteps(of: period) == 0 || first == MediaTime(Int64(start), 90000))
        #expect(frames.map(\.time) == (0..<count).map { first + MediaTime(Int64($0), 25) })
        #expect(frames.map { FrameStrip($0.pixels) } == (0..<count).map { FrameStrip(clip: clip, frame: firstFrame + $0) })
    }

    @Test("in a transport stream, sound keeps every sample")
    func transportSound() throws {
        let segments = (0..<5).map { DemoContent.path("episode1/en/p1-\($0).ts") }
        let demuxer = try Media.demuxer(try Media.joined(segments), hint: .transportStream, isSeekable: false)
        let buffers = try Media.sound(try Media.samples(demuxer))
        #expect(buffers.first?.time == .seconds(10))
        for (one, next) in zip(buffers, buffers.dropFirst()) { #expect(one.end == next.time) }
        let samples = ToneMeter.channel(0, of: buffers.flatMap(\.samples), channels: 2)
        #expect(samples.count == 938 * 1024)
        let onsets = ToneMeter.onsets(in: samples)
        // The first click is in the first frame after a cut, which a decoder fades in.
        #expect(onsets.suffix(19).enumerated().allSatisfy { abs($1 - ($0 + 1) * 48000) <= 2 })
        #expect((19...20).contains(onsets.count))
    }
}

extension DemoContentTests {
    @Test("fragmented MP4 segments after their init segment give every frame; a later segment decodes independently")
    func fragmented() throws {
        let paths = (0..<8).map { DemoContent.path("episode2/180/p1-\($0).m4s") }
        let initialisation = DemoContent.path("episode2/180/init.mp4")
        let demuxer = try Media.demuxer(try Media.joined([initialisation] + paths), hint: .fragmentedMP4, isSeekable: false)
        let frames = try Media.frames(try Media.samples(demuxer))
        let first = try #require(frames.first).time
        #expect(frames.map(\.time) == (0..<750).map { first + MediaTime(Int64($0), 25) })
        #expect(frames.map { FrameStrip($0.pixels) } == (0..<750).map { FrameStrip(clip: 2, frame: $0) })

        let later = try Media.demuxer(try Media.joined([initialisation, paths[3]]), hint: .fragmentedMP4, isSeekable: false)
        let some = try Media.frames(try Media.samples(later))
        #expect(some.map(\.time) == (300..<400).map { first + MediaTime(Int64($0), 25) })
        #expect(some.map { FrameStrip($0.pixels)?.frame } == Array(300..<400))
    }

    @Test("every bad file of the demo content is refused with a sentence or read to its end")
    func bad() throws {
        for (name, words) in [
            ("html.mp4", "an HTML page"), ("html.m3u8", "an HTML page"), ("empty.mp4", "empty"),
            ("truncated-index.mp4", "is truncated"),
        ] {
            let error = try #require(throws: MediaError.self) {
                try Media.demuxer(try Media.joined([DemoContent.path("bad/\(name)")]), name: name)
            }
            #expect(error.code == .sourceFormat && error.sentence.contains(words) && error.sentence.contains(name))
        }
        let unknown = try Media.demuxer(try Media.joined([DemoContent.path("bad/unknown-codec.mp4")]))
        let video = try Media.track(.video, of: unknown)
        let parameters = try #require(video.parameters)
        let refusal = try #require(throws: MediaError.self) {
            try Media.codecs.openVideoDecoder(parameters, allocator: MemoryAllocator())
        }
        #expect(video.codec == "zzv1" && refusal.code == .decoderUnsupported)
        let segments = ["good-0.ts", "truncated-1.ts", "good-2.ts"].map { DemoContent.path("bad/\($0)") }
        let joined = try Media.demuxer(try Media.joined(segments), hint: .transportStream, isSeekable: false)
        let numbers = try Media.frames(try Media.samples(joined)).compactMap { FrameStrip($0.pixels)?.frame }
        #expect(Set(0..<100).isSubset(of: numbers) && numbers.filter { $0 >= 200 }.count > 95)
    }
}
