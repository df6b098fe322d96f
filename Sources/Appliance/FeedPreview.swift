import ChannelFeed
import MediaTime
import PlayerInterface

/// What a viewer of a feed is told of it, without a box that plays it: for pictures of the feed.
@MainActor
public struct FeedPreview {
    /// What Home offers.
    public let home: HomeContent
    /// The feed's items in its order.
    public let items: [ItemPresentation]

    /// Makes a preview in the viewer's languages, best first (BCP 47).
    public init(feed: Feed, languages: [String]) {
        let presentations = Presentations(
            feed: feed, languages: languages, places: MemoryPlaceStore(), strings: .best(for: languages))
        home = presentations.home()
        items = feed.items.map { presentations.presentation(of: Programme(.item($0)), source: nil) }
    }
}
