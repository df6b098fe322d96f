import URLReferences

/// Decides whether a redirect is followed, and what the next request carries.
struct RedirectRule: Sendable {
    /// The hosts that may be used over plain http although the first address was https, in lower case (`[feed] allow_http`).
    var plainHTTPHosts: Set<String> = []

    /// What is done with a redirect.
    enum Answer: Equatable {
        /// - Parameter carriesHeaders: whether the header lines of the request, which may contain secrets, go along.
        case follow(carriesHeaders: Bool)
        /// - Parameter reason: completes "was redirected to …, which is refused: ".
        case refuse(reason: String)
    }

    /// - Parameters:
    ///   - origin: the address of the response, absolute.
    ///   - target: the address to which it redirects, absolute.
    func answer(from origin: String, to target: String) -> Answer {
        let origin = URLReference(origin)
        let target = URLReference(target)
        let scheme = target.scheme?.lowercased()
        guard scheme == "http" || scheme == "https" else { return .refuse(reason: "it is not an http or https address") }
        guard origin.mayName(target) else { return .refuse(reason: "it is on this box") }
        let wasSecure = origin.scheme?.lowercased() == "https"
        if wasSecure, scheme == "http", !plainHTTPHosts.contains(target.host ?? ""), !target.isThisMachine {
            return .refuse(reason: "it is plain http, and its host is not in [feed] allow_http")
        }
        // The same server, or its encrypted side.
        let isUpgrade = !wasSecure && scheme == "https" && origin.port == 80 && target.port == 443
        let isSameServer = wasSecure == (scheme == "https") && origin.port == target.port
        return .follow(carriesHeaders: origin.host == target.host && (isSameServer || isUpgrade))
    }

    /// The header lines that describe the body and nothing about the client: they go to any server.
    static func publicHeaders(_ lines: [String]) -> [String] {
        lines.filter { line in
            let name = line.prefix { $0 != ":" }.lowercased()
            return ["content-type", "accept", "icy-metadata"].contains(name)
        }
    }
}
