import MediaSources
import MediaTime
import Metadata

/// Metadata of a stream for a range of dates (EXT-X-DATERANGE). The counterpart of `AVDateRangeMetadataGroup`; a value.
package struct DateRangeMetadataGroup: Sendable, Hashable {
    /// ID of the date range.
    package var uniqueID: String
    /// CLASS.
    package var classifyingLabel: String?
    /// The start, in nanoseconds since the start of 1970, UTC.
    package var startDate: Int64
    /// The end; nil while it is unknown.
    package var endDate: Int64?
    /// The start, in asset time.
    package var start: MediaTime
    /// The end, in asset time; nil while it is unknown.
    package var end: MediaTime?
    /// PLANNED-DURATION: how long it is expected to be.
    package var plannedDuration: MediaTime?
    /// Its attributes, in the key space `hlsDateRange`.
    package var items: [MetadataItem]

    init(_ range: DateRangeMetadata) {
        uniqueID = range.identifier
        classifyingLabel = range.classifyingLabel
        startDate = range.startDate
        endDate = range.endDate
        start = range.start
        end = range.end
        plannedDuration = range.plannedDuration
        let times = range.end.flatMap { $0 >= range.start ? TimeRange(start: range.start, end: $0) : nil }
        items = range.attributes.map {
            MetadataItem(MetadataIdentifier(.hlsDateRange, $0.name), .text($0.value), timeRange: times)
        }
    }

    /// Whether it only contains instructions for players: interstitials and schedules.
    var isForPlayers: Bool { classifyingLabel?.hasPrefix("com.apple.hls.") == true }

    /// Whether the program is told of it: of all but schedules and preloads.
    var isTold: Bool { !isForPlayers || classifyingLabel == "com.apple.hls.interstitial" }

    /// Whether it applies at a time.
    func contains(_ time: MediaTime) -> Bool { time >= start && (end.map { time < $0 } ?? true) }
}

/// The metadata of a stream during playback: session data and chapters, date ranges, and metadata inside segments, as typed items of `Metadata`.
package struct StreamMetadata: Sendable, Hashable {
    /// Data of the whole presentation.
    package var items: [MetadataItem] = []
    /// Chapters from a separate file.
    package var chapters: [TimedMetadataGroup] = []
    /// Date ranges, ordered by time.
    package var dateRanges: [DateRangeMetadataGroup] = []
    /// Metadata of segments so far, ordered by time; an ID3 tag applies until the next one.
    package private(set) var groups: [TimedMetadataGroup] = []
    /// The bytes of each group.
    private var sizes: [Int] = []

    /// This many groups before the newest are kept, and this many bytes of them.
    static let most = 512
    static let mostBytes = 4 << 20

    /// This many items apply at a time.
    static let mostPresented = 256
    /// Times nearer to each other than this are one: every change of what applies is told to all.
    private static let shortest = MediaTime.milliseconds(50)

    /// Everything that applies at a time: date ranges, then metadata of segments. Of more than `mostPresented` items the first.
    package func items(at time: MediaTime) -> [MetadataItem] {
        var items: [MetadataItem] = []
        for range in dateRanges where items.count < Self.mostPresented && range.contains(time) && !range.isForPlayers {
            items += range.items
        }
        for group in groups where items.count < Self.mostPresented {
            if group.contains(time) { items += group.items }
        }
        return Array(items.prefix(Self.mostPresented))
    }

    /// The times at which metadata begin or cease to apply. Of times that follow each other closely, the last.
    var edges: [MediaTime] {
        var times: Set<MediaTime> = []
        for range in dateRanges where range.isTold {
            times.insert(range.start)
            if let end = range.end { times.insert(end) }
        }
        for group in groups {
            times.insert(group.timeRange.start)
            times.insert(group.timeRange.end)
        }
        var edges: [MediaTime] = []
        var first = MediaTime.zero
        for time in times.sorted() {
            if edges.isEmpty || time - first >= Self.shortest {
                first = time
                edges.append(time)
            } else {
                edges[edges.count - 1] = time
            }
        }
        return edges
    }

    /// Adds metadata of segments. Each is compared with all that are kept: of a batch too only the newest count.
    mutating func take(_ found: [TimedMetadata]) {
        for metadata in found.suffix(Self.most) {
            let items = MetadataItem.items(of: metadata)
            guard !items.isEmpty else { continue }
            // The same segment may be read again.
            guard !groups.contains(where: { $0.timeRange.start == metadata.time && $0.items == items }) else { continue }
            // Without a duration it applies until the next of its kind, which may be known already: the viewer has gone back.
            let isOfItsKind = { (group: TimedMetadataGroup) in
                group.items.first?.identifier.keySpace == items[0].identifier.keySpace
            }
            let next = groups.first { $0.timeRange.start > metadata.time && isOfItsKind($0) }?.timeRange.start
            let end =
                metadata.duration.map { metadata.time + max($0, .zero) } ?? next ?? metadata.time + .seconds(24 * 3600)
            if metadata.duration == nil {
                for index in groups.indices where isOfItsKind(groups[index]) && groups[index].timeRange.contains(metadata.time) {
                    groups[index].timeRange = TimeRange(start: groups[index].timeRange.start, end: metadata.time)
                }
            }
            let index = groups.firstIndex { $0.timeRange.start > metadata.time } ?? groups.endIndex
            groups.insert(TimedMetadataGroup(timeRange: TimeRange(start: metadata.time, end: end), items: items), at: index)
            sizes.insert(metadata.data.count, at: index)
            trim()
        }
    }

    private mutating func trim() {
        var (count, bytes) = (groups.count, sizes.reduce(0, +))
        while count > 0, count > Self.most || bytes > Self.mostBytes {
            bytes -= sizes[groups.count - count]
            count -= 1
        }
        groups.removeFirst(groups.count - count)
        sizes.removeFirst(sizes.count - count)
    }
}

extension MetadataItem {
    /// The items of timed metadata: the frames of an ID3 tag, also inside an event message; for any other message its bytes.
    static func items(of metadata: TimedMetadata) -> [MetadataItem] {
        if metadata.scheme == MetadataKeySpace.id3.rawValue || metadata.scheme == "https://aomedia.org/emsg/ID3" {
            return ID3Tag(metadata.data)?.items ?? []
        }
        let identifier = MetadataIdentifier(MetadataKeySpace(rawValue: metadata.scheme), metadata.value)
        guard identifier == .icyMetadataStreamTitle else { return [MetadataItem(identifier, .data(metadata.data))] }
        var title = MetadataItem(identifier, .text(String(decoding: metadata.data, as: UTF8.self)))
        title.commonIdentifier = .commonTitle
        return [title]
    }

    /// An entry of EXT-X-SESSION-DATA. Apple's names for the title and similar entries are mapped to the common key space.
    init(_ datum: SessionDatum) {
        let names: [String: MetadataIdentifier] = [
            "com.apple.hls.title": .commonTitle, "com.apple.hls.description": .commonDescription,
            "com.apple.hls.artist": .commonArtist, "com.apple.hls.genre": .commonType,
        ]
        self.init(
            MetadataIdentifier(.hlsSessionData, datum.identifier), .text(datum.value), extendedLanguageTag: datum.languageTag)
        commonIdentifier = names[datum.identifier]
    }
}

extension TimedMetadataGroup {
    /// A chapter from a separate file: a title for each language, and its picture's address.
    init(_ chapter: StreamChapter, end: MediaTime?) {
        let times = TimeRange(start: chapter.start, end: max(end ?? chapter.start, chapter.start))
        var items = chapter.titles.map {
            MetadataItem(.commonTitle, .text($0.text), extendedLanguageTag: $0.languageTag, timeRange: times)
        }
        if let image = chapter.image { items.append(MetadataItem(.commonArtwork, .text(image), dataType: "text/uri-list")) }
        self.init(timeRange: times, items: items)
    }
}
