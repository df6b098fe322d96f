import LinuxSupport
import MediaTime
import Metadata

/// What playback comes upon in the metadata of a stream.
package enum MetadataPassage: Sendable, Hashable {
    /// The playback position is in a date range.
    case began(DateRangeMetadataGroup)
    /// It has left one that it was told to be in.
    case ended(DateRangeMetadataGroup)
    /// It has reached metadata of a segment.
    case reached(TimedMetadataGroup)
}

/// Which date ranges and which metadata of segments the playback position comes upon, each once: again only after it was left. A value.
///
/// What a seek or an interstitial passes over is not told, except the range of an interstitial that is presented. A seek into a range is its beginning,
/// and a seek inside it is nothing.
struct MetadataPassages {
    /// What the position is in, and whether that was told.
    private var ranges: [String: (group: DateRangeMetadataGroup, isTold: Bool)] = [:]
    private var groups: Set<TimedMetadataGroup.Place> = []
    private var position: MediaTime?
    private var second: (start: HostTime, told: Int)?

    /// A stream has a few a second. Of more, the rest is not told.
    static let mostPerSecond = 32

    /// The position has changed, or the metadata.
    ///
    /// - Parameter isJump: whether it has not played up to here.
    mutating func move(to time: MediaTime, in metadata: StreamMetadata, isJump: Bool, now: HostTime) -> [MetadataPassage] {
        let passed = isJump ? nil : position.flatMap { $0 < time ? $0 : nil }
        position = time
        var passages = leave(time, metadata)
        for range in metadata.dateRanges where range.isTold && ranges[range.uniqueID] == nil {
            let isIn = range.contains(time)
            guard isIn || passed.map({ range.start > $0 && range.start <= time }) == true else { continue }
            let isTold = admit(now)
            if isTold { passages.append(.began(range)) }
            if isIn { ranges[range.uniqueID] = (range, isTold) } else if isTold { passages.append(.ended(range)) }
        }
        var applying: Set<TimedMetadataGroup.Place> = []
        for group in metadata.groups {
            let isIn = group.contains(time)
            guard isIn || passed.map({ group.timeRange.start > $0 && group.timeRange.start <= time }) == true else { continue }
            if isIn { applying.insert(group.place) }
            if !groups.contains(group.place), admit(now) { passages.append(.reached(group)) }
        }
        groups = applying
        return passages
    }

    /// The interstitial of a range is presented, wherever the position is. The range ends with the next move out of it.
    mutating func present(_ uniqueID: String, in metadata: StreamMetadata, now: HostTime) -> MetadataPassage? {
        guard ranges[uniqueID] == nil, let range = metadata.dateRanges.first(where: { $0.uniqueID == uniqueID && $0.isTold })
        else {
            return nil
        }
        let isTold = admit(now)
        ranges[uniqueID] = (range, isTold)
        return isTold ? .began(range) : nil
    }

    /// The ends of those ranges that do not apply any more, or are gone. A range may have got its end meanwhile.
    private mutating func leave(_ time: MediaTime, _ metadata: StreamMetadata) -> [MetadataPassage] {
        guard !ranges.isEmpty else { return [] }
        let current = Dictionary(metadata.dateRanges.map { ($0.uniqueID, $0) }) { first, _ in first }
        var ended: [DateRangeMetadataGroup] = []
        for known in ranges.values.sorted(by: { ($0.group.start, $0.group.uniqueID) < ($1.group.start, $1.group.uniqueID) }) {
            let range = current[known.group.uniqueID]
            guard range?.contains(time) != true else { continue }
            ranges[known.group.uniqueID] = nil
            if known.isTold { ended.append(range ?? known.group) }
        }
        return ended.map { .ended($0) }
    }

    private mutating func admit(_ now: HostTime) -> Bool {
        guard let last = second, now - last.start < .seconds(1) else {
            second = (now, 1)
            return true
        }
        second = (last.start, min(last.told + 1, Self.mostPerSecond))
        return last.told < Self.mostPerSecond
    }
}

extension TimedMetadataGroup {
    /// What a group is told apart by. Its end changes when the next one is known.
    fileprivate struct Place: Hashable {
        var start: MediaTime
        var items: [MetadataItem]
    }

    fileprivate var place: Place { Place(start: timeRange.start, items: items) }

    /// Whether it applies at a time; an instant does at its own.
    func contains(_ time: MediaTime) -> Bool { timeRange.contains(time) || (timeRange.isEmpty && timeRange.start == time) }
}
