import Composition
import LinuxSupport
import MediaModel
import MediaSources
import MediaTime
import Synchronization
import TestSupport
import Testing

@testable import Export

/// Files in memory, which may fail while they are read, or be others when they are opened again.
private final class Sources: ByteLoading {
    private let files: [String: [UInt8]]
    private let failure: (at: Int, error: MediaError)?
    private let later: [String: [UInt8]]
    private let opened = Mutex<[String: Int]>([:])

    /// - Parameters:
    ///   - later: what is at an address from its `changingOpening`th opening on.
    init(_ files: [String: [UInt8]], failure: (at: Int, error: MediaError)? = nil, later: [String: [UInt8]] = [:]) {
        self.files = files
        self.failure = failure
        self.later = later
    }

    /// An export of a composition opens each source once for its chapters and once, or several times, to read it.
    static let changingOpening = 3

    @MainActor func load(
        _ request: ByteRequest, _ completion: @escaping @MainActor @Sendable (Result<ByteResponse, MediaError>) -> Void
    ) -> any ByteTask { fatalError("exports read streams") }

    func stream(_ url: String) -> any ByteStream {
        let count = opened.withLock { opened in
            opened[url, default: 0] += 1
            return opened[url]!
        }
        if count >= Self.changingOpening, let bytes = later[url] { return MemoryByteStream(bytes, name: url) }
        guard let bytes = files[url] else {
            return MemoryByteStream([], name: url, failure: (0, MediaError(.sourceMissing, "There is no file \(url).")))
        }
        return MemoryByteStream(bytes, name: url, failure: failure)
    }
}

@Suite("Bad sources of exports", .enabled(if: FFmpegProgram.isPresent, Comment(rawValue: FFmpegProgram.absence)))
@MainActor
struct BadSourceTests {
    private let film = NumberedFilm("export.mp4").with {
        $0.frames = 250; $0.soundSeconds = "10"
    }

    private func frame(_ number: Int) -> MediaTime { MediaTime(Int64(number), 25) }

    @Test("a source that vanishes at any place of its reading ends the export with its own error, and no file is left")
    func vanishing() throws {
        let studio = try Studio()
        let bytes = try film.bytes()
        for place in [0, 10, 5000, bytes.count / 3, bytes.count / 2] {
            let gone = MediaError(.networkDown, "The server has gone at \(place).")
            studio.services.loader = Sources(["film.mp4": bytes], failure: (place, gone))
            for type in [ExportFileType.mp4, .fragmentedMP4, .hls] {
                let session = studio.export(.asset("film.mp4"), to: "out") { $0.fileType = type }
                #expect(session.status == .failed(gone), "\(type) at \(place)")
                #expect(studio.names == [])
            }
        }
    }

    @Test("an encrypted source is refused as protected, whatever the preset", arguments: ExportPreset.allCases)
    func protected(preset: ExportPreset) throws {
        let studio = try Studio()
        let key = [
            "-encryption_scheme", "cenc-aes-ctr", "-encryption_key", String(repeating: "0f", count: 16), "-encryption_kid",
            String(repeating: "a7", count: 16),
        ]
        studio.services.loader = Sources(["locked.mp4": try FFmpegProgram.clip(extra: key, suffix: "mp4")])
        studio.services.pictures = PictureMaking { _, _, _ throws(MediaError) in
            throw MediaError(.internal, "no picture is made of it")
        } jpeg: { _ throws(MediaError) in
            []
        }
        let session = studio.export(.asset("locked.mp4"), to: "out") {
            $0.preset = preset
            if preset == .thumbnails { $0.fileType = .bif }
        }
        guard case .failed(let error) = session.status else {
            Issue.record("an encrypted film was exported")
            return
        }
        #expect(error.code == .protected && error.sentence.contains("locked.mp4"), "\(error)")
        #expect(studio.names == [])
    }

    @Test("a thousand segments of one frame are a thousand edits, each of its frame")
    func thousand() throws {
        let studio = try Studio()
        let source = SourceReference(url: "film.mp4")
        studio.services.loader = Sources(["film.mp4": try film.bytes()])
        var chance = SeededGenerator(seed: 3)
        let numbers = (0..<1000).map { _ in Int.random(in: 0..<250, using: &chance) }
        let segments = numbers.enumerated().map { index, number in
            CompositionTrackSegment(source, TimeRange(start: frame(number), duration: frame(1)), at: frame(index))
        }
        let composition = Composition(tracks: [CompositionTrack(id: TrackID(1), type: .video, segments: segments)])
        let session = studio.export(.composition(CompositionDocument(composition), name: "thousand"))
        #expect(session.status == .completed)
        #expect(try studio.pictures(studio.path("out.mp4")).map(\.number) == numbers)
    }

    // MARK: Compositions

    /// A programme of pieces of 20 pictures, each of the source with its name, from its 10th picture on.
    private func programme(_ names: [String], track: TrackID? = nil) -> CompositionDocument {
        let segments = names.enumerated().map { index, name in
            CompositionTrackSegment(
                SourceReference(url: name, track: track), TimeRange(start: frame(10), duration: frame(20)), at: frame(index * 20))
        }
        return CompositionDocument(Composition(tracks: [CompositionTrack(id: TrackID(1), type: .video, segments: segments)]))
    }

    nonisolated private static let presets = [ExportPreset.passthrough, .h264At480]

    private func failure(_ studio: Studio, _ document: CompositionDocument, _ preset: ExportPreset) -> MediaError? {
        let session = studio.export(.composition(document, name: "programme"), to: "out") {
            $0.preset = preset
            $0.speed = "ultrafast"
        }
        #expect(studio.names == (session.status == .completed ? ["out"] : []), "\(session.status)")
        guard case .failed(let error) = session.status else { return nil }
        return error
    }

    @Test(
        "a source of a programme that vanishes at any place ends the export with its own error, and no file is left",
        arguments: presets)
    func vanishingPiece(preset: ExportPreset) throws {
        let studio = try Studio()
        let bytes = try film.bytes()
        for place in [0, 5000, bytes.count / 4, bytes.count / 2] {
            let gone = MediaError(.networkDown, "The server has gone at \(place).")
            let files = Sources(["one.mp4": bytes, "two.mp4": bytes], failure: (place, gone))
            studio.services.loader = files
            #expect(failure(studio, programme(["one.mp4", "two.mp4"]), preset) == gone, "at \(place)")
        }
    }

    @Test("protected sources, documents, playlists and other bytes are refused as pieces with the reason", arguments: presets)
    func unusablePiece(preset: ExportPreset) throws {
        let studio = try Studio()
        let key = [
            "-encryption_scheme", "cenc-aes-ctr", "-encryption_key", String(repeating: "0f", count: 16), "-encryption_kid",
            String(repeating: "a7", count: 16),
        ]
        studio.services.loader = Sources([
            "film.mp4": try film.bytes(), "locked.mp4": try FFmpegProgram.clip(extra: key, suffix: "mp4"),
            "other.json": Array(#" {"compositionVersion": 1, "tracks": []}"#.utf8),
            "list.m3u8": Array("#EXTM3U\n#EXT-X-ENDLIST\n".utf8),
            "page.mp4": Array("<html>There is no film here.</html>".utf8),
        ])
        for (name, words) in [
            ("locked.mp4", "protected"), ("other.json", "it is a JSON document"), ("list.m3u8", "it is an HLS playlist"),
            ("page.mp4", "page.mp4"), ("gone.mp4", "no file gone.mp4"),
        ] {
            let error = try #require(failure(studio, programme(["film.mp4", name]), preset), "\(name) was exported")
            #expect(error.sentence.contains(words) || error.code == .protected && name == "locked.mp4", "\(error.sentence)")
        }
        let missing = failure(studio, programme(["film.mp4"], track: TrackID(7)), preset)
        #expect(missing?.sentence.contains("it has no track 7") == true)
        #expect(failure(studio, programme(["film.mp4", "film.mp4"]), preset) == nil)
    }

    @Test(
        "a source that is another film when it is opened again is exported as it is then, or ends the export with the reason",
        arguments: presets)
    func changedPiece(preset: ExportPreset) throws {
        let names = ["one.mp4", "two.mp4", "one.mp4"]
        func export(_ later: [UInt8]) throws -> (numbers: [Int?], failure: String?) {
            let studio = try Studio()
            studio.services.loader = Sources(
                ["one.mp4": try film.bytes(), "two.mp4": try film.bytes()], later: ["one.mp4": later])
            let error = failure(studio, programme(names), preset)
            return (error == nil ? try studio.pictures(studio.path("out")).map(\.number) : [], error?.sentence)
        }
        let wanted = Array(10..<30)
        #expect(try export(film.bytes()).numbers == wanted + wanted + wanted)
        #expect(try export(Array("<html>moved</html>".utf8)).failure?.contains("one.mp4") == true)
        let dark = try NumberedFilm("dark.m4a").with { $0.frames = 0 }.bytes()
        #expect(try export(dark).failure?.contains("it has no video") == true)
        // A film that ends in the middle of its piece.
        let short = try NumberedFilm("short.mp4").with {
            $0.frames = 12; $0.soundSeconds = "0.48"
        }.bytes()
        #expect(try export(short).failure?.contains("segment 3 of track 1 ends 0.720 s before its range") == true)
        let other = try NumberedFilm("other-size.mp4").with { $0.size = (256, 144) }.bytes()
        let changed = try export(other)
        if preset == .passthrough {
            #expect(changed.failure?.contains("the format of the samples changes there") == true, "\(changed)")
        } else {
            #expect(changed.numbers == wanted + wanted + wanted, "\(changed)")
        }
    }

    @Test("a thousand segments of one frame are encoded as a thousand pictures, each of its frame")
    func thousandEncoded() throws {
        let studio = try Studio()
        let source = SourceReference(url: "film.mp4")
        studio.services.loader = Sources(["film.mp4": try film.bytes()])
        var chance = SeededGenerator(seed: 4)
        let numbers = (0..<1000).map { _ in Int.random(in: 0..<250, using: &chance) }
        let segments = numbers.enumerated().map { index, number in
            CompositionTrackSegment(source, TimeRange(start: frame(number), duration: frame(1)), at: frame(index))
        }
        let tracks = [MediaType.video, .audio].enumerated().map {
            CompositionTrack(id: TrackID($0 + 1), type: $1, segments: segments)
        }
        let session = studio.export(.composition(CompositionDocument(Composition(tracks: tracks)), name: "thousand")) {
            $0.preset = .h264At480
            $0.speed = "ultrafast"
        }
        #expect(session.status == .completed)
        let pictures = try studio.pictures(studio.path("out.mp4"))
        #expect(pictures.map(\.number) == numbers)
        #expect(pictures.map(\.time) == (0..<1000).map(frame))
        let sound = try studio.sound(studio.path("out.mp4"))
        let end = try #require(sound.last).end
        #expect((end - frame(1000)).magnitude < .milliseconds(50), "\(end)")
    }
}
