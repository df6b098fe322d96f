import MediaTime
import Metadata
import TestSupport
import Testing

/// Files written by the ffmpeg program, so that not all input comes from these tests.
@Suite("Metadata that ffmpeg wrote", .enabled(if: FFmpegProgram.isPresent, Comment(rawValue: FFmpegProgram.absence)))
struct FixtureTests {
    struct Container: CustomTestStringConvertible, Sendable {
        var suffix: String
        var codec: [String]
        var space: MetadataKeySpace
        var extra: [String] = []
        var testDescription: String { ([suffix] + extra).joined(separator: " ") }
    }
    private static let texts = [
        ("title", "Der Fluß"), ("artist", "Jemand"), ("album", "Wasser"), ("genre", "Drama"), ("copyright", "Niemand"),
        ("comment", "Ein Satz."),
    ]

    @Test(
        "each container's names become the common ones",
        arguments: [
            Container(suffix: "mp3", codec: ["-c:a", "libmp3lame"], space: .id3, extra: ["-id3v2_version", "3"]),
            Container(suffix: "mp3", codec: ["-c:a", "libmp3lame"], space: .id3, extra: ["-id3v2_version", "4"]),
            Container(suffix: "m4a", codec: ["-c:a", "aac"], space: .iTunes),
            Container(suffix: "mov", codec: ["-c:a", "aac"], space: .quickTimeUserData),
            Container(
                suffix: "mov", codec: ["-c:a", "aac"], space: .quickTimeMetadata, extra: ["-movflags", "use_metadata_tags"]),
            Container(suffix: "3gp", codec: ["-c:a", "aac"], space: .isoUserData),
            Container(suffix: "mka", codec: ["-c:a", "aac"], space: .matroska),
            Container(suffix: "webm", codec: ["-c:a", "libopus"], space: .matroska),
            Container(suffix: "flac", codec: ["-c:a", "flac"], space: .vorbisComment),
            Container(suffix: "ogg", codec: ["-c:a", "libvorbis"], space: .vorbisComment),
            Container(suffix: "opus", codec: ["-c:a", "libopus"], space: .vorbisComment),
            Container(suffix: "wma", codec: ["-c:a", "wmav2"], space: .asf),
            Container(suffix: "wav", codec: ["-c:a", "pcm_s16le"], space: .chunk),
            Container(suffix: "aiff", codec: ["-c:a", "pcm_s16be"], space: .id3, extra: ["-write_id3v2", "1"]),
            Container(suffix: "aiff", codec: ["-c:a", "pcm_s16be"], space: .chunk),
            Container(suffix: "wv", codec: ["-c:a", "wavpack"], space: .ape),
        ])
    func commonMap(_ container: Container) throws {
        let tags = Self.texts.flatMap { ["-metadata", "\($0.0)=\($0.1)"] }
        let bytes = try FFmpegProgram.make(
            ["-f", "lavfi", "-i", "sine=d=0.3:r=48000"] + container.codec + tags + container.extra, suffix: container.suffix)
        let found = try MediaMetadata(reading: BytesInMemory(bytes))
        #expect(found.availableFormats.contains(container.space))
        func text(_ identifier: MetadataIdentifier) -> String? { found.items.best(identifier, for: ["de"])?.stringValue }
        #expect(text(.commonTitle) == "Der Fluß")
        // Only some of ffmpeg's own mdta names are Apple's without the prefix.
        guard container.space != .quickTimeMetadata else { return }
        // ffmpeg writes no more of these into AIFF's own chunks.
        if container.space == .chunk, container.suffix == "aiff" { return }
        #expect(text(.commonArtist) == "Jemand")
        #expect(text(.commonAlbumName) == "Wasser")
        #expect(text(.commonType) == "Drama")
        #expect(text(.commonCopyrights) == "Niemand")
        // ffmpeg gives ID3 comments a description, so they are not the description of the file.
        if container.suffix != "mp3", container.suffix != "3gp" { #expect(text(.commonDescription) == "Ein Satz.") }
    }

    @Test("chapters written by ffmpeg have their titles and ranges", arguments: ["mp4", "mkv", "mp3"])
    func chapters(_ suffix: String) throws {
        let chapters = """
            ;FFMETADATA1
            [CHAPTER]
            TIMEBASE=1/1000
            START=0
            END=400
            title=Eins
            [CHAPTER]
            TIMEBASE=1/1000
            START=400
            END=1000
            title=Zwei
            """
        let text = "data:text/plain;base64," + base64(Array(chapters.utf8))
        let codec = suffix == "mp3" ? "libmp3lame" : "aac"
        let bytes = try FFmpegProgram.make(
            [
                "-f", "lavfi", "-i", "sine=d=1:r=48000", "-f", "ffmetadata", "-i", text, "-map", "0", "-map_chapters", "1",
                "-c:a", codec,
            ], suffix: suffix)
        let found = try MediaMetadata(reading: BytesInMemory(bytes))
        let groups = found.chapterGroups(bestMatching: ["en"], duration: .seconds(1)) { "Chapter \($0)" }
        #expect(groups.map { $0.items.first?.stringValue } == ["Eins", "Zwei"])
        #expect(
            groups.map(\.timeRange) == [
                TimeRange(start: .zero, end: .milliseconds(400)), TimeRange(start: .milliseconds(400), end: .seconds(1)),
            ])
    }

    private func base64(_ bytes: [UInt8]) -> String {
        let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
        return stride(from: 0, to: bytes.count, by: 3).map { start -> String in
            let part = Array(bytes[start...].prefix(3))
            let value = part.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - part.count))
            let text = (0..<4).map { letters[value >> (18 - 6 * $0) & 63] }
            return String(text.prefix(part.count + 1)) + String(repeating: "=", count: 3 - part.count)
        }.joined()
    }
}
