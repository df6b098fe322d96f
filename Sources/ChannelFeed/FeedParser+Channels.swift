import MediaTime

extension FeedParser {
    /// One channel; its references are checked when everything is parsed.
    mutating func channel(_ node: FeedNode, place: Int) -> Channel? {
        guard let object = object(node, keys: FeedKeys.channel) else { return nil }
        var channel = Channel()
        channel.id = required(object, "id", "a unique id").flatMap { id($0) } ?? ""
        channel.number = integer(object, "number", in: 0...99_999).map(Int.init) ?? place
        if let title = required(object, "title", "the name of the channel") {
            channel.title = text(title, limit: Self.titleLimit) ?? channel.title
        }
        channel.description = text(object, "description", limit: Self.descriptionLimit)
        channel.loop = boolean(object, "loop") ?? false
        channel.guide = guide(object)
        channel.rating = rating(object)
        channel.artwork = artwork(object)
        channel.genre = text(object, "genre", limit: Self.titleLimit)
        channel.tags = tags(object)
        channel.window = window(object)
        channel.strictWindow = boolean(object, "strictWindow") ?? false
        channel.resume = boolean(object, "resume") ?? false
        channel.skipMode = word(object, "skipMode", as: SkipMode.self)
        channel.withdrawn = boolean(object, "withdrawn") ?? false
        readSource(of: &channel, object)
        return channel
    }

    /// Parses the source of a channel's programme: the list that its kind requires.
    private mutating func readSource(of channel: inout Channel, _ object: FeedObject) {
        if let node = object["kind"], let text = string(node) {
            let words = Channel.Kind.allCases.map(\.rawValue)
            guard let kind = Channel.Kind(rawValue: text) else {
                // Without a valid kind the channel cannot be played.
                let suggestion = suggestions.nearest(to: text, among: words)
                fail(
                    .wrongType, node, "unknown kind \(FeedText.quoted(text))",
                    suggestion.map { "Did you mean \"\($0)\"?" } ?? "Write \(FeedText.choice(words)).")
                return
            }
            channel.kind = kind
        }
        channel.streams = streams(object)
        let (key, example) =
            switch channel.kind {
            case .live: ("streams", "[{\"url\": \"…\"}]")
            case .playlist: ("items", "a list of item ids")
            case .schedule: ("entries", "[{\"at\": \"2026-11-20T20:00:00Z\", \"item\": \"…\"}]")
            }
        guard let node = required(object, key, example) else { return }
        if case .array(let nodes) = node.json.value, nodes.isEmpty {
            fail(.wrongType, node, "a \(channel.kind.rawValue) channel with nothing in it", "Write \(example).")
        }
    }

    private mutating func guide(_ object: FeedObject) -> Guide? {
        guard let node = object["guide"], let parts = self.object(node, keys: FeedKeys.guide),
            let url = required(parts, "xmltv", "the URL of the XMLTV file").flatMap({ url($0) })
        else { return nil }
        return Guide(xmltv: url, id: string(parts, "id"))
    }

    /// One series; its episodes are looked up when everything is parsed.
    mutating func series(_ node: FeedNode) -> Series? {
        guard let object = object(node, keys: FeedKeys.series) else { return nil }
        var series = Series()
        series.id = required(object, "id", "a unique id").flatMap { id($0) } ?? ""
        if let title = required(object, "title", "the name of the series") {
            series.title = text(title, limit: Self.titleLimit) ?? series.title
        }
        series.description = text(object, "description", limit: Self.descriptionLimit)
        series.artwork = artwork(object)
        series.genre = text(object, "genre", limit: Self.titleLimit)
        series.tags = tags(object)
        series.rating = rating(object)
        return series
    }

    // MARK: Top-level keys

    mutating func provider(_ object: FeedObject) -> Provider? {
        guard let node = object["provider"], let parts = self.object(node, keys: FeedKeys.provider) else { return nil }
        return Provider(
            name: text(parts, "name", limit: Self.titleLimit), logo: parts["logo"].flatMap { picture($0) },
            support: string(parts, "support"))
    }

    mutating func refresh(_ object: FeedObject) -> Refresh {
        var refresh = Refresh()
        guard let node = object["refresh"], let parts = self.object(node, keys: FeedKeys.refresh) else { return refresh }
        if let interval = time(parts, "interval"), let node = parts["interval"] {
            if interval >= .seconds(1) {
                refresh.interval = interval
            } else {
                fail(.wrongType, node, "a refresh interval of \(FeedTime.plain(interval)) s", "Write 1 s or more; 900 s is used.")
            }
        }
        refresh.jitterPercent = integer(parts, "jitterPercent", in: 0...100).map(Int.init) ?? refresh.jitterPercent
        return refresh
    }

    mutating func policy(_ object: FeedObject) -> Policy {
        var policy = Policy()
        guard let node = object["policy"], let parts = self.object(node, keys: FeedKeys.policy) else { return policy }
        if let node = parts["parentalMax"] { policy.parentalMax = maxima(node) }
        policy.skippableAds = boolean(parts, "skippableAds") ?? policy.skippableAds
        policy.snapBack = word(parts, "snapBack", as: Policy.SnapBack.self) ?? policy.snapBack
        policy.metered = word(parts, "metered", as: Policy.Metered.self)
        policy.skipMode = word(parts, "skipMode", as: SkipMode.self) ?? policy.skipMode
        if let node = parts["idle"], let idle = self.object(node, keys: FeedKeys.idle), let hours = idle["askAfterHours"] {
            if case .null = hours.json.value { return policy }
            policy.idleAskAfterHours = self.hours(hours)
        }
        return policy
    }

    /// Hours as a decimal number.
    private mutating func hours(_ node: FeedNode) -> MediaTime? {
        if case .number(let text) = node.json.value, let hours = FeedTime.parse(text), hours > .zero { return hours }
        wrongType(node, "a number of hours, e.g. 4, or null for never")
        return nil
    }

    /// The highest open rating by system. An invalid one stays in the list and counts as the strictest limit.
    private mutating func maxima(_ node: FeedNode) -> [Rating] {
        guard case .object(let object) = node.json.value else {
            wrongType(node, "the highest rating open by system, e.g. {\"MPA\": \"PG-13\"}")
            // A limit was intended, but it is unknown: use the strictest.
            return [Rating(system: RatingSystem.age.rawValue, value: "0")]
        }
        return object.members.map { member in
            let child = node.child(member.node, member.key)
            switch member.node.value {
            case .string(let value), .number(let value):
                let rating = Rating(system: member.key, value: value)
                check(rating: rating, systemAt: child, valueAt: child)
                return rating
            default:
                wrongType(child, "a rating, e.g. \"PG-13\"")
                return Rating(system: member.key, value: "")
            }
        }
    }
}
