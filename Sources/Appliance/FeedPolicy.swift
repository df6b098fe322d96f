import ChannelFeed
import MediaModel
import MediaTime
import PlayerInterface

extension InterfacePolicy {
    /// Applies the operator's policy in a feed.
    ///
    /// - Parameter hasStart: whether something plays without a choice; a kiosk with this has no Home.
    mutating func follow(_ feed: Policy, hasStart: Bool) {
        snapBack = feed.snapBack
        canSkipInterstitials = feed.skippableAds
        navigation = StandardNavigationPolicy(snapBack: snapBack, canSkipInterstitials: feed.skippableAds)
        asksAfter = feed.idleAskAfterHours.map { .nanoseconds($0.nanoseconds * 3600) }
        hasHome = !isKiosk || !hasStart
    }
}
