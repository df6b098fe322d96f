import URLReferences

/// Keeps libcurl's cookies within bounds, and those that came over https from going out over plain http: a server need not say `Secure` for that. On lines of
/// Netscape's format for cookie files, as libcurl lists them.
enum CookieRule {
    /// Of one domain, as many as every browser keeps (RFC 6265, 6.1); of all domains; and the bytes of all.
    static let mostOfDomain = 50
    static let most = 300
    static let mostBytes = 128 << 10
    /// As long as every browser keeps one.
    static let longest = 4096 + 256

    /// The same for the cookies of an answer that came from an address.
    static func kept(_ lines: [String], names: Set<String>, from url: String) -> [String]? {
        let place = URLReference(url)
        return kept(lines, names: names, host: place.host ?? "", isSecure: place.scheme?.lowercased() == "https")
    }

    /// The lines that stay after an answer; nil if nothing changes.
    ///
    /// - Parameters:
    ///   - names: of the cookies that the answer has set. They stay before others.
    ///   - host: that of the answer.
    ///   - isSecure: whether it came over https.
    static func kept(_ lines: [String], names: Set<String>, host: String, isSecure: Bool) -> [String]? {
        var cookies = lines.enumerated().compactMap { Cookie($0.element, $0.offset) }
        for index in cookies.indices where names.contains(cookies[index].name) && cookies[index].isOf(host) {
            cookies[index].isNew = true
            if isSecure { cookies[index].fields[3] = "TRUE" }
        }
        var counts: [String: Int] = [:]
        var (count, bytes) = (0, 0)
        let kept = (cookies.filter(\.isNew) + cookies.filter { !$0.isNew }).filter { cookie in
            let length = cookie.line.utf8.count
            guard length <= longest, count < most, bytes + length <= mostBytes, counts[cookie.domain, default: 0] < mostOfDomain
            else { return false }
            counts[cookie.domain, default: 0] += 1
            (count, bytes) = (count + 1, bytes + length)
            return true
        }
        let result = kept.sorted { $0.place < $1.place }.map(\.line)
        return result == lines ? nil : result
    }

    private struct Cookie {
        /// Domain, whether its subdomains are meant, path, whether it is secure, expiry, name, value.
        var fields: [String]
        let place: Int
        var isNew = false

        init?(_ line: String, _ place: Int) {
            fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            self.place = place
            if fields.count < 7 { return nil }
        }

        var line: String { fields.joined(separator: "\t") }
        var name: String { fields[5] }

        var domain: String {
            let mark = "#HttpOnly_"
            let domain = fields[0].hasPrefix(mark) ? fields[0].dropFirst(mark.count) : fields[0][...]
            return (domain.first == "." ? domain.dropFirst() : domain).lowercased()
        }

        func isOf(_ host: String) -> Bool { host.lowercased() == domain || host.lowercased().hasSuffix("." + domain) }
    }
}

/// The names of the cookies that a head sets, by its lines. All requests share their cookies, which are bounded when a head has ended: then libcurl has
/// taken those in it.
struct AnswerCookies {
    private static let mark = "set-cookie:"

    private var names: Set<String> = []

    /// - Returns: the names, at the end of a head that sets some.
    mutating func take(_ line: UnsafeRawBufferPointer) -> Set<String>? {
        let length = Self.mark.utf8.count
        if line.count > length, String(decoding: line.prefix(length), as: UTF8.self).lowercased() == Self.mark {
            let name = String(decoding: line.dropFirst(length).prefix { $0 != UInt8(ascii: "=") }, as: UTF8.self)
            names.insert(String(name.drop { $0 == " " }.prefix { $0 != " " }))
        } else if line.count <= 2, !names.isEmpty {
            defer { names = [] }
            return names
        }
        return nil
    }
}
