import ChannelFeed
import Languages
import WireFormats

/// Converts the feed of Roku's Direct Publisher.
///
/// Movies, specials and short videos become items, episodes become items of series, live feeds become channels, and categories become rows.
struct RokuConverter {
    private var conversion: Conversion
    private let top: SourceNode
    private var catalogue = RokuCatalogue()

    init(_ top: SourceNode, _ conversion: Conversion) {
        self.top = top
        self.conversion = conversion
    }

    private static let topKeys: Set<String> = [
        "providerName", "lastUpdated", "language", "movies", "series", "shortFormVideos", "tvSpecials", "liveFeeds", "categories",
        "playlists",
    ]

    mutating func converted() -> Conversion {
        conversion.loseKeys(of: top, except: Self.topKeys)
        readHead()
        for (key, type) in [("movies", "movie"), ("tvSpecials", "other"), ("shortFormVideos", "clip")] {
            for node in top.list(key) {
                guard let id = item(node, type: type, inherited: nil) else { continue }
                catalogue.add(node, id: id, kind: key)
            }
        }
        for node in top.list("series") { readSeries(node) }
        for node in top.list("liveFeeds") { readLive(node) }
        catalogue.writeRows(top, &conversion)
        return conversion
    }

    private mutating func readHead() {
        if let node = top["language"], let text = node.text, let tag = conversion.language(text, at: node.place) {
            conversion.document.head.set("languages", .array([.string(tag)]), at: node.place)
        }
        if let node = top["lastUpdated"], let text = node.text {
            conversion.document.head.set("lastUpdated", conversion.date(text, at: node.place), at: node.place)
        }
        if let node = top["providerName"], let text = node.text, let name = conversion.title(text, at: node.place) {
            conversion.document.head.set("provider", .object([("name", name)]), at: node.place)
        }
    }

    // MARK: Items

    private static let itemKeys: Set<String> = [
        "id", "title", "content", "genres", "thumbnail", "brandedThumbnail", "backgroundImage", "shortDescription",
        "longDescription", "tags", "rating", "episodeNumber",
    ]

    /// Adds an item.
    ///
    /// - Parameter inherited: for an episode, what its series and season say.
    /// - Returns: its id; nil when it cannot be played.
    private mutating func item(_ node: SourceNode, type: String, inherited: RokuEpisode?) -> String? {
        guard case .object = node.json.value else {
            conversion.fail(node.place, "this is not an object", "It is left out.")
            return nil
        }
        conversion.loseKeys(of: node, except: Self.itemKeys)
        var entry = FeedDocument.Entry(at: node.place)
        entry.set("id", id(of: node), at: node["id"]?.place)
        entry.set("type", .string(type))
        describe(&entry, node)
        if let inherited, let number = node["episodeNumber"]?.text, !number.isEmpty {
            let season = inherited.season.map { "S\($0) " } ?? ""
            entry.set("subtitle", conversion.title("\(season)E\(number)", at: node.place), at: node["episodeNumber"]?.place)
        }
        if entry["rating"] == nil { entry.set("rating", inherited?.rating) }
        guard let content = node["content"] else {
            conversion.fail(node.place, "there is no \"content\"", "The item is left out.")
            return nil
        }
        readContent(content, into: &entry)
        guard entry["streams"] != nil else {
            conversion.fail(content.place, "there is no video", "The item is left out.")
            return nil
        }
        conversion.document.append(entry, to: .items)
        return entry["id"]?.string
    }

    private mutating func id(of node: SourceNode) -> JSONText {
        if let id = node["id"], let text = id.text, !text.isEmpty { return conversion.id(for: text, at: id.place) }
        conversion.warn(node.place, "there is no \"id\"", "One is made from the title and the first address.")
        let address = node["content"]?.list("videos").first?["url"]?.text ?? ""
        return conversion.madeID(from: (node["title"]?.text ?? "") + " " + address)
    }

    /// What movies, episodes, series and live feeds have in common.
    private mutating func describe(_ entry: inout FeedDocument.Entry, _ node: SourceNode) {
        if let title = node["title"], let text = title.text {
            entry.set("title", conversion.title(text, at: title.place), at: title.place)
        }
        // The long one, if it fits: Roku allows 500 characters.
        let descriptions = [node["longDescription"], node["shortDescription"]].compactMap(\.self).filter {
            $0.text?.isEmpty == false
        }
        let fitting = descriptions.first { ($0.text?.count ?? 0) <= FeedLimit.description } ?? descriptions.first
        if let fitting, let text = fitting.text {
            entry.set("description", conversion.text(text, limit: FeedLimit.description, at: fitting.place), at: fitting.place)
        }
        let artwork = [("poster", "thumbnail"), ("background", "backgroundImage"), ("logo", "brandedThumbnail")].compactMap {
            key, name -> (String, JSONText)? in
            // The branded picture has a logo in it; it serves where there is no other.
            if key == "logo", node["thumbnail"] != nil { return nil }
            return node[name]?.text.flatMap(conversion.url).map { (key == "logo" ? "poster" : key, $0) }
        }
        if node["brandedThumbnail"]?.text?.isEmpty == false, node["thumbnail"] != nil {
            conversion.lose("a second poster (\"brandedThumbnail\")", at: node["brandedThumbnail"]?.place ?? node.place)
        }
        if !artwork.isEmpty { entry.set("artwork", .object(artwork), at: (node["thumbnail"] ?? node["backgroundImage"])?.place) }
        if let genres = node["genres"] {
            let names = genres.texts
            if !names.isEmpty {
                entry.set("genre", conversion.title(names.joined(separator: ", "), at: genres.place), at: genres.place)
            }
        }
        entry.set("tags", conversion.tags((node["tags"]?.texts ?? []) + (node["genres"]?.texts ?? [])), at: node["tags"]?.place)
        readRating(of: node, into: &entry)
    }

    private mutating func readRating(of node: SourceNode, into entry: inout FeedDocument.Entry) {
        guard let rating = node["rating"] else { return }
        let value = rating["rating"]?.text ?? rating.text ?? ""
        let system = rating["ratingSource"]?.text
        if SourceRatings.isUnrated(value) { return }
        guard let found = system.map({ SourceRatings.rating(system: $0, value: value) }) ?? SourceRatings.rating(value: value)
        else {
            conversion.warn(
                rating.place,
                "a channel feed has no rating \(Conversion.quoted(value)) of \(Conversion.quoted(system ?? "no system"))",
                "The item has no rating, and needs the PIN where a parental limit is set.")
            return
        }
        entry.set("rating", found, at: rating.place)
    }

    // MARK: Content

    private static let contentKeys: Set<String> = [
        "duration", "videos", "captions", "trickPlayFiles", "adBreaks", "language", "validityPeriodStart", "validityPeriodEnd",
    ]

    private mutating func readContent(_ content: SourceNode, into entry: inout FeedDocument.Entry) {
        conversion.loseKeys(of: content, except: Self.contentKeys)
        if let node = content["duration"], let text = node.text {
            entry.set("duration", conversion.duration(text, at: node.place), at: node.place)
        }
        readVideos(content, into: &entry)
        readCaptions(content, into: &entry)
        readThumbnails(content, into: &entry)
        readWindow(content, into: &entry)
        readBreaks(content, into: &entry)
    }

    /// Their order is the order of trying: streams that adapt themselves first, then the better qualities.
    private mutating func readVideos(_ content: SourceNode, into entry: inout FeedDocument.Entry) {
        let languageNode = content["language"]
        let language = languageNode.flatMap { node in node.text.flatMap { conversion.language($0, at: node.place) } }
        var streams: [(rank: Int, url: JSONText, place: SourcePlace)] = []
        for video in content.list("videos") {
            guard let address = video["url"], let url = address.text.flatMap(conversion.url) else {
                conversion.fail(video.place, "a video has no \"url\"", "It is left out.")
                continue
            }
            let type = video["videoType"]?.text?.uppercased() ?? ""
            if type == "DASH" || type == "SMOOTH" || type == "ISM" {
                conversion.fail(
                    video.place, "a box does not play \(type)", "The stream is left out: offer it as HLS or MP4.")
                continue
            }
            if video["drmAuthentication"] != nil || video["drm"] != nil {
                conversion.fail(video.place, "a box does not play streams with DRM", "The stream is left out.")
                continue
            }
            let quality = ["UHD": 0, "FHD": 1, "HD": 2, "SD": 3][video["quality"]?.text?.uppercased() ?? ""] ?? 4
            streams.append((type == "HLS" ? -1 : quality, url, address.place))
        }
        let sorted = streams.enumerated().sorted { ($0.element.rank, $0.offset) < ($1.element.rank, $1.offset) }.map(\.element)
        guard let first = sorted.first else { return }
        let isAdaptive = first.rank == -1
        if sorted.contains(where: { $0.rank != -1 && $0.rank != first.rank }) {
            conversion.warn(
                content.place, isAdaptive ? "there are streams beside an adaptive one" : "there is one stream for each quality",
                "They become alternatives for when the first fails: a box chooses qualities within an HLS stream only.")
        }
        let audio = language.map { [("audio", JSONText.array([.string($0)]))] } ?? []
        entry.set("streams", .array(sorted.map { .object([("url", $0.url)] + audio) }), at: first.place)
    }

    private mutating func readCaptions(_ content: SourceNode, into entry: inout FeedDocument.Entry) {
        var tracks: [JSONText] = []
        for caption in content.list("captions") {
            guard let url = caption["url"]?.text.flatMap(conversion.url) else {
                conversion.warn(caption.place, "captions have no \"url\"", "They are left out.")
                continue
            }
            let node = caption["language"]
            let language = node?.text.flatMap { conversion.language($0, at: node?.place ?? caption.place) }
            if language == nil { conversion.warn(caption.place, "captions have no language", "They are offered as \"und\".") }
            let kinds = ["CLOSED_CAPTION": "captions", "SUBTITLE": "subtitles"]
            let kind = kinds[caption["captionType"]?.text?.uppercased() ?? ""] ?? "subtitles"
            tracks.append(
                .object([("language", .string(language ?? LanguageTag.undetermined)), ("url", url), ("kind", .string(kind))]))
        }
        if !tracks.isEmpty { entry.set("subtitles", .array(tracks), at: content["captions"]?.place) }
    }

    private mutating func readThumbnails(_ content: SourceNode, into entry: inout FeedDocument.Entry) {
        let ranks = ["FHD": 0, "HD": 1, "SD": 2]
        let files = content.list("trickPlayFiles").enumerated().sorted { one, other in
            func rank(_ node: SourceNode) -> Int { ranks[node["quality"]?.text?.uppercased() ?? ""] ?? 3 }
            return (rank(one.element), one.offset) < (rank(other.element), other.offset)
        }.map(\.element)
        guard let best = files.first, let url = best["url"]?.text.flatMap(conversion.url) else { return }
        entry.set("thumbnails", .object([("bif", url)]), at: best.place)
        for other in files.dropFirst() { conversion.lose("thumbnails of a second size", at: other.place) }
    }

    private mutating func readWindow(_ content: SourceNode, into entry: inout FeedDocument.Entry) {
        var window: [(String, JSONText)] = []
        for (key, name) in [("from", "validityPeriodStart"), ("to", "validityPeriodEnd")] {
            guard let node = content[name], let text = node.text, !Conversion.trimmed(text).isEmpty else { continue }
            guard let date = conversion.date(text, at: node.place) else {
                // Left out it would be available at all times.
                entry.set("withdrawn", .bool(true), at: node.place)
                conversion.fail(
                    node.place, "the period of availability cannot be read", "The item is withdrawn: repair the date.")
                continue
            }
            window.append((key, date))
        }
        if !window.isEmpty {
            entry.set("window", .object(window), at: (content["validityPeriodEnd"] ?? content["validityPeriodStart"])?.place)
        }
    }

    /// Roku's player inserts advertisements at these times. They are not in the stream, so they are no interstitials of a feed.
    private mutating func readBreaks(_ content: SourceNode, into entry: inout FeedDocument.Entry) {
        guard let node = content["adBreaks"] else { return }
        let times = node.texts.filter { !$0.isEmpty }
        guard !times.isEmpty else { return }
        conversion.warn(
            node.place,
            "these are places for advertisements of the player, and a box plays only those that are spliced into the stream",
            "They are kept in \"x-adBreaks\", which boxes ignore.")
        entry.set("x-adBreaks", .array(times.map { .string(Conversion.oneLine($0)) }), at: node.place)
    }

    // MARK: Series

    private static let seriesKeys: Set<String> = [
        "id", "title", "seasons", "episodes", "genres", "thumbnail", "brandedThumbnail", "backgroundImage", "shortDescription",
        "longDescription", "tags", "rating",
    ]

    private mutating func readSeries(_ node: SourceNode) {
        guard case .object = node.json.value else {
            return conversion.fail(node.place, "this is not an object", "It is left out.")
        }
        conversion.loseKeys(of: node, except: Self.seriesKeys)
        var entry = FeedDocument.Entry(at: node.place)
        entry.set("id", id(of: node), at: node["id"]?.place)
        describe(&entry, node)
        if entry["title"] == nil { entry.set("title", entry["id"]) }
        var seasons: [JSONText] = []
        // Without seasons the episodes are those of the only one.
        let parts = node.list("seasons").isEmpty ? [node] : node.list("seasons")
        for season in parts {
            let isSeason = season.pointer != node.pointer
            if isSeason { conversion.loseKeys(of: season, except: ["seasonNumber", "title", "episodes"]) }
            let number = isSeason ? season["seasonNumber"]?.text.flatMap { Int($0) } : nil
            let isGood = number.map { (0...99_999).contains($0) } ?? false
            let place = RokuEpisode(season: isGood ? number : nil, rating: entry["rating"])
            let episodes = season.list("episodes").compactMap { item($0, type: "episode", inherited: place) }
            guard !episodes.isEmpty else {
                conversion.warn(season.place, "there is no episode that can be played", "It is left out.")
                continue
            }
            var members: [(String, JSONText)] = isGood ? [("number", .number("\(number ?? 0)"))] : []
            if isSeason, let title = season["title"], let text = title.text, let words = conversion.title(text, at: title.place) {
                members.append(("title", words))
            }
            seasons.append(.object(members + [("episodes", .array(episodes.map { .string($0) }))]))
        }
        guard !seasons.isEmpty else { return }
        entry.set("seasons", .array(seasons), at: (node["seasons"] ?? node["episodes"])?.place)
        conversion.document.append(entry, to: .series)
        if let id = entry["id"]?.string { catalogue.add(node, id: id, kind: "series") }
    }

    // MARK: Live feeds

    private mutating func readLive(_ node: SourceNode) {
        conversion.loseKeys(of: node, except: Self.itemKeys)
        var entry = FeedDocument.Entry(at: node.place)
        entry.set("id", id(of: node), at: node["id"]?.place)
        describe(&entry, node)
        if entry["title"] == nil { entry.set("title", entry["id"]) }
        guard let content = node["content"] else {
            return conversion.fail(node.place, "there is no \"content\"", "The channel is left out.")
        }
        readContent(content, into: &entry)
        // What only items have.
        for key in ["duration", "x-adBreaks"] { entry.remove(key) }
        for (key, name) in [("subtitles", "captions"), ("thumbnails", "trickPlayFiles")] where entry[key] != nil {
            conversion.lose("\"\(name)\" of a channel", at: entry.place(of: key))
            entry.remove(key)
        }
        guard entry["streams"] != nil else {
            return conversion.fail(content.place, "there is no video", "The channel is left out.")
        }
        conversion.document.append(entry, to: .channels)
        if let id = entry["id"]?.string { catalogue.add(node, id: id, kind: "liveFeeds") }
    }
}

/// What an episode inherits.
struct RokuEpisode {
    let season: Int?
    /// The rating of its series.
    let rating: JSONText?
}
