import ChannelFeed
import ProgrammeGuide

/// What guides beside the feed say is on, and since when today is. A value.
struct GuideBook {
    /// By the addresses of the guides.
    private(set) var listings: [String: GuideListings] = [:]
    /// The beginning of today, local, where the date is known.
    private(set) var midnight: FeedDate?

    /// A guide was read; it stands for what was read of the same address before.
    mutating func take(_ new: GuideListings, from address: String) { listings[address] = new }

    /// It is this time of day.
    ///
    /// - Returns: whether that makes another beginning of today.
    mutating func timeIs(secondsSinceMidnight: Int, now: FeedDate) -> Bool {
        // Clocks tick between the two answers: a difference of seconds is none.
        let new = FeedDate(milliseconds: (now.milliseconds - Int64(secondsSinceMidnight) * 1000 + 30_000) / 60_000 * 60_000)
        guard new != midnight else { return false }
        midnight = new
        return true
    }
}
