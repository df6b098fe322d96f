import ChannelFeed
import WireFormats

/// Converts a JSON Feed: each attachment with sound or pictures in motion becomes an item.
struct JSONFeedConverter {
    private var conversion: Conversion
    private let top: SourceNode

    init(_ top: SourceNode, _ conversion: Conversion) {
        self.top = top
        self.conversion = conversion
    }

    private static let topKeys: Set<String> = [
        "version", "title", "feed_url", "home_page_url", "description", "icon", "language", "items",
    ]
    private static let itemKeys: Set<String> = [
        "id", "url", "external_url", "title", "content_html", "content_text", "summary", "image", "banner_image", "tags",
        "language",
        "attachments",
    ]
    private static let attachmentKeys: Set<String> = ["url", "mime_type", "title", "size_in_bytes", "duration_in_seconds"]

    mutating func converted() -> Conversion {
        conversion.loseKeys(of: top, except: Self.topKeys)
        readHead()
        var ids: [JSONText] = []
        for node in top.list("items") { ids += readItem(node) }
        if !ids.isEmpty {
            var row = FeedDocument.Entry(at: top.place)
            row.set("title", top["title"]?.text.flatMap { conversion.title($0, at: top.place) } ?? .string("Videos"))
            row.set("items", .array(ids))
            conversion.document.append(row, to: .rows)
        }
        return conversion
    }

    private mutating func readHead() {
        if let node = top["language"], let tag = node.text.flatMap({ conversion.language($0, at: node.place) }) {
            conversion.document.head.set("languages", .array([.string(tag)]), at: node.place)
        }
        if let node = top["title"], let name = node.text.flatMap({ conversion.title($0, at: node.place) }) {
            let logo = top["icon"]?.text.flatMap(conversion.url).map { [("logo", $0)] } ?? []
            conversion.document.head.set("provider", .object([("name", name)] + logo), at: node.place)
        }
    }

    /// Adds the items of one entry and returns their ids.
    private mutating func readItem(_ node: SourceNode) -> [JSONText] {
        conversion.loseKeys(of: node, except: Self.itemKeys)
        let attachments = node.list("attachments").filter { isMedia($0) }
        for other in node.list("attachments") where !isMedia(other) {
            conversion.lose("an attachment that is neither sound nor video", at: other.place)
        }
        guard !attachments.isEmpty else {
            conversion.warn(node.place, "nothing in this entry can be played", "It is left out.")
            return []
        }
        // Attachments with one title are forms of the same content (JSON Feed 1.1, "attachments").
        var groups: [(title: String?, attachments: [SourceNode])] = []
        for attachment in attachments {
            let title = attachment["title"]?.text
            if let index = groups.firstIndex(where: { $0.title != nil && $0.title == title }) {
                groups[index].attachments.append(attachment)
            } else {
                groups.append((title, [attachment]))
            }
        }
        return groups.enumerated().map { index, group in
            item(node, group.attachments, title: groups.count > 1 ? Self.title(of: node, group.title) : nil, number: index)
        }
    }

    /// The title of one of several contents of an entry: alone it may be "128 kbit/s", which tells a viewer nothing.
    private static func title(of node: SourceNode, _ part: String?) -> String? {
        guard let part, let whole = node["title"]?.text, whole != part else { return part }
        return "\(whole): \(part)"
    }

    private func isMedia(_ attachment: SourceNode) -> Bool {
        let type = attachment["mime_type"]?.text?.lowercased() ?? ""
        let isPlaylist = type == "application/x-mpegurl" || type == "application/vnd.apple.mpegurl"
        if type.hasPrefix("video/") || type.hasPrefix("audio/") || isPlaylist { return true }
        return type.isEmpty || type == "application/octet-stream" ? MediaNames.isMedia(attachment["url"]?.text ?? "") : false
    }

    private mutating func item(_ node: SourceNode, _ attachments: [SourceNode], title: String?, number: Int) -> JSONText {
        var entry = FeedDocument.Entry(at: node.place)
        let source = node["id"]?.text ?? node["url"]?.text ?? attachments[0]["url"]?.text ?? ""
        let id = number == 0 ? conversion.id(for: source, at: node.place) : conversion.madeID(from: "\(source) \(number + 1)")
        entry.set("id", id, at: node["id"]?.place)
        let isSound = attachments.allSatisfy { $0["mime_type"]?.text?.lowercased().hasPrefix("audio/") == true }
        entry.set("type", .string(isSound ? "music" : "clip"))
        if let words = title ?? node["title"]?.text {
            entry.set("title", conversion.title(words, at: node.place), at: node["title"]?.place)
        }
        if let text = node["summary"] ?? node["content_text"] ?? node["content_html"], let words = text.text {
            let plain = text.pointer == node["content_html"]?.pointer ? Conversion.withoutMarkup(words) : words
            entry.set("description", conversion.text(plain, limit: FeedLimit.description, at: text.place), at: text.place)
        }
        let pictures = [("poster", "image"), ("background", "banner_image")].compactMap { key, name in
            node[name]?.text.flatMap(conversion.url).map { (key, $0) }
        }
        if !pictures.isEmpty { entry.set("artwork", .object(pictures), at: (node["image"] ?? node["banner_image"])?.place) }
        entry.set("tags", conversion.tags(node["tags"]?.texts ?? []), at: node["tags"]?.place)
        readStreams(attachments, language: node["language"] ?? top["language"], into: &entry)
        conversion.document.append(entry, to: .items)
        return id
    }

    private mutating func readStreams(_ attachments: [SourceNode], language: SourceNode?, into entry: inout FeedDocument.Entry) {
        var streams: [JSONText] = []
        let tag = language.flatMap { node in node.text.flatMap { conversion.language($0, at: node.place) } }
        for attachment in attachments {
            conversion.loseKeys(of: attachment, except: Self.attachmentKeys)
            guard let url = attachment["url"]?.text.flatMap(conversion.url) else {
                conversion.fail(attachment.place, "an attachment has no \"url\"", "It is left out.")
                continue
            }
            streams.append(.object([("url", url)] + (tag.map { [("audio", .array([.string($0)]))] } ?? [])))
            if let node = attachment["duration_in_seconds"], let text = node.text, entry["duration"] == nil {
                entry.set("duration", conversion.duration(text, at: node.place), at: node.place)
            }
        }
        entry.set("streams", .array(streams), at: attachments[0].place)
    }
}
