import URLReferences

/// The identity of a stored resource: a name made from its address by a `ResourceMatching`, and the byte range if it is a part of
/// a file.
package struct ResourceKey: Sendable, Hashable {
    /// The normalized address, or any other name that the owner of an asset chooses.
    package let name: String
    /// The bytes of the file; nil for the whole of it.
    package let range: Range<Int64>?

    /// Makes a key with a name of the caller's choice, such as path and media sequence number.
    ///
    /// - Parameter range: an open range from the first byte (`0..<Int64.max`) is the whole file. A range that starts below zero
    ///   counts as the whole file too.
    package init(name: String, range: Range<Int64>? = nil) {
        self.name = name
        self.range = range.flatMap { $0 == 0..<Int64.max || $0.lowerBound < 0 ? nil : $0 }
    }

    /// The whole file of which this is a part.
    var whole: ResourceKey { ResourceKey(name: name) }
}

/// The rule that decides which addresses are the same resource, so that a resource is found again after its address was signed anew.
///
/// Scheme and host are compared in lower case, the port only if it is not the scheme's own; user, password and fragment never count.
package struct ResourceMatching: Sendable, Hashable {
    /// Which parameters of the query belong to the identity.
    package enum Query: Sendable, Hashable {
        /// None: servers that put all in the path.
        case ignored
        /// All except these names, compared in lower case. A name that ends in `*` is a prefix.
        case without(Set<String>)
        /// Only these names, compared in lower case.
        case only(Set<String>)
    }
    package var query: Query
    /// Whether scheme and host count. False for a content network that answers from changing hosts.
    package var includesHost: Bool

    /// - Parameter query: by default all parameters except those by which the usual content networks sign addresses.
    package init(query: Query = .without(Self.signatureParameters), includesHost: Bool = true) {
        self.query = query
        self.includesHost = includesHost
    }

    /// Parameters of signed addresses: CloudFront, Amazon S3, Google Cloud, Akamai, Azure, and common names.
    package static let signatureParameters: Set<String> = [
        "policy", "signature", "key-pair-id", "x-amz-*", "x-goog-*", "awsaccesskeyid", "googleaccessid", "hdnts", "hdnea",
        "hdntl",
        "__token__", "se", "sp", "sv", "sr", "sig", "st", "skoid", "sktid", "skt", "ske", "sks", "skv", "token", "auth",
        "expires",
        "expiry", "exp", "hash", "hmac", "sign", "session", "sessionid", "urlprefix", "keyname", "cdn_hash",
    ]

    /// The key of an address. Any text is valid.
    package func key(for url: String, range: Range<Int64>? = nil) -> ResourceKey {
        var reference = URLReference(url)
        // A path of this machine may contain `?` and `#`.
        guard let scheme = reference.scheme?.lowercased() else { return ResourceKey(name: url, range: range) }
        let port = reference.port.map { reference.usualPort == $0 ? "" : ":\($0)" } ?? ""
        reference.authority = includesHost ? reference.host.map { $0 + port } : nil
        reference.scheme = includesHost ? scheme : nil
        reference.query = reference.query.flatMap(matched)
        reference.fragment = nil
        return ResourceKey(name: reference.description, range: range)
    }

    /// The parameters that count, in their order; nil if there are none.
    private func matched(_ query: String) -> String? {
        let parameters = query.split(separator: "&").filter { parameter in
            let name = parameter.prefix { $0 != "=" }.lowercased()
            switch self.query {
            case .ignored: return false
            case .only(let names): return names.contains(name)
            case .without(let names):
                return !names.contains(name) && !names.contains { $0.hasSuffix("*") && name.hasPrefix($0.dropLast()) }
            }
        }
        return parameters.isEmpty ? nil : parameters.joined(separator: "&")
    }
}

extension URLReference {
    /// The port of the scheme.
    fileprivate var usualPort: UInt16? {
        switch scheme?.lowercased() {
        case "http": 80
        case "https": 443
        default: nil
        }
    }
}
