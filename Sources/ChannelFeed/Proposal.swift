import MediaTime

/// What a feed says about what is offered after an item.
package enum ProposalRule: Sendable, Hashable {
    /// Nothing: the next episode of the series is.
    case automatic
    /// That nothing is.
    case off
    /// What is.
    case given(Proposal)
}

/// What is offered after an item, as the feed gives it; nil stands for the default.
package struct Proposal: Sendable, Hashable {
    /// What follows; nil: the next episode, or what `url` leads to.
    package internal(set) var next: Reference?
    /// When it is offered, in asset time; nil: at the credits, else at the end.
    package internal(set) var at: MediaTime?
    /// When it is accepted by itself, relative to the end of playback: negative before it. Nil: never.
    package internal(set) var automaticAcceptanceInterval: MediaTime?
    /// Whether leading round in a circle is meant.
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

/// What a proposal comes to: everything told, nothing left to look up. The counterpart of `AVContentProposal`.
package struct ContentProposal: Sendable, Hashable {
    /// What plays when it is accepted; nil where it is a URL that the feed has no item for.
    package let next: Reference?
    /// Where that plays from, in order of fail-over; empty for a channel that is made of items.
    package let urls: [String]
    /// Its title.
    package let title: LocalizedText?
    /// Its picture.
    package let image: String?
    /// Its description.
    package let description: LocalizedText?
    /// Its genre.
    package let genre: LocalizedText?
    /// Its rating.
    package let rating: Rating?
    /// When it is offered, in asset time; nil: at the end.
    package let contentTimeForTransition: MediaTime?
    /// When it is accepted by itself, relative to the end of playback: negative before it. Nil: never.
    package let automaticAcceptanceInterval: MediaTime?
}
