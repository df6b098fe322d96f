import MediaModel
import MediaTime

/// Parses the interstitials of an item.
struct InterstitialParser {
    /// The keys of an interstitial. The published schema must list them in this order.
    static let keys = ["id", "start", "duration", "kind", "linear", "repeat", "skip", "onResume", "title"]
    static let skipKeys = ["offset", "duration"]

    private let values: FeedValues
    private let findings: FeedFindings

    init(values: FeedValues, findings: FeedFindings) {
        self.values = values
        self.findings = findings
    }

    /// An interstitial as the feed has it.
    struct Given {
        var node: FeedNode
        /// nil if the feed gives none.
        var id: String?
        var title: LocalizedText?
        /// Without its id.
        var value: Interstitial

        var name: String { id ?? node.name }
    }

    /// The interstitials of an item in the order of the feed, with their places in it.
    func interstitials(_ object: FeedObject) -> [Given] {
        values.list(object, "interstitials", atMost: FeedLimit.places).compactMap { interstitial($0) }
    }

    private func interstitial(_ node: FeedNode) -> Given? {
        guard let object = values.object(node, keys: Self.keys) else { return nil }
        let start = values.required(object, "start", "the asset time at which it starts, e.g. 600").flatMap { values.time($0) }
        let duration = values.required(object, "duration", "how long it lasts, e.g. 60").flatMap { values.time($0) }
        let kind = values.word(object, "kind", as: Interstitial.Kind.self) ?? .other
        let isLinear = values.boolean(object, "linear")
        let repetition = values.word(object, "repeat", as: Interstitial.Repetition.self) ?? .once
        let playsOnResume = values.boolean(object, "onResume") ?? false
        let id = object["id"].flatMap { values.id($0) }
        let title = values.text(object, "title", limit: FeedLimit.title)
        let skip = skip(object, duration: duration)
        if duration == .zero, let node = object["duration"] {
            findings.fail(.wrongType, node, "an interstitial of no length", "Write how long it lasts, or remove it.")
        }
        guard let start, let duration else { return nil }
        let value = Interstitial(
            id: "", range: TimeRange(start: start, duration: duration), kind: kind, isLinear: isLinear, skip: skip,
            repetition: repetition, playsOnResume: playsOnResume)
        return Given(node: node, id: id, title: title, value: value)
    }

    /// Adds them to the item, ordered by start. Those without an id are numbered.
    func take(_ interstitials: [Given], into item: inout Item) {
        for (index, given) in interstitials.sorted(by: { $0.value.time < $1.value.time }).enumerated() {
            var interstitial = given.value
            interstitial.id = given.id ?? "interstitial-\(index + 1)"
            item.interstitials.append(interstitial)
            item.interstitialTitles[interstitial.id] = given.title
        }
    }

    private func skip(_ object: FeedObject, duration: MediaTime?) -> Interstitial.SkipControl? {
        guard let node = object["skip"], let parts = values.object(node, keys: Self.skipKeys) else { return nil }
        let skip = Interstitial.SkipControl(
            offset: values.time(parts, "offset") ?? .zero, duration: values.time(parts, "duration"))
        guard let duration, skip.offset >= duration else { return skip }
        findings.warn(
            .skipTooLate, parts["offset"] ?? node,
            "Skip is offered at \(FeedTime.plain(skip.offset)) of an interstitial that lasts \(FeedTime.plain(duration))",
            "Write an offset under \(FeedTime.plain(duration)); Skip is never offered.")
        return nil
    }

    /// Checks them against the item and one another.
    func check(_ interstitials: [Given], of item: Item) {
        var ids: Set<String> = []
        for (index, given) in interstitials.enumerated() {
            let (node, name, range) = (given.node, given.name, given.value.range)
            if let id = given.id, !ids.insert(id).inserted {
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
            ($0.element.value.time, $0.offset) < ($1.element.value.time, $1.offset)
        }
        var reach: (name: String, end: MediaTime)?
        for (_, given) in sorted {
            let range = given.value.range
            if let reach, range.start < reach.end {
                findings.fail(
                    .interstitialOverlap, given.node,
                    "\(given.name) starts \(FeedTime.plain(range.start)) before \(reach.name) ends \(FeedTime.plain(reach.end))",
                    "Start it at \(FeedTime.plain(reach.end)) or later.")
            }
            if range.end > reach?.end ?? .seconds(-1) { reach = (given.name, range.end) }
        }
    }
}
