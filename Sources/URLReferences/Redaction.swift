/// Removes secrets from addresses and sentences: user names and passwords, the values of queries and path parameters, which may
/// hold tokens, fragments, and the values of headers that carry credentials.
///
/// Everything that is shown, logged or sent to an operator passes through here; a second pass changes nothing. Scheme, host, path
/// and the names of query parameters stay.
package enum Redaction {
    private static let mark = "REDACTED"

    /// An address that may be shown and sent.
    package static func withoutSecrets(_ url: String) -> String {
        guard let slashes = url.firstRange(of: "//") else { return withoutSecretsInPath(url) }
        // An address inside the path or query does not make the whole an address with that scheme.
        let isInside = url[..<slashes.lowerBound].contains { $0 == "?" || $0 == "#" || $0 == "/" }
        if isInside { return withoutSecretsInTail(url[...]) }
        return url[..<slashes.upperBound] + withoutSecretsBehindSlashes(url[slashes.upperBound...])
    }

    /// A sentence, or several lines, with the addresses and headers in it redacted.
    package static func inText(_ text: String) -> String {
        var result = ""
        for part in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
            if !result.isEmpty || part.startIndex != text.startIndex { result.append(text[text.index(before: part.startIndex)]) }
            result += inLine(part)
        }
        return result
    }

    // MARK: Addresses

    /// Authority, path, query and fragment.
    private static func withoutSecretsBehindSlashes(_ rest: Substring) -> String {
        let end = rest.firstIndex { $0 == "/" || $0 == "?" || $0 == "#" } ?? rest.endIndex
        let authority = rest[..<end]
        // A password with an unescaped special character: its end is not known, so nothing is shown.
        guard let host = host(authority, endsText: end == rest.endIndex) else { return mark }
        return host + withoutSecretsInTail(rest[end...])
    }

    /// Host and port of an authority; nil when it is invalid.
    ///
    /// - Parameter endsText: whether nothing follows it, so that it may end with the closing characters of a quotation or a clause.
    private static func host(_ authority: Substring, endsText: Bool = false) -> Substring? {
        if let at = authority.lastIndex(of: "@") { return authority[authority.index(after: at)...] }
        let last = endsText ? authority.lastIndex { $0 == "]" || !closing.contains($0) } : nil
        return hasNoPort(last.map { authority[...$0] } ?? authority) ? nil : authority
    }

    /// Whether the text after a host's colon is not a port.
    private static func hasNoPort(_ authority: Substring) -> Bool {
        guard authority.last != "]", let colon = authority.lastIndex(of: ":") else { return false }
        return !authority[authority.index(after: colon)...].allSatisfy { $0.isASCII && $0.isNumber }
    }

    /// A path, possibly of this machine: a question mark in a file name starts a query only if a value is assigned after it.
    private static func withoutSecretsInPath(_ text: String) -> String {
        guard let start = text.firstIndex(where: { $0 == "?" || $0 == "#" }) else { return text }
        return text[start...].contains("=") ? withoutSecretsInTail(text[...]) : text
    }

    /// Path, query and fragment.
    private static func withoutSecretsInTail(_ tail: Substring) -> String {
        var rest = tail
        var fragment = ""
        if let hash = rest.firstIndex(of: "#") {
            // A fragment never reaches a server, but players are still given secrets in it.
            fragment = "#\(mark)"
            rest = rest[..<hash]
        }
        var query = ""
        if let question = rest.firstIndex(of: "?") {
            let names = rest[rest.index(after: question)...].split(separator: "&", omittingEmptySubsequences: false).map {
                part -> String in
                // A part without a value, or followed only by the closing characters of Base64 and quotations, is a value itself.
                guard let equals = part.firstIndex(of: "="),
                    part[equals...].contains(where: { $0 != "=" && !closing.contains($0) })
                else {
                    return part.isEmpty ? "" : mark
                }
                return "\(part.prefix(upTo: equals))=\(mark)"
            }
            query = "?" + names.joined(separator: "&")
            rest = rest[..<question]
        }
        return segments(rest) + query + fragment
    }

    /// The segments of a path: parameters lose their values (`;jsessionid=…`, `/hdnts=…/`), an address inside the path loses its
    /// user.
    private static func segments(_ path: Substring) -> String {
        guard path.contains(where: { $0 == "=" || $0 == "@" || $0 == "%" || $0 == ":" }) else { return String(path) }
        var shown: [String] = []
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        for (index, part) in parts.enumerated() {
            var part = part
            if index >= 2, parts[index - 1].isEmpty {
                guard let host = host(part) else { return (shown + [mark]).joined(separator: "/") }
                part = host
            }
            let folded = part.lowercased()
            if folded.contains("%2f%2f"), folded.contains("%40") || part.contains("@") {
                shown.append(mark)
            } else {
                shown.append(
                    part.split(separator: ";", omittingEmptySubsequences: false).map { parameter in
                        parameter.firstIndex(of: "=").map { "\(parameter[..<$0])=\(mark)" } ?? String(parameter)
                    }.joined(separator: ";"))
            }
        }
        return shown.joined(separator: "/")
    }

    // MARK: Sentences

    /// Headers whose values are credentials: the rest of their line is hidden.
    private static let headers: Set<String> = [
        "authorization", "proxy-authorization", "cookie", "set-cookie", "cookie2", "set-cookie2", "api-key", "www-authenticate",
        "proxy-authenticate", "authentication-info",
    ]
    /// Parts of the names of custom credential headers.
    private static let headerParts = ["token", "key", "auth", "secret", "session", "signature", "credential"]
    /// Names that take a value in plain text.
    private static let names: Set<String> = [
        "token", "access_token", "refresh_token", "id_token", "auth", "password", "passwd", "pass", "pwd", "passphrase", "psk",
        "wifi_password", "secret", "client_secret", "sig", "signature", "hmac", "api_key", "apikey", "sessionid", "jsessionid",
    ]
    /// Characters that may close a quotation or a clause after an address.
    private static let closing: Set<Character> = ["\"", "'", ")", "]", "}", ">", ",", ".", ";", ":", "”", "’", "»"]
    private static let opening: Set<Character> = ["\"", "'", "(", "[", "{", "<", "“", "‘", "«", "`"]

    private static func inLine(_ line: Substring) -> String {
        var shown = ""
        var hidesNext = false
        var rest = line
        while !rest.isEmpty {
            let gap = rest.prefix(while: \.isWhitespace)
            rest = rest[gap.endIndex...]
            shown += gap
            let word = rest.prefix { !$0.isWhitespace }
            rest = rest[word.endIndex...]
            guard !word.isEmpty else { continue }
            let (text, endsLine, hides) = inWord(word)
            // A separate word may hide what follows, whether it is hidden itself or not.
            shown += hidesNext ? mark : text
            if endsLine { return shown + (hidesNext ? "" : " " + mark) }
            hidesNext = hides
        }
        return shown
    }

    /// - Returns: the word as it may be shown; whether to hide the rest of its line, or the next word.
    private static func inWord(_ word: Substring) -> (text: String, endsLine: Bool, hidesNext: Bool) {
        let bare = word.drop { opening.contains($0) }
        if let colon = bare.firstIndex(of: ":"), isCredentials(bare[..<colon]) {
            return ("\(word[..<colon]):", true, false)
        }
        if ["Bearer", "bearer", "Basic", "Digest"].contains(bare) { return (String(word), false, true) }
        if word.contains("//") || word.contains("?") || bare.dropFirst().contains("#") {
            let front = word[..<bare.startIndex]
            let hidden = withoutSecrets(String(bare))
            let tail = hidden.hasSuffix(mark) ? String(bare.reversed().prefix { closing.contains($0) }.reversed()) : ""
            return (front + hidden + tail, false, false)
        }
        if let equals = bare.firstIndex(of: "="), names.contains(bare[..<equals].lowercased()) {
            return ("\(word[...equals])\(mark)", false, false)
        }
        return (String(word), false, false)
    }

    private static func isCredentials(_ name: Substring) -> Bool {
        let name = name.lowercased()
        return headers.contains(name) || (name.hasPrefix("x-") && headerParts.contains { name.contains($0) })
    }
}
