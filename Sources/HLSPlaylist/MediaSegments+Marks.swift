import MediaTime

/// What is marked in a list of segments, found without making the segments: a list may have tens of thousands.
extension MediaSegments {
    /// Where EXT-X-DISCONTINUITY stands, the front of the list left out, on the playlist's own timeline.
    package var discontinuities: [MediaTime] {
        indices.dropFirst().filter { store.record(at: $0).flags.contains(.discontinuity) }.map { startTime(at: $0) }
    }

    /// The dates that cannot be counted on from those before, within `tolerance`: with the first date the whole calendar of the list.
    package func dateMarks(tolerance: MediaTime = .milliseconds(1)) -> [(time: MediaTime, date: WallClockTime)] {
        let limit = tolerance.nanoseconds
        var marks: [(time: MediaTime, date: WallClockTime)] = []
        var last: (start: Int64, date: Int64)?
        for index in indices {
            let record = store.record(at: index)
            guard record.date != SegmentStore.noDate else { continue }
            if let last {
                let counted = last.date &+ (record.start - last.start)
                // Dates centuries apart are as good as any others.
                let (difference, isBeyond) = record.date.subtractingReportingOverflow(counted)
                guard isBeyond || difference.magnitude > limit.magnitude else { continue }
            }
            last = (record.start, record.date)
            marks.append((.nanoseconds(record.start), WallClockTime(nanosecondsSinceEpoch: record.date)))
        }
        return marks
    }
}
