/// Whether something is offered now.
package enum Availability: Sendable, Hashable {
    /// It is.
    case playable
    /// The operator took it off: the only thing that interrupts what is on the screen.
    case withdrawn
    /// Its window opens later.
    case notYet(from: FeedDate)
    /// Its window has passed.
    case expired(at: FeedDate)
    /// It has a strict window, and nobody has vouched for the clock yet.
    case clockNotTrusted
    /// It has a strict window, and the feed itself holds no longer.
    case feedExpired(at: FeedDate)
}

extension Feed {
    /// Whether an item is offered at this time.
    package func availability(of item: Item, clock: FeedClock) -> Availability {
        availability(window: item.window, isStrict: item.strictWindow, isWithdrawn: item.withdrawn, clock: clock)
    }

    /// Whether a channel is offered at this time.
    package func availability(of channel: Channel, clock: FeedClock) -> Availability {
        availability(window: channel.window, isStrict: channel.strictWindow, isWithdrawn: channel.withdrawn, clock: clock)
    }

    /// Until the clock is vouched for, windows wait: what has one is shown unless it is strict, so that a box without a time server is never empty.
    private func availability(window: Window?, isStrict: Bool, isWithdrawn: Bool, clock: FeedClock) -> Availability {
        if isWithdrawn { return .withdrawn }
        guard case .trusted(let now) = clock else { return isStrict ? .clockNotTrusted : .playable }
        if let from = window?.from, now < from { return .notYet(from: from) }
        if let to = window?.to, now >= to { return .expired(at: to) }
        if isStrict, let validUntil, now >= validUntil { return .feedExpired(at: validUntil) }
        return .playable
    }

    /// The items offered at this time, in the feed's order.
    package func items(clock: FeedClock) -> [Item] { items.filter { availability(of: $0, clock: clock) == .playable } }

    /// The channels offered at this time, in the feed's order.
    package func channels(clock: FeedClock) -> [Channel] { channels.filter { availability(of: $0, clock: clock) == .playable } }

    /// Whether something with this rating needs the PIN: under the limit given (the box's own, which goes before the feed's), else under the feed's policy.
    package func parentalDecision(for rating: Rating?, limit: ParentalLimit? = nil) -> ParentalDecision {
        guard let limit = limit ?? policy.parentalLimit else { return .open }
        return limit.decision(for: rating)
    }
}
