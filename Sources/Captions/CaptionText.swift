import MediaTime
import TextDecoding

extension MediaTime {
    /// Times of captions are below a million hours: packagers of live streams count from 1970. Later ones are invalid.
    static let captionLimit = MediaTime.seconds(3_600_000_000)

    /// A time of a caption file; nil when it is negative or beyond the limit.
    init?(captionSeconds seconds: Double) {
        guard let time = MediaTime(approximateSeconds: seconds) else { return nil }
        self.init(caption: time)
    }

    /// A time of a caption file; nil when it is negative or beyond the limit.
    init?(caption time: MediaTime) {
        guard time >= .zero, time < .captionLimit else { return nil }
        self = time
    }
}

/// Decodes the bytes of a caption file to text.
enum CaptionText {
    /// A file with the WebVTT signature is UTF-8, damaged or not, unless a `charset` is stated: everything else is decoded as `DecodedText` says.
    static func decode(_ bytes: [UInt8], charset: String? = nil, language: String? = nil) -> String {
        let unmarked = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes[3...] : bytes[...]
        if charset == nil, unmarked.starts(with: Array("WEBVTT".utf8)), unmarked.count(where: { $0 >= 0x80 }) < 2 {
            return String(decoding: unmarked, as: UTF8.self)
        }
        return DecodedText(bytes, declared: charset ?? DeclaredEncoding.ofXML(bytes), language: language).text
    }

    /// The lines of a text without their ends: CR LF, LF or CR.
    static func lines(of text: String) -> [String] {
        var lines: [String] = []
        var line = String.UnicodeScalarView()
        var afterReturn = false
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\n" where afterReturn: afterReturn = false
            case "\n", "\r":
                lines.append(String(line))
                line = String.UnicodeScalarView()
                afterReturn = scalar == "\r"
            default:
                // WebVTT section 4.1: NUL is replaced.
                line.append(scalar == "\u{0}" ? "\u{FFFD}" : scalar)
                afterReturn = false
            }
        }
        lines.append(String(line))
        return lines
    }

    static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
        scalar == " " || scalar == "\t" || scalar == "\n" || scalar == "\u{C}" || scalar == "\r"
    }

    static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }
}

extension Double {
    /// A number of a caption file. `nan`, `inf` and numbers that are too large, which Swift also parses, are none.
    init?(finite text: some StringProtocol) {
        guard let value = Double(text), value.isFinite else { return nil }
        self = value
    }
}

/// Scans a text from the front, character by character.
struct CaptionScanner {
    private let scalars: [Unicode.Scalar]
    private(set) var position = 0

    init(_ text: some StringProtocol) { scalars = Array(text.unicodeScalars) }

    var isAtEnd: Bool { position >= scalars.count }
    var next: Unicode.Scalar? { isAtEnd ? nil : scalars[position] }
    var rest: String { text(from: position) }

    func text(from start: Int, to end: Int? = nil) -> String {
        var view = String.UnicodeScalarView()
        view.append(contentsOf: scalars[start..<(end ?? scalars.count)])
        return String(view)
    }

    mutating func advance() { position += 1 }

    mutating func take(_ wanted: String) -> Bool {
        let wanted = Array(wanted.unicodeScalars)
        guard position + wanted.count <= scalars.count, Array(scalars[position..<(position + wanted.count)]) == wanted else {
            return false
        }
        position += wanted.count
        return true
    }

    mutating func skip(while condition: (Unicode.Scalar) -> Bool) { while let next, condition(next) { position += 1 } }

    /// As many digits as there are; nil for none and for more than nine.
    mutating func digits() -> (value: Int64, count: Int)? {
        let start = position
        var value: Int64 = 0
        while let next, CaptionText.isDigit(next) {
            guard position - start < 9 else { return nil }
            value = value * 10 + Int64(next.value - 48)
            position += 1
        }
        return position > start ? (value, position - start) : nil
    }
}
