import MediaModel
import MediaTime

/// Parses the markers of an item.
struct MarkerParser {
    /// The keys of a marker. The published schema must list them in this order.
    static let keys = ["kind", "start", "end", "title", "image"]

    private let values: FeedValues
    private let findings: FeedFindings
    private let artwork: ArtworkParser

    init(values: FeedValues, findings: FeedFindings, artwork: ArtworkParser) {
        self.values = values
        self.findings = findings
        self.artwork = artwork
    }

    /// The markers of an item that can be used, in the order of their starts.
    ///
    /// - Parameters:
    ///   - place: a time in the item's timeline as asset time.
    ///   - end: the end of a range in the item's timeline as asset time.
    func markers(
        _ object: FeedObject, of item: Item, timeline: AssetTimeline, place: (MediaTime) -> MediaTime,
        end: (MediaTime) -> MediaTime
    ) -> [Marker] {
        var markers: [Marker] = []
        var latest: [NavigationMarker.Kind: MediaTime] = [:]
        for node in values.list(object, "markers", atMost: FeedLimit.places) {
            guard let marker = marker(node, place: place, end: end) else { continue }
            let isWrong = check(marker, at: node, item: item, latest: latest[marker.kind])
            latest[marker.kind] = max(marker.start, latest[marker.kind] ?? marker.start)
            if isWrong { continue }
            if let kept = moved(marker, at: node, item: item, timeline: timeline) { markers.append(kept) }
        }
        return markers.enumerated().sorted { ($0.element.start, $0.offset) < ($1.element.start, $1.offset) }.map(\.element)
    }

    private func marker(_ node: FeedNode, place: (MediaTime) -> MediaTime, end: (MediaTime) -> MediaTime) -> Marker? {
        guard let object = values.object(node, keys: Self.keys) else { return nil }
        let start = values.required(object, "start", "the time at which it starts, e.g. 12").flatMap { values.time($0) }
        let stop = values.time(object, "end")
        let title = values.text(object, "title", limit: FeedLimit.title)
        let image = object["image"].flatMap { artwork.picture($0) }
        let kind = values.required(
            object, "kind", FeedText.choice(NavigationMarker.Kind.allCases.map { "\"\($0.rawValue)\"" })
        ).flatMap { _ in values.word(object, "kind", as: NavigationMarker.Kind.self) }
        guard let start else { return nil }
        if let stop, stop <= start, let node = object["end"] {
            findings.fail(
                .markersNotIncreasing, node,
                "the marker ends at \(FeedTime.plain(stop)), not after its start at \(FeedTime.plain(start))",
                "Write a later \"end\" or leave it out.")
        }
        return kind.map { Marker(kind: $0, start: place(start), end: stop.map(end), title: title, image: image) }
    }

    /// Whether a marker violates a rule that drops its item.
    private func check(_ marker: Marker, at node: FeedNode, item: Item, latest: MediaTime?) -> Bool {
        var isWrong = false
        if let duration = item.duration, marker.start >= duration {
            isWrong = true
            findings.fail(
                .markerOutside, node,
                "the \(marker.kind.rawValue) marker starts at \(FeedTime.plain(marker.start)), the item ends at \(FeedTime.plain(duration))",
                "Write a start under \(FeedTime.plain(duration)).")
        }
        if let latest, marker.start <= latest {
            isWrong = true
            findings.fail(
                .markersNotIncreasing, node,
                "the \(marker.kind.rawValue) marker starts at \(FeedTime.plain(marker.start)), the one before it at \(FeedTime.plain(latest))",
                "List the markers of one kind by their start, each later than the one before.")
        }
        return isWrong
    }

    /// A marker moved to a usable position: out of an interstitial; nil if the trim removes it.
    private func moved(_ marker: Marker, at node: FeedNode, item: Item, timeline: AssetTimeline) -> Marker? {
        if let trim = item.trim,
            marker.start < trim.start && (marker.end.map { $0 <= trim.start } ?? true)
                || trim.end.map({ marker.start >= $0 }) == true
        {
            findings.warn(
                .markerOutsideTrim, node,
                "the \(marker.kind.rawValue) marker at \(FeedTime.plain(marker.start)) is outside the trim",
                "Remove it; the box drops it.")
            return nil
        }
        guard marker.kind == .chapter, let range = timeline.interstitial(at: marker.start) else { return marker }
        findings.warn(
            .chapterInInterstitial, node,
            "the chapter marker starts at \(FeedTime.plain(marker.start)), inside an interstitial that ends at \(FeedTime.plain(range.end))",
            "Write \(FeedTime.plain(range.end)); the box moves it there.")
        var moved = marker
        moved.start = range.end
        if let end = moved.end, end <= range.end { moved.end = nil }
        return moved
    }

    /// The markers in order, each with an end if known.
    static func withEnds(_ markers: [Marker], playEnd: MediaTime?) -> [Marker] {
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
