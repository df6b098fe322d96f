import CFFmpeg
import WireFormats

/// A file with a picture, as far as its container goes: what is to be decoded, and how that is shown. Of an animation it is the first picture.
struct PictureFile {
    /// A part of a larger picture.
    struct Part: Equatable {
        var x: Int
        var y: Int
        /// The size of the whole picture.
        var width: Int
        var height: Int
    }

    /// The decoder, and what it takes.
    let codec: AVCodecID
    let bytes: [UInt8]
    private(set) var turn = PictureTurn(orientation: 1)
    /// Where the decoded picture is in the whole one, which is transparent elsewhere; nil: it is the whole one.
    private(set) var part: Part?
    /// How often the decoder halves the sides of a JPEG picture that is too large as a whole.
    private(set) var halvings = 0
    /// Whether the size of the picture is not in the file: a drawing has any.
    var isDrawing: Bool { codec == AV_CODEC_ID_SVG }

    /// Nil: the content is of no known form.
    ///
    /// - Throws: why a picture in a known form is refused, as the middle of a sentence.
    init?(_ file: [UInt8]) throws(PictureRefusal) {
        if file.starts(with: [0xff, 0xd8, 0xff]) {
            let facts = try JPEGFacts(file)
            (codec, bytes, turn, halvings) = (
                AV_CODEC_ID_MJPEG, file, PictureTurn(orientation: facts.orientation), facts.halvings
            )
        } else if file.starts(with: [0x89, 0x50, 0x4e, 0x47]) {
            (codec, bytes) = (AV_CODEC_ID_PNG, PNGChunks.drawn(of: file))
            turn = PictureTurn(orientation: PNGChunks.body("eXIf", of: file).map { EXIF.orientation($0) } ?? 1)
        } else if let chunks = WebPChunks(file) {
            (codec, bytes, part) = (AV_CODEC_ID_WEBP, chunks.stillPicture ?? file, chunks.part)
            turn = PictureTurn(orientation: chunks.body("EXIF").map { EXIF.orientation($0) } ?? 1)
        } else if file.starts(with: Array("GIF87a".utf8)) || file.starts(with: Array("GIF89a".utf8)) {
            (codec, bytes) = (AV_CODEC_ID_GIF, file)
        } else if file.starts(with: Array("BM".utf8)), file.count > 26, file[14..<18].contains(where: { $0 != 0 }) {
            (codec, bytes) = (AV_CODEC_ID_BMP, file)
        } else if let item = AVIFItem(file) {
            (codec, bytes, turn) = (AV_CODEC_ID_AV1, try item.picture(), item.turn)
        } else if SVGDrawing.begins(file) {
            if file.count > SVGDrawing.longest {
                throw PictureRefusal(reason: "it is a drawing of more than \(SVGDrawing.longest >> 20) MiB; use a picture")
            }
            (codec, bytes) = (AV_CODEC_ID_SVG, file)
        } else {
            return nil
        }
    }

    /// Whether a file begins like a picture in a known form.
    static func begins(_ head: [UInt8]) -> Bool {
        let marks: [(bytes: [UInt8], offset: Int)] = [
            ([0xff, 0xd8, 0xff], 0), ([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a], 0), (Array("GIF87a".utf8), 0),
            (Array("GIF89a".utf8), 0), (Array("WEBP".utf8), 8), (Array("ftypavif".utf8), 4),
        ]
        if marks.contains(where: { head.dropFirst($0.offset).starts(with: $0.bytes) }) { return true }
        let isBitmap = head.starts(with: Array("BM".utf8)) && head.count > 18 && head[6..<10].allSatisfy { $0 == 0 }
        return isBitmap || SVGDrawing.begins(head)
    }
}

/// Why a picture in a known form is refused, as the middle of a sentence.
struct PictureRefusal: Error {
    let reason: String
}

/// The orientation in EXIF data (CIPA DC-008: a TIFF file of which only the first directory matters here).
enum EXIF {
    /// 1…8; 1 where the data has none or is damaged.
    static func orientation(_ data: ArraySlice<UInt8>) -> Int {
        // In some files the data begins as in JPEG.
        let tiff = data.starts(with: Array("Exif\0\0".utf8)) ? data.dropFirst(6) : data
        let isLittle = tiff.starts(with: [0x49, 0x49])
        guard isLittle || tiff.starts(with: [0x4d, 0x4d]) else { return 1 }
        func number(_ count: Int, at offset: Int) -> Int? {
            guard offset >= 0, offset <= tiff.count - count else { return nil }
            let digits = tiff.dropFirst(offset).prefix(count)
            return Int((isLittle ? ArraySlice(digits.reversed()) : digits).bigEndian)
        }
        guard number(2, at: 2) == 42, let directory = number(4, at: 4), let count = number(2, at: directory) else { return 1 }
        for entry in 0..<count {
            let place = directory + 2 + 12 * entry
            guard let tag = number(2, at: place) else { return 1 }
            guard tag == 274 else { continue }
            let value = number(2, at: place + 2) == 4 ? number(4, at: place + 8) : number(2, at: place + 8)
            return value.flatMap { (1...8).contains($0) ? $0 : nil } ?? 1
        }
        return 1
    }
}

/// What the head of a JPEG file says (ITU-T T.81 annex B).
struct JPEGFacts {
    private(set) var orientation = 1
    private(set) var halvings = 0
    /// Pictures with more pixels are refused even if they are decoded smaller: their data is unpacked whole.
    private static let mostPixels = 1 << 28
    /// The same for progressive ones, whose coefficients are all in memory.
    private static let mostProgressivePixels = 1 << 25

    init(_ file: [UInt8]) throws(PictureRefusal) {
        var cursor = ByteCursor(file.dropFirst(2))
        while cursor.byte() == 0xff {
            var marker = cursor.byte()
            while marker == 0xff { marker = cursor.byte() }
            guard let marker, marker != 0xda, marker != 0xd9 else { return }
            if marker == 0x01 || (0xd0...0xd7).contains(marker) { continue }
            guard let length = cursor.big(2), length >= 2, let body = cursor.take(Int(length) - 2) else { return }
            if marker == 0xe1, body.starts(with: Array("Exif\0\0".utf8)) { orientation = EXIF.orientation(body) }
            // C4, C8 and CC are no frames.
            guard (0xc0...0xcf).contains(marker), ![0xc4, 0xc8, 0xcc].contains(marker) else { continue }
            guard let height = body.big(2, at: 1), let width = body.big(2, at: 3) else { return }
            try measure(width: Int(width), height: Int(height), isProgressive: marker & 3 == 2)
        }
    }

    private mutating func measure(width: Int, height: Int, isProgressive: Bool) throws(PictureRefusal) {
        let isSmall = width * height <= ImageDecoder.mostPixels
        if !isSmall, width * height > (isProgressive ? Self.mostProgressivePixels : Self.mostPixels) {
            throw PictureRefusal(reason: "it has \(width)x\(height) pixels; use a smaller one")
        }
        while (width >> halvings) * (height >> halvings) > ImageDecoder.mostPixels { halvings += 1 }
    }
}

/// The chunks of a PNG file (ISO/IEC 15948).
enum PNGChunks {
    private static let drawn: Set = ["IHDR", "PLTE", "IDAT", "IEND", "tRNS", "gAMA", "cHRM", "sRGB", "sBIT"]

    /// The file without texts, profiles and other data of which its picture does not consist: a few bytes of them may be hundreds of megabytes unpacked.
    /// Of an animated file the picture that is shown without animation is left.
    static func drawn(of file: [UInt8]) -> [UInt8] {
        var kept = Array(file.prefix(8))
        visit(file) { type, whole, _ in
            if drawn.contains(type) { kept += whole }
            return true
        }
        return kept
    }

    /// The contents of the first chunk of a type.
    static func body(_ wanted: String, of file: [UInt8]) -> ArraySlice<UInt8>? {
        var found: ArraySlice<UInt8>?
        visit(file) { type, _, body in
            if type == wanted { found = body }
            return found == nil
        }
        return found
    }

    /// - Parameter body: called with the type, the whole chunk and its contents; false ends the walk.
    private static func visit(_ file: [UInt8], _ body: (String, ArraySlice<UInt8>, ArraySlice<UInt8>) -> Bool) {
        var cursor = ByteCursor(file.dropFirst(8))
        while true {
            let start = cursor.rest
            guard let length = cursor.big(4), length < UInt64(file.count), let type = cursor.take(4),
                let contents = cursor.take(Int(length)), cursor.take(4) != nil
            else { return }
            guard body(type.latin1, start.prefix(Int(length) + 12), contents) else { return }
        }
    }
}

/// The chunks of a WebP file (RFC 9649).
struct WebPChunks {
    private var chunks: [(type: String, whole: ArraySlice<UInt8>, body: ArraySlice<UInt8>)] = []
    private static let most = 4096

    init?(_ file: [UInt8]) {
        guard file.starts(with: Array("RIFF".utf8)), file.dropFirst(8).starts(with: Array("WEBP".utf8)) else { return nil }
        chunks = Self.chunks(file.dropFirst(12))
    }

    private static func chunks(
        _ bytes: ArraySlice<UInt8>
    ) -> [(type: String, whole: ArraySlice<UInt8>, body: ArraySlice<UInt8>)] {
        var found: [(String, ArraySlice<UInt8>, ArraySlice<UInt8>)] = []
        var cursor = ByteCursor(bytes)
        while found.count < most {
            let start = cursor.rest
            guard let type = cursor.fourCharacters(), let length = cursor.little32() else { break }
            // The last chunk of a file that was cut is as long as there are bytes.
            let body = cursor.take(min(length, cursor.count)) ?? []
            if length & 1 == 1 { _ = cursor.byte() }
            found.append((type, start.prefix(start.count - cursor.count), body))
        }
        return found
    }

    func body(_ type: String) -> ArraySlice<UInt8>? { chunks.first { $0.type == type }?.body }

    /// The first picture of an animation.
    private var firstFrame: ArraySlice<UInt8>? {
        guard let frame = body("ANMF"), frame.count > 16 else { return nil }
        return frame
    }

    private static func little24(_ bytes: ArraySlice<UInt8>, at offset: Int) -> Int {
        bytes.dropFirst(offset).prefix(3).reversed().reduce(0) { $0 << 8 | Int($1) }
    }

    /// Where the first picture of an animation is in the whole one; nil if it is the whole one.
    var part: PictureFile.Part? {
        guard let frame = firstFrame, let canvas = body("VP8X"), canvas.count >= 10 else { return nil }
        let part = PictureFile.Part(
            x: 2 * Self.little24(frame, at: 0), y: 2 * Self.little24(frame, at: 3), width: Self.little24(canvas, at: 4) + 1,
            height: Self.little24(canvas, at: 7) + 1)
        let isWhole =
            Self.little24(frame, at: 6) + 1 == part.width && Self.little24(frame, at: 9) + 1 == part.height && part.x == 0
            && part.y == 0
        return isWhole ? nil : part
    }

    /// The first picture of an animation as a file of its own; nil for a file without animation, which a decoder takes as it is.
    var stillPicture: [UInt8]? {
        guard let frame = firstFrame else { return nil }
        let parts = Self.chunks(frame.dropFirst(16)).filter { ["ALPH", "VP8 ", "VP8L"].contains($0.type) }
        var body = Array("WEBP".utf8)
        if parts.contains(where: { $0.type == "ALPH" }) {
            body += Array("VP8X".utf8) + [10, 0, 0, 0, 0x10, 0, 0, 0] + frame.dropFirst(6).prefix(6)
        }
        for part in parts { body += part.whole }
        return Array("RIFF".utf8) + (0..<4).map { UInt8(truncatingIfNeeded: body.count >> (8 * $0)) } + body
    }
}
