import ChannelFeed
import MediaTime
import Screens

/// What viewers are shown of a feed, without a box that plays it: for pictures of the feed.
@MainActor
package struct FeedPreview {
    /// The contents of Home.
    package let home: HomeContent
    /// The feed's items in its order.
    package let items: [ItemPresentation]

    /// Makes a preview in the viewer's languages, best first (BCP 47).
    package init(feed: Feed, languages: [String]) {
        let presentations = Presentations(
            feed: feed, languages: languages, places: MemoryPlaceStore(), strings: .best(for: languages))
        home = presentations.home()
        items = feed.items.map { presentations.presentation(of: Programme(.item($0)), source: nil) }
    }
}
