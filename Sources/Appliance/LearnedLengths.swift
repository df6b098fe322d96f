import MediaTime

/// The lengths of begun items whose feed states none, as the player learned them, each stored as a choice. Main loop only.
@MainActor
struct LearnedLengths {
    private let store: any ChoiceStore

    init(_ store: any ChoiceStore) { self.store = store }

    private static func name(_ id: String) -> String { "length.\(id)" }

    /// In asset time; nil if it was not learned.
    subscript(id: String) -> MediaTime? {
        // Stored text may be any number.
        guard let milliseconds = store.choice(Self.name(id)).flatMap({ Int64($0) }), (1...Self.most).contains(milliseconds)
        else { return nil }
        return .milliseconds(milliseconds)
    }

    /// - Parameter length: nil: the item is no longer begun.
    func set(_ length: MediaTime?, of id: String) {
        let known = length.map(\.milliseconds).flatMap { (1...Self.most).contains($0) ? "\($0)" : nil }
        if store.choice(Self.name(id)) != known { store.setChoice(known, Self.name(id)) }
    }

    /// 1000 hours.
    private static let most: Int64 = 3_600_000_000
}
