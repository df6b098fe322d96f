import ChannelFeed
import CivilTime
import MediaModel
import MediaTime

/// Something to play: an item, a channel, or a stream that is not in the feed, with its position in a queue if it has one. A value.
package struct Programme: Sendable, Equatable {
    /// The kind of programme.
    package enum Subject: Sendable, Equatable {
        /// An item of the feed.
        case item(Item)
        /// A channel with its own stream.
        case channel(Channel)
        /// A stream or file given by its address.
        case url(String)

        /// The id in the feed; the address of what is not in it.
        var id: String {
            switch self {
            case .item(let item): item.id
            case .channel(let channel): channel.id
            case .url(let url): url
            }
        }
    }

    /// What to play.
    package var subject: Subject
    /// The playlist channel that it belongs to, and its index there.
    package var queue: (channel: Channel, index: Int)?
    /// The channel whose schedule of rules it is shown by, until another rule holds.
    package var schedule: String?
    /// The addresses that follow it, if it was given by addresses.
    package var addresses: [String]

    package init(_ subject: Subject, queue: (channel: Channel, index: Int)? = nil, addresses: [String] = []) {
        self.subject = subject
        self.queue = queue
        self.addresses = addresses
    }

    /// The channel that it is, or belongs to.
    package var channelID: String? {
        if let schedule { return schedule }
        if case .channel(let channel) = subject { return channel.id }
        return queue?.channel.id
    }

    /// Whether something follows it automatically, or may.
    package var isInQueue: Bool { queue != nil || !addresses.isEmpty }

    package static func == (left: Programme, right: Programme) -> Bool {
        left.subject == right.subject && left.queue?.channel.id == right.queue?.channel.id
            && left.queue?.index == right.queue?.index && left.addresses == right.addresses && left.schedule == right.schedule
    }

    /// The key of its saved position.
    package var id: String { subject.id }

    /// Whether it is an address that is not in the feed.
    var isURL: Bool { if case .url = subject { true } else { false } }

    /// Its name in dumps, which contain no addresses.
    var dumpName: String { isURL ? "url" : id }

    var rating: Rating? {
        switch subject {
        case .item(let item): item.rating
        case .channel(let channel): channel.rating
        case .url: nil
        }
    }

    /// Its title in the best of these languages; its id if it has none.
    func title(in languages: [String]) -> String {
        switch subject {
        case .item(let item): item.title?.best(for: languages) ?? item.id
        case .channel(let channel): channel.title.best(for: languages) ?? channel.id
        case .url(let url): url
        }
    }

    /// Its streams. Each is tried when the one before it fails.
    package var streams: [StreamLocation] {
        switch subject {
        case .item(let item): item.streams.map(\.location)
        case .channel(let channel): channel.streams.map(\.location)
        case .url(let url): [.url(url)]
        }
    }

    /// How old its picture may become before it is fetched again, if it is one; nil: it stays as it is.
    var refresh: MediaTime? { if case .item(let item) = subject { item.refresh } else { nil } }

    /// How its picture moves while it is shown, if it is one; nil: it stands.
    var motion: PictureMotion? { if case .item(let item) = subject { item.motion } else { nil } }

    /// Finds the programme for an id of the feed; nil if there is nothing playable with this id now.
    ///
    /// - Parameters:
    ///   - date: the wall clock, if it can be trusted; schedules need it.
    ///   - zone: the clocks of the box's place.
    package static func find(_ id: String, in feed: Feed, at date: FeedDate?, zone: CivilZone = .utc) -> Programme? {
        if let item = feed.item(id) { return Programme(.item(item)) }
        guard let channel = feed.channel(id) else {
            return feed.series(id)?.seasons.first?.episodes.first.flatMap { feed.item($0) }.map { Programme(.item($0)) }
        }
        switch channel.kind {
        case .live: return Programme(.channel(channel))
        case .playlist: return Programme.queued(channel, from: 0, in: feed)
        case .schedule where channel.recurs:
            let due = channel.schedule.due(at: date, in: zone).flatMap { shown(by: $0, on: channel, in: feed) }
            return due ?? channel.schedule.fillerRule.flatMap { shown(by: $0, on: channel, in: feed) }
        case .schedule:
            guard let date, let entry = channel.entry(at: date), let item = feed.item(entry.item) else { return nil }
            return Programme(.item(item))
        }
    }

    /// The next existing item of the queue; nil at the end of a queue that does not loop.
    package func next(in feed: Feed?) -> Programme? {
        if let address = addresses.first { return Programme(.url(address), addresses: Array(addresses.dropFirst())) }
        guard let feed, let queue, let index = queue.channel.index(after: queue.index) else { return nil }
        var next = Programme.queued(queue.channel, from: index, in: feed)
        next?.schedule = schedule
        return next
    }

    /// What a rule of a schedule shows; nil if nothing of it is available.
    private static func shown(by rule: ScheduleRule, on channel: Channel, in feed: Feed) -> Programme? {
        var found: Programme?
        switch rule.shows {
        case .items(let items): found = queued(channel.showing(items), from: 0, in: feed)
        case .channel(let id):
            guard let shown = feed.channel(id) else { break }
            found = shown.kind == .live ? Programme(.channel(shown)) : queued(channel.showing(shown.items), from: 0, in: feed)
        }
        found?.schedule = channel.id
        return found
    }

    /// The programme that its schedule shows now, without a break where this one is a part of it; nil if it is not.
    ///
    /// - Parameter due: what the schedule shows now, from its beginning.
    func goingOn(in due: Programme) -> Programme? {
        guard let queue, let now = due.queue else { return subject.id == due.subject.id && self.queue == nil ? due : nil }
        let items = now.channel.items
        let isInPlace = items.indices.contains(queue.index) && items[queue.index] == id
        guard let index = isInPlace ? queue.index : items.firstIndex(of: id) else { return nil }
        var programme = self
        programme.queue = (now.channel, index)
        return programme
    }

    /// The next existing item of the queue for which a condition holds; nil if there is none. A queue that loops is searched once.
    func next(in feed: Feed?, where isWanted: (Programme) -> Bool) -> Programme? {
        var candidate = next(in: feed)
        for _ in 0...max(queue?.channel.items.count ?? 0, addresses.count) {
            guard let next = candidate, !isWanted(next) else { return candidate }
            candidate = next.next(in: feed)
        }
        return nil
    }

    /// The same programme with its position in the queue of a newer feed. The current item is unchanged, and the newer feed decides what follows.
    func renewed(in feed: Feed) -> Programme {
        guard let queue, let channel = feed.channel(queue.channel.id), channel.kind == .playlist else { return self }
        let isThere = channel.items.indices.contains(queue.index) && channel.items[queue.index] == id
        // If it was removed, the item at its index follows.
        let index =
            isThere ? queue.index : channel.items.firstIndex(of: id) ?? min(queue.index, channel.items.count) - 1
        var renewed = self
        renewed.queue = (channel, index)
        return renewed
    }

    /// The next item in the order of the feed, for boxes that show any playable item. Nil at the last.
    func following(in feed: Feed) -> Programme? {
        guard case .item(let item) = subject, let index = feed.items.firstIndex(where: { $0.id == item.id }) else { return nil }
        let next = index + 1
        return next < feed.items.count ? Programme(.item(feed.items[next])) : nil
    }

    /// The first existing item of a playlist channel from an index on; nil if there is none.
    static func queued(_ channel: Channel, from index: Int, in feed: Feed) -> Programme? {
        var index = index
        for _ in channel.items.indices {
            if let item = feed.item(channel.items[index]) { return Programme(.item(item), queue: (channel, index)) }
            guard let next = channel.index(after: index) else { return nil }
            index = next
        }
        return nil
    }
}
