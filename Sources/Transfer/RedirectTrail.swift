import URLReferences

/// The addresses through which redirects lead a transfer.
struct RedirectTrail {
    /// What follows from a redirect.
    enum Step {
        /// The current address is the next one.
        ///
        /// - Parameter carriesHeaders: whether all header lines of the request go along.
        case next(carriesHeaders: Bool)
        /// - Parameter what: completes "Loading … ".
        case refused(what: String)
    }

    static let most = 5

    private let rule: RedirectRule
    /// The address of the current request.
    private(set) var url: String
    /// The last address before the first temporary redirect; nil while there was none.
    private var lastLasting: String?
    private var count = 0

    init(_ url: String, rule: RedirectRule) {
        self.url = url
        self.rule = rule
    }

    /// The address after the permanent redirects that came first.
    var lastingURL: String { lastLasting ?? url }

    /// - Parameters:
    ///   - target: as the server states it, which may be relative.
    ///   - status: the status of the redirect.
    mutating func follow(_ target: String, status: Int) -> Step {
        let next = URLReference.resolve(reference: target, against: url)
        count += 1
        guard count <= Self.most else { return .refused(what: "was redirected more than \(Self.most) times") }
        switch rule.answer(from: url, to: next) {
        case .refuse(let reason):
            return .refused(what: "was redirected to \(Location.name(next)), which is refused: \(reason)")
        case .follow(let carriesHeaders):
            if lastLasting == nil, ![301, 308].contains(status) { lastLasting = url }
            url = next
            return .next(carriesHeaders: carriesHeaders)
        }
    }
}
