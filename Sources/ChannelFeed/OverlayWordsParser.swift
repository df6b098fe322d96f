import MediaModel
import MediaTime

/// Parses the words of an overlay.
struct OverlayWordsParser {
    /// The keys of lines. The published schema must list them in this order.
    static let keys = ["lines", "url", "refresh", "ticker"]
    /// What the box knows itself.
    static let clocks = ["clock", "date"]

    private static let wanted = "\(FeedText.choice(clocks)), or {\"lines\": [\"…\"]}"

    private let values: FeedValues
    private let findings: FeedFindings
    private let renewals: RenewalParser

    /// How often a document is fetched again that does not say it.
    private static let interval = MediaTime.seconds(60)

    init(values: FeedValues, findings: FeedFindings) {
        self.values = values
        self.findings = findings
        renewals = RenewalParser(values: values, findings: findings)
    }

    /// - Parameter name: under which the words ask for their lines.
    /// - Returns: the words and their lines, nil for those that the feed does not have; or nil, with a finding, if there are none.
    func words(_ node: FeedNode, named name: String) -> (words: OverlayWords, lines: [LocalizedText]?)? {
        if case .string(let word) = node.json.value { return clock(word, node).map { (words: OverlayWords($0), lines: nil) } }
        guard case .object = node.json.value else {
            values.wrongType(node, Self.wanted)
            return nil
        }
        guard let object = values.object(node, keys: Self.keys) else { return nil }
        let isTicker = values.boolean(object, "ticker") ?? false
        if let node = object["url"] { return document(object, node, isTicker: isTicker).map { (words: $0, lines: nil) } }
        if let node = object["refresh"] {
            findings.warn(.withoutEffect, node, "lines of the feed are not fetched again", "Remove it, or write \"url\".")
        }
        guard let list = values.required(object, "lines", "[\"…\"]") else { return nil }
        let lines = values.list(object, "lines", atMost: FeedLimit.overlayLines).compactMap {
            values.text($0, limit: FeedLimit.title)
        }
        if values.isEmptyList(list) { findings.fail(.wrongType, list, "words without a line", "Write [\"…\"].") }
        // Among others an empty one is a space.
        if !lines.isEmpty, lines.allSatisfy(\.isEmpty) {
            findings.warn(.withoutEffect, list, "all its lines are empty", "Write words, or remove the overlay.")
        }
        return (OverlayWords(.feed(name), isTicker: isTicker), lines)
    }

    private func document(_ object: FeedObject, _ node: FeedNode, isTicker: Bool) -> OverlayWords? {
        if let lines = object["lines"] {
            findings.fail(
                .wrongType, lines, "the words have both lines and a document", "Write two overlays, or remove one of them.")
        }
        let interval = renewals.interval(object) ?? Self.interval
        return values.url(node).map { OverlayWords(.document(url: $0, refresh: interval), isTicker: isTicker) }
    }

    /// A word that is not known leaves its overlay out: a later 1.x may define it.
    private func clock(_ word: String, _ node: FeedNode) -> OverlayWords.Source? {
        switch word {
        case "clock": return .clock
        case "date": return .date
        default:
            findings.warn(
                .unknownKey, node, "unknown word \(FeedText.quoted(word))",
                (values.suggestion(for: word, among: Self.clocks).map { "Did you mean \"\($0)\"? " }
                    ?? "Write \(Self.wanted). ") + "The overlay is left out.")
            return nil
        }
    }
}
