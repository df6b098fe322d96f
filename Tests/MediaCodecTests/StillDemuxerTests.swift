import MediaModel
import MediaTime
import TestSupport
import Testing

@testable import MediaCodec

/// Files with one picture, opened as media.
@Suite("Pictures as media", .enabled(if: FFmpegProgram.isPresent, Comment(rawValue: FFmpegProgram.absence)))
struct StillDemuxerTests {
    private static let quarters =
        "color=red:s=41x30:d=1[a];color=lime:s=41x30:d=1[b];color=blue:s=41x30:d=1[c];color=white:s=41x30:d=1[d];"
        + "[a][b]hstack[t];[c][d]hstack[u];[t][u]vstack,format=rgb24"
    /// Luma and colour differences of red, green, blue and white by BT.709 in studio range.
    private static let colours: [[Int]] = [[63, 102, 240], [173, 42, 26], [32, 240, 118], [235, 128, 128]]

    private static func file(_ suffix: String, size: String? = nil) throws -> [UInt8] {
        let scale = size.map { ",scale=\($0):flags=neighbor" } ?? ""
        return try FFmpegProgram.make(["-f", "lavfi", "-i", quarters + scale, "-frames:v", "1"], suffix: suffix)
    }

    private static func samples(of picture: PixelBuffer) -> [[Int]] {
        picture.withBytes { bytes in
            [(1, 1), (3, 1), (1, 3), (3, 3)].map { x, y in
                picture.planes.prefix(3).map { plane in
                    Int(bytes[plane.offset + picture.height * y / 4 * plane.stride + picture.width * x / 4])
                }
            }
        }
    }

    @Test(
        "one sample with the colours of the file, from a stream of either kind", arguments: ["png", "bmp", "gif", "webp"],
        [true, false])
    func colours(suffix: String, isSeekable: Bool) throws {
        // The encoder of WebP may be absent, and then this form is tested by another suite only.
        guard let bytes = try? Self.file(suffix) else { return #expect(suffix == "webp") }
        let demuxer = try Media.demuxer(bytes, isSeekable: isSeekable)
        #expect(demuxer.description.isStill && demuxer.description.duration == nil && demuxer.description.tracks.count == 1)
        let track = try Media.track(.video, of: demuxer)
        #expect(track.width == 82 && track.height == 60)
        let frames = try Media.frames(try Media.samples(demuxer))
        #expect(frames.count == 1 && frames[0].time == .zero && frames[0].duration > .seconds(3600))
        #expect(frames[0].colour.matrix == .bt709 && !frames[0].colour.isFullRange)
        // WebP and GIF change colours a little.
        let tolerance = suffix == "webp" ? 6 : 2
        for (found, wanted) in zip(Self.samples(of: frames[0].pixels), Self.colours) {
            #expect(zip(found, wanted).allSatisfy { abs($0 - $1) <= tolerance }, "\(found) for \(wanted)")
        }
    }

    @Test("a seek gives the picture again; a reader of other tracks gets nothing")
    func reading() throws {
        let demuxer = try Media.demuxer(try Self.file("png"))
        #expect(try Media.samples(demuxer).count == 1 && Media.samples(demuxer).isEmpty)
        try demuxer.seek(to: .seconds(500))
        #expect(try Media.samples(demuxer).count == 1)
        demuxer.select([])
        try demuxer.seek(to: .zero)
        #expect(try Media.samples(demuxer).isEmpty)
    }

    @Test("a large picture becomes smaller, and one decoder takes pictures of any size and films after one another")
    func sizes() throws {
        let large = try Media.samples(Media.demuxer(try Self.file("png", size: "6000x1000")))
        let small = try Media.samples(Media.demuxer(try Self.file("bmp")))
        let film = try Media.samples(Media.demuxer(try NumberedFilm("after-still.mp4", audio: []).bytes()))
        let frames = try Media.frames(large + small + film + small)
        #expect(frames.count == 78)
        #expect(frames[0].pixels.width == 3840 && frames[0].pixels.height == 640 && frames[1].pixels.width == 82)
        #expect(frames[2].pixels.width == 128 && frames[77].pixels.width == 82)
    }

    @Test("a damaged picture, and one that is too large, are refused in words")
    func refused() throws {
        let whole = try Self.file("png")
        for (bytes, words) in [
            (Array(whole.prefix(60)), "damaged"),
            (whole + [UInt8](repeating: 0, count: ImageDecoder.longestFile), "longer than 8 MiB"),
            (Array("\u{89}PNG\r\n\u{1a}\n".unicodeScalars.map { UInt8($0.value) }), "damaged"),
        ] {
            let error = #expect(throws: MediaError.self) { try Media.demuxer(bytes) }
            #expect(error?.code == .sourceFormat && error?.sentence.contains(words) == true, "\(error?.sentence ?? "")")
        }
    }

    @Test("a picture in place of a segment is refused", arguments: [ContainerHint.transportStream, .fragmentedMP4, .packedAAC])
    func segments(hint: ContainerHint) throws {
        let bytes = try Self.file("png")
        #expect(throws: MediaError.self) { try Media.demuxer(bytes, hint: hint) }
    }
}
