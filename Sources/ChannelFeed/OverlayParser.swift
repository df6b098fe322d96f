import MediaModel
import MediaTime

/// Parses the overlays of an item or a channel: pictures and words over its video.
struct OverlayParser {
    /// Overlays, and the lines of their words by the names under which they ask for them.
    typealias Found = (overlays: [ScreenOverlay], lines: [String: [LocalizedText]])

    /// The keys of an overlay. The published schema must list them in this order.
    static let keys = [
        "image", "text", "anchor", "x", "y", "width", "height", "crop", "opacity", "start", "end", "fadeIn", "fadeOut",
        "inInterstitials",
    ]
    static let cropKeys = ["left", "top", "right", "bottom"]
    /// The keys that need an item's time.
    private static let timeKeys = ["start", "end", "fadeIn", "fadeOut"]

    /// Its box is inside what every television shows.
    private static let usual = ScreenBoxParser.Usual(name: "overlay", margin: 5, side: 15, leastSide: 0)

    private let values: FeedValues
    private let findings: FeedFindings
    private let artwork: ArtworkParser
    private let wordsParser: OverlayWordsParser

    init(values: FeedValues, findings: FeedFindings, artwork: ArtworkParser) {
        self.values = values
        self.findings = findings
        self.artwork = artwork
        wordsParser = OverlayWordsParser(values: values, findings: findings)
    }

    /// The overlays of a channel, which are on the screen for as long as it plays.
    func overlays(ofChannel object: FeedObject) -> Found {
        overlays(object, atMost: FeedLimit.channelOverlays, named: "channel") { parts in
            for key in Self.timeKeys {
                guard let node = parts[key] else { continue }
                findings.warn(
                    .withoutEffect, node, "the overlays of a channel have no times",
                    "Remove it, or move the overlay to the items; the box shows it all the time.")
            }
            return LayerPresence()
        }
    }

    /// The overlays of an item that can be seen.
    ///
    /// - Parameters:
    ///   - place: a time in the item's timeline as asset time.
    ///   - end: the end of a range in the item's timeline as asset time.
    func overlays(
        _ object: FeedObject, of item: Item, place: (MediaTime) -> MediaTime, end: (MediaTime) -> MediaTime
    ) -> Found {
        overlays(object, atMost: FeedLimit.itemOverlays, named: "item") { parts in
            presence(parts, of: item, place: place, end: end)
        }
    }

    /// - Parameters:
    ///   - owner: tells the lines of a channel from those of its items.
    ///   - presence: when one is on the screen; nil leaves it out.
    private func overlays(
        _ object: FeedObject, atMost limit: Int, named owner: String, presence: (FeedObject) -> LayerPresence?
    ) -> Found {
        var lines: [String: [LocalizedText]] = [:]
        let found = values.list(object, "overlays", atMost: limit).enumerated().compactMap { index, node in
            overlay(node, named: "\(owner) \(index)", &lines, presence: presence)
        }
        let area = found.reduce(0) { $0 + $1.box.width * $1.box.height }
        if area > ScreenBoxParser.screen.width * ScreenBoxParser.screen.height, let node = object["overlays"] {
            findings.fail(
                .wrongType, node, "overlays that are together larger than the screen",
                "Write smaller widths and heights: the box keeps all of them in memory while the programme plays.")
        }
        return (found, lines)
    }

    private func overlay(
        _ node: FeedNode, named name: String, _ lines: inout [String: [LocalizedText]], presence: (FeedObject) -> LayerPresence?
    ) -> ScreenOverlay? {
        guard let object = values.object(node, keys: Self.keys) else { return nil }
        let content = content(object, named: name, &lines)
        let anchor = values.word(object, "anchor", as: ScreenOverlay.Anchor.self) ?? .topRight
        let box = ScreenBoxParser(values: values, findings: findings).box(object, anchor: anchor, Self.usual)
        let crop = crop(object)
        let opacity = values.integer(object, "opacity", in: 1...100) ?? 100
        let isShownInInterstitials = values.boolean(object, "inInterstitials") ?? false
        let times = presence(object)
        guard let content, let times else { return nil }
        return ScreenOverlay(
            content, anchor: anchor, box: box, crop: crop, opacityPercent: Int(opacity), presence: times,
            isShownInInterstitials: isShownInInterstitials)
    }

    /// A picture or words; nil, with a finding, for neither.
    private func content(
        _ object: FeedObject, named name: String, _ lines: inout [String: [LocalizedText]]
    ) -> ScreenOverlay.Content? {
        guard let node = object["text"] else {
            return values.required(object, "image", "the URL of the picture, or \"text\" for words").flatMap { picture($0) }.map {
                .picture($0)
            }
        }
        if object["image"] != nil {
            findings.fail(
                .wrongType, node, "the overlay has both a picture and words", "Write two overlays, or remove one of them.")
        }
        if let crop = object["crop"] {
            findings.warn(.withoutEffect, crop, "words are not cropped", "Remove it.")
        }
        guard let (words, found) = wordsParser.words(node, named: name) else { return nil }
        lines[name] = found
        return .words(words)
    }

    private func picture(_ node: FeedNode) -> String? {
        guard let url = artwork.picture(node, isGraphic: true) else { return nil }
        if url.isEmpty {
            findings.fail(.wrongType, node, "an overlay without a picture", "Write the URL of the picture.")
            return nil
        }
        return url
    }

    private func crop(_ object: FeedObject) -> OverlayCrop {
        guard let node = object["crop"], let parts = values.object(node, keys: Self.cropKeys) else { return OverlayCrop() }
        let range: ClosedRange<Int64> = 0...FeedLimit.crop
        func part(_ key: String) -> Int { Int(values.integer(parts, key, in: range) ?? 0) }
        let crop = OverlayCrop(left: part("left"), top: part("top"), right: part("right"), bottom: part("bottom"))
        guard crop.left + crop.right > FeedLimit.crop || crop.top + crop.bottom > FeedLimit.crop else { return crop }
        findings.fail(
            .wrongType, node, "a crop that leaves almost nothing",
            "Write opposite sides that are together at most \(FeedLimit.crop).")
        return OverlayCrop()
    }

    // MARK: Times

    /// nil, with a finding, if it would never be seen.
    private func presence(
        _ object: FeedObject, of item: Item, place: (MediaTime) -> MediaTime, end: (MediaTime) -> MediaTime
    ) -> LayerPresence? {
        let first = item.trim?.start ?? .zero
        let last = item.playEnd
        let start = values.time(object, "start").map(place)
        let stop = values.time(object, "end").map(end)
        let fadeIn = values.time(object, "fadeIn") ?? .zero
        let fadeOut = values.time(object, "fadeOut") ?? .zero
        if let stop, stop <= max(start ?? first, first) {
            return neverSeen(
                object, "ends at \(FeedTime.plain(stop)), not after its start at \(FeedTime.plain(max(start ?? first, first)))")
        }
        if let start, let last, start >= last {
            return neverSeen(object, "starts at \(FeedTime.plain(start)), the item ends at \(FeedTime.plain(last))")
        }
        var presence = LayerPresence(start: start, end: stop, fadeIn: fadeIn, fadeOut: fadeOut)
        if fadeIn > .zero { presence.start = start ?? first }
        if fadeOut > .zero {
            presence.end = stop ?? last
            if presence.end == nil, let node = object["fadeOut"] {
                findings.warn(
                    .withoutEffect, node, "neither the overlay nor the item has an end",
                    "Write \"end\", or \"duration\" in the item; the box does not fade it out.")
            }
        }
        if let from = presence.start, let to = presence.end, fadeIn + fadeOut > to - from {
            findings.warn(
                .overlayFades, object.node,
                "its fades last \(FeedTime.plain(fadeIn + fadeOut)), the overlay \(FeedTime.plain(to - from))",
                "Write shorter fades; the picture never reaches its opacity.")
        }
        return presence
    }

    private func neverSeen(_ object: FeedObject, _ what: String) -> LayerPresence? {
        findings.warn(.overlayNeverSeen, object.node, "the overlay \(what)", "Write other times; the box leaves it out.")
        return nil
    }
}
