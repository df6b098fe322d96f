/// A URL or relative reference taken apart (RFC 3986), enough to resolve one on another and to judge it.
struct URLReference: Equatable, CustomStringConvertible {
    var scheme: String?
    var authority: String?
    var path: String
    var query: String?
    var fragment: String?

    /// Takes a reference apart by the expression of RFC 3986 appendix B; characters that a URL may not hold are percent-encoded where they
    /// are not ASCII, and make it nil where they are.
    init?(_ text: String) {
        var encoded = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\u{00}"..."\u{20}", "\u{7F}", "\"", "<", ">", "\\", "^", "`", "{", "|", "}": return nil
            case "\u{80}"...: for byte in String(scalar).utf8 { encoded += Self.percentEncoded(byte) }
            default: encoded.unicodeScalars.append(scalar)
            }
        }
        var rest = encoded[...]
        if let mark = rest.firstIndex(of: "#") {
            fragment = String(rest[rest.index(after: mark)...])
            rest = rest[..<mark]
        }
        if let mark = rest.firstIndex(of: "?") {
            query = String(rest[rest.index(after: mark)...])
            rest = rest[..<mark]
        }
        if let mark = rest.firstIndex(of: ":"), Self.isScheme(rest[..<mark]) {
            scheme = rest[..<mark].lowercased()
            rest = rest[rest.index(after: mark)...]
        }
        if rest.hasPrefix("//") {
            rest = rest.dropFirst(2)
            let end = rest.firstIndex(of: "/") ?? rest.endIndex
            authority = String(rest[..<end])
            rest = rest[end...]
        }
        path = String(rest)
    }

    /// The URL of a file by its absolute path.
    static func file(path: String) -> String {
        var encoded = "file://"
        for byte in path.utf8 {
            let character = Character(Unicode.Scalar(byte))
            let isPlain = byte < 0x80 && (character.isLetter || character.isNumber || "/-._~!$&'()*+,;=:@".contains(character))
            encoded += isPlain ? String(character) : percentEncoded(byte)
        }
        return encoded
    }

    /// The user and password before the host, if any are written.
    var credentials: Substring? {
        guard let authority, let mark = authority.lastIndex(of: "@") else { return nil }
        return authority[..<mark]
    }

    /// The host without port, in small letters; an IPv6 address keeps its brackets.
    var host: String? {
        guard let authority else { return nil }
        let start = authority.lastIndex(of: "@").map { authority.index(after: $0) } ?? authority.startIndex
        let rest = authority[start...]
        let end = rest.hasPrefix("[") ? rest.firstIndex(of: "]").map { rest.index(after: $0) } : rest.firstIndex(of: ":")
        return rest[..<(end ?? rest.endIndex)].lowercased()
    }

    /// Whether what follows the host is no port or a port that exists.
    var portIsValid: Bool {
        guard let authority, let host else { return true }
        let start = authority.lastIndex(of: "@").map { authority.index(after: $0) } ?? authority.startIndex
        let rest = authority[start...].dropFirst(host.count)
        if rest.isEmpty || rest == ":" { return true }
        return rest.hasPrefix(":") && rest.dropFirst().allSatisfy { $0.isASCII && $0.isNumber } && UInt16(rest.dropFirst()) != nil
    }

    /// This reference as seen from a base (RFC 3986 section 5.2.2).
    func resolved(on base: URLReference) -> URLReference {
        var result = self
        if scheme == nil {
            result.scheme = base.scheme
            if authority == nil {
                result.authority = base.authority
                if path.isEmpty {
                    result.path = base.path
                    if query == nil { result.query = base.query }
                } else if !path.hasPrefix("/") {
                    let folder = base.path.lastIndex(of: "/").map { base.path[...$0] }
                    result.path = (folder.map(String.init) ?? (base.authority != nil ? "/" : "")) + path
                }
            }
        }
        result.path = Self.removingDotSegments(result.path)
        return result
    }

    var description: String {
        var text = scheme.map { $0 + ":" } ?? ""
        if let authority { text += "//" + authority }
        text += path
        if let query { text += "?" + query }
        if let fragment { text += "#" + fragment }
        return text
    }

    /// RFC 3986 section 5.2.4.
    private static func removingDotSegments(_ path: String) -> String {
        var output: [Substring] = []
        let segments = path.split(separator: "/", omittingEmptySubsequences: false)
        for (index, segment) in segments.enumerated() {
            let isLast = index == segments.count - 1
            switch segment {
            case ".": if isLast { output.append("") }
            case "..":
                if output.count > 1 || output.first.map({ !$0.isEmpty }) == true { output.removeLast() }
                if isLast { output.append("") }
            default: output.append(segment)
            }
        }
        return output.joined(separator: "/")
    }

    private static func isScheme(_ text: Substring) -> Bool {
        guard let first = text.first, first.isASCII, first.isLetter else { return false }
        return text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }
    }

    private static func percentEncoded(_ byte: UInt8) -> String {
        let digits = String(byte, radix: 16, uppercase: true)
        return "%" + (digits.count < 2 ? "0" : "") + digits
    }
}
