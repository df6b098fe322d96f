import CivilTime
import MediaTime

/// Parses the windows in which something is available.
struct WindowParser {
    /// The keys of a window. The published schema must list them in this order.
    static let keys = ["from", "to", "when"]

    private let values: FeedValues
    private let findings: FeedFindings
    private let clock: FeedClock
    private let refreshInterval: MediaTime

    /// - Parameter refreshInterval: the minimum length of a window.
    init(values: FeedValues, findings: FeedFindings, clock: FeedClock, refreshInterval: MediaTime) {
        self.values = values
        self.findings = findings
        self.clock = clock
        self.refreshInterval = refreshInterval
    }

    func window(_ object: FeedObject) -> Window? {
        guard let node = object["window"], let parts = values.object(node, keys: Self.keys) else { return nil }
        var window = Window(from: values.date(parts, "from"), to: values.date(parts, "to"))
        if let when = parts["when"] { window.when = Timetable([.init(true, values.timetables(when))]) }
        guard let to = window.to, let end = parts["to"] else { return window }
        if let from = window.from, to <= from {
            findings.fail(
                .windowReversed, end, "the window ends \(to) before it begins \(from)", "Write a later \"to\" or leave it out.")
        } else if let from = window.from, MediaTime.milliseconds(to.milliseconds - from.milliseconds) < refreshInterval {
            let length = FeedTime.plain(.milliseconds(to.milliseconds - from.milliseconds))
            findings.warn(
                .windowShort, node,
                "a window of \(length) s is shorter than the refresh interval of \(FeedTime.plain(refreshInterval)) s",
                "A box may not see it between two refreshes: publish it earlier, or refresh more often.")
        }
        if case .trusted(let now) = clock, to <= now {
            findings.warn(
                .windowExpired, end, "expired at \(to)", "It is hidden; write a later \"to\" or remove it from the feed.")
        }
        return window
    }
}
