import MediaTime

/// The feed's rule for what is proposed after an item.
package enum ProposalRule: Sendable, Hashable {
    /// No rule: the next episode of the series.
    case automatic
    /// Nothing is proposed.
    case off
    /// An explicit proposal.
    case given(Proposal)
}

/// A proposal after an item as given in the feed; nil stands for the default.
package struct Proposal: Sendable, Hashable {
    /// What follows; nil: the next episode, or the target of `url`.
    package internal(set) var next: Reference?
    /// When it is shown, in asset time; nil: at the credits, otherwise at the end.
    package internal(set) var at: MediaTime?
    /// When it is accepted automatically, relative to the end of playback: negative before it. Nil: never.
    package internal(set) var automaticAcceptanceInterval: MediaTime?
    /// Whether a cycle of proposals is intended.
    package internal(set) var loop = false
    /// Instead of the title of `next`.
    package internal(set) var title: LocalizedText?
    /// Instead of the artwork of `next`.
    package internal(set) var image: String?
    /// Instead of the description of `next`.
    package internal(set) var description: LocalizedText?
    /// Instead of the genre of `next`.
    package internal(set) var genre: LocalizedText?
    /// Instead of the rating of `next`.
    package internal(set) var rating: Rating?
    /// Instead of the streams of `next`.
    package internal(set) var url: String?
}

/// A resolved proposal, with nothing left to look up. The counterpart of `AVContentProposal`.
package struct ContentProposal: Sendable, Hashable {
    /// What plays when it is accepted; nil for a URL without an item in the feed.
    package let next: Reference?
    /// Its streams, in fail-over order; empty for a channel that consists of items.
    package let streams: [StreamLocation]
    package let title: LocalizedText?
    package let image: String?
    package let description: LocalizedText?
    package let genre: LocalizedText?
    package let rating: Rating?
    /// When it is shown, in asset time; nil: at the end.
    package let contentTimeForTransition: MediaTime?
    /// When it is accepted automatically, relative to the end of playback: negative before it. Nil: never.
    package let automaticAcceptanceInterval: MediaTime?
}
