import Composition
import Glibc
import LinuxSupport
import MediaModel
import MediaTime
import TestSupport
import Testing

@testable import Export

private let film = NumberedFilm("export.mp4").with {
    $0.frames = 250; $0.soundSeconds = "10"
}
private let second = NumberedFilm("export-second.mp4").with {
    $0.frames = 200; $0.soundSeconds = "8"
}

@Suite("Exports that copy", .enabled(if: FFmpegProgram.isPresent, Comment(rawValue: FFmpegProgram.absence)))
@MainActor
struct PassthroughTests {
    private func frame(_ number: Int) -> MediaTime { MediaTime(Int64(number), 25) }

    @Test(
        "a cut presents exactly its range: the first picture on a key picture, between two, and the last ones; sound at its sample; bytes are the source's",
        arguments: [(0, 250), (25, 50), (37, 61), (1, 1), (240, 10), (0, 1), (26, 99)], ["mp4", "fragmented-mp4"])
    func cut(range: (first: Int, count: Int), type: String) throws {
        let studio = try Studio()
        let source = try film.path()
        let before = try studio.bytes(source)
        let session = studio.export(.asset(source)) {
            $0.range = TimeRange(start: frame(range.first), duration: frame(range.count))
            $0.fileType = ExportFileType(rawValue: type)!
        }
        #expect(session.status == .completed)
        #expect(session.progress == 1)
        let output = studio.path("out.mp4")
        // FFmpeg does not cut fragments by their edit list, it only moves them.
        let pictures = try studio.pictures(output).filter { type == "mp4" || ($0.time >= .zero && $0.time < frame(range.count)) }
        #expect(pictures.map(\.number) == Array(range.first..<range.first + range.count))
        #expect(pictures.map(\.time) == (0..<range.count).map(frame))
        #expect(studio.names == ["out.mp4"])
        #expect(try studio.bytes(source) == before)
        // What was copied has the same bytes, in the same order, and no more of them than decoding needs.
        for kind in [MediaType.video, .audio] {
            let all = try studio.samples(source, kind).map(\.bytes)
            let copied = try studio.samples(output, kind).map(\.bytes)
            let place = try #require(
                all.indices.first { all[$0...].starts(with: copied) }, "copied \(kind) is a part of the source")
            if kind == .video {
                #expect(place == range.first / 25 * 25)
                #expect(place + copied.count <= range.first + range.count + 3)
            }
        }
        // Sound is where the pictures are: a click at each whole second of the source.
        let sound = try studio.sound(output)
        let clicks = Self.clicks(sound).filter { $0 >= 0.002 && $0 < frame(range.count).seconds - 0.01 }
        let expected = (0..<10).map { Double($0) - frame(range.first).seconds }.filter {
            $0 >= 0.002 && $0 < frame(range.count).seconds - 0.01
        }
        #expect(clicks.count == expected.count)
        for (click, wanted) in zip(clicks, expected) { #expect(abs(click - wanted) < 0.001) }
        if type == "mp4" {
            let stated = try #require(try studio.description(output).duration)
            #expect((stated - frame(range.count)).magnitude <= frame(1))
        }
    }

    private static func clicks(_ sound: [AudioBuffer]) -> [Double] {
        guard let first = sound.first else { return [] }
        let samples = ToneMeter.channel(0, of: sound.flatMap(\.samples), channels: first.format.channels)
        return ToneMeter.onsets(in: samples).map { Double($0) / Double(first.format.sampleRate) + first.time.seconds }
    }

    @Test(
        "a range that ends after the film ends with it; ranges that cannot be used are refused with the reason, and no file is left"
    )
    func badRanges() throws {
        let studio = try Studio()
        let source = try film.path()
        let late = studio.export(.asset(source)) { $0.range = TimeRange(start: .seconds(9), duration: .seconds(90_000_000)) }
        #expect(late.status == .completed)
        #expect(try studio.pictures(studio.path("out.mp4")).map(\.number) == Array(225..<250))
        unlink(studio.path("out.mp4"))
        let bad: [(TimeRange, String)] = [
            (TimeRange(start: .seconds(-1), duration: .seconds(2)), "before zero"),
            (TimeRange(start: .seconds(1), duration: .zero), "is empty"),
            (TimeRange(start: .seconds(11), duration: .seconds(2)), "after the end"),
            (TimeRange(start: .seconds(1), duration: .seconds(.max)), "ends after"),
            (TimeRange(start: .seconds(.max), duration: .seconds(.max)), "ends after"),
        ]
        for (range, words) in bad {
            let session = studio.export(.asset(source)) { $0.range = range }
            guard case .failed(let error) = session.status else {
                Issue.record("\(range) was exported")
                continue
            }
            #expect(error.sentence.contains(words), "\(error.sentence)")
            #expect(studio.names == [])
        }
    }

    @Test("an edited programme of random pieces has one edit for each: every picture of every piece, and no other")
    func pieces() throws {
        let paths = [try film.path(), try film.path()]
        var chance = SeededGenerator(seed: 5)
        let list = (0..<40).map { _ in
            let count = Int.random(in: 1...30, using: &chance)
            return (
                film: Int.random(in: 0...1, using: &chance), first: Int.random(in: 0...250 - count, using: &chance), count: count
            )
        }
        let studio = try Studio()
        let composition = self.composition(list, paths, types: [.video, .audio])
        let session = studio.export(.composition(CompositionDocument(composition), name: "pieces"))
        #expect(session.status == .completed)
        let pictures = try studio.pictures(studio.path("out.mp4"))
        #expect(pictures.map(\.number) == list.flatMap { Array($0.first..<$0.first + $0.count) })
        let total = list.reduce(0) { $0 + $1.count }
        // After an edit that begins between key pictures FFmpeg places pictures early, by their reordering at most.
        for (index, picture) in pictures.enumerated() { #expect((picture.time - frame(index)).magnitude <= frame(2), "\(index)") }
        // The new file is a source in its turn.
        let again = studio.export(.asset(studio.path("out.mp4")), to: "again.mp4") {
            $0.preset = .h264At480
            $0.speed = "ultrafast"
            $0.range = TimeRange(start: frame(total / 4), duration: frame(total / 2))
        }
        #expect(again.status == .completed)
        let length = try #require(try studio.description(studio.path("again.mp4")).duration)
        #expect((length - frame(total / 2)).magnitude <= frame(1))
        let stated = try #require(try studio.description(studio.path("out.mp4")).duration)
        #expect((stated - frame(total)).magnitude <= frame(1))
    }

    private func composition(
        _ list: [(film: Int, first: Int, count: Int)], _ paths: [String], types: [MediaType]
    ) -> Composition {
        Composition(
            tracks: types.enumerated().map { index, type in
                var place = 0
                let segments = list.map { piece in
                    defer { place += piece.count }
                    return CompositionTrackSegment(
                        SourceReference(url: paths[piece.film]),
                        TimeRange(start: frame(piece.first), duration: frame(piece.count)),
                        at: frame(place))
                }
                return CompositionTrack(id: TrackID(index + 1), type: type, segments: segments)
            })
    }

    @Test(
        "a range of a composition is cut within its segments; one of another format, at another speed, or whose source ends early is refused"
    )
    func compositions() throws {
        let studio = try Studio()
        let (one, two) = (try film.path(), try second.path())
        let whole = composition([(0, 10, 40), (0, 100, 50)], [one], types: [.video])
        let part = studio.export(.composition(CompositionDocument(whole), name: "part")) {
            $0.range = TimeRange(start: frame(35), duration: frame(10))
        }
        #expect(part.status == .completed)
        #expect(try studio.pictures(studio.path("out.mp4")).map(\.number) == Array(45..<50) + Array(100..<105))
        unlink(studio.path("out.mp4"))
        let source = SourceReference(url: two)
        let early = Composition(tracks: [
            CompositionTrack(
                id: TrackID(1), type: .video,
                segments: [CompositionTrackSegment(source, TimeRange(start: .seconds(7), duration: .seconds(3)), at: .zero)])
        ])
        let slow = Composition(tracks: [
            CompositionTrack(
                id: TrackID(1), type: .video,
                segments: [
                    CompositionTrackSegment(
                        .media(source, TimeRange(start: .zero, duration: .seconds(2))),
                        target: TimeRange(start: .zero, duration: .seconds(4)))
                ])
        ])
        let missing = composition([(0, 0, 10), (1, 0, 10)], [one, studio.path("gone.mp4")], types: [.video])
        let noTrack = Composition(tracks: [
            CompositionTrack(
                id: TrackID(1), type: .video,
                segments: [
                    CompositionTrackSegment(
                        SourceReference(url: two, track: TrackID(7)), TimeRange(start: .zero, duration: .seconds(1)), at: .zero)
                ])
        ])
        for (composition, words) in [
            (early, "ends 2.000 s before its range"), (slow, "has the rate 1/2, and passthrough copies only at 1"),
            (missing, "gone.mp4"),
            (noTrack, "it has no track 7"),
        ] {
            guard case .failed(let error) = studio.export(.composition(CompositionDocument(composition), name: "bad")).status
            else {
                Issue.record("\(words) was exported")
                continue
            }
            #expect(error.sentence.contains(words), "\(error.sentence)")
            #expect(studio.names == [])
        }
    }

    @Test(
        "sources of every container and codec that MP4 takes are copied whole",
        arguments: [
            ("copy.mkv", ["-c:v", "libx264", "-preset", "ultrafast", "-g", "25", "-bf", "2"], ["-c:a", "aac"]),
            ("copy.ts", ["-c:v", "libx264", "-preset", "ultrafast", "-g", "25", "-bf", "2"], ["-c:a", "aac"]),
            (
                "copy-hevc.mp4", ["-c:v", "libx265", "-preset", "ultrafast", "-x265-params", "log-level=error:keyint=25"],
                ["-c:a", "ac3"]
            ),
            ("copy-opus.mkv", ["-c:v", "libx264", "-preset", "ultrafast", "-g", "25"], ["-c:a", "libopus"]),
        ])
    func containers(name: String, video: [String], audio: [String]) throws {
        let studio = try Studio()
        let source = try NumberedFilm(name, video: video, audio: audio).path()
        let session = studio.export(.asset(source)) { $0.range = TimeRange(start: frame(30), duration: frame(30)) }
        #expect(session.status == .completed)
        // Where the sound begins before the pictures, the range begins in the middle of a picture, whose rest belongs to it. Sound before zero does not count.
        let entries = try FFmpegProgram.probe(
            source, entries: "format=start_time:stream=start_time", options: ["-select_streams", "v"])
        let starts = ["streams.stream.0.start_time", "format.start_time"].map { entries[$0].flatMap { Double($0) } }
        let late = try #require(starts[0]) - max(#require(starts[1]), 0)
        #expect((0..<0.04).contains(late))
        let first = late > 0.0005 ? 29 : 30
        let numbers = try studio.pictures(studio.path("out.mp4")).map(\.number)
        #expect(numbers == Array(first..<60))
        #expect(try studio.description(studio.path("out.mp4")).tracks.map(\.type) == [.video, .audio])
    }

    @Test("a Matroska film, which states no decode times for its first pictures, is copied from its start")
    func matroska() throws {
        let studio = try Studio()
        let source = studio.path("film.mkv")
        try FFmpegProgram.make(["-i", try film.path(), "-c", "copy"], suffix: "mkv").write(source)
        for count in [2, 250] {
            let name = "first-\(count).mp4"
            #expect(
                studio.export(.asset(source), to: name) { $0.range = TimeRange(start: .zero, duration: frame(count)) }.status
                    == .completed)
            // The sound begins 21 ms before the pictures.
            #expect(try studio.pictures(studio.path(name)).map(\.number) == Array(0..<count))
        }
    }

    @Test("a codec without a place in MP4, an HLS playlist and what is no media are refused with the reason")
    func refused() throws {
        let studio = try Studio()
        let theora = try NumberedFilm("export-ffv1.mkv", video: ["-c:v", "ffv1"], audio: ["-c:a", "pcm_s16le"]).path()
        studio.folder.put("#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,\na.ts\n#EXT-X-ENDLIST\n", "list.m3u8")
        studio.folder.put("no media at all, only words", "words.mp4")
        let avi = try NumberedFilm("export.avi", video: ["-c:v", "mpeg4", "-g", "25"], audio: ["-c:a", "libmp3lame"]).path()
        for (source, words) in [
            (avi, "states no presentation times"), (theora, "MP4 has no place"), (studio.path("list.m3u8"), "HLS playlist"),
            (studio.path("words.mp4"), "as media failed"),
            (studio.path("gone.mp4"), "gone.mp4"),
        ] {
            guard case .failed(let error) = studio.export(.asset(source)).status else {
                Issue.record("\(source) was exported")
                continue
            }
            #expect(error.sentence.contains(words), "\(error.sentence)")
            #expect(!studio.names.contains { $0.contains("out") })
        }
    }

    @Test("tags are kept, or left out if they say where, by whom or whose")
    func tags() throws {
        let studio = try Studio()
        let source = try NumberedFilm("tags.mp4", extra: ["-metadata", "title=A Title", "-metadata", "location=+10.0+20.0/"])
            .path()
        func tags(_ metadata: ExportMetadata) throws -> Set<String> {
            #expect(
                studio.export(.asset(source)) {
                    $0.metadata = metadata
                    $0.replaces = true
                }.status == .completed)
            return Set(try studio.description(studio.path("out.mp4")).tags.map(\.key))
        }
        #expect(try tags(.kept).isSuperset(of: ["title", "location"]))
        let shared = try tags(.filteredForSharing)
        #expect(shared.contains("title") && !shared.contains { $0.hasPrefix("location") })
        #expect(try tags(.none).isDisjoint(with: ["title", "location"]))
    }
}

extension MediaTime {
    var seconds: Double { Double(nanoseconds) / 1e9 }
}
