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
        guard let value = values.required(parts, "value", "the rating, e.g. \"PG-13\"").flatMap({ values.string($0) }) else {
            return nil
        }
        if value.isEmpty { return Rating(system: "", value: "") }
        guard let place = values.required(parts, "system", "\(FeedText.choice(RatingSystem.allCases.map(\.rawValue)))"),
            let system = values.string(place)
        else { return nil }
        check(rating: Rating(system: system, value: value), systemAt: place, valueAt: parts["value"] ?? node)
        return Rating(system: system, value: value)
    }

    /// The rules for ratings, which apply everywhere.
    func check(rating: Rating, systemAt: FeedNode, valueAt: FeedNode) {
        guard let known = RatingSystem(named: rating.system) else {
            let names = RatingSystem.allCases.map(\.rawValue)
            let suggestion = values.suggestion(for: rating.system, among: names).map { "Did you mean \"\($0)\"? " }
            findings.report(
                .warning, .unknownRatingSystem, systemAt, "unknown rating system \(FeedText.quoted(rating.system))",
                (suggestion ?? "Known are \(FeedText.choice(names)). ") + "It is locked wherever a parental limit is set.")
            return
        }
        guard known.minimumAge(of: rating.value) == nil else { return }
        let values = known == .age ? ["an age from 0 to 21"] : known.table.map { "\"\($0.value)\"" }
        findings.fail(
            .unknownRating, valueAt, "\(known.rawValue) has no rating \(FeedText.quoted(rating.value))",
            "Write \(FeedText.choice(values)).")
    }
}
