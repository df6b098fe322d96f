import Cryptography
import WireFormats

/// Decides which requests are accepted: only those of pages that this server sent, and of programs that read the token from such
/// a page.
///
/// Binding the loopback address keeps other machines out, but a web page of another site in a browser on this machine can still
/// send requests here. Three headers that a browser does not let a page choose refuse it: `Host` (a name that a foreign server
/// points to 127.0.0.1 is not ours), `Origin`, and `Sec-Fetch-Site`. Commands also need the token, which only the page itself
/// contains and which no other origin can read.
struct RequestGuard: Sendable {
    /// The value that a command must have in `X-Marquee-Token`.
    let token: String
    private let hosts: [String]

    init(port: UInt16, token: String = RequestGuard.makeToken()) {
        self.token = token
        // A browser omits the scheme's default port.
        hosts = ["127.0.0.1", "localhost", "[::1]"].flatMap { port == 80 ? [$0, "\($0):80"] : ["\($0):\(port)"] }
    }

    /// Why a request is refused, as a sentence; nil when it is accepted.
    ///
    /// - Parameters:
    ///   - isCommand: whether it would change something.
    ///   - isPage: whether it asks for the page itself, to which other sites may link.
    ///   - visitor: the origin of the request. Visitors may use any host name: their browser binds their credentials to that
    ///     name.
    ///   - isSecure: whether the request came under TLS.
    func refusal(
        host: String?, origin: String?, fetchSite: String?, token: String?, isCommand: Bool, isPage: Bool,
        visitor: VisitorGuard.Visitor = .local, isSecure: Bool = false
    ) -> String? {
        guard let host, visitor != .local || hosts.contains(host.lowercased()) else {
            return "This server answers only to \(hosts[0])."
        }
        let scheme = isSecure ? "https" : "http"
        let origins = (visitor == .local ? hosts : [host.lowercased()]).map { "\(scheme)://\($0)" }
        if let origin, !origins.contains(origin.lowercased()) {
            return "Requests from pages of other sites are refused."
        }
        if !isPage, let fetchSite, fetchSite != "same-origin", fetchSite != "none" {
            return "Requests from pages of other sites are refused."
        }
        // A browser never adds a bearer token automatically: a request that has one is intended.
        if isCommand, !visitor.isBearer, !(token.map { ConstantTime.areEqual($0, self.token) } ?? false) {
            return "A command needs the token of the page in X-Marquee-Token; reload the page if the box was restarted."
        }
        return nil
    }

    /// 128 random bits in hexadecimal: `SystemRandomNumberGenerator` is getrandom(2).
    static func makeToken() -> String {
        var generator = SystemRandomNumberGenerator()
        return (0..<16).map { _ in UInt8.random(in: .min ... .max, using: &generator) }.hexadecimal
    }
}
