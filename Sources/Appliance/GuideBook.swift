import ChannelFeed
import ProgrammeGuide

/// The programmes of guides outside the feed, and the start of today. A value.
struct GuideBook {
    /// By the addresses of the guides.
    private(set) var listings: [String: GuideListings] = [:]
    /// The start of today, local; nil if the date is unknown.
    private(set) var midnight: FeedDate?

    /// A guide was read. It replaces an earlier one of the same address.
    mutating func take(_ new: GuideListings, from address: String) { listings[address] = new }

    /// Sets the time of day.
    ///
    /// - Returns: whether the start of today has changed.
    mutating func timeIs(secondsSinceMidnight: Int, now: FeedDate) -> Bool {
        // Clocks advance between the two calls, so a difference of seconds does not count.
        let new = FeedDate(milliseconds: (now.milliseconds - Int64(secondsSinceMidnight) * 1000 + 30_000) / 60_000 * 60_000)
        guard new != midnight else { return false }
        midnight = new
        return true
    }
}
