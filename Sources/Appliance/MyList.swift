/// The programmes and series that the viewer keeps, the newest first, stored as one choice. Main loop only.
@MainActor
struct MyList {
    /// More are not kept: the oldest go.
    static let most = 200
    private static let name = "list"

    private let store: any ChoiceStore

    init(_ store: any ChoiceStore) { self.store = store }

    /// Their ids, which contain no spaces. What the feed does not have now stays, and is back with it.
    var ids: [String] { (store.choice(Self.name) ?? "").split(separator: " ").map(String.init) }

    func set(_ isIn: Bool, _ id: String) {
        var ids = ids.filter { $0 != id }
        if isIn { ids = Array(([id] + ids).prefix(Self.most)) }
        store.setChoice(ids.isEmpty ? nil : ids.joined(separator: " "), Self.name)
    }
}
