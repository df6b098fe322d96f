import Composition
import LinuxSupport
import MediaModel
import MediaTime
import TestSupport
import Testing

@testable import Export

private let film = NumberedFilm("read-back.mp4").with {
    $0.frames = 500; $0.soundSeconds = "20"
}

@Suite("Exports read by ffprobe", .enabled(if: FFmpegProgram.isPresent, Comment(rawValue: FFmpegProgram.absence)))
@MainActor
struct ReadBackTests {
    nonisolated static let kinds: [(ExportPreset, ExportFileType)] = [
        (.passthrough, .mp4), (.passthrough, .fragmentedMP4), (.passthrough, .hls), (.h264At480, .mp4),
        (.h264At480, .fragmentedMP4),
        (.h264At480, .hls), (.audio, .mp4), (.audio, .fragmentedMP4), (.audio, .hls),
    ]

    @Test("each kind of file has its codecs, its pictures and the length of the range, as ffprobe reads it", arguments: kinds)
    func kinds(preset: ExportPreset, type: ExportFileType) throws {
        let studio = try Studio()
        // A key picture, so that HLS can be copied.
        let range = TimeRange(start: .seconds(4), duration: .seconds(13))
        let session = studio.export(.asset(try film.path()), to: "out") {
            $0.preset = preset
            $0.fileType = type
            $0.speed = "ultrafast"
            $0.range = range
        }
        #expect(session.status == .completed)
        let output = studio.path(type == .hls ? "out/index.m3u8" : "out")
        let found = try FFmpegProgram.probe(
            output, entries: "stream=codec_name,nb_read_frames:format=duration", options: ["-count_frames"])
        let codecs = (0..<2).compactMap { found["streams.stream.\($0).codec_name"] }
        #expect(codecs == (preset == .audio ? ["aac"] : ["h264", "aac"]))
        if preset != .audio {
            let count = try #require(found["streams.stream.0.nb_read_frames"].flatMap(Int.init))
            // Copies in containers without edit lists have the pictures that decoding of the last one needs.
            let isWhole = preset != .passthrough || type == .mp4
            #expect(isWhole ? count == 325 : (325...328).contains(count), "\(count)")
        }
        let duration = try #require(found["format.duration"].flatMap(Double.init))
        // The sound before the start that decoding needs.
        let surplus = preset == .passthrough && type == .fragmentedMP4 ? 0.25 : 0.13
        #expect(abs(duration - 13) < surplus, "\(duration)")
    }

    @Test("the pieces of a copied composition are as long as its segments together, and are its edit list")
    func edits() throws {
        let studio = try Studio()
        let source = SourceReference(url: try film.path())
        var place = MediaTime.zero
        let pieces: [(start: Int64, length: Int64)] = [(3, 2), (11, 4), (7, 1)]
        let segments = pieces.map { piece -> CompositionTrackSegment in
            let (start, length) = piece
            defer { place += .seconds(length) }
            return CompositionTrackSegment(
                source, TimeRange(start: .seconds(start), duration: .seconds(length)), at: place)
        }
        let composition = Composition(tracks: [CompositionTrack(id: TrackID(1), type: .video, segments: segments)])
        let session = studio.export(.composition(CompositionDocument(composition), name: "pieces"))
        #expect(session.status == .completed)
        let found = try FFmpegProgram.probe(
            studio.path("out.mp4"), entries: "stream=nb_read_frames:format=duration", options: ["-count_frames"])
        #expect(found["streams.stream.0.nb_read_frames"] == "175")
        #expect(found["format.duration"].flatMap(Double.init).map { abs($0 - 7) < 0.001 } == true)
        #expect(
            try studio.pictures(studio.path("out.mp4")).map(\.number) == Array(75..<125) + Array(275..<375) + Array(175..<200))
    }
}
