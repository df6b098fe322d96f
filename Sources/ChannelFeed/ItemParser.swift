import MediaTime
import TextDecoding

/// Parses items.
struct ItemParser {
    /// The keys of an item. The published schema must list them in this order.
    static let keys = [
        "id", "type", "title", "subtitle", "description", "artwork", "genre", "tags", "rating", "duration", "timeline",
        "streams", "refresh", "zoom", "pan", "fadeIn", "fadeOut", "subtitles", "thumbnails", "trim", "markers", "interstitials",
        "frame", "overlays", "proposal", "window",
        "strictWindow",
        "offline", "resume", "skipMode", "requiresLinearPlayback", "postCredits", "withdrawn",
    ]
    static let thumbnailsKeys = ["bif"]
    static let subtitleKeys = ["language", "url", "kind", "charset"]
    static let offlineKeys = ["priority", "minKbit"]
    static let trimKeys = ["in", "out"]

    private let values: FeedValues
    private let findings: FeedFindings
    private let streams: StreamParser
    private let artwork: ArtworkParser
    private let ratings: RatingParser
    private let windows: WindowParser
    private let interstitials: InterstitialParser
    private let markers: MarkerParser
    private let proposals: ProposalParser
    private let frames: FrameParser
    private let overlays: OverlayParser
    private let renewals: RenewalParser
    private let motions: MotionParser

    init(_ parts: PartParsers, values: FeedValues, findings: FeedFindings) {
        self.values = values
        self.findings = findings
        streams = parts.streams
        artwork = parts.artwork
        ratings = parts.ratings
        windows = parts.windows
        renewals = RenewalParser(values: values, findings: findings)
        motions = MotionParser(values: values, findings: findings)
        interstitials = InterstitialParser(values: values, findings: findings)
        markers = MarkerParser(values: values, findings: findings, artwork: parts.artwork)
        frames = FrameParser(values: values, findings: findings, artwork: parts.artwork)
        overlays = OverlayParser(values: values, findings: findings, artwork: parts.artwork)
        proposals = ProposalParser(values: values, findings: findings, artwork: parts.artwork, ratings: parts.ratings)
    }

    /// Parses one item with all rules that concern it alone. `isDropped` tells whether it passed, once every rule was checked.
    func item(_ node: FeedNode) -> Item? {
        guard let object = values.object(node, keys: Self.keys) else { return nil }
        var item = Item()
        item.id = values.required(object, "id", "a unique id").flatMap { values.id($0) } ?? ""
        item.type = values.word(object, "type", as: Item.Kind.self) ?? .movie
        item.title = values.text(object, "title", limit: FeedLimit.title)
        item.subtitle = values.text(object, "subtitle", limit: FeedLimit.title)
        item.description = values.text(object, "description", limit: FeedLimit.description)
        item.artwork = artwork.artwork(object)
        item.genre = values.text(object, "genre", limit: FeedLimit.title)
        item.tags = values.strings(object, "tags")
        item.rating = ratings.rating(object)
        if values.required(object, "streams", "[{\"url\": \"…\"}]") != nil { item.streams = streams.streams(ofItem: object) }
        if item.streams.isEmpty, let streams = object["streams"], values.isEmptyList(streams) {
            findings.fail(.wrongType, streams, "an item without a stream", "Write [{\"url\": \"…\"}].")
        }
        item.subtitles = values.list(object, "subtitles").compactMap { subtitles($0) }
        if let node = object["thumbnails"], let parts = values.object(node, keys: Self.thumbnailsKeys) {
            item.thumbnails = values.url(parts, "bif")
        }
        item.window = windows.window(object)
        item.strictWindow = values.boolean(object, "strictWindow") ?? false
        item.offline = offline(object, streams: item.streams)
        item.refresh = renewals.picture(of: item, object)
        item.resume = values.boolean(object, "resume") ?? true
        item.skipMode = values.word(object, "skipMode", as: SkipMode.self)
        item.requiresLinearPlayback = values.boolean(object, "requiresLinearPlayback") ?? false
        item.postCredits = values.boolean(object, "postCredits") ?? false
        item.withdrawn = values.boolean(object, "withdrawn") ?? false
        readTimes(of: &item, object)
        return item
    }

    /// A priority, or an object with one.
    private func offline(_ object: FeedObject, streams: [Stream]) -> Item.Offline {
        guard let node = object["offline"] else { return Item.Offline() }
        if !streams.isEmpty, streams.allSatisfy({ $0.location.url == nil }) {
            findings.warn(
                .withoutEffect, node, "the pieces of a composition are not stored",
                "Remove it, or write a stream with the whole programme.")
            return Item.Offline()
        }
        guard case .object = node.json.value, let parts = values.object(node, keys: Self.offlineKeys) else {
            return Item.Offline(priority: values.word(object, "offline", as: Item.Offline.Priority.self) ?? .none)
        }
        _ = values.required(parts, "priority", "\"required\" or \"opportunistic\"")
        return Item.Offline(
            priority: values.word(parts, "priority", as: Item.Offline.Priority.self) ?? .none,
            minimumBitRate: values.integer(parts, "minKbit", in: 1...FeedLimit.kbit).map { $0 * 1000 })
    }

    private func subtitles(_ node: FeedNode) -> SubtitleTrack? {
        guard let object = values.object(node, keys: Self.subtitleKeys) else { return nil }
        let language = values.required(object, "language", "a tag such as \"en\"").flatMap { values.language($0) }
        let url = values.required(object, "url", "the URL of the captions").flatMap { values.url($0) }
        let kind = values.word(object, "kind", as: SubtitleTrack.Kind.self) ?? .subtitles
        guard let language, let url else { return nil }
        return SubtitleTrack(language: language, url: url, kind: kind, charset: charset(object))
    }

    private func charset(_ object: FeedObject) -> String? {
        guard let node = object["charset"], let text = values.string(node) else { return nil }
        if DeclaredEncoding.isKnown(text) { return text }
        findings.warn(
            .unknownKey, node, "unknown encoding \(FeedText.quoted(text))",
            "Write a name such as \"windows-1251\". The encoding is found out.")
        return nil
    }

    // MARK: Times

    /// Parses everything on the item's timeline, converts content time to asset time, and checks consistency.
    private func readTimes(of item: inout Item, _ object: FeedObject) {
        let found = interstitials.interstitials(object)
        let timeline = AssetTimeline(interstitials: found.map(\.value.range))
        let isContent = isContentTimeline(object)
        /// A time in the item's timeline as asset time: after interstitials spliced in at that time.
        func place(_ time: MediaTime) -> MediaTime { isContent ? timeline.assetTime(ofContent: time) : time }
        /// The end of a range as asset time: before interstitials spliced in at that time.
        func end(_ time: MediaTime) -> MediaTime { isContent ? timeline.assetEnd(ofContent: time) : time }

        // Zero is how systems write a duration that they do not know.
        item.duration = values.time(object, "duration").flatMap { $0 > .zero ? place($0) : nil }
        item.motion = motions.motion(of: item, object)
        item.trim = trim(object, duration: item.duration)
        interstitials.check(found, of: item)
        interstitials.take(found, into: &item)

        item.markers = MarkerParser.withEnds(
            markers.markers(object, of: item, timeline: timeline, place: place, end: end), playEnd: item.playEnd)
        // A scene after the credits, stated either way.
        if item.markers.contains(where: { $0.kind == .postCredits }) { item.postCredits = true }
        item.screen.frame = frames.frame(object)
        (item.screen.overlays, item.overlayLines) = overlays.overlays(object, of: item, place: place, end: end)
        item.proposal = proposals.proposal(object, item: item, timeline: timeline, place: place)
    }

    private func isContentTimeline(_ object: FeedObject) -> Bool {
        guard let node = object["timeline"], let text = values.string(node) else { return false }
        if text != "content", text != "asset" {
            // A wrong timeline would misplace every marker, so an unknown word has no default.
            findings.fail(
                .wrongType, node, "unknown timeline \(FeedText.quoted(text))",
                "Write \"content\", or leave it out for asset time.")
        }
        return text == "content"
    }

    private func trim(_ object: FeedObject, duration: MediaTime?) -> Trim? {
        guard let node = object["trim"], let parts = values.object(node, keys: Self.trimKeys) else { return nil }
        let trim = Trim(start: values.time(parts, "in") ?? .zero, end: values.time(parts, "out"))
        if let end = trim.end, end <= trim.start, let place = parts["out"] {
            findings.fail(
                .wrongType, place,
                "the trim ends at \(FeedTime.plain(end)), not after its start at \(FeedTime.plain(trim.start))",
                "Write a later \"out\".")
        }
        if let duration, let place = parts["in"], trim.start >= duration {
            findings.fail(
                .wrongType, place,
                "the trim starts at \(FeedTime.plain(trim.start)), the item ends at \(FeedTime.plain(duration))",
                "Write an earlier \"in\".")
        }
        if let duration, let end = trim.end, end > duration { return Trim(start: trim.start, end: duration) }
        return trim
    }
}

extension AssetTimeline {
    /// The asset time at which a range of content ends: before interstitials spliced in there.
    func assetEnd(ofContent contentTime: MediaTime) -> MediaTime {
        var asset = contentTime
        for range in interstitials {
            guard range.start < asset else { break }
            asset += range.duration
        }
        return asset
    }
}
