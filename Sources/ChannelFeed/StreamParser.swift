import URLReferences

/// Parses the streams of items and channels.
struct StreamParser {
    /// The keys of a stream. The published schema must list them in this order.
    static let keys = ["url", "composition"] + hints
    private static let hints = ["codecs", "maxHeight", "sha256", "audio"]
    static let audioHintKeys = ["language", "kind"]

    private let values: FeedValues
    private let findings: FeedFindings
    private let canDecode: (@Sendable (_ codec: String) -> Bool)?
    private let compositions: CompositionParser

    init(values: FeedValues, findings: FeedFindings, options: FeedOptions) {
        self.values = values
        self.findings = findings
        canDecode = options.canDecode
        compositions = CompositionParser(values: values, findings: findings, check: options.checkComposition)
    }

    /// The streams of an item, in fail-over order.
    func streams(ofItem object: FeedObject) -> [Stream] {
        values.list(object, "streams").compactMap { stream($0) { location($0) } }
    }

    /// The streams of a channel, in fail-over order.
    func streams(ofChannel object: FeedObject) -> [Stream] {
        values.list(object, "streams").compactMap { stream($0) { liveLocation($0) } }
    }

    private func location(_ object: FeedObject) -> StreamLocation? {
        guard let node = object["composition"] else { return address(object) }
        if object["url"] != nil {
            findings.fail(
                .wrongType, node, "the stream has both a URL and a composition", "Write two streams, or remove one of them.")
        }
        for key in Self.hints {
            guard let hint = object[key] else { continue }
            findings.warn(.withoutEffect, hint, "\(FeedText.quoted(key)) is not a hint about a composition", "Remove it.")
        }
        return compositions.composition(node).map { .composition($0) }
    }

    private func liveLocation(_ object: FeedObject) -> StreamLocation? {
        if let node = object["composition"] {
            findings.fail(
                .wrongType, node, "a composition is not a live stream",
                "Write it in an item, and the item in a playlist channel.")
        }
        return address(object, isChannel: true)
    }

    private func address(_ object: FeedObject, isChannel: Bool = false) -> StreamLocation? {
        guard let node = values.required(object, "url", "the URL of the stream"), let url = values.url(node, isChannel: isChannel)
        else { return nil }
        let path = URLReference(url).path
        if let delivery = UnplayedDelivery(path: path) {
            let name = path.split(separator: "/").last.map(String.init) ?? path
            findings.fail(
                .badURL, node,
                "\(FeedText.quoted(name)) is the name of a manifest of \(delivery.rawValue), which the box does not play",
                "Write the https URL of an HLS stream or of a file.")
            return nil
        }
        return .url(url)
    }

    private func stream(_ node: FeedNode, at location: (FeedObject) -> StreamLocation?) -> Stream? {
        guard let object = values.object(node, keys: Self.keys) else { return nil }
        let location = location(object)
        // The rest is checked even when there is no location, so that one report has everything.
        var stream = Stream(location: location ?? .url(""))
        stream.codecs = object["codecs"].map { codecs($0) } ?? []
        stream.maxHeight = values.integer(object, "maxHeight", in: 1...16_384).map(Int.init)
        if let node = object["sha256"], let text = values.string(node) {
            let digits = text.lowercased()
            if digits.utf8.count == 64, digits.utf8.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }) {
                stream.sha256 = digits
            } else {
                findings.fail(.wrongType, node, "\(FeedText.quoted(text)) is not a SHA-256", "Write its 64 hexadecimal digits.")
            }
        }
        stream.audio = values.list(object, "audio").compactMap { audioHint($0) }
        return location == nil ? nil : stream
    }

    /// Codecs as a comma-separated text (RFC 6381) or as a list.
    private func codecs(_ node: FeedNode) -> [String] {
        var found: [(FeedNode, String)] = []
        switch node.json.value {
        case .string(let text): found = text.split(separator: ",").map { (node, String($0.filter { $0 != " " })) }
        case .array: found = values.elements(node).compactMap { child in values.string(child).map { (child, $0) } }
        default: values.wrongType(node, "codecs such as \"avc1.4d401f,mp4a.40.2\"")
        }
        if let canDecode {
            for (place, codec) in found where !canDecode(codec) {
                findings.fail(
                    .codecUnsupported, place, "this model does not decode \(FeedText.quoted(codec))",
                    "Serve a stream in a codec that it decodes; see marquee doctor.")
            }
        }
        return found.map(\.1)
    }

    private func audioHint(_ node: FeedNode) -> AudioHint? {
        if case .string = node.json.value { return values.language(node).map { AudioHint(language: $0) } }
        guard let object = values.object(node, keys: Self.audioHintKeys) else { return nil }
        let kind = values.string(object, "kind")
        let language = values.required(object, "language", "a tag such as \"en\"").flatMap { values.language($0) }
        return language.map { AudioHint(language: $0, kind: kind) }
    }
}
