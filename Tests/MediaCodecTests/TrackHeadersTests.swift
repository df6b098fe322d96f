import CFFmpeg
import MediaModel
import MediaTime
import TestSupport
import Testing

@testable import MediaCodec

/// Languages with regions and scripts, which containers state beside the three letters of ISO 639-2.
@Suite("The languages of tracks", .enabled(if: FFmpegProgram.isPresent, Comment(rawValue: FFmpegProgram.absence)))
struct TrackHeadersTests {
    private func film(_ suffix: String, _ extra: [String] = []) throws -> [UInt8] {
        try FFmpegProgram.make(
            [
                "-f", "lavfi", "-i", "testsrc2=s=64x36:r=25:d=1", "-f", "lavfi", "-i", "sine=440:d=1", "-f", "lavfi", "-i",
                "sine=880:d=1", "-map", "0", "-map", "1", "-map", "2", "-c:v", "libx264", "-preset", "ultrafast", "-c:a",
                "libopus", "-metadata:s:a:0", "language=por", "-metadata:s:a:1", "language=por",
            ] + extra, suffix: suffix)
    }

    private func big(_ bytes: [UInt8], at place: Int) -> Int { bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) } }

    private func places(of pattern: [UInt8], in bytes: [UInt8]) -> [Int] {
        bytes.indices.dropLast(pattern.count - 1).filter { bytes[$0..<$0 + pattern.count].elementsEqual(pattern) }
    }

    /// Adds `elng` to the sound of an MP4 file, whose index is its end.
    private func tagged(_ tags: [String], _ film: [UInt8]) -> [UInt8] {
        var bytes = film
        func grow(_ place: Int, by count: Int) {
            let size = big(bytes, at: place) + count
            for index in 0..<4 { bytes[place + index] = UInt8(truncatingIfNeeded: size >> (24 - 8 * index)) }
        }
        let moov = places(of: Array("moov".utf8), in: bytes).last! - 4
        for (number, tag) in tags.enumerated() {
            let trak = places(of: Array("trak".utf8), in: bytes)[number + 1] - 4
            let mdhd = places(of: Array("mdhd".utf8), in: bytes)[number + 1] - 4
            let text = Array(tag.utf8) + [0]
            let box = [0, 0, 0, UInt8(12 + text.count)] + Array("elng".utf8) + [0, 0, 0, 0] + text
            for place in [moov, trak, mdhd - 8] { grow(place, by: box.count) }
            bytes.insert(contentsOf: box, at: mdhd + big(bytes, at: mdhd))
        }
        return bytes
    }

    @Test("MP4 states them in elng, wherever its index is", arguments: [true, false])
    func movie(isSeekable: Bool) throws {
        var bytes = tagged(["pt-BR", "por-PT"], try film("mp4"))
        // A stream that cannot seek has its index first.
        if !isSeekable { bytes = tagged(["pt-BR", "por-PT"], try film("mp4", ["-movflags", "+frag_keyframe+empty_moov"])) }
        let demuxer = try Media.demuxer(bytes, isSeekable: isSeekable)
        #expect(demuxer.description.tracks.filter { $0.type == .audio }.map(\.languageTag) == ["pt-BR", "pt-PT"])
    }

    @Test("LanguageBCP47 of Matroska has precedence", arguments: [[], ["-live", "1", "-f", "matroska"]], [true, false])
    func matroska(extra: [String], isSeekable: Bool) throws {
        var bytes = try film("mkv", extra)
        let languages = places(of: [0x22, 0xB5, 0x9C, 0x83] + Array("por".utf8), in: bytes)
        #expect(languages.count == 2)
        bytes.replaceSubrange(languages[1]..<languages[1] + 7, with: [0x22, 0xB5, 0x9D, 0x83] + Array("yue".utf8))
        let demuxer = try Media.demuxer(bytes, isSeekable: isSeekable)
        #expect(demuxer.description.tracks.filter { $0.type == .audio }.map(\.languageTag) == ["pt", "yue"])
    }

    @Test(
        "whether a movie consists of fragments is said by its header, wherever that is",
        arguments: [
            ([], false), (["-movflags", "+faststart"], false), (["-movflags", "+frag_keyframe+empty_moov"], true),
            (["-movflags", "+frag_keyframe"], true),
        ])
    func fragments(options: [String], isFragmented: Bool) throws {
        let bytes = try film("mp4", options)
        var headers = TrackHeaders()
        bytes.withUnsafeBytes { headers.take($0, at: 0) }
        #expect(headers.isFragmented == isFragmented)
    }

    @Test("what is read in pieces of any length is the same", arguments: [1, 2, 7, 8, 13, 4096])
    func pieces(length: Int) throws {
        for bytes in [
            tagged(["zh-Hant-TW"], try film("mp4", ["-movflags", "+frag_keyframe+empty_moov"])),
            [
                0x1A, 0x45, 0xDF, 0xA3, 0x84, 0x42, 0x86, 0x81, 1, 0x18, 0x53, 0x80, 0x67, 0xFF, 0x16, 0x54, 0xAE, 0x6B, 0x98,
                0xAE, 0x96,
            ]
                + [0x83, 0x81, 2, 0x86, 0x83, 0x41, 0x5F, 0x58, 0x22, 0xB5, 0x9D, 0x8A] + Array("zh-Hant-TW".utf8) as [UInt8],
        ] {
            var languages = TrackHeaders()
            for start in stride(from: 0, to: bytes.count, by: length) {
                Array(bytes[start..<min(bytes.count, start + length)]).withUnsafeBytes { languages.take($0, at: Int64(start)) }
            }
            #expect(languages.tags.contains("zh-Hant-TW"))
        }
    }

    @Test("damage of any kind states nothing, and ends")
    func damage() {
        for head in [[UInt8]](
            arrayLiteral: [], [0], [0x1A, 0x45, 0xDF, 0xA3], [0, 0, 0, 0], [0, 0, 0, 1], [255, 255, 255, 255])
        {
            var languages = TrackHeaders()
            let bytes = head + [UInt8](repeating: 0xFF, count: 300)
            bytes.withUnsafeBytes { languages.take($0, at: 0) }
            #expect(languages.tags.isEmpty)
        }
    }
}
