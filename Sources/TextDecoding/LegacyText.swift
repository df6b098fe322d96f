/// How texts are read whose format knows ISO 8859-1 alone, or says nothing: many programs write the encoding of their user's system. A value; any thread.
package struct LegacyText: Sendable, Equatable {
    /// Nil: ISO 8859-1, as the Windows page 1252 has it.
    private let encoding: String?

    /// As the format says.
    package init() { encoding = nil }

    /// By all such texts of a file. Western texts are as the format says: few of their letters are above ASCII. Of the letters of other scripts most
    /// are, also in Shift JIS, where the second byte of a letter may be an ASCII one.
    package init(sample: [UInt8]) {
        let above = sample.count { $0 >= 0x80 }
        let letters = sample.count { (0x41...0x5A).contains($0 & 0xDF) && $0 < 0x80 }
        let isUnicode = above > 0 && String(validating: sample, as: UTF8.self) != nil
        encoding = isUnicode || above * 2 > letters ? DecodedText(sample).encoding : nil
    }

    /// A text of the file.
    package func text(_ bytes: some Collection<UInt8>) -> String {
        guard bytes.contains(where: { $0 >= 0x80 }) else { return String(decoding: bytes, as: UTF8.self) }
        return DecodedText(Array(bytes), declared: encoding ?? "ISO-8859-1").text
    }
}
