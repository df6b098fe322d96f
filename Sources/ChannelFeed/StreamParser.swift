/// Parses the streams of items and channels.
struct StreamParser {
    /// The keys of a stream. The published schema must list them in this order.
    static let keys = ["url", "codecs", "maxHeight", "sha256", "audio"]
    static let audioHintKeys = ["language", "kind"]

    private let values: FeedValues
    private let findings: FeedFindings
    private let canDecode: (@Sendable (_ codec: String) -> Bool)?

    init(values: FeedValues, findings: FeedFindings, options: FeedOptions) {
        self.values = values
        self.findings = findings
        canDecode = options.canDecode
    }

    /// The streams under a key, in fail-over order.
    func streams(_ object: FeedObject) -> [Stream] {
        values.list(object, "streams").compactMap { stream($0) }
    }

    private func stream(_ node: FeedNode) -> Stream? {
        guard let object = values.object(node, keys: Self.keys) else { return nil }
        let url = values.required(object, "url", "the URL of the stream").flatMap { values.url($0) }
        // The rest is checked even when there is no URL, so that one report has everything.
        var stream = Stream(url: url ?? "")
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
        return url == nil ? nil : stream
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
