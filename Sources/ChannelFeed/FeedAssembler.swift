/// Assembles what passed, and checks the rules about sequences on it.
struct FeedAssembler {
    private let findings: FeedFindings

    init(findings: FeedFindings) { self.findings = findings }

    /// Assembles everything that passed, without references to what did not.
    func assemble(_ feed: inout Feed, _ draft: FeedDraft, rows: [Row]) {
        feed.items.reserveCapacity(draft.items.count)
        for (node, index, value) in draft.items where !findings.isDropped("items", index, of: node.page) {
            feed.items.append(value)
        }
        let kept = Set(feed.items.map(\.id))
        feed.series = draft.series.filter { !findings.isDropped("series", $0.index, of: $0.node.page) }.map(\.value)
        for index in feed.series.indices { feed.series[index].keepEpisodes(in: kept) }
        for (node, index, value) in draft.channels where !findings.isDropped("channels", index, of: node.page) {
            var channel = value
            channel.items.removeAll { !kept.contains($0) }
            channel.schedule.keep(kept)
            if channel.isEmpty {
                findings.report(
                    .error, .noSuchReference, node, showing: false, "nothing in the channel \"\(channel.id)\" can be played",
                    "Repair its items; the channel is dropped.")
            } else {
                feed.channels.append(channel)
            }
        }
        feed.makeIndex()
        feed.rows = rows
        feed.removeLooseReferences()
    }

    // MARK: Stored items

    /// Reports the first item that a box does not store because too many are marked.
    func checkStored(of draft: FeedDraft) {
        let marked = draft.items.filter { $0.value.offline.priority != .none }
        guard marked.count > Item.Offline.mostItems else { return }
        let order =
            marked.filter { $0.value.offline.priority == .required } + marked.filter { $0.value.offline.priority != .required }
        let node = order[Item.Offline.mostItems].node
        findings.report(
            .warning, .tooManyStored, node.member("offline"), showing: false,
            "\(marked.count) items are marked to be stored; a box stores \(Item.Offline.mostItems), the required ones first",
            "Mark fewer items; this one and those after it are not stored.")
    }

    // MARK: Proposals

    /// Checks the rules about sequences, also on what is dropped: when its errors are repaired, nothing new is found.
    ///
    /// - Parameter assembled: what passed.
    func checkProposals(of draft: FeedDraft, assembled: Feed) {
        let isWhole =
            assembled.items.count == draft.items.count && assembled.channels.count == draft.channels.count
            && assembled.series.count == draft.series.count
        let feed = isWhole ? assembled : whole(draft, policy: assembled.policy)
        let cycles = feed.proposalCycles()
        let limit = assembled.policy.parentalLimit
        guard limit != nil || !cycles.isEmpty else { return }
        var nodes: [String: FeedNode] = [:]
        for (node, _, value) in draft.items where nodes[value.id] == nil { nodes[value.id] = node }
        for item in limit == nil ? [] : feed.items {
            guard let node = nodes[item.id], let proposal = feed.proposal(of: item) else { continue }
            if let limit, limit.decision(for: proposal.rating).isLocked {
                findings.report(
                    .warning, .proposalLocked, proposalNode(node), showing: false,
                    "\(FeedText.quoted(proposal.next?.id ?? "what it proposes")) follows and needs the PIN under policy.parentalMax",
                    "Give it a rating within the limit, or propose something else; it is never accepted automatically.")
            }
        }
        for cycle in cycles {
            guard let first = cycle.first, let node = nodes[first] else { continue }
            findings.report(
                .warning, .proposalCycle, proposalNode(node), showing: false,
                "the proposals form a loop: \((cycle + [first]).prefix(8).joined(separator: " -> "))\(cycle.count > 7 ? " …" : "")",
                "End it with \"proposal\": null, or write \"loop\": true in one of them if it is meant.")
        }
    }

    /// The feed with everything that could be parsed, each id with its first owner.
    private func whole(_ draft: FeedDraft, policy: Policy) -> Feed {
        var feed = Feed()
        feed.policy = policy
        var seen: Set<Reference> = []
        func isFirst(_ reference: Reference) -> Bool {
            draft.directory[reference.id] == reference && seen.insert(reference).inserted
        }
        feed.channels = draft.channels.map(\.value).filter { isFirst(.channel($0.id)) }
        feed.series = draft.series.map(\.value).filter { isFirst(.series($0.id)) }
        feed.items = draft.items.map(\.value).filter { isFirst(.item($0.id)) }
        feed.makeIndex()
        return feed
    }

    private func proposalNode(_ node: FeedNode) -> FeedNode {
        node.member("proposal").member("next")
    }
}
