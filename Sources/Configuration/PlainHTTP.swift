import URLReferences

/// Which addresses may be used over plain http.
package enum PlainHTTP {
    /// The host of a plain http address, in lower case; nil for all other addresses.
    package static func host(of address: String) -> String? {
        let reference = URLReference(address)
        return reference.scheme?.lowercased() == "http" ? reference.host : nil
    }

    /// Whether a host may be used over plain http: those of `[feed] allow_http`, in any case, and this machine.
    package static func isAllowed(_ host: String, by hosts: Set<String>) -> Bool {
        ["localhost", "127.0.0.1", "[::1]"].contains(host) || hosts.contains { $0.lowercased() == host }
    }
}
