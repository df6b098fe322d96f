import FlyingFox
import FoundationEssentials

/// Decides which visitors from other machines are admitted: those with the operator's token. A program sends it as
/// `Authorization: Bearer TOKEN`, a browser as the password, with any user name.
struct VisitorGuard: Sendable {
    /// The origin of a request.
    enum Visitor: Sendable, Hashable {
        /// A program on this machine.
        case local
        /// A browser on another machine that was given the token and sends it automatically.
        case browser
        /// A program on another machine with the token.
        case bearer
        /// Any other request.
        case stranger
    }

    /// Whether a token is the operator's; nil: no visitor is admitted.
    let admits: (@Sendable (String) -> Bool)?
    /// No sensible token is longer.
    private static let longest = 1024

    func visitor(isLocal: Bool, authorization: String?) -> Visitor {
        if isLocal { return .local }
        guard let admits, let authorization, authorization.utf8.count <= Self.longest else { return .stranger }
        let words = authorization.split(separator: " ", maxSplits: 1)
        guard words.count == 2 else { return .stranger }
        switch words[0].lowercased() {
        case "bearer": return admits(String(words[1])) ? .bearer : .stranger
        case "basic":
            guard let bytes = Data(base64Encoded: String(words[1])),
                let colon = bytes.firstIndex(of: UInt8(ascii: ":"))
            else { return .stranger }
            return admits(String(decoding: bytes[bytes.index(after: colon)...], as: UTF8.self)) ? .browser : .stranger
        default: return .stranger
        }
    }
}
