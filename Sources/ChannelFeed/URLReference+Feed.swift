import URLReferences
import WireFormats

/// The feed's requirements for URLs.
extension URLReference {
    /// Parses a URL of a feed. Illegal characters are percent-encoded if they are not ASCII, and otherwise make it nil. The
    /// scheme becomes lower case.
    init?(checking text: String) {
        var encoded = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\u{00}"..."\u{20}", "\u{7F}", "\"", "<", ">", "\\", "^", "`", "{", "|", "}": return nil
            case "\u{80}"...: for byte in String(scalar).utf8 { encoded += "%" + byte.hexadecimal(uppercase: true) }
            default: encoded.unicodeScalars.append(scalar)
            }
        }
        self.init(encoded)
        scheme = scheme?.lowercased()
    }

    /// The URL of a file by its absolute path.
    static func file(path: String) -> String {
        var encoded = "file://"
        for byte in path.utf8 {
            let character = Character(Unicode.Scalar(byte))
            let isPlain = byte < 0x80 && (character.isLetter || character.isNumber || "/-._~!$&'()*+,;=:@".contains(character))
            encoded += isPlain ? String(character) : "%" + byte.hexadecimal(uppercase: true)
        }
        return encoded
    }

    /// The user and password before the host, if present.
    var credentials: Substring? {
        guard let authority, let mark = authority.lastIndex(of: "@") else { return nil }
        return authority[..<mark]
    }

    /// The host without port, in lower case; an IPv6 address keeps its brackets.
    var host: String? {
        guard let authority else { return nil }
        let start = authority.lastIndex(of: "@").map { authority.index(after: $0) } ?? authority.startIndex
        let rest = authority[start...]
        let end = rest.hasPrefix("[") ? rest.firstIndex(of: "]").map { rest.index(after: $0) } : rest.firstIndex(of: ":")
        return rest[..<(end ?? rest.endIndex)].lowercased()
    }

    /// Whether the port is absent or valid.
    var portIsValid: Bool {
        guard let authority, let host else { return true }
        let start = authority.lastIndex(of: "@").map { authority.index(after: $0) } ?? authority.startIndex
        let rest = authority[start...].dropFirst(host.count)
        if rest.isEmpty || rest == ":" { return true }
        return rest.hasPrefix(":") && rest.dropFirst().allSatisfy { $0.isASCII && $0.isNumber } && UInt16(rest.dropFirst()) != nil
    }
}
