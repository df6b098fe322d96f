/// The kind of an address: only files, HTTP and streams in datagrams are ever opened.
package enum Location: Equatable {
    /// A path on this machine.
    case file(String)
    /// A URL for libcurl.
    case http
    /// A stream that is sent to this machine, or to a group of receivers.
    case datagrams(DatagramAddress)
    /// Another scheme, or an address that cannot be one of its scheme.
    case unknown(String)

    package init(_ url: String) {
        guard let colon = url.firstIndex(of: ":"), Self.isScheme(url[..<colon]) else {
            self = .file(url)
            return
        }
        switch url[..<colon].lowercased() {
        case "http", "https": self = .http
        case "file": self = .file(Self.path(url[url.index(after: colon)...]))
        case let scheme:
            let isDatagrams = DatagramAddress.isScheme(scheme)
            let address = isDatagrams ? (try? DatagramAddress(URLReference(url))) : nil
            self = address.map { Location.datagrams($0) } ?? .unknown(scheme)
        }
    }

    /// RFC 3986, 3.1.
    private static func isScheme(_ text: Substring) -> Bool {
        guard let first = text.utf8.first, isLetter(first) else { return false }
        return text.utf8.allSatisfy { isLetter($0) || (0x30...0x39).contains($0) || [0x2b, 0x2d, 0x2e].contains($0) }
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (0x41...0x5a).contains(byte & 0xdf) }

    /// The path of a `file:` URL (RFC 8089), without the host and with escapes resolved.
    private static func path(_ rest: Substring) -> String {
        var rest = rest.prefix { $0 != "?" && $0 != "#" }
        if rest.hasPrefix("//") { rest = rest.dropFirst(2).drop { $0 != "/" } }
        return URLReference.percentDecoded(rest)
    }
}
