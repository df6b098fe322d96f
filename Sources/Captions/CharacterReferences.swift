import TextDecoding

/// Named and numeric character references of HTML.
enum CharacterReferences {
    /// Parses a reference at its `&`; returns nil and consumes nothing when there is none.
    static func read(_ scanner: inout CaptionScanner) -> String? {
        var ahead = scanner
        ahead.advance()
        let start = ahead.position
        ahead.skip { $0 == "#" || $0.isASCII && ($0.properties.isAlphabetic || CaptionText.isDigit($0)) }
        let name = ahead.text(from: start, to: ahead.position)
        guard ahead.next == ";", name.unicodeScalars.count <= 10, let text = character(name) else { return nil }
        ahead.advance()
        scanner = ahead
        return text
    }

    private static func character(_ name: String) -> String? {
        if name.hasPrefix("#x") || name.hasPrefix("#X") { return number(UInt32(name.dropFirst(2), radix: 16)) }
        if name.hasPrefix("#") { return number(UInt32(name.dropFirst())) }
        return NamedCharacters.character(name).map { String($0) }
    }

    private static func number(_ code: UInt32?) -> String? {
        guard let code else { return nil }
        return String(NamedCharacters.character(code) ?? "\u{FFFD}")
    }

    /// The text up to a character, with its references resolved.
    static func text(_ scanner: inout CaptionScanner, until end: Unicode.Scalar) -> String {
        var result = String.UnicodeScalarView()
        while let next = scanner.next, next != end {
            if next == "&", let reference = read(&scanner) {
                result.append(contentsOf: reference.unicodeScalars)
            } else {
                result.append(next)
                scanner.advance()
            }
        }
        return String(result)
    }
}
