import WireFormats

/// Describes content that is not media: the reply of a captive portal, a wrong address or a broken server.
enum ContentSniffer {
    /// A description of content that is certainly not media, so that FFmpeg need not try it; nil otherwise.
    static func nonMedia(_ head: [UInt8]) -> String? {
        let text = startOfText(head)
        if text.hasPrefix("<!doctype html") || text.hasPrefix("<html") || text.hasPrefix("<head") || text.hasPrefix("<body") {
            return "an HTML page"
        }
        if let unplayed = unplayed(head) { return unplayed.words }
        if text.hasPrefix("<?xml") { return text.contains("<html") ? "an HTML page" : "an XML document" }
        if text.hasPrefix("#extm3u") { return "an HLS playlist" }
        if text.hasPrefix("webvtt") { return "WebVTT captions" }
        if text.hasPrefix("{") || text.hasPrefix("[{") { return isText(head) ? "a JSON document" : nil }
        return signatures.first { head.starts(with: $0.bytes) }?.words
    }

    /// A list, a manifest or a description of streams that the box does not play. A message names it, so that the address is not taken for wrong.
    struct Unplayed {
        /// What it is.
        let words: String
        /// How its streams are delivered.
        let delivery: String
    }

    static func unplayed(_ head: [UInt8]) -> Unplayed? {
        let text = startOfText(head)
        guard let root = rootElement(text) else { return openings.first { text.hasPrefix($0.opening) }?.unplayed }
        return switch root {
        case "mpd": Unplayed(words: "a DASH manifest", delivery: "DASH")
        case "smoothstreamingmedia": Unplayed(words: "a Smooth Streaming manifest", delivery: "Smooth Streaming")
        case "manifest" where text.contains("ns.adobe.com/f4m"):
            Unplayed(words: "an F4M manifest", delivery: "Adobe HTTP Dynamic Streaming")
        case "smil": Unplayed(words: "a SMIL document", delivery: "SMIL")
        case "asx": Unplayed(words: "an ASX list", delivery: "lists of Windows Media")
        default: nil
        }
    }

    /// How those that are no XML begin, in small letters.
    private static let openings: [(opening: String, unplayed: Unplayed)] = [
        ("v=0\r\no=", Unplayed(words: "a session description (SDP)", delivery: "RTP and RTSP")),
        ("v=0\no=", Unplayed(words: "a session description (SDP)", delivery: "RTP and RTSP")),
        ("rtsptext", Unplayed(words: "an address of RTSP", delivery: "RTSP")),
        ("rtsp://", Unplayed(words: "an address of RTSP", delivery: "RTSP")),
        ("[reference]", Unplayed(words: "a list of Windows Media", delivery: "those")),
        ("[playlist]", Unplayed(words: "a PLS list", delivery: "those")),
    ]

    /// The name of the root element of an XML document, without its prefix; nil if it is none, or if it is not reached. A declaration, comments and a
    /// document type may come first.
    private static func rootElement(_ text: String) -> Substring? {
        var rest = text[...]
        while let (_, end) = [("<?", "?>"), ("<!--", "-->"), ("<!", ">")].first(where: { rest.hasPrefix($0.0) }) {
            guard let close = rest.firstRange(of: end) else { return nil }
            rest = rest[close.upperBound...].drop(while: \.isWhitespace)
        }
        guard rest.hasPrefix("<") else { return nil }
        return rest.dropFirst().prefix { $0.isLetter || $0.isNumber || "_-.:".contains($0) }.split(separator: ":").last
    }

    /// A description of content that nothing recognised.
    static func words(_ head: [UInt8]) -> String {
        if head.allSatisfy({ $0 == 0 }) { return "only zero bytes" }
        return isText(head) ? "plain text" : "data in no known media format"
    }

    /// Undoes FFmpeg's `\xHH` escapes for bytes that are not text in its dictionaries.
    static func unescaped(_ text: String) -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            let digits = rest.dropFirst().prefix(2)
            if byte == UInt8(ascii: "\\"), rest.first == UInt8(ascii: "x"), digits.count == 2,
                let value = [UInt8](hexadecimal: String(decoding: digits, as: UTF8.self))?.first
            {
                bytes.append(value)
                rest = rest.dropFirst(3)
            } else {
                bytes.append(byte)
            }
        }
        return bytes
    }

    private static let signatures: [(bytes: [UInt8], words: String)] = [
        ([0x25, 0x50, 0x44, 0x46], "a PDF document"), ([0x50, 0x4b, 0x03, 0x04], "a ZIP archive"),
        ([0x1f, 0x8b], "gzip-compressed data"), ([0x89, 0x50, 0x4e, 0x47], "a PNG picture"),
        ([0xff, 0xd8, 0xff], "a JPEG picture"), ([0x47, 0x49, 0x46, 0x38], "a GIF picture"),
        ([0x7f, 0x45, 0x4c, 0x46], "a program"),
    ]

    /// The start of the text in lower case, after a byte order mark and white space. Of UTF-16 only its ASCII characters are of use.
    private static func startOfText(_ head: [UInt8]) -> String {
        let isUTF16 = head.starts(with: [0xff, 0xfe]) || head.starts(with: [0xfe, 0xff])
        let characters = isUTF16 ? head.dropFirst(2).prefix(4096).filter { $0 != 0 } : head
        let text = (characters.starts(with: [0xef, 0xbb, 0xbf]) ? characters.dropFirst(3) : characters[...])
            .drop { [0x20, 0x09, 0x0a, 0x0d].contains($0) }
        return String(decoding: text.prefix(2048).map { (0x41...0x5a).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
    }

    /// No control characters except white space, and valid UTF-8 except for a character cut at the end.
    private static func isText(_ head: [UInt8]) -> Bool {
        let hasControl = head.contains { $0 < 0x20 && ![0x09, 0x0a, 0x0c, 0x0d, 0x1b].contains($0) || $0 == 0x7f }
        return !hasControl && (0..<4).contains { String(validating: head.dropLast($0), as: UTF8.self) != nil }
    }
}
