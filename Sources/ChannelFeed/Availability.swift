/// Whether an item or a channel is available now.
package enum Availability: Sendable, Hashable {
    case playable
    /// The operator withdrew it: the only reason to interrupt playback.
    case withdrawn
    /// Its window opens later.
    case notYet(from: FeedDate)
    /// It is none of the times that recur in its window.
    case notNow
    /// Its window has passed.
    case expired(at: FeedDate)
    /// It has a strict window, and the clock is not trusted yet.
    case clockNotTrusted
    /// It has a strict window, and the feed itself has expired.
    case feedExpired(at: FeedDate)
}
