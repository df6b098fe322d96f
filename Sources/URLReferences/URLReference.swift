import Glibc
import WireFormats

/// The five parts of a URI reference (RFC 3986), and its resolution against a base.
///
/// A path without a scheme, such as `/media/a.m3u8`, may also be a base: the result is then a path.
package struct URLReference: Sendable, Hashable, CustomStringConvertible {
    /// `http`, without the colon.
    package var scheme: String?
    /// Host with user and port, e.g. `example.com:8080`.
    package var authority: String?
    /// The path, which may be empty.
    package var path: String
    /// The part after `?`.
    package var query: String?
    /// The part after `#`.
    package var fragment: String?

    /// Splits a reference; any text is valid. By bytes: the delimiters are ASCII, and characters take several times as long.
    ///
    /// In an http address a backslash is a slash, as browsers have it (WHATWG URL, 4.4).
    package init(_ text: String) {
        let scheme = Self.scheme(of: text)
        let text = Self.isOfWeb(scheme) ? Self.withSlashes(text) : text
        self.scheme = scheme
        var rest = text.utf8[...]
        if let scheme { rest = rest.dropFirst(scheme.utf8.count + 1) }
        if let hash = rest.firstIndex(of: UInt8(ascii: "#")) {
            fragment = Self.text(rest[rest.index(after: hash)...])
            rest = rest[..<hash]
        }
        if let mark = rest.firstIndex(of: UInt8(ascii: "?")) {
            query = Self.text(rest[rest.index(after: mark)...])
            rest = rest[..<mark]
        }
        if rest.starts(with: "//".utf8) {
            rest = rest.dropFirst(2)
            let end = rest.firstIndex(of: UInt8(ascii: "/")) ?? rest.endIndex
            authority = Self.text(rest[..<end])
            rest = rest[end...]
        }
        path = Self.text(rest)
    }

    private static func text(_ bytes: Substring.UTF8View) -> String { String(Substring(bytes)) }

    private static func scheme(of text: String) -> String? {
        guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")), isScheme(text.utf8[..<colon]) else { return nil }
        return Self.text(text.utf8[..<colon])
    }

    private static func isOfWeb(_ scheme: String?) -> Bool {
        guard let scheme, (4...5).contains(scheme.utf8.count) else { return false }
        return ["http", "https"].contains(scheme.lowercased())
    }

    /// A reference with slashes instead of the backslashes before its query and fragment.
    private static func withSlashes(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "\\")) else { return text }
        var isInPath = true
        let bytes = text.utf8.map { byte -> UInt8 in
            if byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#") { isInPath = false }
            return isInPath && byte == UInt8(ascii: "\\") ? UInt8(ascii: "/") : byte
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    package var description: String {
        var text = ""
        if let scheme { text += scheme + ":" }
        if let authority { text += "//" + authority }
        text += path
        if let query { text += "?" + query }
        if let fragment { text += "#" + fragment }
        return text
    }

    /// Resolves `reference` in a document at `base` (RFC 3986 5.2).
    ///
    /// A base without a scheme is the path of a file, whose name may contain `?` and `#`. The result may still have characters that are sent escaped
    /// (`escaped`).
    package static func resolve(reference: String, against base: String) -> String {
        var place = URLReference(base)
        if place.scheme == nil, !base.hasPrefix("//") {
            place = URLReference("")
            place.path = base
        }
        let text = trimmed(reference)
        // A name of a file may contain a backslash.
        let isOfWeb = Self.isOfWeb(place.scheme) && scheme(of: text) == nil
        return URLReference(isOfWeb ? withSlashes(text) : text).resolved(on: place).description
    }

    /// Resolves this reference in a document at `base` (RFC 3986 5.2.2).
    package func resolved(on base: URLReference) -> URLReference {
        var target = self
        if scheme != nil {
            // The part after `data:` and similar schemes is not a path.
            if path.hasPrefix("/") { target.path = Self.withoutDots(path) }
            return target
        }
        target.scheme = base.scheme
        if authority != nil {
            target.path = Self.withoutDots(path)
            return target
        }
        target.authority = base.authority
        if path.isEmpty {
            target.path = base.path
            target.query = query ?? base.query
        } else {
            target.path = Self.withoutDots(path.hasPrefix("/") ? path : Self.merged(path, base))
        }
        return target
    }

    /// A path without `.` and `..` segments (RFC 3986 5.2.4); a relative path keeps the `..` that lead out of it.
    package static func withoutDots(_ path: String) -> String {
        guard hasSegmentWithDot(path) else { return path }
        let isAbsolute = path.hasPrefix("/")
        var kept: [Substring] = []
        let parts = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst(isAbsolute ? 1 : 0)
        for (index, part) in parts.enumerated() {
            let isLast = index == parts.count - 1
            switch part {
            case ".":
                if isLast { kept.append("") }
            case "..":
                if let last = kept.last, last != ".." {
                    kept.removeLast()
                } else if !isAbsolute {
                    kept.append("..")
                    continue
                }
                if isLast { kept.append("") }
            default:
                kept.append(part)
            }
        }
        return (isAbsolute ? "/" : "") + kept.joined(separator: "/")
    }

    /// Replaces `%41` by `A`; invalid triplets stay unchanged.
    package static func percentDecoded(_ text: some StringProtocol) -> String {
        let bytes = Array(text.utf8)
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var position = 0
        while position < bytes.count {
            if bytes[position] == UInt8(ascii: "%"), position + 2 < bytes.count, let high = bytes[position + 1].hexadecimalValue,
                let low = bytes[position + 2].hexadecimalValue
            {
                result.append(high << 4 | low)
                position += 3
            } else {
                result.append(bytes[position])
                position += 1
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// Whether a segment begins with a dot: without one there is nothing to remove.
    private static func hasSegmentWithDot(_ path: String) -> Bool {
        var before = UInt8(ascii: "/")
        for byte in path.utf8 {
            if byte == UInt8(ascii: "."), before == UInt8(ascii: "/") { return true }
            before = byte
        }
        return false
    }

    private static func merged(_ path: String, _ base: URLReference) -> String {
        if base.authority != nil, base.path.isEmpty { return "/" + path }
        guard let slash = base.path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return path }
        return base.path[...slash] + path
    }

    private static func isScheme(_ text: Substring.UTF8View) -> Bool {
        guard let first = text.first, (first | 0x20) >= UInt8(ascii: "a"), (first | 0x20) <= UInt8(ascii: "z") else {
            return false
        }
        return text.allSatisfy { byte in
            let lower = byte | 0x20
            return (lower >= UInt8(ascii: "a") && lower <= UInt8(ascii: "z"))
                || (byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9"))
                || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
        }
    }

    /// The host without user and port, in lower case; an IPv6 address keeps its brackets.
    package var host: String? {
        guard let authority else { return nil }
        let rest = Self.withoutUser(authority)
        let end = rest.hasPrefix("[") ? rest.firstIndex(of: "]").map { rest.index(after: $0) } : rest.firstIndex(of: ":")
        return rest[..<(end ?? rest.endIndex)].lowercased()
    }

    /// The port, or the default one of http and https; nil for other schemes and for text that is not a number.
    package var port: UInt16? {
        guard let authority, let host else { return nil }
        let rest = Self.withoutUser(authority).dropFirst(host.count)
        guard rest.isEmpty || rest == ":" else { return rest.hasPrefix(":") ? UInt16(rest.dropFirst()) : nil }
        switch scheme?.lowercased() {
        case "http": return 80
        case "https": return 443
        default: return nil
        }
    }

    private static func withoutUser(_ authority: String) -> Substring {
        authority[(authority.lastIndex(of: "@").map { authority.index(after: $0) } ?? authority.startIndex)...]
    }

    /// Whether two URLs have the same scheme, host and port (RFC 6454).
    package func hasSameOrigin(as other: URLReference) -> Bool {
        scheme?.lowercased() == other.scheme?.lowercased() && host == other.host && port == other.port
    }

    /// Whether the URL is a file or a path.
    package var isFile: Bool { scheme == nil || scheme?.lowercased() == "file" }

    /// Whether the host is this machine, in any of the notations that resolvers accept: `localhost`, `127.1`, `0x7f000001`,
    /// `[::1]`, `0.0.0.0`, `[::ffff:127.0.0.1]`.
    package var isThisMachine: Bool {
        guard let host else { return false }
        var name = Self.percentDecoded(host).lowercased()
        if name.hasSuffix(".") { name.removeLast() }
        if name == "localhost" || name.hasSuffix(".localhost") { return true }
        if name.hasPrefix("[") {
            var address = in6_addr()
            // A zone (`%25lo`) belongs to the interface and not to the address.
            guard inet_pton(AF_INET6, String(name.dropFirst().prefix { $0 != "]" && $0 != "%" }), &address) == 1 else {
                return false
            }
            return Self.isThisMachine(address)
        }
        var address = in_addr()
        guard inet_aton(name, &address) != 0 else { return false }
        return Self.isThisMachine(address)
    }

    /// Whether an address is one of this machine's loopback interface.
    package static func isThisMachine(_ address: in6_addr) -> Bool {
        let bytes = withUnsafeBytes(of: address) { Array($0) }
        let isMapped = bytes[..<10].allSatisfy { $0 == 0 } && bytes[10...11].allSatisfy { $0 == 0xff }
        return isMapped ? isThisMachine(bytes[12]) : bytes[..<15].allSatisfy { $0 == 0 } && bytes[15] <= 1
    }

    /// Whether an address is one of this machine's loopback interface.
    package static func isThisMachine(_ address: in_addr) -> Bool { isThisMachine(withUnsafeBytes(of: address) { $0[0] }) }

    /// 127.0.0.0/8 is the loopback network, and Linux takes 0.0.0.0 for it (RFC 1122, 3.2.1.3).
    private static func isThisMachine(_ first: UInt8) -> Bool { first == 127 || first == 0 }

    /// Whether a document at this URL may name `target`: a document from another machine may name neither files nor servers of
    /// this one.
    package func mayName(_ target: URLReference) -> Bool {
        if isFile || isThisMachine { return true }
        return !target.isFile && !target.isThisMachine
    }
}
