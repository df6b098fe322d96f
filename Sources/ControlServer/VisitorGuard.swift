import FlyingFox
import FoundationEssentials

/// Who may come in from another machine: whoever shows the operator's token, a program as `Authorization: Bearer TOKEN`, a browser as the password that it
/// asks for, under any name.
struct VisitorGuard: Sendable {
    /// Who asks.
    enum Visitor: Sendable, Hashable {
        /// A program on this machine.
        case local
        /// A browser elsewhere that has been given the token and sends it along by itself.
        case browser
        /// A program elsewhere that shows the token.
        case bearer
        /// Anybody else.
        case stranger
    }

    /// Whether a token is the operator's; nil: nobody is let in.
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
