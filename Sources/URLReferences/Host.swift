import Glibc

/// The host of a URL, and what a document at one host may name.
extension URLReference {
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
