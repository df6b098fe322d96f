import FoundationEssentials

/// Decides which visitors from other machines are admitted: those with a token of the operator. A program sends it as
/// `Authorization: Bearer TOKEN`, a browser as the password, with any user name.
struct VisitorGuard: Sendable {
    /// The origin of a request.
    enum Visitor: Sendable, Hashable {
        /// A program on this machine.
        case local
        /// A browser on another machine that was given a token and sends it automatically.
        case browser(AccessRight)
        /// A program on another machine with a token.
        case bearer(AccessRight)
        /// Any other request.
        case stranger

        /// Whether it is a program with a token, which no browser adds automatically.
        var isBearer: Bool { if case .bearer = self { true } else { false } }

        /// Whether it may read what is published.
        var looks: Bool { right.map { $0 >= .look } ?? false }

        /// What it may do; nil: nothing.
        var right: AccessRight? {
            switch self {
            case .local: .configure
            case .browser(let right), .bearer(let right): right
            case .stranger: nil
            }
        }
    }

    /// What a token allows, nil if it is not the operator's; without this no visitor is admitted.
    let admits: (@Sendable (String) -> AccessRight?)?
    /// No sensible token is longer.
    private static let longest = 1024

    /// Whether a program has sent a token, that of the operator or another one.
    func sendsToken(_ authorization: String?) -> Bool { authorization?.lowercased().hasPrefix("bearer ") == true }

    func visitor(isLocal: Bool, authorization: String?) -> Visitor {
        if isLocal { return .local }
        guard let admits, let authorization, authorization.utf8.count <= Self.longest else { return .stranger }
        let words = authorization.split(separator: " ", maxSplits: 1)
        guard words.count == 2 else { return .stranger }
        switch words[0].lowercased() {
        case "bearer": return admits(String(words[1])).map { .bearer($0) } ?? .stranger
        case "basic":
            guard let bytes = Data(base64Encoded: String(words[1])),
                let colon = bytes.firstIndex(of: UInt8(ascii: ":"))
            else { return .stranger }
            return admits(String(decoding: bytes[bytes.index(after: colon)...], as: UTF8.self)).map { .browser($0) } ?? .stranger
        default: return .stranger
        }
    }
}
