import Captions
import Composition
import HLSPlaylist
import LinuxSupport
import MediaModel
import MediaTime
import Metadata
import TestSupport
import Testing

@testable import Export

// Without a decoder delay of the sound, which would begin before zero.
private let film = NumberedFilm("captioned.mkv", audio: ["-c:a", "alac"]).with {
    $0.frames = 500; $0.soundSeconds = "20"
}

/// One caption over the edge of the segments, two at one time, one with styles, one at the end.
private let subRip = """
    1
    00:00:01,000 --> 00:00:02,500
    one & <i>two</i>

    2
    00:00:05,500 --> 00:00:07,000
    over the edge

    3
    00:00:06,200 --> 00:00:08,000
    another

    4
    00:00:18,000 --> 00:00:19,500
    the end

    """

private let chapters = """
    ;FFMETADATA1
    title=A film
    [CHAPTER]
    TIMEBASE=1/1000
    START=0
    END=6000
    title=First
    [CHAPTER]
    TIMEBASE=1/1000
    START=6000
    END=20000
    title=Second

    """

@Suite("Captions and chapters in exports", .enabled(if: FFmpegProgram.isPresent, Comment(rawValue: FFmpegProgram.absence)))
@MainActor
struct CaptionExportTests {
    private let studio: Studio
    private let source: String

    init() throws {
        studio = try Studio()
        let (text, facts) = (studio.path("text.srt"), studio.path("facts.txt"))
        try Array(subRip.utf8).write(text)
        try Array(chapters.utf8).write(facts)
        source = studio.path("captioned.mkv")
        let arguments = [
            "-i", try film.path(), "-i", text, "-i", facts, "-map", "0", "-map", "1", "-map_metadata", "2", "-map_chapters", "2",
            "-c", "copy", "-c:s", "srt", "-metadata:s:s:0", "language=ger",
        ]
        try FFmpegProgram.make(arguments, suffix: "mkv").write(source)
    }

    /// The captions of a file as the program ffmpeg reads them.
    private func readBack(_ path: String) throws -> [String] {
        try cues(path).map { "\($0.start.milliseconds)-\($0.end.milliseconds) \($0.plainText)" }
    }

    private func cues(_ path: String) throws -> [CaptionCue] {
        let text = String(decoding: try FFmpegProgram.make(["-i", path, "-map", "0:s:0"], suffix: "srt"), as: UTF8.self)
        return try SubRipParser.parse(text).cues
    }

    @Test(
        "captions become timed text, at their times, one below the other where two are shown",
        arguments: ["passthrough", "h264-480p"])
    func timedText(preset: String) throws {
        let session = studio.export(.asset(source)) {
            $0.preset = ExportPreset(rawValue: preset)!
            $0.speed = "ultrafast"
        }
        #expect(session.status == .completed && session.remarks == [])
        let output = studio.path("out.mp4")
        #expect(
            try readBack(output) == [
                "1000-2500 one & two", "5500-6200 over the edge", "6200-7000 over the edge\nanother", "7000-8000 another",
                "18000-19500 the end",
            ])
        let track = try #require(try studio.description(output).tracks.first { $0.type == .text })
        #expect(track.codec == "mov_text" && track.languageTag == "de")
        // Our own reader; the style is kept.
        var reader = try #require(TextSampleReader(codec: track.codec, privateData: [], language: nil))
        let cues = try studio.samples(output, .text).flatMap { sample in
            reader.cues(
                sample.payload.withBytes { Array($0) }, start: sample.presentationTime, duration: sample.duration,
                beside: ("", ""))
        }
        #expect(cues.count == 5 && cues.first?.start == .seconds(1) && cues.first?.end == .milliseconds(2500))
        let styled = cues.first?.nodes.contains { node in
            guard case .span(let span) = node, case .style(let style) = span.kind else { return false }
            return style.isItalic == true && node.plainText == "two"
        }
        #expect(styled == true)
        // Pictures and sound are all there.
        #expect(try studio.pictures(output).map(\.number) == Array(0..<500))
    }

    @Test("captions whose samples do not say when they end, as those of fragments by ffmpeg, last until the next sample")
    func openEnds() throws {
        let fragments = studio.path("fragments.mp4")
        let arguments = ["-i", source, "-map", "0", "-c", "copy", "-c:s", "mov_text", "-movflags", "frag_keyframe+empty_moov"]
        try FFmpegProgram.make(arguments, suffix: "mp4").write(fragments)
        #expect(studio.export(.asset(fragments)).status == .completed)
        let written = try cues(studio.path("out.mp4"))
        #expect(written.map(\.plainText) == ["one & two", "over the edge", "another", "the end"])
        #expect(zip(written, written.dropFirst()).allSatisfy { $0.end <= $1.start })
    }

    @Test("of a range the captions that are shown in it are written, cut at its edges; also those that began before it")
    func range() throws {
        #expect(
            studio.export(.asset(source)) { $0.range = TimeRange(start: .milliseconds(6440), duration: .seconds(12)) }.status
                == .completed)
        #expect(
            try readBack(studio.path("out.mp4")) == [
                "0-560 over the edge\nanother", "560-1560 another", "11560-12000 the end",
            ])
        #expect(
            studio.export(.asset(source), to: "none.mp4") { $0.range = TimeRange(start: .seconds(10), duration: .seconds(2)) }
                .status == .completed)
        // A track without a caption is empty.
        #expect(try studio.description(studio.path("none.mp4")).tracks.map(\.type) == [.video, .audio, .text])
        #expect(try readBack(studio.path("none.mp4")) == [])
        #expect(try studio.description(studio.path("none.mp4")).duration == .seconds(2))
        #expect(try studio.pictures(studio.path("none.mp4")).map(\.number) == Array(250..<300))
    }

    @Test("chapters are written, cut to the range; the program ffmpeg reads them")
    func chapterList() throws {
        func read(_ name: String) throws -> [String] {
            let list = try studio.description(studio.path(name)).chapters
            return list.map { "\($0.range.start.milliseconds)-\($0.range.end.milliseconds) \($0.title ?? "")" }
        }
        let whole = studio.export(.asset(source))
        #expect(whole.status == .completed && whole.remarks == [])
        #expect(try read("out.mp4") == ["0-6000 First", "6000-20000 Second"])
        let facts = String(
            decoding: try FFmpegProgram.make(["-i", studio.path("out.mp4"), "-f", "ffmetadata"], suffix: "txt"), as: UTF8.self)
        #expect(facts.contains("START=6000") && facts.contains("title=Second"))
        #expect(
            studio.export(.asset(source), to: "part.mp4") { $0.range = TimeRange(start: .seconds(4), duration: .seconds(8)) }
                .status == .completed)
        #expect(try read("part.mp4") == ["0-2000 First", "2000-8000 Second"])
        let duration = try #require(try studio.description(studio.path("part.mp4")).duration)
        #expect(duration == .seconds(8))
    }

    @Test(
        "an edited programme has the chapters of its sources in its own time, cut to the range, in files that are copied and in encoded ones",
        arguments: [ExportPreset.passthrough, .h264At480])
    func chaptersOfCompositions(preset: ExportPreset) throws {
        let plain = try film.path()
        func piece(_ url: String, _ start: Int64, _ length: Int64, at place: Int64) -> CompositionTrackSegment {
            CompositionTrackSegment(
                SourceReference(url: url), TimeRange(start: .seconds(start), duration: .seconds(length)), at: .seconds(place))
        }
        // What comes first has no chapters, and interrupts the second one later.
        let segments = [
            piece(plain, 2, 3, at: 0), piece(source, 4, 4, at: 3), piece(plain, 0, 2, at: 7), piece(source, 8, 4, at: 9),
        ]
        let document = CompositionDocument(
            Composition(tracks: [CompositionTrack(id: TrackID(1), type: .video, segments: segments)]))
        func export(_ name: String, _ range: TimeRange?, _ type: ExportFileType = .mp4) -> AssetExportSession {
            studio.export(.composition(document, name: "programme"), to: name) {
                $0.preset = preset
                $0.speed = "ultrafast"
                $0.range = range
                $0.fileType = type
            }
        }
        #expect(export("whole.mp4", nil).status == .completed)
        #expect(export("part.mp4", TimeRange(start: .seconds(4), duration: .seconds(6))).status == .completed)
        // A file has no gaps between chapters: one lasts until the next begins.
        for (name, starts, titles) in [
            ("whole.mp4", [3, 5, 9], ["First", "Second", "Second"]), ("part.mp4", [0, 1, 5], ["First", "Second", "Second"]),
        ] as [(String, [Int64], [String])] {
            let read = try studio.description(studio.path(name)).chapters
            #expect(read.map(\.title) == titles && read.map(\.range.start) == starts.map { .seconds($0) }, "\(name): \(read)")
            // The player's own reading of chapters, which every file in the panel goes through.
            let own = try MediaMetadata(reading: BytesInMemory(try studio.bytes(studio.path(name)))).chapters
            #expect(own.map { $0.items.first?.stringValue } == titles)
            #expect(own.map(\.timeRange.start) == starts.map { .seconds($0) }, "\(name): \(own)")
        }
        if preset != .passthrough {
            #expect(try studio.pictures(studio.path("whole.mp4")).count == 325)
            let fragments = export("fragments.mp4", nil, .fragmentedMP4)
            #expect(fragments.remarks == ["The chapters were left out: fragmented-mp4 has no place for them; use mp4."])
        }
    }

    @Test("what a file has no place for is said, and the rest is written")
    func remarks() throws {
        let sound = studio.export(.asset(source), to: "sound.mp4") { $0.preset = .audio }
        #expect(sound.status == .completed)
        #expect(sound.remarks == ["The captions of track 2 (subrip) were left out: files of sound have no place for them."])
        let fragments = studio.export(.asset(source), to: "fragments.mp4") { $0.fileType = .fragmentedMP4 }
        #expect(fragments.status == .completed)
        #expect(
            fragments.remarks == [
                "The captions of track 2 (subrip) were left out: they are not written into fragments; use mp4 or hls.",
                "The chapters were left out: fragmented-mp4 has no place for them; use mp4.",
            ])
        #expect(try studio.pictures(studio.path("fragments.mp4")).map(\.number) == Array(0..<500))
    }

    @Test("HLS has a rendition of WebVTT with a segment for each segment of the pictures, at the times of the stream")
    func rendition() throws {
        let session = studio.export(.asset(source), to: "out") {
            $0.fileType = .hls
            $0.preset = .h264At480
            $0.speed = "ultrafast"
        }
        #expect(session.status == .completed)
        #expect(session.remarks == ["The chapters were left out: hls has no place for them; use mp4."])
        func playlist(_ name: String) throws -> Playlist {
            let result = PlaylistParser(leniency: .strict, url: "https://example.test/\(name)").parse(
                try studio.bytes(studio.path("out/\(name)")))
            #expect(result.errors.isEmpty && result.warnings.isEmpty, "\(result.errors) \(result.warnings)")
            return try #require(result.playlist)
        }
        guard case .multivariant(let index) = try playlist("index.m3u8"), case .media(let text) = try playlist("captions-1.m3u8"),
            case .media(let media) = try playlist("media.m3u8")
        else {
            Issue.record("a playlist is of another kind")
            return
        }
        #expect(text.segments.map(\.duration) == media.segments.map(\.duration) && text.hasEndList)
        let rendition = try #require(index.renditions.first)
        #expect(rendition.language == "de" && index.variants.first?.subtitlesGroup == rendition.groupID)
        // The first picture is shown at the stream's time of the text's zero.
        try (try studio.bytes(studio.path("out/init.mp4")) + studio.bytes(studio.path("out/segment-00001.m4s"))).write(
            studio.path("joined.mp4"))
        let start = try #require(try studio.samples(studio.path("joined.mp4"), .video).map(\.presentationTime).min())
        var found: [[String]] = []
        for segment in text.segments {
            let name = String(segment.uri.split(separator: "/").last ?? "")
            let document = try CaptionDocument.read(try studio.bytes(studio.path("out/\(name)")))
            let map = try #require(document.timestampMap)
            #expect((map.offset - start).magnitude < .milliseconds(1))
            found.append(document.cues.map { "\($0.start.milliseconds)-\($0.end.milliseconds) \($0.plainText)" })
        }
        #expect(
            found == [
                ["1000-2500 one & two", "5500-7000 over the edge"], ["5500-7000 over the edge", "6200-8000 another"], [],
                ["18000-19500 the end"],
            ])
    }
}
