import Composition
import LinuxSupport
import MediaModel
import MediaTime
import Synchronization
import TestSupport
import Testing

@testable import Export

/// Files in memory, which may fail while they are read.
private final class Sources: ByteLoading {
    private let files: [String: [UInt8]]
    private let failure: (at: Int, error: MediaError)?

    init(_ files: [String: [UInt8]], failure: (at: Int, error: MediaError)? = nil) {
        self.files = files
        self.failure = failure
    }

    @MainActor func load(
        _ request: ByteRequest, _ completion: @escaping @MainActor @Sendable (Result<ByteResponse, MediaError>) -> Void
    ) -> any ByteTask { fatalError("exports read streams") }

    func stream(_ url: String) -> any ByteStream {
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
}
