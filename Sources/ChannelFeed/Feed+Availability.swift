/// Whether an item or a channel is available now.
package enum Availability: Sendable, Hashable {
    case playable
    /// The operator withdrew it: the only reason to interrupt playback.
    case withdrawn
    /// Its window opens later.
    case notYet(from: FeedDate)
    /// Its window has passed.
    case expired(at: FeedDate)
    /// It has a strict window, and the clock is not trusted yet.
    case clockNotTrusted
    /// It has a strict window, and the feed itself has expired.
    case feedExpired(at: FeedDate)
}

extension Feed {
    /// Whether an item is available at this time.
    package func availability(of item: Item, clock: FeedClock) -> Availability {
        availability(window: item.window, isStrict: item.strictWindow, isWithdrawn: item.withdrawn, clock: clock)
    }

    /// Whether a channel is available at this time.
    package func availability(of channel: Channel, clock: FeedClock) -> Availability {
        availability(window: channel.window, isStrict: channel.strictWindow, isWithdrawn: channel.withdrawn, clock: clock)
    }

    /// Until the clock is trusted, windows do not apply: only strict ones hide, so that a box without a time server is never
    /// empty.
    private func availability(window: Window?, isStrict: Bool, isWithdrawn: Bool, clock: FeedClock) -> Availability {
        if isWithdrawn { return .withdrawn }
        guard case .trusted(let now) = clock else { return isStrict ? .clockNotTrusted : .playable }
        if let from = window?.from, now < from { return .notYet(from: from) }
        if let to = window?.to, now >= to { return .expired(at: to) }
        if isStrict, let validUntil, now >= validUntil { return .feedExpired(at: validUntil) }
        return .playable
    }

    /// The items available at this time, in the feed's order.
    package func items(clock: FeedClock) -> [Item] { items.filter { availability(of: $0, clock: clock) == .playable } }

    /// The channels available at this time, in the feed's order.
    package func channels(clock: FeedClock) -> [Channel] { channels.filter { availability(of: $0, clock: clock) == .playable } }

    /// Whether a rating needs the PIN: under the given limit (the box's own, which takes precedence), otherwise under the feed's
    /// policy.
    package func parentalDecision(for rating: Rating?, limit: ParentalLimit? = nil) -> ParentalDecision {
        guard let limit = limit ?? policy.parentalLimit else { return .open }
        return limit.decision(for: rating)
    }
}
