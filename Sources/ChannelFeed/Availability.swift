import CivilTime

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

extension Feed {
    /// Whether an item is available at this time.
    package func availability(of item: Item, clock: FeedClock, in zone: CivilZone = .utc) -> Availability {
        availability(window: item.window, isStrict: item.strictWindow, isWithdrawn: item.withdrawn, clock, zone)
    }

    /// Whether a channel is available at this time.
    package func availability(of channel: Channel, clock: FeedClock, in zone: CivilZone = .utc) -> Availability {
        availability(window: channel.window, isStrict: channel.strictWindow, isWithdrawn: channel.withdrawn, clock, zone)
    }

    /// Until the clock is trusted, windows do not apply: only strict ones hide, so that a box without a time server is never
    /// empty.
    private func availability(
        window: Window?, isStrict: Bool, isWithdrawn: Bool, _ clock: FeedClock, _ zone: CivilZone
    ) -> Availability {
        if isWithdrawn { return .withdrawn }
        guard case .trusted(let now) = clock else { return isStrict ? .clockNotTrusted : .playable }
        if let from = window?.from, now < from { return .notYet(from: from) }
        if let to = window?.to, now >= to { return .expired(at: to) }
        if let when = window?.when, !when.rules.isEmpty, when.what(at: now.second, in: zone) == nil { return .notNow }
        if isStrict, let validUntil, now >= validUntil { return .feedExpired(at: validUntil) }
        return .playable
    }

    /// The feed with what is available at this time only; nothing in it refers to the rest, except the entries of schedules: they say what
    /// is on, also when it cannot be played.
    package func available(clock: FeedClock, in zone: CivilZone = .utc) -> Feed {
        let items = items.filter { availability(of: $0, clock: clock, in: zone) == .playable }
        let channels = channels.filter { availability(of: $0, clock: clock, in: zone) == .playable }
        guard items.count < self.items.count || channels.count < self.channels.count else { return self }
        var feed = self
        feed.items = items
        let kept = Set(items.map(\.id))
        for index in feed.series.indices { feed.series[index].keepEpisodes(in: kept) }
        feed.series.removeAll { series in
            series.seasons.allSatisfy(\.episodes.isEmpty)
                && self.series(series.id)?.seasons.contains { !$0.episodes.isEmpty } == true
        }
        feed.channels = channels.compactMap { channel in
            var channel = channel
            channel.items.removeAll { !kept.contains($0) }
            return channel.isEmpty ? nil : channel
        }
        feed.makeIndex()
        feed.removeLooseReferences()
        return feed
    }
}

extension Series {
    /// Removes the episodes that are not among these items.
    mutating func keepEpisodes(in kept: Set<String>) {
        for index in seasons.indices { seasons[index].episodes.removeAll { !kept.contains($0) } }
    }
}

extension Channel {
    /// Whether there is nothing to play in it.
    var isEmpty: Bool {
        switch kind {
        case .live: streams.isEmpty
        case .playlist: items.isEmpty
        case .schedule: schedule.isEmpty
        }
    }
}

extension Feed {
    /// Removes what refers to nothing in this feed: entries of rows, the start, proposals. The index must be made.
    mutating func removeLooseReferences() {
        rows = rows.compactMap { row in
            var row = row
            row.entries.removeAll { reference($0.id) != $0 }
            return row.entries.isEmpty && row.tag == nil ? nil : row
        }
        if let start, reference(start.id) != start { self.start = nil }
        for index in items.indices {
            guard case .given(let proposal) = items[index].proposal, let next = proposal.next, reference(next.id) != next else {
                continue
            }
            // Proposing the next episode in place of the one that is not there would be a guess.
            items[index].proposal = .off
        }
    }
}
