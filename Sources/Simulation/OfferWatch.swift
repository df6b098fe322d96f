import ChannelFeed

/// Follows the window in which the first channel is offered, by the date that the box trusts. What plays when the window closes may go on, and a box
/// without a date may play it. A value: it is told each second what the box does.
struct OfferWatch {
    /// The box looks at windows every half minute.
    private static let longestDelay = Duration.seconds(31)

    private let window: Range<FeedDate>?
    private var lastOpen: Duration?
    private var isGoingOn = false
    /// Since when the box has had time to notice that the window is open; nil while it is closed.
    private(set) var since: Duration?

    /// - Parameter window: from the start of the simulation; nil for always.
    init(window: Range<Duration>?) {
        self.window = window.map { WorldDate.at($0.lowerBound)..<WorldDate.at($0.upperBound) }
        if window == nil { since = .zero }
    }

    /// - Parameters:
    ///   - date: the date that the box trusts; nil if it has none.
    ///   - isPlaying: whether the box has the channel open.
    mutating func note(at now: Duration, date: FeedDate?, isPlaying: Bool) {
        guard let window else { return }
        let isOpen = date.map { window.contains($0) } ?? true
        if isOpen { lastOpen = now }
        since = isOpen ? since ?? now + Self.longestDelay : nil
        isGoingOn = isPlaying && (isGoingOn || isShortlyAfter(now))
    }

    /// Whether pictures of the channel may be shown.
    func mayBeShown(at now: Duration) -> Bool { window == nil || isGoingOn || isShortlyAfter(now) }

    private func isShortlyAfter(_ now: Duration) -> Bool { lastOpen.map { now - $0 <= Self.longestDelay } ?? false }
}
