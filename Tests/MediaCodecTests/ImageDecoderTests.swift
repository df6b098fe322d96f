import MediaModel
import TestSupport
import Testing

@testable import MediaCodec

@Suite("Pictures", .enabled(if: FFmpegProgram.isPresent, Comment(rawValue: FFmpegProgram.absence)))
struct ImageDecoderTests {
    private func picture(_ colour: String, size: String, format: [String] = [], suffix: String) throws -> [UInt8] {
        try FFmpegProgram.make(
            ["-f", "lavfi", "-i", "color=c=\(colour):s=\(size):d=1,format=rgba", "-frames:v", "1"] + format, suffix: suffix)
    }

    private func pixel(_ buffer: PixelBuffer, _ x: Int, _ y: Int) -> [Int] {
        buffer.withBytes { bytes in
            let at = buffer.planes[0].offset + y * buffer.planes[0].stride + 4 * x
            return (0..<4).map { Int(bytes[at + $0]) }
        }
    }

    @Test("JPEG, PNG and WebP decode to premultiplied words of their colour", arguments: ["jpg", "png", "webp"])
    func kinds(suffix: String) throws {
        let buffer = try ImageDecoder.decode(
            try picture("0x2080c0", size: "64x48", suffix: suffix), maximumWidth: 1000, maximumHeight: 1000)
        #expect(buffer.format == .argb8888 && buffer.width == 64 && buffer.height == 48)
        for (got, wanted) in zip(pixel(buffer, 30, 20), [0xc0, 0x80, 0x20, 0xff]) { #expect(abs(got - wanted) <= 4) }
    }

    @Test("colours are multiplied by alpha")
    func alpha() throws {
        let buffer = try ImageDecoder.decode(
            try picture("white@0.5", size: "16x16", suffix: "png"), maximumWidth: 16, maximumHeight: 16)
        let values = pixel(buffer, 8, 8)
        #expect(values.allSatisfy { abs($0 - 127) <= 1 } && Set(values).count == 1)
    }

    @Test("large pictures are scaled down with their aspect ratio, small ones are not enlarged")
    func sizes() throws {
        let bytes = try picture("red", size: "800x200", suffix: "png")
        let buffer = try ImageDecoder.decode(bytes, maximumWidth: 400, maximumHeight: 400)
        #expect(buffer.width == 400 && buffer.height == 100)
        let tall = try ImageDecoder.decode(bytes, maximumWidth: 2000, maximumHeight: 50)
        #expect(tall.width == 200 && tall.height == 50)
    }

    @Test("a JPEG picture of a hundred scans is refused before it is decoded")
    func scans() throws {
        let whole = try picture("red", size: "64x64", suffix: "jpg")
        let end = whole.count - 2
        func many(_ count: Int) -> [UInt8] {
            whole[..<end] + (0..<count).flatMap { _ in [0xff, 0xda] as [UInt8] } + whole[end...]
        }
        let error = try #require(throws: MediaError.self) {
            try ImageDecoder.decode(many(100), maximumWidth: 10, maximumHeight: 10)
        }
        #expect(error.sentence.contains("more than 100 scans"))
        _ = try? ImageDecoder.decode(many(99), maximumWidth: 10, maximumHeight: 10)
    }

    @Test("texts and profiles of a PNG picture are not unpacked")
    func texts() throws {
        let whole = try picture("red", size: "64x64", suffix: "png")
        let header = 8 + 25
        let text = [0, 0, 0, 6] + Array("zTXtk".utf8) + [0, 0, 1, 2, 3, 0, 0, 0, 0]
        let marked = whole[..<header] + text + whole[header...] + [1, 2, 3]
        #expect(PNGChunks.drawn(of: Array(marked)) == PNGChunks.drawn(of: whole))
        #expect(PNGChunks.drawn(of: Array(whole.prefix(20))) == Array(whole.prefix(8)))
        let buffer = try ImageDecoder.decode(Array(marked), maximumWidth: 64, maximumHeight: 64)
        #expect(buffer.width == 64)
    }

    @Test("other files, truncated ones and pictures that are too large are refused with a sentence")
    func refused() throws {
        let html = try #require(throws: MediaError.self) {
            try ImageDecoder.decode(Array("<html></html>".utf8), maximumWidth: 10, maximumHeight: 10)
        }
        #expect(html.code == .sourceFormat && html.sentence.contains("an HTML page"))
        let wide = try picture("red", size: "5000x4000", suffix: "png")
        #expect(throws: MediaError.self) { try ImageDecoder.decode(wide, maximumWidth: 10, maximumHeight: 10) }
        let tiff = try #require(throws: MediaError.self) {
            try ImageDecoder.decode(Array("II*\0".utf8) + [8, 0, 0, 0], maximumWidth: 10, maximumHeight: 10)
        }
        #expect(tiff.sentence.contains("a TIFF picture"))
        let long = [0xff, 0xd8, 0xff] + [UInt8](repeating: 0, count: ImageDecoder.longestFile)
        #expect(throws: MediaError.self) { try ImageDecoder.decode(long, maximumWidth: 10, maximumHeight: 10) }
        let whole = try picture("red", size: "64x64", suffix: "png")
        #expect(throws: MediaError.self) { try ImageDecoder.decode(Array(whole.prefix(30)), maximumWidth: 10, maximumHeight: 10) }
        #expect(throws: MediaError.self) { try ImageDecoder.decode([], maximumWidth: 10, maximumHeight: 10) }
    }
}
