import Display
import Glibc
import LinuxSupport
import MediaCodec
import MediaModel
import MediaTime
import TestSupport
import Testing

@testable import Export

@Suite("Thumbnails as files", .enabled(if: FFmpegProgram.isPresent, Comment(rawValue: FFmpegProgram.absence)))
@MainActor
struct ThumbnailTests {
    private let film = NumberedFilm("export.mp4").with {
        $0.frames = 250; $0.soundSeconds = "10"
    }

    private func studio() throws -> Studio {
        let studio = try Studio()
        studio.services.pictures = PictureMaking { frame, width, height throws(MediaError) in
            try FrameScaler.picture(frame, fittingWidth: width, height: height)
        } jpeg: { pixels throws(MediaError) in
            try pixels.jpeg(quality: 90)
        }
        return studio
    }

    private func little(_ bytes: [UInt8], _ place: Int) -> Int { (0..<4).reduce(0) { $0 | Int(bytes[place + $1]) << (8 * $1) } }

    @Test("a BIF file has the key picture of each of its times")
    func bif() throws {
        let studio = try studio()
        let session = studio.export(.asset(try film.path()), to: "out.bif") {
            $0.preset = .thumbnails
            $0.fileType = .bif
            $0.thumbnails.interval = .milliseconds(1500)
            $0.thumbnails.width = 128
        }
        #expect(session.status == .completed && session.progress == 1)
        let bytes = try studio.bytes(studio.path("out.bif"))
        #expect(bytes.starts(with: [0x89, 0x42, 0x49, 0x46, 0x0d, 0x0a, 0x1a, 0x0a]))
        #expect(little(bytes, 8) == 0 && little(bytes, 12) == 7 && little(bytes, 16) == 1500)
        var numbers: [Int?] = []
        for index in 0..<7 {
            #expect(little(bytes, 64 + 8 * index) == index)
            let (start, end) = (little(bytes, 68 + 8 * index), little(bytes, 76 + 8 * index))
            let picture = try ImageDecoder.decode(Array(bytes[start..<end]), maximumWidth: 128, maximumHeight: 128)
            #expect(picture.width == 128 && picture.height == 72)
            numbers.append(NumberGrid.number(in: picture))
        }
        #expect(little(bytes, 64 + 8 * 7) == 0xFFFF_FFFF && little(bytes, 68 + 8 * 7) == bytes.count)
        // Key pictures are a second apart.
        #expect(numbers == [0, 25, 75, 100, 150, 175, 225])
    }

    @Test("a sheet has its pictures in rows of ten, from the start of the range")
    func sheet() throws {
        let studio = try studio()
        let session = studio.export(.asset(try film.path()), to: "out.jpg") {
            $0.preset = .thumbnails
            $0.fileType = .jpegSheet
            $0.thumbnails.interval = .milliseconds(500)
            $0.thumbnails.width = 128
            $0.range = TimeRange(start: .seconds(2), duration: .seconds(6))
        }
        #expect(session.status == .completed)
        let sheet = try ImageDecoder.decode(try studio.bytes(studio.path("out.jpg")), maximumWidth: 4096, maximumHeight: 4096)
        #expect(sheet.width == 1280 && sheet.height == 144)
    }

    @Test("what no thumbnails can be made of is refused with the reason, and leaves no file")
    func refused() throws {
        let studio = try studio()
        let sound = try NumberedFilm("export-sound.mp4").with { $0.frames = 0 }.path()
        func refusal(_ input: String, _ change: (inout ExportSettings) -> Void) -> String {
            let session = studio.export(.asset(input), to: "out.bif") {
                $0.preset = .thumbnails
                $0.fileType = .bif
                change(&$0)
            }
            guard case .failed(let error) = session.status else { return "exported" }
            return error.sentence
        }
        let path = try film.path()
        #expect(refusal(sound) { _ in }.contains("video"))
        #expect(refusal(path) { $0.thumbnails.interval = .zero }.contains("the distance is from"))
        #expect(refusal(path) { $0.thumbnails.width = 100_000 }.contains("the width from"))
        #expect(
            refusal(path) { $0.range = TimeRange(start: .seconds(90), duration: .seconds(1)) }.contains("at or after the end"))
        #expect(refusal(path) { $0.fileType = .mp4 }.contains("not one of its file types"))
        #expect(
            refusal(path) {
                $0.output = path; $0.replaces = true
            }.contains("never changed"))
        #expect(
            refusal(path) {
                $0.fileType = .jpegSheet
                $0.thumbnails.interval = .milliseconds(100)
                $0.thumbnails.width = 1920
            }.contains("pixels a side"))
        #expect(studio.names == [])
    }
}
