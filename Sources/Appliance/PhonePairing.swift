import Cryptography

/// How phones get the right to be a keyboard and a remote of the box. A value: events in, effects out. Secrets and tokens are drawn by its owner.
///
/// While a page asks for a text, the screen shows a code with a secret. The phone that sends the secret back gets a token, and the code then has a new secret. A secret
/// that no phone has used is replaced after three minutes.
struct PhonePairing: Sendable {
    enum Event: Sendable {
        /// The page on the screen asks for a text. A secret for the code.
        case opened(fresh: String)
        /// It no longer does.
        case closed
        /// The time of the secret is over.
        case expired(fresh: String)
        /// A phone has sent a secret: the token that it gets if that is the one, and the next secret.
        case offered(secret: String, token: String, fresh: String)
        /// The owner takes the right from all phones.
        case forgotten
    }

    enum Effect: Sendable, Equatable {
        /// Show a code with this secret; nil: none.
        case show(secret: String?)
        /// Send `expired` when the time of the secret is over, unless another is shown by then.
        case arm
        case disarm
        /// Store the digests of the tokens, and admit who has one of these tokens.
        case keep(digests: [String])
        /// The phone that has offered the secret gets its token.
        case paired
    }

    private enum Code: Sendable {
        case hidden
        case shown(secret: String)
    }

    /// The most phones; of more, the one that was paired first is forgotten.
    static let mostPhones = 8

    private var code = Code.hidden
    /// SHA-256 of their tokens, the oldest first.
    private(set) var digests: [String]

    /// - Parameter digests: those that were stored.
    init(digests: [String]) { self.digests = digests.suffix(Self.mostPhones) }

    /// Whether a code is shown.
    var isOpen: Bool { if case .shown = code { true } else { false } }

    mutating func handle(_ event: Event) -> [Effect] {
        switch (event, code) {
        case (.opened(let fresh), .hidden), (.expired(let fresh), .shown): return show(fresh)
        case (.closed, .shown):
            code = .hidden
            return [.show(secret: nil), .disarm]
        case (.offered(let offered, let token, let fresh), .shown(let secret)):
            guard ConstantTime.areEqual(offered, secret) else { return [] }
            digests = (digests + [SHA256.hexadecimal(of: token)]).suffix(Self.mostPhones)
            return [.keep(digests: digests), .paired] + show(fresh)
        case (.forgotten, _):
            guard !digests.isEmpty else { return [] }
            digests = []
            return [.keep(digests: [])]
        case (.opened, .shown), (.closed, .hidden), (.expired, .hidden), (.offered, .hidden): return []
        }
    }

    private mutating func show(_ fresh: String) -> [Effect] {
        code = .shown(secret: fresh)
        return [.show(secret: fresh), .arm]
    }
}
