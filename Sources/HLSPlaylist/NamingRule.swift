import URLReferences

/// What the playlists of a presentation may name, by where the first of them came from: one from another machine names neither files nor servers of this
/// one, and one that came over https names nothing over plain http. Otherwise who shares the network could replace segments and read keys. A value.
package struct NamingRule: Sendable {
    package enum Refusal: Sendable, Equatable {
        case onThisBox
        case plainHTTP

        /// Why, and what to do: the end of a sentence.
        package var words: String {
            switch self {
            case .onThisBox: "it is on this box; correct the playlist."
            case .plainHTTP:
                "it is plain http, the playlist came over https, and its host is not in [feed] allow_http; use https."
            }
        }
    }

    private let origin: URLReference
    private let isSecure: Bool
    private let plainHTTPHosts: Set<String>

    /// - Parameters:
    ///   - origin: the address of the first playlist, after redirects.
    ///   - plainHTTPHosts: the hosts that may be used over plain http all the same (`[feed] allow_http`).
    package init(origin: String, plainHTTPHosts: Set<String> = []) {
        self.origin = URLReference(origin)
        isSecure = self.origin.scheme?.lowercased() == "https"
        self.plainHTTPHosts = Set(plainHTTPHosts.map { $0.lowercased() })
    }

    /// Whether nothing is refused: the playlist is on this machine.
    package var allowsEverything: Bool { origin.isFile || origin.isThisMachine }

    /// Where the first playlist is, for sentences.
    package var host: String { origin.host ?? "another machine" }

    /// Why an absolute address may not be used; nil if it may.
    package func refusal(of url: String) -> Refusal? {
        if allowsEverything { return nil }
        let target = URLReference(url)
        guard origin.mayName(target) else { return .onThisBox }
        let isPlain = isSecure && target.scheme?.lowercased() == "http"
        return isPlain && !plainHTTPHosts.contains(target.host ?? "") ? .plainHTTP : nil
    }
}
