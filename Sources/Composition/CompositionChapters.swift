import MediaModel
import MediaTime

/// A chapter of a source, where an edited programme presents it.
package struct PlacedChapter: Sendable, Hashable {
    /// The address of the source.
    package let url: String
    /// Its place among the chapters of the source.
    package let index: Int
    /// In the time of the composition.
    package fileprivate(set) var range: TimeRange
}

extension Composition {
    /// The chapters of the sources in the time of the composition, in order. They do not overlap; where a segment has no chapter there is none.
    ///
    /// They are those of the video tracks, or without video those of the audio tracks. Where several tracks have media, the first one decides. A chapter is
    /// clipped by the segment that presents it and moved at its speed. One that goes on in the next segment is one chapter; one that goes on after something
    /// else is listed again. A rest of at most `CompositionLimits.chapterRest` that a segment leaves of a chapter is not listed.
    ///
    /// - Parameter sources: the chapters of each source by its address, in the time of the source. A chapter without a length lasts until the next one.
    package func chapters(of sources: [String: [TimeRange]]) -> [PlacedChapter] {
        let lists = sources.mapValues { ChapterList($0) }
        let pictures = tracks(of: .video).filter { $0.segments.contains { !$0.isEmpty } }
        var covered: [TimeRange] = []
        var placed: [PlacedChapter] = []
        for track in pictures.isEmpty ? tracks(of: .audio) : pictures {
            let media = track.segments.filter { !$0.isEmpty && !$0.target.isEmpty }
            for (segment, part) in Self.uncovered(media, by: covered) {
                guard let source = segment.source, let list = lists[source.url] else { continue }
                placed += list.chapters(of: source.url, in: segment, part)
            }
            covered = Self.union(covered + media.map(\.target))
        }
        placed.sort { $0.range.start < $1.range.start }
        var joined: [PlacedChapter] = []
        for chapter in placed {
            if let last = joined.last, last.url == chapter.url, last.index == chapter.index, last.range.end == chapter.range.start
            {
                joined[joined.count - 1].range = TimeRange(start: last.range.start, end: chapter.range.end)
            } else if joined.count < CompositionLimits.chapters {
                joined.append(chapter)
            } else {
                break
            }
        }
        return joined
    }

    /// The parts of segments outside some ranges. Both are in order and without overlaps.
    private static func uncovered(
        _ segments: [CompositionTrackSegment], by covered: [TimeRange]
    ) -> [(segment: CompositionTrackSegment, part: TimeRange)] {
        var parts: [(CompositionTrackSegment, TimeRange)] = []
        var first = 0
        for segment in segments {
            while first < covered.count, covered[first].end <= segment.target.start { first += 1 }
            var place = segment.target.start
            var index = first
            while index < covered.count, covered[index].start < segment.target.end {
                if covered[index].start > place { parts.append((segment, TimeRange(start: place, end: covered[index].start))) }
                place = max(place, covered[index].end)
                index += 1
            }
            if place < segment.target.end { parts.append((segment, TimeRange(start: place, end: segment.target.end))) }
        }
        return parts
    }

    /// Ranges in order, without overlaps, that cover the same times.
    private static func union(_ ranges: [TimeRange]) -> [TimeRange] {
        var union: [TimeRange] = []
        for range in ranges.sorted(by: { $0.start < $1.start }) {
            if let last = union.last, range.start <= last.end {
                union[union.count - 1] = TimeRange(start: last.start, end: max(last.end, range.end))
            } else {
                union.append(range)
            }
        }
        return union
    }
}

/// The chapters of one source in order, without overlaps.
private struct ChapterList {
    private var chapters: [(index: Int, range: TimeRange)] = []

    init(_ ranges: [TimeRange]) {
        let order = ranges.indices.sorted { (ranges[$0].start, $0) < (ranges[$1].start, $1) }
        for (place, index) in order.enumerated() {
            let range = ranges[index]
            let next = place + 1 < order.count ? ranges[order[place + 1]].start : CompositionLimits.time
            let end = range.isEmpty ? next : min(range.end, next)
            // Of chapters within a chapter the inner ones are listed.
            if end > range.start { chapters.append((index, TimeRange(start: range.start, end: end))) }
        }
    }

    /// What a part of a segment presents of them.
    func chapters(of url: String, in segment: CompositionTrackSegment, _ part: TimeRange) -> [PlacedChapter] {
        guard let mapping = segment.timeMapping, let rate = mapping.rate, rate > .zero else { return [] }
        let start = mapping.source.start + (part.start - mapping.target.start).scaled(by: rate)
        let source = TimeRange(start: start, duration: part.duration.scaled(by: rate))
        var placed: [PlacedChapter] = []
        for chapter in chapters[chapters.partitioningIndex { $0.range.end > source.start }...] {
            guard chapter.range.start < source.end else { break }
            guard let kept = chapter.range.intersection(source) else { continue }
            let isRest = kept != chapter.range && kept.duration <= CompositionLimits.chapterRest
            if isRest { continue }
            let begin = max(mapping.extendedTargetTime(atSource: kept.start), part.start)
            let end = min(mapping.extendedTargetTime(atSource: kept.end), part.end)
            if end > begin {
                placed.append(PlacedChapter(url: url, index: chapter.index, range: TimeRange(start: begin, end: end)))
            }
        }
        return placed
    }
}

extension Composition {
    /// The chapters of the sources in the time of the composition, with their titles.
    ///
    /// - Parameter sources: by their addresses.
    package func chapters(of sources: [String: SourceFacts]) -> [ChapterDescription] {
        chapters(of: sources.mapValues { $0.chapters.map(\.range) }).map { place in
            ChapterDescription(range: place.range, title: sources[place.url]?.chapters[place.index].title)
        }
    }
}
