import ChannelFeed
import MediaTime
import WireFormats

/// Converts Media RSS in RSS 2.0, and RSS with enclosures.
///
/// Each media object becomes an item: a `media:group` is one object in several forms, `media:content` elements without a group are different
/// objects, and an `enclosure` counts where there is neither.
struct MediaRSSConverter {
    private var conversion: Conversion
    private let channel: XMLElement
    private var ids: [JSONText] = []

    /// - Parameter channel: the `channel` of the RSS.
    init(_ channel: XMLElement, _ conversion: Conversion) {
        self.channel = channel
        self.conversion = conversion
    }

    /// What is read at the channel, or says nothing about programmes.
    private static let channelNames: Set<String> = [
        "title", "link", "description", "language", "image", "item", "generator", "docs", "ttl", "lastBuildDate", "pubDate",
        "atom:link",
        "copyright", "managingEditor", "webMaster", "category", "itunes:image", "itunes:summary", "itunes:subtitle",
        "itunes:category",
        "itunes:type", "atom:id", "atom:updated",
    ]
    private static let itemNames: Set<String> = [
        "title", "link", "description", "guid", "enclosure", "category", "content:encoded", "itunes:image", "itunes:duration",
        "itunes:summary", "itunes:subtitle", "itunes:title", "itunes:explicit", "itunes:keywords", "dcterms:valid", "media:group",
        "media:content",
    ]
    /// What Media RSS may say at any level and the feed has a place for.
    private static let mediaNames: Set<String> = [
        "media:title", "media:description", "media:keywords", "media:thumbnail", "media:category", "media:rating", "media:adult",
        "media:subTitle", "media:scenes", "media:status", "media:content", "media:group",
    ]

    mutating func converted() -> Conversion {
        loseElements(of: channel, except: Self.channelNames)
        readHead()
        for item in channel.all("item") {
            loseElements(of: item, except: Self.itemNames)
            readItem(item)
        }
        if !ids.isEmpty {
            var row = FeedDocument.Entry(at: channel.place)
            row.set("title", channel.first("title").flatMap { conversion.title($0.text, at: $0.place) } ?? .string("Videos"))
            row.set("items", .array(ids))
            conversion.document.append(row, to: .rows)
        }
        return conversion
    }

    private mutating func loseElements(of element: XMLElement, except known: Set<String>) {
        var seen: Set<String> = []
        for child in element.children where !known.contains(child.name) && !Self.mediaNames.contains(child.name) {
            if seen.insert(child.name).inserted { conversion.lose("<\(Conversion.oneLine(child.name))>", at: child.place) }
        }
    }

    private mutating func readHead() {
        if let element = channel.first("language"), let tag = conversion.language(element.text, at: element.place) {
            conversion.document.head.set("languages", .array([.string(tag)]), at: element.place)
        }
        guard let title = channel.first("title"), let name = conversion.title(title.text, at: title.place) else { return }
        let logo = (channel.first("image")?.first("url")?.text).flatMap(conversion.url).map { [("logo", $0)] } ?? []
        conversion.document.head.set("provider", .object([("name", name)] + logo), at: title.place)
    }

    // MARK: Items

    private mutating func readItem(_ item: XMLElement) {
        var objects: [(contents: [XMLElement], levels: [XMLElement])] = []
        for child in item.children {
            switch child.name {
            case "media:group":
                loseElements(of: child, except: [])
                let sorted = preferred(child.all("media:content").filter { isPlayable($0) })
                if let best = sorted.first { objects.append((sorted, [best, child, item, channel])) }
            case "media:content" where isPlayable(child): objects.append(([child], [child, item, channel]))
            default: break
            }
        }
        let enclosures = item.all("enclosure").filter { isPlayable($0) }
        if objects.isEmpty, let first = enclosures.first { objects = [([first], [item, channel])] }
        guard !objects.isEmpty else {
            let reason =
                item.first("media:player") == nil ? "nothing in this item can be played" : "there is only a player for browsers"
            return conversion.warn(item.place, reason, "It is left out.")
        }
        for (number, object) in objects.enumerated() {
            convert(object.contents, MediaRSSScope(levels: object.levels), of: item, number: number)
        }
    }

    /// Whether an object is sound or video; pictures and documents are not.
    private func isPlayable(_ element: XMLElement) -> Bool {
        guard let address = element.attributes["url"], !address.isEmpty else { return false }
        let medium = element.attributes["medium"]?.lowercased() ?? ""
        if !medium.isEmpty { return medium == "video" || medium == "audio" }
        let type = element.attributes["type"]?.lowercased() ?? ""
        if type.hasPrefix("video/") || type.hasPrefix("audio/") || type.contains("mpegurl") { return true }
        return type.isEmpty || type == "application/octet-stream" ? MediaNames.isMedia(address) : false
    }

    private mutating func convert(_ contents: [XMLElement], _ scope: MediaRSSScope, of item: XMLElement, number: Int) {
        var entry = FeedDocument.Entry(at: item.place)
        let guid = item.first("guid") ?? item.first("link")
        let source = guid.map { Conversion.trimmed($0.text) } ?? ""
        let name = source.isEmpty ? contents[0].attributes["url"] ?? "" : source
        let id =
            number == 0
            ? conversion.id(for: name, at: guid?.place ?? item.place) : conversion.madeID(from: "\(name) \(number + 1)")
        entry.set("id", id, at: guid?.place)
        entry.set("type", .string(type(of: contents[0])))
        describe(&entry, scope, of: item)
        readRating(scope, of: item, into: &entry)
        readStreams(contents, scope, of: item, into: &entry)
        readCaptions(scope, into: &entry)
        readScenes(scope, into: &entry)
        readAvailability(scope, of: item, into: &entry)
        conversion.document.append(entry, to: .items)
        ids.append(id)
    }

    private func type(of content: XMLElement) -> String {
        if content.attributes["expression"]?.lowercased() == "sample" { return "trailer" }
        let isSound =
            content.attributes["medium"]?.lowercased() == "audio"
            || content.attributes["type"]?.lowercased().hasPrefix("audio/") == true
            || content.attributes["medium"] == nil && MediaNames.isSound(content.attributes["url"] ?? "")
        return isSound ? "music" : "clip"
    }

    /// The forms of an object in the order of trying: the default one, HLS, then by bit rate.
    private func preferred(_ contents: [XMLElement]) -> [XMLElement] {
        func rank(_ content: XMLElement) -> (Int, Int) {
            let isHLS =
                content.attributes["type"]?.lowercased().contains("mpegurl") == true
                || MediaNames.isHLS(content.attributes["url"] ?? "")
            if content.attributes["isDefault"]?.lowercased() == "true" { return (0, 0) }
            return (isHLS ? 1 : 2, -(Int(content.attributes["bitrate"]?.prefix(9) ?? "") ?? 0))
        }
        return contents.enumerated().sorted { one, other in
            let (left, right) = (rank(one.element), rank(other.element))
            return left == right ? one.offset < other.offset : left < right
        }.map(\.element)
    }

    // MARK: Fields

    private mutating func describe(_ entry: inout FeedDocument.Entry, _ scope: MediaRSSScope, of item: XMLElement) {
        // The channel's title is the name of the feed, not of its programmes.
        let own = MediaRSSScope(levels: scope.levels.filter { $0 !== channel })
        if let title = own.first("media:title") ?? item.first("title") ?? item.first("itunes:title") {
            entry.set("title", conversion.title(plain(title), at: title.place), at: title.place)
        }
        let description =
            own.first("media:description") ?? item.first("description") ?? item.first("itunes:summary")
            ?? item.first("content:encoded")
        if let description {
            let words = conversion.text(plain(description), limit: FeedLimit.description, at: description.place)
            entry.set("description", words, at: description.place)
        }
        readArtwork(scope, of: item, into: &entry)
        let categories = own.nearest("media:category").isEmpty ? item.all("category") : own.nearest("media:category")
        // A category with slashes is a path; its last part is the name for viewers.
        let names = categories.map { $0.attributes["label"] ?? $0.text.split(separator: "/").last.map(String.init) ?? "" }
            .map(Conversion.trimmed).filter { !$0.isEmpty }
        if let first = categories.first, !names.isEmpty {
            entry.set("genre", conversion.title(names[0], at: first.place), at: first.place)
        }
        let keywords = scope.first("media:keywords") ?? item.first("itunes:keywords")
        let words = keywords?.text.split(separator: ",").map(String.init) ?? []
        entry.set("tags", conversion.tags(names + words), at: (keywords ?? categories.first)?.place)
    }

    private func plain(_ element: XMLElement) -> String {
        let isPlain = element.attributes["type"] == "plain" || element.name == "title"
        return isPlain ? Conversion.withoutMarkup(element.text) : Conversion.withoutMarkup(Conversion.withoutMarkup(element.text))
    }

    private mutating func readArtwork(_ scope: MediaRSSScope, of item: XMLElement, into entry: inout FeedDocument.Entry) {
        var found = scope.nearest("media:thumbnail").filter { $0.attributes["url"]?.isEmpty == false }
        if found.isEmpty {
            let pictures = item.all("media:content").filter { $0.attributes["medium"]?.lowercased() == "image" }
            found = pictures + [item.first("itunes:image"), channel.first("itunes:image")].compactMap(\.self)
        }
        // Thumbnails are in the order of their importance, and one with a time is a picture of that moment.
        let best = found.first { $0.attributes["time"] == nil } ?? found.first
        guard let best, let url = (best.attributes["url"] ?? best.attributes["href"]).flatMap(conversion.url) else { return }
        entry.set("artwork", .object([("poster", url)]), at: best.place)
        for other in found where other !== best && scope.levels.first === other {
            conversion.lose("a second thumbnail", at: other.place)
        }
    }

    private mutating func readRating(_ scope: MediaRSSScope, of item: XMLElement, into entry: inout FeedDocument.Entry) {
        if let adult = scope.first("media:adult") {
            if Conversion.trimmed(adult.text).lowercased() == "true" {
                entry.set("rating", SourceRatings.age(18), at: adult.place)
            }
            return
        }
        guard let rating = scope.first("media:rating") else {
            let explicit = (item.first("itunes:explicit") ?? channel.first("itunes:explicit"))
            if let explicit, ["yes", "true", "explicit"].contains(Conversion.trimmed(explicit.text).lowercased()) {
                entry.set("rating", SourceRatings.age(17), at: explicit.place)
            }
            return
        }
        let value = Conversion.trimmed(rating.text)
        let scheme = rating.attributes["scheme"] ?? "urn:simple"
        switch (scheme, value.lowercased()) {
        case ("urn:simple", "adult"): entry.set("rating", SourceRatings.age(18), at: rating.place)
        case (_, let word) where SourceRatings.isUnrated(word): break
        default:
            guard let found = SourceRatings.rating(system: scheme, value: value) else {
                return conversion.warn(
                    rating.place, "a channel feed has no rating \(Conversion.quoted(value)) of \(Conversion.quoted(scheme))",
                    "The item has no rating, and needs the PIN where a parental limit is set.")
            }
            entry.set("rating", found, at: rating.place)
        }
    }

    private mutating func readStreams(
        _ contents: [XMLElement], _ scope: MediaRSSScope, of item: XMLElement, into entry: inout FeedDocument.Entry
    ) {
        var streams: [JSONText] = []
        for content in contents {
            loseElements(of: content, except: [])
            guard let url = content.attributes["url"].flatMap(conversion.url) else { continue }
            let tag = content.attributes["lang"].flatMap { conversion.language($0, at: content.place(ofAttribute: "lang")) }
            streams.append(.object([("url", url)] + (tag.map { [("audio", .array([.string($0)]))] } ?? [])))
        }
        entry.set("streams", .array(streams), at: contents[0].place(ofAttribute: "url"))
        if contents.count > 1 {
            conversion.warn(
                contents[0].place, "there are several forms of one object",
                "They become alternatives for when the first fails: a box chooses qualities within an HLS stream only.")
        }
        if let text = contents[0].attributes["duration"] {
            let place = contents[0].place(ofAttribute: "duration")
            entry.set("duration", conversion.duration(text, at: place), at: place)
        } else if let duration = item.first("itunes:duration") {
            entry.set("duration", conversion.duration(duration.text, at: duration.place), at: duration.place)
        }
    }

    private mutating func readCaptions(_ scope: MediaRSSScope, into entry: inout FeedDocument.Entry) {
        let tracks = scope.nearest("media:subTitle").compactMap { element -> JSONText? in
            guard let url = element.attributes["href"].flatMap(conversion.url) else { return nil }
            let tag = element.attributes["lang"].flatMap { conversion.language($0, at: element.place(ofAttribute: "lang")) }
            return .object([("language", .string(tag ?? "und")), ("url", url)])
        }
        if !tracks.isEmpty { entry.set("subtitles", .array(tracks), at: scope.first("media:subTitle")?.place) }
    }

    /// Scenes become chapters.
    private mutating func readScenes(_ scope: MediaRSSScope, into entry: inout FeedDocument.Entry) {
        guard let scenes = scope.first("media:scenes") else { return }
        var last: MediaTime?
        var markers: [JSONText] = []
        for scene in scenes.all("media:scene") + scenes.all("scene") {
            func part(_ name: String) -> XMLElement? { scene.first("media:" + name) ?? scene.first(name) }
            guard let start = part("sceneStartTime").flatMap({ FeedTime.parse(Conversion.trimmed($0.text)) }),
                last.map({ start > $0 }) ?? true
            else {
                conversion.warn(scene.place, "a scene has no start after the one before it", "It is left out.")
                continue
            }
            last = start
            var marker: [(String, JSONText)] = [("kind", .string("chapter")), ("start", .number(FeedTime.plain(start)))]
            if let title = part("sceneTitle"), let words = conversion.title(title.text, at: title.place) {
                marker.append(("title", words))
            }
            markers.append(.object(marker))
        }
        if !markers.isEmpty { entry.set("markers", .array(markers), at: scenes.place) }
    }

    private mutating func readAvailability(_ scope: MediaRSSScope, of item: XMLElement, into entry: inout FeedDocument.Entry) {
        if let status = scope.first("media:status"), let state = status.attributes["state"]?.lowercased(), state != "active" {
            entry.set("withdrawn", .bool(true), at: status.place)
        }
        guard let valid = item.first("dcterms:valid") else { return }
        var window: [(String, JSONText)] = []
        // A period in DCMI notation: `start=2026-01-01; end=2026-02-01; scheme=W3C-DTF`.
        for part in valid.text.split(separator: ";") {
            let pair = part.split(separator: "=", maxSplits: 1).map { Conversion.trimmed(String($0)) }
            guard pair.count == 2, let key = ["start": "from", "end": "to"][pair[0].lowercased()] else { continue }
            guard let date = conversion.date(pair[1], at: valid.place) else {
                entry.set("withdrawn", .bool(true), at: valid.place)
                conversion.fail(
                    valid.place, "the period of availability cannot be read", "The item is withdrawn: repair the date.")
                continue
            }
            window.append((key, date))
        }
        let ordered = window.sorted { $0.0 < $1.0 }
        if Set(ordered.map(\.0)).count == ordered.count, !ordered.isEmpty {
            entry.set("window", .object(ordered), at: valid.place)
        }
    }
}
