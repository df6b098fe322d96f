import WireFormats

// Addresses from playlists, feeds, lists and redirects as they are sent: people and programs write names into them that are not escaped.
extension URLReference {
    /// An address as it goes into a request: what may not stand in a URL (RFC 3986, 2) is percent-encoded, and what is encoded already stays so. The
    /// host stays as it is, for the resolver. An address that is valid does not change.
    package static func escaped(_ url: String) -> String {
        if url.utf8.allSatisfy(isPlain) { return url }
        var parts = URLReference(trimmed(url))
        if let authority = parts.authority, let at = authority.lastIndex(of: "@") {
            parts.authority = encoded(authority[..<at], also: "") + authority[at...]
        }
        parts.path = encoded(parts.path, also: "")
        // PHP's arrays have brackets in their names, and no server minds them there.
        parts.query = parts.query.map { encoded($0, also: "[]") }
        parts.fragment = parts.fragment.map { encoded($0, also: "[]") }
        return parts.description
    }

    /// A reference without blanks and control characters at its ends, and without line breaks and tabs inside: they come from the layout of a text.
    package static func trimmed(_ reference: String) -> String {
        func isLayout(_ byte: UInt8) -> Bool { byte == 0x09 || byte == 0x0A || byte == 0x0D }
        let bytes = reference.utf8
        guard bytes.contains(where: isLayout) || bytes.first.map({ $0 <= 0x20 }) == true || bytes.last.map({ $0 <= 0x20 }) == true
        else { return reference }
        var kept = bytes.filter { !isLayout($0) }[...]
        kept = kept.drop { $0 <= 0x20 }
        while let last = kept.last, last <= 0x20 { kept = kept.dropLast() }
        return String(decoding: kept, as: UTF8.self)
    }

    /// A reference from a header line, whose bytes are of no certain encoding: those that are not ASCII are percent-encoded as they are.
    package static func text(ofBytes bytes: some Collection<UInt8>) -> String {
        bytes.reduce(into: "") { text, byte in
            if byte < 0x80 {
                text.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                text += "%" + byte.hexadecimal(uppercase: true)
            }
        }
    }

    private static func encoded(_ text: some StringProtocol, also allowed: String) -> String {
        let bytes = Array(text.utf8)
        guard !bytes.allSatisfy({ isPlain($0) && $0 != UInt8(ascii: "%") }) else { return String(text) }
        var result = ""
        for (index, byte) in bytes.enumerated() {
            let isEscape =
                byte == UInt8(ascii: "%") && index + 2 < bytes.count && bytes[index + 1].hexadecimalValue != nil
                && bytes[index + 2].hexadecimalValue != nil
            if isEscape || isAllowed(byte) || allowed.utf8.contains(byte) {
                result.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                result += "%" + byte.hexadecimal(uppercase: true)
            }
        }
        return result
    }

    /// A letter, a digit or one of `-./:_~`: nearly all addresses have nothing else.
    private static func isPlain(_ byte: UInt8) -> Bool { byte.isASCIILetterOrDigit || "-./:_~".utf8.contains(byte) }

    /// RFC 3986, 3.3 and 3.4: unreserved characters, sub-delimiters, `:`, `@`, `/` and `?`.
    private static func isAllowed(_ byte: UInt8) -> Bool { isPlain(byte) || "!$&'()*+,;=@?".utf8.contains(byte) }
}
