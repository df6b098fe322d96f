import WireFormats

/// The findings about one feed, and what they drop.
///
/// An error inside `/items/3` drops that item; the same holds for channels, series and rows. Errors elsewhere leave a setting at its default; a
/// reference to nothing, and a text about days and times that cannot be read, drop only themselves.
final class FeedFindings {
    /// A list of a page.
    private struct List: Hashable {
        var page: Int
        var name: String
    }

    private var findings: [(page: Int, offset: Int, finding: FeedFinding)] = []
    private var dropped: [List: Set<Int>] = [:]

    /// Adds a finding about a value.
    func report(
        _ severity: FeedFinding.Severity, _ code: FeedCode, _ node: FeedNode, showing: Bool = true, _ message: String,
        _ remedy: String
    ) {
        let pointer = node.pointer
        findings.append(
            (
                node.page.index, node.json.offset,
                FeedFinding(
                    severity: severity, code: code, pointer: pointer, location: nil,
                    value: showing ? FeedText.value(node.json) : nil, message: message, remedy: remedy)
            ))
        if severity == .error, code != .noSuchReference, code != .notATimetable, pointer.tokens.count >= 2,
            let index = Int(pointer.tokens[1])
        {
            dropped[List(page: node.page.index, name: pointer.tokens[0]), default: []].insert(index)
        }
    }

    func warn(_ code: FeedCode, _ node: FeedNode, _ message: String, _ remedy: String) {
        report(.warning, code, node, message, remedy)
    }

    func fail(_ code: FeedCode, _ node: FeedNode, _ message: String, _ remedy: String) {
        report(.error, code, node, message, remedy)
    }

    /// Whether an error was found inside the element at this index of one of the page's lists.
    func isDropped(_ list: String, _ index: Int, of page: FeedNode.Page) -> Bool {
        dropped[List(page: page.index, name: list)]?.contains(index) == true
    }

    /// The verdict: the findings in the order of the pages and their texts; at one position, in the order in which they were made.
    func verdict(_ feed: Feed?, of pages: [FeedPage]) -> FeedVerdict {
        let sorted = findings.enumerated().sorted {
            ($0.element.page, $0.element.offset, $0.offset) < ($1.element.page, $1.element.offset, $1.offset)
        }
        var located: [FeedFinding] = []
        var walk: (page: Int, walk: LocationWalk)?
        for (_, entry) in sorted {
            if walk?.page != entry.page { walk = (entry.page, LocationWalk(pages[entry.page].bytes)) }
            var finding = entry.finding
            finding.location = walk?.walk.location(of: entry.offset)
            located.append(finding)
        }
        return FeedVerdict(feed: feed, findings: located, pageCount: pages.count)
    }
}
