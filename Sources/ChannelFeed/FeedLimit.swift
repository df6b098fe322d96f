import MediaTime

/// The longest texts for viewers, in characters, the longest lists, and other bounds.
package enum FeedLimit {
    /// Titles, headings and genres.
    package static let title = 120
    package static let description = 500
    /// The markers of an item, and its interstitials: each marker is compared with each interstitial.
    static let places = 1000
    /// The overlays of an item, and of a channel: all of them can be in memory and on the screen at once.
    static let itemOverlays = 8
    static let channelOverlays = 4
    /// The lines of an overlay.
    static let overlayLines = 20
    /// The rules of a schedule, and the texts about days and times in them: each is compared with each.
    static let rules = 50
    static let ruleTimes = 100
    /// What may be cut off two opposite sides of an overlay together, in percent.
    static let crop: Int64 = 90
    /// A picture is fetched again at most this often.
    static let shortestRefresh = MediaTime.seconds(10)
    /// How many times larger than whole a picture may be.
    static let zoom = 8
    /// A bit rate.
    static let kbit: Int64 = 1_000_000
}
