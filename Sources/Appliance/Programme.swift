import ChannelFeed

/// What is to be played: one item, a channel, or a stream that no feed knows; with its place in a queue where it has one. A value.
package struct Programme: Sendable, Equatable {
    /// What is shown and remembered.
    package enum Subject: Sendable, Equatable {
        /// An item of the feed.
        case item(Item)
        /// A channel with a stream of its own.
        case channel(Channel)
        /// A stream or file given by its address.
        case url(String)
    }

    /// What is played now.
    package var subject: Subject
    /// The playlist channel that it plays in, and the index of the item in it.
    package var queue: (channel: Channel, index: Int)?
    /// What follows it, where that was given by addresses.
    package var addresses: [String]

    package init(_ subject: Subject, queue: (channel: Channel, index: Int)? = nil, addresses: [String] = []) {
        self.subject = subject
        self.queue = queue
        self.addresses = addresses
    }

    /// The channel that it is, or plays in.
    package var channelID: String? {
        if case .channel(let channel) = subject { return channel.id }
        return queue?.channel.id
    }

    /// Whether something follows it, or may follow it, without anybody's wish.
    package var isInQueue: Bool { queue != nil || !addresses.isEmpty }

    package static func == (left: Programme, right: Programme) -> Bool {
        left.subject == right.subject && left.queue?.channel.id == right.queue?.channel.id
            && left.queue?.index == right.queue?.index && left.addresses == right.addresses
    }

    /// The name under which its place is remembered.
    package var id: String {
        switch subject {
        case .item(let item): item.id
        case .channel(let channel): channel.id
        case .url(let url): url
        }
    }

    /// Whether it is an address that no feed knows.
    var isURL: Bool { if case .url = subject { true } else { false } }

    /// What dumps call it: they hold no addresses.
    var dumpName: String { isURL ? "url" : id }

    /// What is said of its contents.
    var rating: Rating? {
        switch subject {
        case .item(let item): item.rating
        case .channel(let channel): channel.rating
        case .url: nil
        }
    }

    /// Its title in the best of these languages; its id where it has none.
    func title(in languages: [String]) -> String {
        switch subject {
        case .item(let item): item.title?.best(for: languages) ?? item.id
        case .channel(let channel): channel.title.best(for: languages) ?? channel.id
        case .url(let url): url
        }
    }

    /// Its streams: each is tried when the one before it fails.
    package var urls: [String] {
        switch subject {
        case .item(let item): item.streams.map(\.url)
        case .channel(let channel): channel.streams.map(\.url)
        case .url(let url): [url]
        }
    }

    /// Finds what an id of the feed stands for; nil when there is nothing to play under it now.
    ///
    /// - Parameter date: the wall clock where it can be trusted: schedules need it.
    package static func find(_ id: String, in feed: Feed, at date: FeedDate?) -> Programme? {
        if let item = feed.item(id) { return Programme(.item(item)) }
        guard let channel = feed.channel(id) else {
            return feed.series(id)?.seasons.first?.episodes.first.flatMap { feed.item($0) }.map { Programme(.item($0)) }
        }
        switch channel.kind {
        case .live: return Programme(.channel(channel))
        case .playlist: return Programme.queued(channel, from: 0, in: feed)
        case .schedule:
            guard let date, let entry = channel.entry(at: date), let item = feed.item(entry.item) else { return nil }
            return Programme(.item(item))
        }
    }

    /// The next of the queue that there is; nil at the end of a queue that does not loop.
    package func next(in feed: Feed?) -> Programme? {
        if let address = addresses.first { return Programme(.url(address), addresses: Array(addresses.dropFirst())) }
        guard let feed, let queue, let index = queue.channel.index(after: queue.index) else { return nil }
        return Programme.queued(queue.channel, from: index, in: feed)
    }

    /// The same with its place in the queue as a newer feed has it: what plays is not touched, what follows is that feed's.
    func renewed(in feed: Feed) -> Programme {
        guard let queue, let channel = feed.channel(queue.channel.id), channel.kind == .playlist else { return self }
        let isThere = channel.items.indices.contains(queue.index) && channel.items[queue.index] == id
        // Where it was taken out, what has moved up to its place follows.
        let index =
            isThere ? queue.index : channel.items.firstIndex(of: id) ?? min(queue.index, channel.items.count) - 1
        var renewed = self
        renewed.queue = (channel, index)
        return renewed
    }

    /// The item after this one in the order of the feed: where a box goes that is to show whatever can be shown. Nil at the last.
    func following(in feed: Feed) -> Programme? {
        guard case .item(let item) = subject, let index = feed.items.firstIndex(where: { $0.id == item.id }) else { return nil }
        let next = index + 1
        return next < feed.items.count ? Programme(.item(feed.items[next])) : nil
    }

    private static func queued(_ channel: Channel, from index: Int, in feed: Feed) -> Programme? {
        var index = index
        for _ in channel.items.indices {
            if let item = feed.item(channel.items[index]) { return Programme(.item(item), queue: (channel, index)) }
            guard let next = channel.index(after: index) else { return nil }
            index = next
        }
        return nil
    }
}
