/// Takes out of addresses what may open doors: user names and passwords, and the values of the query, where tokens travel.
public enum Redaction {
    private static let mark = "REDACTED"

    /// An address that may be shown and sent: scheme, host, path and the query's names stay.
    public static func withoutSecrets(_ url: String) -> String {
        guard let colon = url.firstRange(of: "://") else { return url }
        var rest = url[colon.upperBound...]
        var fragment = ""
        if let hash = rest.firstIndex(of: "#") {
            // A fragment never reaches a server; players are given secrets in it all the same.
            fragment = "#\(mark)"
            rest = rest[..<hash]
        }
        var query = ""
        if let question = rest.firstIndex(of: "?") {
            let names = rest[rest.index(after: question)...].split(separator: "&", omittingEmptySubsequences: false).map {
                part -> String in
                guard let equals = part.firstIndex(of: "=") else { return part.isEmpty ? "" : mark }
                return "\(part[..<equals])=\(mark)"
            }
            query = "?" + names.joined(separator: "&")
            rest = rest[..<question]
        }
        let end = rest.firstIndex(of: "/") ?? rest.endIndex
        if let at = rest[..<end].lastIndex(of: "@") { rest = rest[rest.index(after: at)...] }
        return "\(url[..<colon.upperBound])\(rest)\(query)\(fragment)"
    }

    /// A sentence with the addresses in it treated so.
    public static func inText(_ text: String) -> String {
        text.split(separator: " ", omittingEmptySubsequences: false).map { word in
            word.contains("://") ? withoutSecrets(String(word)) : String(word)
        }.joined(separator: " ")
    }
}
