import Glibc
import HLSPlaylist
import LinuxSupport
import MediaModel
import MediaTime
import TestSupport
import Testing
import WireFormats

@testable import Export

@Suite("HLS that is written", .enabled(if: FFmpegProgram.isPresent, Comment(rawValue: FFmpegProgram.absence)))
@MainActor
struct HLSWriterTests {
    private let film = NumberedFilm("export-long.mp4").with {
        $0.frames = 500; $0.soundSeconds = "20"
    }

    private func frame(_ number: Int) -> MediaTime { MediaTime(Int64(number), 25) }

    private func playlist(_ studio: Studio, _ name: String) throws -> Playlist {
        let result = PlaylistParser(leniency: .strict, url: "https://example.test/\(name)").parse(
            try studio.bytes(studio.path("out/\(name)")))
        #expect(result.errors.isEmpty && result.warnings.isEmpty, "\(result.errors) \(result.warnings)")
        return try #require(result.playlist)
    }

    @Test(
        "playlists and segments are valid; every picture is there once; the I-frames are those of the segments",
        arguments: ["passthrough", "h264-480p"])
    func presentation(preset: String) throws {
        let studio = try Studio()
        let session = studio.export(.asset(try film.path()), to: "out") {
            $0.fileType = .hls
            $0.preset = ExportPreset(rawValue: preset)!
            $0.speed = "ultrafast"
        }
        #expect(session.status == .completed)
        #expect(studio.names == ["out"])
        guard case .multivariant(let index) = try playlist(studio, "index.m3u8"),
            case .media(let media) = try playlist(studio, "media.m3u8"),
            case .media(let keys) = try playlist(studio, "iframes.m3u8")
        else {
            Issue.record("a playlist is of another kind")
            return
        }
        #expect(index.variants.count == 1 && index.iFrameVariants.count == 1)
        #expect(index.variants.first?.codecs.count == 2)
        #expect(media.hasEndList && media.segments.count == 4 && keys.isIFramesOnly && keys.segments.count == 4)
        #expect((media.totalDuration - .seconds(20)).magnitude <= frame(1))
        // As a player joins them.
        let names = ["init.mp4"] + media.segments.map { String($0.uri.split(separator: "/").last ?? "") }
        try names.flatMap { try studio.bytes(studio.path("out/\($0)")) }.write(studio.path("joined.mp4"))
        #expect(try studio.pictures(studio.path("joined.mp4")).map(\.number) == Array(0..<500))
        let clicks = try studio.sound(studio.path("joined.mp4"))
        let start = try studio.description(studio.path("joined.mp4")).startTime
        let first = try #require(try studio.samples(studio.path("joined.mp4"), .video).first).presentationTime
        let samples = ToneMeter.channel(0, of: clicks.flatMap(\.samples), channels: 2)
        let onsets = ToneMeter.onsets(in: samples).map { Double($0) / 48_000 + (clicks[0].time - first).seconds }
        #expect(onsets.count >= 19 && start >= .zero)
        for onset in onsets { #expect(abs(onset - onset.rounded()) < 0.002, "\(onset)") }
        // Each I-frame's bytes end with the first picture of its segment.
        for (number, key) in zip([0, 150, 300, 450], keys.segments) {
            let range = try #require(key.byteRange)
            let name = String(key.uri.split(separator: "/").last ?? "")
            let bytes = try studio.bytes(studio.path("out/\(name)"))[Int(range.offset)..<Int(range.end)]
            try (try studio.bytes(studio.path("out/init.mp4")) + bytes).write(studio.path("key.mp4"))
            #expect(try firstPicture(studio, studio.path("key.mp4")) == number)
        }
    }

    private func firstPicture(_ studio: Studio, _ path: String) throws -> Int? {
        let demuxer = try studio.codecs.openDemuxer(
            MemoryByteStream(try studio.bytes(path), name: path, isSeekable: false), hint: .fragmentedMP4)
        let track = try #require(demuxer.description.tracks.first { $0.type == .video })
        demuxer.select([track.id])
        let sample = try #require(try demuxer.nextSample())
        let decoder = try studio.codecs.openVideoDecoder(sample.parameters, allocator: MemoryAllocator())
        let frames = try decoder.decode(sample) + decoder.decode(nil)
        return frames.first.flatMap { NumberGrid.number(in: $0.pixels) }
    }

    @Test(
        "a copy that does not begin with a key picture is refused with the place of one, and an existing folder is not replaced")
    func refused() throws {
        let studio = try Studio()
        func refusal(_ change: (inout ExportSettings) -> Void) throws -> String {
            let session = studio.export(.asset(try film.path()), to: "out") {
                $0.fileType = .hls
                change(&$0)
            }
            guard case .failed(let error) = session.status else { return "exported" }
            return error.sentence
        }
        let words = try refusal { $0.range = TimeRange(start: frame(30), duration: .seconds(5)) }
        #expect(words.contains("begin at 1.000 s"), "\(words)")
        #expect(studio.names == [])
        mkdir(studio.path("out"), 0o755)
        #expect(try refusal { $0.replaces = true }.contains("exists already"))
        #expect(studio.names == ["out"])
        #expect(Folder.names(studio.path("out")) == [])
    }
}
