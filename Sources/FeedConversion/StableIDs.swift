import Cryptography
import WireFormats

/// Gives ids that a feed may have (`[A-Za-z0-9._-]{1,64}`, unique), the same ones for the same source each time.
///
/// An id of the source that is legal stays. Of another one the legal part stays, and a hash of the whole text follows, so that the id does not
/// depend on what else is in the source. Only of equal ids the later ones are numbered.
struct StableIDs {
    private var used: Set<String> = []
    private var counts: [String: Int] = [:]

    /// The id for a text of the source.
    ///
    /// - Returns: the id, and whether the text itself could not be used because another has it.
    mutating func id(for text: String) -> (id: String, isRepeated: Bool) {
        let wanted = Self.legal(text)
        if used.insert(wanted).inserted { return (wanted, false) }
        while true {
            let number = counts[wanted, default: 1] + 1
            counts[wanted] = number
            let suffix = "-\(number)"
            let candidate = wanted.prefix(64 - suffix.utf8.count) + suffix
            if used.insert(String(candidate)).inserted { return (String(candidate), true) }
        }
    }

    /// A text as an id: itself if it is one.
    static func legal(_ text: String) -> String {
        if PlainName.isOne(text) { return text }
        var word = ""
        for byte in text.utf8.prefix(400) {
            if PlainName.allows(byte) {
                word.unicodeScalars.append(Unicode.Scalar(byte))
            } else if !word.isEmpty, !word.hasSuffix("-") {
                word += "-"
            }
            if word.utf8.count >= 48 { break }
        }
        while word.hasSuffix("-") { word.removeLast() }
        return (word.isEmpty ? "id" : word) + "-" + SHA256.hexadecimal(of: text).prefix(10)
    }
}
