import MediaTime

/// Parses what an item proposes at its end.
struct ProposalParser {
    /// The keys of a proposal. The published schema must list them in this order.
    static let keys = [
        "next", "at", "automaticAcceptanceInterval", "loop", "title", "image", "description", "genre", "rating", "url",
    ]

    /// The shortest countdown that a viewer can read and answer.
    private static let shortestCountdown = MediaTime.seconds(5)

    private let values: FeedValues
    private let findings: FeedFindings
    private let artwork: ArtworkParser
    private let ratings: RatingParser

    init(values: FeedValues, findings: FeedFindings, artwork: ArtworkParser, ratings: RatingParser) {
        self.values = values
        self.findings = findings
        self.artwork = artwork
        self.ratings = ratings
    }

    /// The feed's proposal after an item; its target is checked when everything is parsed.
    func proposal(_ object: FeedObject, item: Item, timeline: AssetTimeline, place: (MediaTime) -> MediaTime)
        -> ProposalRule
    {
        guard let node = object.written("proposal") else { return .automatic }
        if node.isNull { return .off }
        guard let parts = values.object(node, keys: Self.keys) else { return .automatic }
        var proposal = Proposal()
        proposal.at = transition(parts, item: item, timeline: timeline, place: place)
        proposal.automaticAcceptanceInterval = values.time(parts, "automaticAcceptanceInterval", signed: true)
        proposal.loop = values.boolean(parts, "loop") ?? false
        proposal.title = values.text(parts, "title", limit: FeedLimit.title)
        proposal.image = parts["image"].flatMap { artwork.picture($0) }
        proposal.description = values.text(parts, "description", limit: FeedLimit.description)
        proposal.genre = values.text(parts, "genre", limit: FeedLimit.title)
        proposal.rating = ratings.rating(parts)
        proposal.url = values.url(parts, "url")
        checkCountdown(of: proposal, parts, item: item)
        return .given(proposal)
    }

    /// When the proposal is shown: inside the item and outside interstitials.
    private func transition(
        _ parts: FeedObject, item: Item, timeline: AssetTimeline, place: (MediaTime) -> MediaTime
    ) -> MediaTime? {
        guard let node = parts["at"], var at = values.time(node).map(place) else { return nil }
        if let end = item.playEnd, at > end {
            findings.warn(
                .proposalAfterEnd, node,
                "the proposal is shown at \(FeedTime.plain(at)), the item ends at \(FeedTime.plain(end))",
                "Write \(FeedTime.plain(end)) or less; the box shows it at the end.")
            at = end
        }
        guard let range = timeline.interstitial(at: at) else { return at }
        findings.warn(
            .proposalInInterstitial, node,
            "the proposal is shown at \(FeedTime.plain(at)), inside an interstitial that ends at \(FeedTime.plain(range.end))",
            "Write \(FeedTime.plain(range.end)); the box moves it there.")
        return item.playEnd.map { min($0, range.end) } ?? range.end
    }

    /// A countdown too short to answer. The box shows it earlier when no content follows, otherwise it accepts later.
    private func checkCountdown(of proposal: Proposal, _ parts: FeedObject, item: Item) {
        guard let interval = proposal.automaticAcceptanceInterval, let end = item.playEnd,
            let node = parts["automaticAcceptanceInterval"]
        else { return }
        let shown = item.postCredits ? end : proposal.at ?? item.markers.first { $0.kind == .credits }?.start ?? end
        let accepted = end + interval
        let countdown = accepted - shown
        guard countdown < Self.shortestCountdown else { return }
        let earlier = accepted - Self.shortestCountdown
        let lastContent = item.markers.last { $0.kind != .credits }?.start ?? .zero
        let remedy =
            !item.postCredits && earlier > lastContent
            ? "The box shows the proposal at \(FeedTime.plain(earlier))."
            : "The box accepts at \(FeedTime.plain(shown + Self.shortestCountdown)) instead of \(FeedTime.plain(accepted))."
        findings.warn(
            .countdownShort, node,
            "the countdown lasts \(FeedTime.plain(max(countdown, .zero))) s: shown at \(FeedTime.plain(shown)), accepted at \(FeedTime.plain(accepted))",
            "Leave 5 s or more. \(remedy)")
    }
}
