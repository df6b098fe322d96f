import MediaTime

extension FeedParser {
    /// Parses one item with all rules that concern it alone. `isDropped` tells whether it passed, once every rule was checked.
    mutating func item(_ node: FeedNode) -> Item? {
        guard let object = object(node, keys: FeedKeys.item) else { return nil }
        var item = Item()
        item.id = required(object, "id", "a unique id").flatMap { id($0) } ?? ""
        item.type = word(object, "type", as: Item.Kind.self) ?? .movie
        item.title = text(object, "title", limit: Self.titleLimit)
        item.subtitle = text(object, "subtitle", limit: Self.titleLimit)
        item.description = text(object, "description", limit: Self.descriptionLimit)
        item.artwork = artwork(object)
        item.genre = text(object, "genre", limit: Self.titleLimit)
        item.tags = tags(object)
        item.rating = rating(object)
        if required(object, "streams", "[{\"url\": \"…\"}]") != nil { item.streams = streams(object) }
        if item.streams.isEmpty, let streams = object["streams"], case .array(let nodes) = streams.json.value, nodes.isEmpty {
            fail(.wrongType, streams, "an item without a stream", "Write [{\"url\": \"…\"}].")
        }
        item.subtitles = list(object, "subtitles").compactMap { subtitles($0) }
        if let node = object["thumbnails"], let parts = self.object(node, keys: FeedKeys.thumbnails) {
            item.thumbnails = url(parts, "bif")
        }
        item.window = window(object)
        item.strictWindow = boolean(object, "strictWindow") ?? false
        item.offline = word(object, "offline", as: Item.Offline.self) ?? .none
        item.resume = boolean(object, "resume") ?? true
        item.skipMode = word(object, "skipMode", as: SkipMode.self)
        item.requiresLinearPlayback = boolean(object, "requiresLinearPlayback") ?? false
        item.postCredits = boolean(object, "postCredits") ?? false
        item.withdrawn = boolean(object, "withdrawn") ?? false
        readTimes(of: &item, object)
        return item
    }

    private mutating func subtitles(_ node: FeedNode) -> SubtitleTrack? {
        guard let object = object(node, keys: FeedKeys.subtitle) else { return nil }
        let language = required(object, "language", "a tag such as \"en\"").flatMap { self.language($0) }
        let url = required(object, "url", "the URL of the captions").flatMap { self.url($0) }
        guard let language, let url else { return nil }
        return SubtitleTrack(language: language, url: url, kind: word(object, "kind", as: SubtitleTrack.Kind.self) ?? .subtitles)
    }

    // MARK: Times

    /// Parses everything on the item's timeline, converts content time to asset time, and checks consistency.
    private mutating func readTimes(of item: inout Item, _ object: FeedObject) {
        let interstitials = list(object, "interstitials").compactMap { node in interstitial(node).map { (node, $0) } }
        let timeline = AssetTimeline(interstitials: interstitials.map(\.1.range))
        let isContent = isContentTimeline(object)
        /// A time in the item's timeline as asset time: after interstitials spliced in at that time.
        func place(_ time: MediaTime) -> MediaTime { isContent ? timeline.assetTime(ofContent: time) : time }
        /// The end of a range as asset time: before interstitials spliced in at that time.
        func end(_ time: MediaTime) -> MediaTime { isContent ? timeline.assetEnd(ofContent: time) : time }

        item.duration = time(object, "duration").map(place)
        item.trim = trim(object, duration: item.duration)
        let playEnd = item.trim?.end ?? item.duration
        check(interstitials, of: item)
        item.interstitials = interstitials.map(\.1).sorted { $0.range.start < $1.range.start }

        var markers: [Marker] = []
        var latest: [Marker.Kind: MediaTime] = [:]
        for node in list(object, "markers") {
            guard let marker = marker(node, place: place, end: end) else { continue }
            let isWrong = check(marker, at: node, item: item, latest: latest[marker.kind])
            latest[marker.kind] = max(marker.start, latest[marker.kind] ?? marker.start)
            if isWrong { continue }
            if let kept = moved(marker, at: node, item: item, timeline: timeline) { markers.append(kept) }
        }
        item.markers = Self.withEnds(
            markers.enumerated().sorted { ($0.element.start, $0.offset) < ($1.element.start, $1.offset) }.map(\.element),
            playEnd: playEnd)
        // A scene after the credits, stated either way.
        if item.markers.contains(where: { $0.kind == .postCredits }) { item.postCredits = true }
        item.proposal = proposal(object, item: item, timeline: timeline, place: place)
    }

    private mutating func isContentTimeline(_ object: FeedObject) -> Bool {
        guard let node = object["timeline"], let text = string(node) else { return false }
        if text != "content", text != "asset" {
            // A wrong timeline would misplace every marker, so an unknown word has no default.
            fail(
                .wrongType, node, "unknown timeline \(FeedText.quoted(text))",
                "Write \"content\", or leave it out for asset time.")
        }
        return text == "content"
    }

    private mutating func trim(_ object: FeedObject, duration: MediaTime?) -> Trim? {
        guard let node = object["trim"], let parts = self.object(node, keys: FeedKeys.trim) else { return nil }
        let trim = Trim(start: time(parts, "in") ?? .zero, end: time(parts, "out"))
        if let end = trim.end, end <= trim.start, let place = parts["out"] {
            fail(
                .wrongType, place,
                "the trim ends at \(FeedTime.plain(end)), not after its start at \(FeedTime.plain(trim.start))",
                "Write a later \"out\".")
        }
        if let duration, let place = parts["in"], trim.start >= duration {
            fail(
                .wrongType, place,
                "the trim starts at \(FeedTime.plain(trim.start)), the item ends at \(FeedTime.plain(duration))",
                "Write an earlier \"in\".")
        }
        if let duration, let end = trim.end, end > duration { return Trim(start: trim.start, end: duration) }
        return trim
    }

    // MARK: Interstitials

    private mutating func interstitial(_ node: FeedNode) -> Interstitial? {
        guard let object = object(node, keys: FeedKeys.interstitial) else { return nil }
        let start = required(object, "start", "the asset time at which it starts, e.g. 600").flatMap { time($0) }
        let duration = required(object, "duration", "how long it lasts, e.g. 60").flatMap { time($0) }
        let kind = word(object, "kind", as: Interstitial.Kind.self) ?? .other
        let isLinear = boolean(object, "linear")
        let repeats = word(object, "repeat", as: Interstitial.Repeat.self) ?? .once
        let onResume = boolean(object, "onResume") ?? false
        let id = object["id"].flatMap { self.id($0) }
        let title = text(object, "title", limit: Self.titleLimit)
        let skip = skip(object, duration: duration)
        guard let start, let duration else { return nil }
        if duration == .zero, let node = object["duration"] {
            fail(.wrongType, node, "an interstitial of no length", "Write how long it lasts, or remove it.")
        }
        return Interstitial(
            id: id, range: TimeRange(start: start, duration: duration), kind: kind, isLinear: isLinear ?? kind.isLinearByDefault,
            repeats: repeats, skip: skip, onResume: onResume, title: title)
    }

    private mutating func skip(_ object: FeedObject, duration: MediaTime?) -> Interstitial.Skip? {
        guard let node = object["skip"], let parts = self.object(node, keys: FeedKeys.skip) else { return nil }
        let skip = Interstitial.Skip(offset: time(parts, "offset") ?? .zero, duration: time(parts, "duration"))
        guard let duration, skip.offset >= duration else { return skip }
        warn(
            .skipTooLate, parts["offset"] ?? node,
            "Skip is offered at \(FeedTime.plain(skip.offset)) of an interstitial that lasts \(FeedTime.plain(duration))",
            "Write an offset under \(FeedTime.plain(duration)); Skip is never offered.")
        return nil
    }

    private mutating func check(_ interstitials: [(node: FeedNode, value: Interstitial)], of item: Item) {
        var ids: Set<String> = []
        for (index, (node, interstitial)) in interstitials.enumerated() {
            let range = interstitial.range
            let name = interstitial.id ?? node.name
            if let id = interstitial.id, !ids.insert(id).inserted {
                fail(.duplicateID, node, "another interstitial of this item has the id \"\(id)\"", "Use a different id for each.")
            }
            if let duration = item.duration, range.end > duration {
                fail(
                    .interstitialOutside, node,
                    "\(name) lasts from \(FeedTime.plain(range.start)) to \(FeedTime.plain(range.end)), the item ends at \(FeedTime.plain(duration))",
                    "Keep it inside [0, \(FeedTime.plain(duration))]; times count spliced interstitials.")
            }
            if let trim = item.trim {
                for edge in [trim.start, trim.end].compactMap({ $0 }) where range.start < edge && edge < range.end {
                    fail(
                        .interstitialCrossesTrim, node,
                        "\(name) lasts from \(FeedTime.plain(range.start)) to \(FeedTime.plain(range.end)), across the trim at \(FeedTime.plain(edge))",
                        "Move the trim to \(FeedTime.plain(range.start)) or \(FeedTime.plain(range.end)).")
                }
            }
            if index > 0, interstitials[index - 1].value.range.start > range.start {
                warn(
                    .interstitialsUnsorted, node,
                    "\(name) starts \(FeedTime.plain(range.start)), after one that starts \(FeedTime.plain(interstitials[index - 1].value.range.start))",
                    "List them by their start; the box sorts them.")
            }
        }
        let sorted = interstitials.enumerated().sorted {
            ($0.element.value.range.start, $0.offset) < ($1.element.value.range.start, $1.offset)
        }
        var reach: (name: String, end: MediaTime)?
        for (_, (node, interstitial)) in sorted {
            let name = interstitial.id ?? node.name
            if let reach, interstitial.range.start < reach.end {
                fail(
                    .interstitialOverlap, node,
                    "\(name) starts \(FeedTime.plain(interstitial.range.start)) before \(reach.name) ends \(FeedTime.plain(reach.end))",
                    "Start it at \(FeedTime.plain(reach.end)) or later.")
            }
            if interstitial.range.end > reach?.end ?? .seconds(-1) { reach = (name, interstitial.range.end) }
        }
    }

    // MARK: Markers

    private mutating func marker(_ node: FeedNode, place: (MediaTime) -> MediaTime, end: (MediaTime) -> MediaTime) -> Marker? {
        guard let object = object(node, keys: FeedKeys.marker) else { return nil }
        let start = required(object, "start", "the time at which it starts, e.g. 12").flatMap { time($0) }
        let stop = time(object, "end")
        let title = text(object, "title", limit: Self.titleLimit)
        let image = object["image"].flatMap { picture($0) }
        guard required(object, "kind", FeedText.choice(Marker.Kind.allCases.map { "\"\($0.rawValue)\"" })) != nil else {
            return nil
        }
        guard let kind = word(object, "kind", as: Marker.Kind.self), let start else { return nil }
        if let stop, stop <= start, let node = object["end"] {
            fail(
                .markersNotIncreasing, node,
                "the marker ends at \(FeedTime.plain(stop)), not after its start at \(FeedTime.plain(start))",
                "Write a later \"end\" or leave it out.")
        }
        return Marker(kind: kind, start: place(start), end: stop.map(end), title: title, image: image)
    }

    /// Whether a marker violates a rule that drops its item.
    private mutating func check(_ marker: Marker, at node: FeedNode, item: Item, latest: MediaTime?) -> Bool {
        if let duration = item.duration, marker.start >= duration {
            fail(
                .markerOutside, node,
                "the \(marker.kind.rawValue) marker starts at \(FeedTime.plain(marker.start)), the item ends at \(FeedTime.plain(duration))",
                "Write a start under \(FeedTime.plain(duration)).")
            return true
        }
        if let latest, marker.start <= latest {
            fail(
                .markersNotIncreasing, node,
                "the \(marker.kind.rawValue) marker starts at \(FeedTime.plain(marker.start)), the one before it at \(FeedTime.plain(latest))",
                "List the markers of one kind by their start, each later than the one before.")
            return true
        }
        return false
    }

    /// A marker moved to a usable position: out of an interstitial; nil if the trim removes it.
    private mutating func moved(_ marker: Marker, at node: FeedNode, item: Item, timeline: AssetTimeline) -> Marker? {
        if let trim = item.trim,
            marker.start < trim.start && (marker.end.map { $0 <= trim.start } ?? true)
                || trim.end.map({ marker.start >= $0 }) == true
        {
            warn(
                .markerOutsideTrim, node,
                "the \(marker.kind.rawValue) marker at \(FeedTime.plain(marker.start)) is outside the trim",
                "Remove it; the box drops it.")
            return nil
        }
        guard marker.kind == .chapter, let range = timeline.interstitial(at: marker.start) else { return marker }
        warn(
            .chapterInInterstitial, node,
            "the chapter marker starts at \(FeedTime.plain(marker.start)), inside an interstitial that ends at \(FeedTime.plain(range.end))",
            "Write \(FeedTime.plain(range.end)); the box moves it there.")
        var moved = marker
        moved.start = range.end
        if let end = moved.end, end <= range.end { moved.end = nil }
        return moved
    }

    /// The markers in order, each with an end if known.
    private static func withEnds(_ markers: [Marker], playEnd: MediaTime?) -> [Marker] {
        markers.enumerated().map { index, marker in
            guard marker.end == nil else { return marker }
            var marker = marker
            let next = markers[(index + 1)...].first {
                (marker.kind != .chapter || $0.kind == .chapter) && $0.start > marker.start
            }
            marker.end = next?.start ?? playEnd.flatMap { $0 > marker.start ? $0 : nil }
            return marker
        }
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
