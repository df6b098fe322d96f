import ChannelFeed
import CivilTime
import MediaTime
import Screens

/// What viewers are shown of a feed, without a box that plays it: for pictures of the feed.
@MainActor
package struct FeedPreview {
    /// The contents of Home.
    package let home: HomeContent
    /// The feed's items in its order.
    package let items: [ItemPresentation]
    /// The guide of the day.
    package let guide: GuideContent
    /// The time of day, in seconds since midnight; nil if no date was given.
    package let secondsSinceMidnight: Int?

    /// Makes a preview in the viewer's languages, best first (BCP 47).
    ///
    /// - Parameter date: what is available then is shown; nil for everything.
    package init(feed whole: Feed, languages: [String], date: FeedDate? = nil, zone: CivilZone = .utc) {
        let feed = date.map { whole.available(clock: .trusted($0), in: zone) } ?? whole
        var presentations = Presentations(
            feed: feed, languages: languages, places: MemoryPlaceStore(), strings: .best(for: languages))
        (presentations.whole, presentations.zone) = (whole, zone)
        let midnight = date.map { FeedDate(second: zone.instant(day: zone.local(at: $0.second).day, second: 0)) }
        guide = presentations.guide(midnight: midnight)
        secondsSinceMidnight = date.flatMap { date in midnight.map { Int(date.second - $0.second) } }
        home = presentations.home()
        items = feed.items.map { presentations.presentation(of: Programme(.item($0)), source: nil) }
    }
}
