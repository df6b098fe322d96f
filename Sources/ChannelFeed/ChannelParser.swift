/// Parses channels.
struct ChannelParser {
    /// The keys of a channel. The published schema must list them in this order.
    static let keys = [
        "id", "number", "title", "description", "kind", "streams", "items", "entries", "rules", "filler", "loop", "guide",
        "rating",
        "artwork", "genre", "tags", "frame", "overlays", "window", "strictWindow", "resume", "skipMode", "withdrawn",
    ]
    static let guideKeys = ["xmltv", "id"]

    private let values: FeedValues
    private let findings: FeedFindings
    private let parts: PartParsers

    init(_ parts: PartParsers, values: FeedValues, findings: FeedFindings) {
        self.values = values
        self.findings = findings
        self.parts = parts
    }

    /// One channel; its references are checked when everything is parsed.
    func channel(_ node: FeedNode, place: Int) -> Channel? {
        guard let object = values.object(node, keys: Self.keys) else { return nil }
        var channel = Channel()
        channel.id = values.required(object, "id", "a unique id").flatMap { values.id($0) } ?? ""
        channel.number = values.integer(object, "number", in: 0...99_999).map(Int.init) ?? place
        if let title = values.required(object, "title", "the name of the channel") {
            channel.title = values.text(title, limit: FeedLimit.title) ?? channel.title
        }
        channel.description = values.text(object, "description", limit: FeedLimit.description)
        channel.loop = values.boolean(object, "loop") ?? false
        channel.guide = guide(object)
        channel.rating = parts.ratings.rating(object)
        channel.artwork = parts.artwork.artwork(object)
        channel.genre = values.text(object, "genre", limit: FeedLimit.title)
        channel.tags = values.strings(object, "tags")
        channel.screen.frame = FrameParser(values: values, findings: findings, artwork: parts.artwork).frame(object)
        (channel.screen.overlays, channel.overlayLines) =
            OverlayParser(values: values, findings: findings, artwork: parts.artwork).overlays(ofChannel: object)
        channel.window = parts.windows.window(object)
        channel.strictWindow = values.boolean(object, "strictWindow") ?? false
        channel.resume = values.boolean(object, "resume") ?? false
        channel.skipMode = values.word(object, "skipMode", as: SkipMode.self)
        channel.withdrawn = values.boolean(object, "withdrawn") ?? false
        readSource(of: &channel, object)
        if channel.kind == .schedule, object["entries"] != nil {
            for node in ["frame", "overlays"].compactMap({ object[$0] }) {
                findings.warn(
                    .withoutEffect, node, "the entries of a schedule are shown with what their items have",
                    "Move it to the items, or write \"rules\"; the box does not show this one.")
            }
        }
        if channel.resume, channel.kind != .playlist, let node = object["resume"] {
            findings.warn(
                .withoutEffect, node, "a \(channel.kind.rawValue) channel does not resume",
                "Remove it; playlist channels continue with the item at which they were left.")
        }
        return channel
    }

    /// Parses the source of a channel's programme: the list that its kind requires.
    private func readSource(of channel: inout Channel, _ object: FeedObject) {
        channel.streams = parts.streams.streams(ofChannel: object)
        if let node = object["kind"], let text = values.string(node) {
            let words = Channel.Kind.allCases.map(\.rawValue)
            guard let kind = Channel.Kind(rawValue: text) else {
                // Without a valid kind the channel cannot be played.
                let suggestion = values.suggestion(for: text, among: words)
                findings.fail(
                    .wrongType, node, "unknown kind \(FeedText.quoted(text))",
                    suggestion.map { "Did you mean \"\($0)\"?" } ?? "Write \(FeedText.choice(words)).")
                return
            }
            channel.kind = kind
        }
        let (key, example) =
            switch channel.kind {
            case .live: ("streams", "[{\"url\": \"…\"}]")
            case .playlist: ("items", "a list of item ids")
            case .schedule where object["rules"] != nil || object["entries"] == nil && object["filler"] != nil:
                ("rules", "[{\"when\": \"mon-fri 08:00-18:00\", \"items\": [\"…\"]}]")
            case .schedule: ("entries", "[{\"at\": \"2026-11-20T20:00:00Z\", \"item\": \"…\"}]")
            }
        guard let node = values.required(object, key, example) else { return }
        if values.isEmptyList(node) {
            findings.fail(.wrongType, node, "a \(channel.kind.rawValue) channel with nothing in it", "Write \(example).")
        }
    }

    private func guide(_ object: FeedObject) -> Guide? {
        guard let node = object["guide"], let parts = values.object(node, keys: Self.guideKeys) else { return nil }
        let url = values.required(parts, "xmltv", "the URL of the XMLTV file").flatMap { values.url($0) }
        let id = values.string(parts, "id")
        return url.map { Guide(xmltv: $0, id: id) }
    }
}
