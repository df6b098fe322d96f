/// The recent searches of the box's viewers, the newest first, stored as one choice. Main loop only.
@MainActor
struct RecentSearches {
    private static let name = "searches"

    private let store: any ChoiceStore

    init(_ store: any ChoiceStore) { self.store = store }

    /// The words as they were typed, which contain no line breaks.
    var queries: [String] {
        get { (store.choice(Self.name) ?? "").split(separator: "\n").map(String.init) }
        nonmutating set { store.setChoice(newValue.isEmpty ? nil : newValue.joined(separator: "\n"), Self.name) }
    }
}
