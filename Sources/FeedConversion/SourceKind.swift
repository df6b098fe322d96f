/// A format from which a channel feed can be made.
package enum SourceKind: String, Sendable, CaseIterable {
    /// The JSON of Roku's Direct Publisher.
    case roku
    /// Media RSS 1.5 in RSS 2.0.
    case mrss
    /// A list of channels or files in extended M3U.
    case m3u
    /// JSON Feed 1.1 with attachments.
    case jsonfeed

    /// The name for people.
    package var name: String {
        switch self {
        case .roku: "Roku Direct Publisher JSON"
        case .mrss: "Media RSS"
        case .m3u: "M3U"
        case .jsonfeed: "JSON Feed"
        }
    }

    /// The kind of a text in UTF-8, without a byte order mark, by its first characters; nil when it has none of the formats.
    package init?(detecting bytes: [UInt8]) {
        let head = bytes.prefix(4096).drop { $0 == 0x20 || (0x09...0x0D).contains($0) }
        switch head.first {
        case UInt8(ascii: "<"): self = .mrss
        case UInt8(ascii: "{"):
            // The version may be anywhere: keys have no order.
            let text = String(decoding: bytes, as: UTF8.self)
            self = text.utf8.count < 1 << 27 && Self.namesJSONFeed(text) ? .jsonfeed : .roku
        case UInt8(ascii: "#"): self = .m3u
        // A list of addresses alone.
        default:
            let line = String(decoding: head.prefix { $0 >= 0x20 }, as: UTF8.self)
            guard ["http://", "https://", "udp://", "rtp://"].contains(where: line.lowercased().hasPrefix) else { return nil }
            self = .m3u
        }
    }

    /// Whether a JSON text has the version of a JSON Feed, its slashes possibly escaped.
    private static func namesJSONFeed(_ text: String) -> Bool {
        ["jsonfeed.org/version/", "jsonfeed.org\\/version\\/"].contains { text.utf8.firstRange(of: $0.utf8) != nil }
    }
}

extension Collection where Element: Equatable {
    /// The first place of another collection in this one.
    fileprivate func firstRange(of other: some Collection<Element>) -> Range<Index>? {
        guard let first = other.first else { return nil }
        var start = startIndex
        while let found = self[start...].firstIndex(of: first) {
            if self[found...].starts(with: other) { return found..<index(found, offsetBy: other.count) }
            start = index(after: found)
        }
        return nil
    }
}
