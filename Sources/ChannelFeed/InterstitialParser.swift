import MediaModel
import MediaTime

/// Parses the interstitials of an item.
struct InterstitialParser {
    private let values: FeedValues
    private let findings: FeedFindings

    init(values: FeedValues, findings: FeedFindings) {
        self.values = values
        self.findings = findings
    }

    /// The interstitials of an item in the order of the feed, with their places in it.
    func interstitials(_ object: FeedObject) -> [(node: FeedNode, value: Interstitial)] {
        values.list(object, "interstitials").compactMap { node in interstitial(node).map { (node, $0) } }
    }

    private func interstitial(_ node: FeedNode) -> Interstitial? {
        guard let object = values.object(node, keys: FeedKeys.interstitial) else { return nil }
        let start = values.required(object, "start", "the asset time at which it starts, e.g. 600").flatMap { values.time($0) }
        let duration = values.required(object, "duration", "how long it lasts, e.g. 60").flatMap { values.time($0) }
        let kind = values.word(object, "kind", as: Interstitial.Kind.self) ?? .other
        let isLinear = values.boolean(object, "linear")
        let repeats = values.word(object, "repeat", as: Interstitial.Repeat.self) ?? .once
        let onResume = values.boolean(object, "onResume") ?? false
        let id = object["id"].flatMap { values.id($0) }
        let title = values.text(object, "title", limit: FeedLimit.title)
        let skip = skip(object, duration: duration)
        guard let start, let duration else { return nil }
        if duration == .zero, let node = object["duration"] {
            findings.fail(.wrongType, node, "an interstitial of no length", "Write how long it lasts, or remove it.")
        }
        return Interstitial(
            id: id, range: TimeRange(start: start, duration: duration), kind: kind, isLinear: isLinear ?? kind.isLinearByDefault,
            repeats: repeats, skip: skip, onResume: onResume, title: title)
    }

    private func skip(_ object: FeedObject, duration: MediaTime?) -> Interstitial.Skip? {
        guard let node = object["skip"], let parts = values.object(node, keys: FeedKeys.skip) else { return nil }
        let skip = Interstitial.Skip(offset: values.time(parts, "offset") ?? .zero, duration: values.time(parts, "duration"))
        guard let duration, skip.offset >= duration else { return skip }
        findings.warn(
            .skipTooLate, parts["offset"] ?? node,
            "Skip is offered at \(FeedTime.plain(skip.offset)) of an interstitial that lasts \(FeedTime.plain(duration))",
            "Write an offset under \(FeedTime.plain(duration)); Skip is never offered.")
        return nil
    }

    /// Checks them against the item and one another.
    func check(_ interstitials: [(node: FeedNode, value: Interstitial)], of item: Item) {
        var ids: Set<String> = []
        for (index, (node, interstitial)) in interstitials.enumerated() {
            let range = interstitial.range
            let name = interstitial.id ?? node.name
            if let id = interstitial.id, !ids.insert(id).inserted {
                findings.fail(
                    .duplicateID, node, "another interstitial of this item has the id \"\(id)\"", "Use a different id for each.")
            }
            if let duration = item.duration, range.end > duration {
                findings.fail(
                    .interstitialOutside, node,
                    "\(name) lasts from \(FeedTime.plain(range.start)) to \(FeedTime.plain(range.end)), the item ends at \(FeedTime.plain(duration))",
                    "Keep it inside [0, \(FeedTime.plain(duration))]; times count spliced interstitials.")
            }
            if let trim = item.trim {
                for edge in [trim.start, trim.end].compactMap({ $0 }) where range.start < edge && edge < range.end {
                    findings.fail(
                        .interstitialCrossesTrim, node,
                        "\(name) lasts from \(FeedTime.plain(range.start)) to \(FeedTime.plain(range.end)), across the trim at \(FeedTime.plain(edge))",
                        "Move the trim to \(FeedTime.plain(range.start)) or \(FeedTime.plain(range.end)).")
                }
            }
            if index > 0, interstitials[index - 1].value.range.start > range.start {
                findings.warn(
                    .interstitialsUnsorted, node,
                    "\(name) starts \(FeedTime.plain(range.start)), after one that starts \(FeedTime.plain(interstitials[index - 1].value.range.start))",
                    "List them by their start; the box sorts them.")
            }
        }
        let sorted = interstitials.enumerated().sorted {
            ($0.element.value.range.start, $0.offset) < ($1.element.value.range.start, $1.offset)
        }
        var reach: (name: String, end: MediaTime)?
        for (_, (node, interstitial)) in sorted {
            let name = interstitial.id ?? node.name
            if let reach, interstitial.range.start < reach.end {
                findings.fail(
                    .interstitialOverlap, node,
                    "\(name) starts \(FeedTime.plain(interstitial.range.start)) before \(reach.name) ends \(FeedTime.plain(reach.end))",
                    "Start it at \(FeedTime.plain(reach.end)) or later.")
            }
            if interstitial.range.end > reach?.end ?? .seconds(-1) { reach = (name, interstitial.range.end) }
        }
    }
}
