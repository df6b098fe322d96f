/// Text of one source that comes in pieces: the samples of a caption track, the titles of a radio station. One piece is too short to tell its encoding, so
/// those that have come are kept and looked at together. A value; one thread at a time.
package struct TextPieces: Sendable {
    private let language: String?
    /// The pieces so far that are no Unicode, as far as they are kept.
    private var sample: [UInt8] = []
    private var encoding: String?
    /// The sample is looked at again when it is as long as this.
    private var nextLook = 0

    /// Enough to be certain.
    private static let longestSample = 16 << 10
    /// With fewer bytes above ASCII, uchardet guesses: text of which most letters are ASCII is Western then.
    private static let fewest = 24

    /// - Parameter language: the BCP 47 tag of the text's language, where it is known.
    package init(language: String? = nil) { self.language = language }

    /// The next piece.
    package mutating func text(_ bytes: [UInt8]) -> String {
        let decoded = DecodedText(bytes, declared: encoding, language: language)
        if decoded.encoding.hasPrefix("UTF-") { return decoded.text }
        if sample.count < Self.longestSample { sample += bytes.prefix(Self.longestSample) + [0x0A] }
        guard sample.count >= nextLook else { return decoded.text }
        nextLook = sample.count < Self.longestSample ? sample.count + sample.count / 2 : .max
        encoding = found()
        return DecodedText(bytes, declared: encoding, language: language).text
    }

    private func found() -> String {
        let above = sample.count { $0 >= 0x80 }
        let letters = sample.count { (0x41...0x5A).contains($0 & 0xDF) && $0 < 0x80 }
        let isKnown = language.map { !LanguageEncodings.encodings(of: $0).isEmpty } ?? false
        if !isKnown, above < Self.fewest, above * 2 <= letters, !sample.contains(0x1B) { return "CP1252" }
        return DecodedText(sample, language: language).encoding
    }
}
