import MediaTime

/// Parses how often something is fetched again.
struct RenewalParser {
    /// The key of the interval.
    static let key = "refresh"

    private let values: FeedValues
    private let findings: FeedFindings

    init(values: FeedValues, findings: FeedFindings) {
        self.values = values
        self.findings = findings
    }

    /// The interval of an object, at least the shortest one; nil without one.
    func interval(_ object: FeedObject) -> MediaTime? {
        guard let interval = values.time(object, Self.key), let node = object[Self.key] else { return nil }
        guard interval < FeedLimit.shortestRefresh else { return interval }
        let shortest = FeedTime.plain(FeedLimit.shortestRefresh)
        findings.warn(
            .refreshShort, node, "it would be fetched again every \(FeedTime.plain(interval)) s",
            "Write at least \(shortest); the box does it every \(shortest) s.")
        return FeedLimit.shortestRefresh
    }

    /// How old the picture of an item may become before it is fetched again.
    func picture(of item: Item, _ object: FeedObject) -> MediaTime? {
        guard let node = object[Self.key] else { return nil }
        let stored = item.offline.priority != .none ? "what is stored on the box is not fetched again" : nil
        guard let reason = stored ?? StillRule.obstacle(item, to: "fetched again") else { return interval(object) }
        if values.time(node) != nil {
            findings.warn(.withoutEffect, node, reason, "Remove it, or write a stream that is one picture and is not stored.")
        }
        return nil
    }
}
