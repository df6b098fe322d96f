import MediaModel
import MediaTime
import TestSupport
import Testing

@testable import MediaCodec

/// Pictures as cameras, programs and sites make them: 80x60 pixels, red at the top left, green at the top right, blue at the bottom left, white at the bottom
/// right.
@Suite("Forms of pictures", .enabled(if: FFmpegProgram.isPresent, Comment(rawValue: FFmpegProgram.absence)))
struct PictureFormTests {
    private static let quarters =
        "color=red:s=40x30:d=1[a];color=lime:s=40x30:d=1[b];color=blue:s=40x30:d=1[c];color=white:s=40x30:d=1[d];"
        + "[a][b]hstack[t];[c][d]hstack[u];[t][u]vstack,format=rgb24"

    /// - Parameter filter: what is done with the picture before it is stored.
    private static func file(_ suffix: String, filter: String = "null", _ options: [String] = []) throws -> [UInt8] {
        try FFmpegProgram.make(
            ["-f", "lavfi", "-i", quarters + "," + filter, "-frames:v", "1"] + options, suffix: suffix)
    }

    /// The colours of the four quarters, each channel as full or empty: `rgbw`.
    private func quarters(of picture: PixelBuffer) -> String {
        picture.withBytes { bytes in
            var words = ""
            for (x, y) in [(1, 1), (3, 1), (1, 3), (3, 3)] {
                let plane = picture.planes[0]
                let at = plane.offset + picture.height * y / 4 * plane.stride + 4 * (picture.width * x / 4)
                let isFull = (0..<4).map { bytes[at + $0] > 127 }
                let names: [[Bool]: String] = [
                    [false, false, true, true]: "r", [false, true, false, true]: "g", [true, false, false, true]: "b",
                    [true, true, true, true]: "w", [false, false, false, false]: "-",
                ]
                words += names[isFull] ?? "?"
            }
            return words
        }
    }

    private func decoded(_ file: [UInt8], _ width: Int = 1000, _ height: Int = 1000) throws -> PixelBuffer {
        try ImageDecoder.decode(file, maximumWidth: width, maximumHeight: height)
    }

    /// EXIF data with an orientation, behind a tag that is none.
    private static func exif(_ orientation: UInt8, isLittle: Bool) -> [UInt8] {
        isLittle
            ? Array("II*\0".utf8) + [8, 0, 0, 0, 2, 0, 0x0f, 1, 2, 0, 1, 0, 0, 0, 65, 0, 0, 0]
                + [0x12, 1, 3, 0, 1, 0, 0, 0, orientation, 0, 0, 0, 0, 0, 0, 0]
            : Array("MM\0*".utf8) + [0, 0, 0, 8, 0, 2, 1, 0x0f, 0, 2, 0, 0, 0, 1, 65, 0, 0, 0]
                + [1, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0, 0, 0, 0, 0]
    }

    private static func little(_ number: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }

    private static func riff(_ chunks: [UInt8]) -> [UInt8] {
        Array("RIFF".utf8) + little(chunks.count + 4, 4) + Array("WEBP".utf8) + chunks
    }

    private static func chunk(_ type: String, _ body: [UInt8]) -> [UInt8] {
        Array(type.utf8) + little(body.count, 4) + body + (body.count % 2 == 1 ? [0] : [])
    }

    /// How each orientation is stored, as a filter of FFmpeg.
    private static let orientations: [(number: UInt8, filter: String)] = [
        (1, "null"), (2, "hflip"), (3, "hflip,vflip"), (4, "vflip"), (5, "transpose=0"), (6, "transpose=2"), (7, "transpose=3"),
        (8, "transpose=1"), (9, "null"),
    ]

    @Test("what EXIF says about a JPEG, PNG or WebP picture is done, whatever the order of its bytes", arguments: orientations)
    func orientation(number: UInt8, filter: String) throws {
        for isLittle in [false, true] {
            let exif = Self.exif(number, isLittle: isLittle)
            let jpeg = try Self.file("jpg", filter: filter, ["-q:v", "2"])
            let segment = Array("Exif\0\0".utf8) + exif
            let inJPEG = jpeg[..<2] + [0xff, 0xe1, 0, UInt8(segment.count + 2)] + segment + jpeg[2...]
            let png = try Self.file("png", filter: filter)
            let inPNG = png[..<33] + [0, 0, 0, UInt8(exif.count)] + Array("eXIf".utf8) + exif + [0, 0, 0, 0] + png[33...]
            let webp = try Self.file("webp", filter: filter, ["-c:v", "libwebp", "-lossless", "1"])
            let (width, height) = (5...8).contains(number) ? (60, 80) : (80, 60)
            let head = Self.chunk("VP8X", [8, 0, 0, 0] + Self.little(width - 1, 3) + Self.little(height - 1, 3))
            let inWebP = Self.riff(head + webp[12...] + Self.chunk("EXIF", exif))
            for file in [Array(inJPEG), Array(inPNG), inWebP] {
                let picture = try decoded(file)
                #expect(quarters(of: picture) == "rgbw")
                #expect(picture.width == 80 && picture.height == 60)
                // It is turned before it is fitted.
                let small = try decoded(file, 40, 1000)
                #expect(small.width == 40 && small.height == 30 && quarters(of: small) == "rgbw")
            }
        }
    }

    @Test("GIF, BMP, a drawing, and AVIF")
    func forms() throws {
        #expect(quarters(of: try decoded(try Self.file("gif"))) == "rgbw")
        #expect(quarters(of: try decoded(try Self.file("bmp"))) == "rgbw")
        let svg = """
            \u{FEFF}<?xml version="1.0"?><!-- <html> --><!DOCTYPE svg [<!ENTITY a "b">]>
            <svg:svg xmlns:svg="http://www.w3.org/2000/svg" viewBox="0 0 80 60"><svg:path fill="red" d="M0 0h40v30h-40z"/><svg:path fill="lime" d="M40 0h40v30h-40z"/>
            <svg:path fill="blue" d="M0 30h40v30h-40z"/><svg:path fill="white" fill-opacity="0.502" d="M40 30h40v30h-40z"/></svg:svg>
            """
        let drawing = try decoded(Array(svg.utf8), 400, 400)
        try #require(drawing.width == 400 && drawing.height == 300 && quarters(of: drawing) == "rgbw")
        let half = drawing.withBytes { bytes in
            (0..<4).map { bytes[drawing.planes[0].offset + 225 * drawing.planes[0].stride + 1200 + $0] }
        }
        #expect(half.allSatisfy { abs(Int($0) - 128) <= 1 }, "premultiplied once: \(half)")
        #expect(throws: MediaError.self) { try decoded(Array("<?xml version=\"1.0\"?><rss><svg/></rss>".utf8)) }
        let still = ["-c:v", "libaom-av1", "-still-picture", "1", "-cpu-used", "8", "-crf", "10"]
        guard let avif = try? Self.file("avif", still) else { return }
        #expect(quarters(of: try decoded(avif)) == "rgbw")
        for cut in stride(from: 0, to: avif.count, by: 7) { _ = try? decoded(Array(avif.prefix(cut))) }
    }

    /// What a drawing says of its size in its first element, and the size in 400x400. All have the four quarters.
    private static let drawings: [(words: String, width: Int, height: Int)] = [
        ("viewBox='0 0 80 60'", 400, 300), ("viewBox=\"0,0, 60 80\" version='1.1'", 300, 400),
        ("width=\"80\" height=\"60\"", 400, 300), ("width='60px' height = '80px' viewBox='0 0 60 80'", 300, 400),
        ("width='100%' height='100%' viewBox='0 0 80 60'", 400, 300),
        ("width='20mm' height='15mm' viewBox='0 0 80 60'", 400, 300),
        ("width='80' viewBox='0 0 80 60'", 400, 300), ("height='8000' viewBox='0 0 80 60'", 400, 300),
        ("width='auto' viewBox='0 0 1600 100'", 400, 25), ("id='a>b' viewBox='0 0 1 60000'", 1, 400),
        ("width='1e2' height='1e2' viewBox='0 0 50 50' preserveAspectRatio='none'", 400, 400),
    ]

    @Test(
        "a drawing has the shape that its size states, or else its view box, and is drawn as large as fits", arguments: drawings)
    func shape(words: String, width: Int, height: Int) throws {
        // In parts of the view box, or of the size.
        let box = words.firstRange(of: "viewBox=").map { words[$0.upperBound...].dropFirst().prefix { $0 != "'" && $0 != "\"" } }
        let sides = (box ?? "0 0 80 60").split { ", ".contains($0) }.compactMap { Double($0) }
        let (x, y) = (sides[2] / 2, sides[3] / 2)
        func part(_ left: Double, _ top: Double, _ colour: String) -> String {
            "<rect x=\"\(left)\" y=\"\(top)\" width=\"\(x)\" height=\"\(y)\" fill=\"\(colour)\"/>"
        }
        let parts = part(0, 0, "red") + part(x, 0, "lime") + part(0, y, "blue") + part(x, y, "white")
        let drawing = try decoded(Array("<svg xmlns='http://www.w3.org/2000/svg' \(words)>\(parts)</svg>".utf8), 400, 400)
        try #require(drawing.width == width && drawing.height == height, "\(drawing.width)x\(drawing.height)")
        if width > 1 { #expect(quarters(of: drawing) == "rgbw") }
    }

    @Test(
        "what is no size of a drawing is passed over, and the drawing is twice as wide as high",
        arguments: [
            "", "viewBox", "viewBox=0", "viewBox='0 0 0 0'", "viewBox='0 0 nan 5'", "viewBox='0 0 1e300 1e-300'",
            "viewBox='1 2 3'",
            "width='5' height='-5'", "width='5' height='&h;'", "width='1e999' height='2'", "width='3",
        ])
    func noShape(words: String) {
        #expect(SVGDrawing.ratio(of: Array("<svg \(words)>".utf8)) == 2)
    }

    @Test("of an animation the first picture is shown, at its place")
    func animations() throws {
        let gif = try FFmpegProgram.make(
            ["-f", "lavfi", "-i", Self.quarters, "-vf", "loop=3:1,negate=enable='gte(n,1)'", "-frames:v", "3"], suffix: "gif")
        #expect(quarters(of: try decoded(gif)) == "rgbw")
        for options in [["-lossless", "1"], ["-lossless", "0"]] {
            let webp = try FFmpegProgram.make(
                [
                    "-f", "lavfi", "-i", Self.quarters, "-vf", "loop=3:1,negate=enable='gte(n,1)'", "-frames:v", "3", "-c:v",
                    "libwebp_anim",
                ]
                    + options, suffix: "webp")
            #expect(webp.contains(Array("ANMF".utf8)), "it is animated")
            let picture = try decoded(webp)
            #expect(quarters(of: picture) == "rgbw" && picture.width == 80 && picture.height == 60)
        }
        // The first picture covers the right half alone.
        let still = try Self.file("webp", filter: "crop=40:60:40:0", ["-c:v", "libwebp", "-lossless", "1"])
        let place = Self.little(20, 3) + Self.little(0, 3) + Self.little(39, 3) + Self.little(59, 3) + [100, 0, 0, 0]
        let canvas = Self.chunk("VP8X", [0x12, 0, 0, 0] + Self.little(79, 3) + Self.little(59, 3))
        let file = Self.riff(canvas + Self.chunk("ANIM", [0, 0, 0, 0, 0, 0]) + Self.chunk("ANMF", place + still[12...]))
        let part = try decoded(file)
        #expect(quarters(of: part) == "-g-w" && part.width == 80 && part.height == 60)
        #expect(quarters(of: try decoded(file, 20, 20)) == "-g-w")
    }

    @Test("a JPEG picture of more than 4096 pixels a side is decoded smaller, another one by its number of pixels")
    func large() throws {
        for options in [["-q:v", "5"]] {
            let file = try Self.file("jpg", filter: "scale=6000:4500:flags=neighbor", options)
            let picture = try decoded(file, 400, 400)
            #expect(quarters(of: picture) == "rgbw" && picture.width == 400 && picture.height == 300)
        }
        let wide = try decoded(try Self.file("png", filter: "scale=6000:2000:flags=neighbor"), 300, 300)
        #expect(quarters(of: wide) == "rgbw" && wide.width == 300 && wide.height == 100)
        // Sizes that only a head claims.
        var huge = try Self.file("jpg")
        let frame = try #require(huge.indices.first { huge[$0...].starts(with: [0xff, 0xc0]) })
        huge.replaceSubrange(frame + 5..<frame + 9, with: [0xff, 0xff, 0xff, 0xff])
        let refused = try #require(throws: MediaError.self) { try decoded(huge) }
        #expect(refused.sentence.contains("65535x65535 pixels"))
    }

    @Test(
        "thumbnails of turned films are upright",
        arguments: [(0, "null"), (1, "transpose=2"), (2, "hflip,vflip"), (3, "transpose=1")])
    func thumbnails(turns: Int, filter: String) throws {
        let stored = try decoded(try Self.file("png", filter: filter))
        var frame = VideoFrame(
            pixels: stored, time: .zero, duration: .seconds(1), colour: ColourDescription(matrix: .bt601, isFullRange: true),
            quarterTurns: turns)
        let thumbnail = try FrameScaler.picture(frame, fittingWidth: 40, height: 100)
        #expect(quarters(of: thumbnail) == "rgbw" && thumbnail.width == 40 && thumbnail.height == 30)
        frame.quarterTurns = 0
        let asStored = try FrameScaler.picture(frame, fittingWidth: 40, height: 100)
        #expect((quarters(of: asStored) == "rgbw") == (turns == 0))
    }
}
