/// Text from outside, decoded: captions, lists of channels, guides, feeds, tags and names of files all take this way.
///
/// The rules, in their order:
///
/// 1. A byte order mark decides. UTF-16 without one is known by its zero bytes.
/// 2. Text that is UTF-8 is UTF-8, whatever it is declared to be. Where most of it is, damage costs the damaged characters only, and lines in
///    an older encoding are decoded by the rules below.
/// 3. The declared encoding, if the text fits it.
/// 4. The encodings of the stated language. Where it has several, uchardet tells which, and the letters that the language has not. A language in
///    Latin letters is not that of a text most of whose letters are above ASCII.
/// 5. What uchardet finds, and Windows-1252 where it finds nothing.
///
/// Bytes that cannot be decoded become U+FFFD: every text can be decoded. A value; any thread.
package struct DecodedText: Sendable, Hashable {
    /// The text, without its byte order mark.
    package let text: String
    /// The encoding of all of it, or of its lines that are not UTF-8: `UTF-8`, `UTF-16LE`, or a name of iconv such as `CP1251`.
    package let encoding: String

    /// - Parameters:
    ///   - declared: the name of an encoding that the text, its server or its feed gives. Unknown names are ignored.
    ///   - language: the BCP 47 tag of the text's language, where it is known.
    package init(_ bytes: [UInt8], declared: String? = nil, language: String? = nil) {
        if let marked = UnicodeForm(markOf: bytes) {
            self.init(bytes, as: marked, declared, language)
        } else if let declared = EncodingLabels.known(declared), EncodingLabels.isASCIIOnly(declared),
            bytes.allSatisfy({ $0 < 0x80 })
        {
            // The seven-bit encodings look like UTF-8.
            self.init(
                text: TextConverter(declared)?.convert(bytes)?.text ?? String(decoding: bytes, as: UTF8.self), encoding: declared)
        } else if let found = UnicodeForm(zerosOf: bytes) {
            self.init(bytes, as: found, declared, language)
        } else {
            self.init(bytes, as: UnicodeForm(name: "UTF-8", markLength: 0), declared, language)
        }
    }

    /// A text as UTF-8, by the same rules: the same bytes, if they are UTF-8 without a mark.
    package static func utf8(_ bytes: [UInt8], declared: String? = nil) -> [UInt8] {
        let isPlain = UnicodeForm(markOf: bytes) == nil && !bytes.contains { $0 == 0 || $0 == 0x1B } && TextLines.isUnicode(bytes)
        return isPlain ? bytes : Array(DecodedText(bytes, declared: declared).text.utf8)
    }

    private init(text: String, encoding: String) {
        self.text = text
        self.encoding = encoding
    }

    private init(_ bytes: [UInt8], as form: UnicodeForm, _ declared: String?, _ language: String?) {
        let body = form.markLength == 0 ? bytes : Array(bytes.dropFirst(form.markLength))
        guard form.name == "UTF-8" else {
            encoding = form.name
            text = TextConverter(form.name)?.convert(body)?.text ?? String(decoding: body, as: UTF8.self)
            return
        }
        if !body.contains(0x1B), let text = String(validating: body, as: UTF8.self) {
            (self.text, encoding) = (text, "UTF-8")
            return
        }
        let lines = TextLines(body)
        guard lines.hasForeign else {
            (text, encoding) = (lines.text { _ in nil }, "UTF-8")
            return
        }
        let page = Self.page(of: lines.foreign, declared: declared, language: language)
        encoding = page
        let converter = TextConverter(page)
        text = lines.text { converter?.convert($0)?.text }
    }

    /// The encoding of text that is not UTF-8.
    private static func page(of sample: [UInt8], declared: String?, language: String?) -> String {
        if let declared = EncodingLabels.known(declared), !EncodingLabels.isUnicode(declared), fits(sample, declared) {
            return declared
        }
        let found = EncodingDetector.encoding(of: sample).flatMap { EncodingLabels.widened($0, for: sample) }
        let letters = language.map(LanguageLetters.init)
        let family = letters.map { $0.canBe(of: sample) ? $0.encodings : [] } ?? []
        if let found, family.isEmpty || family.contains(found), fits(sample, found) {
            return letters?.likelier(than: found, for: sample) { fits(sample, $0) } ?? found
        }
        guard let usual = family.first(where: { fits(sample, $0) }) else {
            return found.flatMap { fits(sample, $0) ? $0 : nil } ?? "CP1252"
        }
        return letters?.likelier(than: usual, for: sample) { fits(sample, $0) } ?? usual
    }

    /// Whether a text can be in an encoding: at most one in fifty of its bytes above ASCII is damage or a control character.
    private static func fits(_ sample: [UInt8], _ encoding: String) -> Bool {
        guard let decoded = TextConverter(encoding)?.convert(sample) else { return false }
        let controls = decoded.text.unicodeScalars.count { (0x80..<0xA0).contains($0.value) }
        return (decoded.damage + controls) * 50 <= sample.count { $0 >= 0x80 || $0 == 0x1B }
    }
}

/// A form of Unicode, recognised at the beginning of a text.
private struct UnicodeForm {
    /// iconv's name.
    let name: String
    let markLength: Int

    init(name: String, markLength: Int) {
        self.name = name
        self.markLength = markLength
    }

    /// By the byte order mark.
    init?(markOf bytes: [UInt8]) {
        // UTF-32 first: its little-endian mark begins with that of UTF-16.
        let marks: [(String, [UInt8])] = [
            ("UTF-8", [0xEF, 0xBB, 0xBF]), ("UTF-32LE", [0xFF, 0xFE, 0, 0]), ("UTF-32BE", [0, 0, 0xFE, 0xFF]),
            ("UTF-16LE", [0xFF, 0xFE]), ("UTF-16BE", [0xFE, 0xFF]), ("GB18030", [0x84, 0x31, 0x95, 0x33]),
        ]
        guard let (name, mark) = marks.first(where: { bytes.starts(with: $0.1) }) else { return nil }
        self.init(name: name, markLength: mark.count)
    }

    /// UTF-16 without a mark: its ASCII characters, line ends among them, have a zero in every second byte.
    init?(zerosOf bytes: [UInt8]) {
        let head = bytes.prefix(4096)
        var zeros = [0, 0]
        for (index, byte) in head.enumerated() where byte == 0 { zeros[index & 1] += 1 }
        let (more, fewer) = (max(zeros[0], zeros[1]), min(zeros[0], zeros[1]))
        guard more * 16 > head.count, fewer * 8 < more else { return nil }
        self.init(name: zeros[0] > zeros[1] ? "UTF-16BE" : "UTF-16LE", markLength: 0)
    }
}
