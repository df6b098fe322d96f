/// Parses ratings.
struct RatingParser {
    /// The keys of a rating. The published schema must list them in this order.
    static let keys = ["system", "value"]

    private let values: FeedValues
    private let findings: FeedFindings

    init(values: FeedValues, findings: FeedFindings) {
        self.values = values
        self.findings = findings
    }

    func rating(_ object: FeedObject, _ key: String = "rating") -> Rating? {
        guard let node = object[key] else { return nil }
        if case .string(let text) = node.json.value, text.isEmpty { return Rating(system: "", value: "") }
        guard let parts = values.object(node, keys: Self.keys) else { return nil }
        let value = values.required(parts, "value", "the rating, e.g. \"PG-13\"").flatMap { values.string($0) }
        if value?.isEmpty == true { return Rating(system: "", value: "") }
        let systemNode = values.required(parts, "system", FeedText.choice(RatingSystem.allCases.map(\.rawValue)))
        guard let systemNode, let system = values.string(systemNode) else { return nil }
        let known = checkedSystem(system, at: systemNode)
        guard let value else { return nil }
        if let known { check(value, of: known, at: parts["value"] ?? node) }
        return Rating(system: system, value: value)
    }

    /// The rules for ratings, which apply everywhere.
    func check(rating: Rating, systemAt: FeedNode, valueAt: FeedNode) {
        if let known = checkedSystem(rating.system, at: systemAt) { check(rating.value, of: known, at: valueAt) }
    }

    /// The system with this name; nil, with a warning, when there is none.
    private func checkedSystem(_ name: String, at node: FeedNode) -> RatingSystem? {
        if let known = RatingSystem(named: name) { return known }
        let names = RatingSystem.allCases.map(\.rawValue)
        let suggestion = values.suggestion(for: name, among: names).map { "Did you mean \"\($0)\"? " }
        findings.report(
            .warning, .unknownRatingSystem, node, "unknown rating system \(FeedText.quoted(name))",
            (suggestion ?? "Known are \(FeedText.choice(names)). ") + "It is locked wherever a parental limit is set.")
        return nil
    }

    private func check(_ value: String, of system: RatingSystem, at node: FeedNode) {
        guard system.minimumAge(of: value) == nil else { return }
        let values = system == .age ? ["an age from 0 to 21"] : system.table.map { "\"\($0.value)\"" }
        findings.fail(
            .unknownRating, node, "\(system.rawValue) has no rating \(FeedText.quoted(value))",
            "Write \(FeedText.choice(values)).")
    }
}
