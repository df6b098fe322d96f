/// The findings about one feed, and what they drop.
///
/// An error inside `/items/3` drops that item; the same holds for channels, series and rows. Errors elsewhere leave a setting at its default; a
/// reference to nothing drops only that reference.
final class FeedFindings {
    private var findings: [(offset: Int, finding: FeedFinding)] = []
    private var dropped: [String: Set<Int>] = [:]

    /// Adds a finding about a value.
    func report(
        _ severity: FeedFinding.Severity, _ code: FeedCode, _ node: FeedNode, showing: Bool = true, _ message: String,
        _ remedy: String
    ) {
        let pointer = node.pointer
        findings.append(
            (
                node.json.offset,
                FeedFinding(
                    severity: severity, code: code, pointer: pointer, location: nil,
                    value: showing ? FeedText.value(node.json) : nil, message: message, remedy: remedy)
            ))
        if severity == .error, code != .noSuchReference, pointer.tokens.count >= 2, let index = Int(pointer.tokens[1]) {
            dropped[pointer.tokens[0], default: []].insert(index)
        }
    }

    func warn(_ code: FeedCode, _ node: FeedNode, _ message: String, _ remedy: String) {
        report(.warning, code, node, message, remedy)
    }

    func fail(_ code: FeedCode, _ node: FeedNode, _ message: String, _ remedy: String) {
        report(.error, code, node, message, remedy)
    }

    /// Whether an error was found inside the element at this index of one of the feed's lists.
    func isDropped(_ list: String, _ index: Int) -> Bool { dropped[list]?.contains(index) == true }

    /// The verdict: the findings in the order of the text `bytes`; at one position, in the order in which they were made.
    func verdict(_ feed: Feed?, of bytes: [UInt8]) -> FeedVerdict {
        var walk = LocationWalk(bytes)
        let sorted = findings.enumerated().sorted { ($0.element.offset, $0.offset) < ($1.element.offset, $1.offset) }
        let located = sorted.map { entry in
            var finding = entry.element.finding
            finding.location = walk.location(of: entry.element.offset)
            return finding
        }
        return FeedVerdict(feed: feed, findings: located)
    }
}
