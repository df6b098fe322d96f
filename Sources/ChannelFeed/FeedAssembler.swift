/// Assembles what passed, and checks the rules about sequences on it.
struct FeedAssembler {
    private let findings: FeedFindings

    init(findings: FeedFindings) { self.findings = findings }

    /// Assembles everything that passed, without references to what did not.
    func assemble(_ feed: inout Feed, _ draft: FeedDraft, rows: [Row]) {
        feed.items = draft.items.filter { !findings.isDropped("items", $0.index) }.map(\.value)
        let kept = Set(feed.items.map(\.id))
        feed.series = draft.series.filter { !findings.isDropped("series", $0.index) }.map(\.value)
        for index in feed.series.indices {
            for season in feed.series[index].seasons.indices {
                feed.series[index].seasons[season].episodes.removeAll { !kept.contains($0) }
            }
        }
        for (node, index, value) in draft.channels where !findings.isDropped("channels", index) {
            var channel = value
            channel.items.removeAll { !kept.contains($0) }
            channel.entries.removeAll { !kept.contains($0.item) }
            let isEmpty =
                switch channel.kind {
                case .live: channel.streams.isEmpty
                case .playlist: channel.items.isEmpty
                case .schedule: channel.entries.isEmpty
                }
            if isEmpty {
                findings.report(
                    .error, .noSuchReference, node, showing: false, "nothing in the channel \"\(channel.id)\" can be played",
                    "Repair its items; the channel is dropped.")
            } else {
                feed.channels.append(channel)
            }
        }
        feed.makeIndex()
        feed.rows = rows.compactMap { row in
            var row = row
            row.entries.removeAll { feed.reference($0.id) != $0 }
            return row.entries.isEmpty && row.tag == nil ? nil : row
        }
        if let start = feed.start, feed.reference(start.id) != start { feed.start = nil }
        for index in feed.items.indices {
            guard case .given(let proposal) = feed.items[index].proposal, let next = proposal.next,
                feed.reference(next.id) != next
            else { continue }
            // The proposed item was dropped: proposing the next episode in its place would be a guess.
            feed.items[index].proposal = .off
        }
    }

    // MARK: Proposals

    /// Checks the rules about sequences, on what passed.
    func checkProposals(of feed: Feed, draft: FeedDraft) {
        let limit = feed.policy.parentalLimit
        var nodes: [String: FeedNode] = [:]
        for (node, index, value) in draft.items where !findings.isDropped("items", index) { nodes[value.id] = node }
        for item in feed.items {
            guard let node = nodes[item.id] else { continue }
            let place = proposalNode(node)
            guard let proposal = feed.proposal(of: item) else { continue }
            if let limit, limit.decision(for: proposal.rating).isLocked {
                findings.report(
                    .warning, .proposalLocked, place, showing: false,
                    "\(FeedText.quoted(proposal.next?.id ?? "what it proposes")) follows and needs the PIN under policy.parentalMax",
                    "Give it a rating within the limit, or propose something else; it is never accepted automatically.")
            }
        }
        for cycle in feed.proposalCycles() {
            guard let first = cycle.first, let node = nodes[first] else { continue }
            findings.report(
                .warning, .proposalCycle, proposalNode(node), showing: false,
                "the proposals form a loop: \((cycle + [first]).prefix(8).joined(separator: " -> "))\(cycle.count > 7 ? " …" : "")",
                "End it with \"proposal\": null, or write \"loop\": true in one of them if it is meant.")
        }
    }

    private func proposalNode(_ node: FeedNode) -> FeedNode {
        guard case .object(let object) = node.json.value, let proposal = object["proposal"] else { return node }
        let place = node.child(proposal, "proposal")
        guard case .object(let parts) = proposal.value, let next = parts["next"] else { return place }
        return place.child(next, "next")
    }
}
