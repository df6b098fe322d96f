import ChannelFeed
import MediaModel
import MediaTime
import Viewing

extension InterfacePolicy {
    /// Applies the operator's policy in a feed.
    ///
    /// - Parameters:
    ///   - hasStart: whether something plays without a choice; a kiosk with this has no Home.
    ///   - limit: the box's own age limit, which takes precedence over the feed's.
    mutating func follow(_ feed: Policy, hasStart: Bool, limit: ParentalLimit?) {
        snapBack = SnapBackPolicy(feed.snapBack, canSkipInterstitials: feed.skippableAds)
        navigation = StandardNavigationPolicy(snapBack: snapBack)
        asksAfter = feed.idleAskAfterHours.map { .nanoseconds($0.nanoseconds * 3600) }
        hasHome = !isKiosk || !hasStart
        configuredAge = (limit ?? feed.parentalLimit)?.age
    }
}
