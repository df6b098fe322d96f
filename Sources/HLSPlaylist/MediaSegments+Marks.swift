import MediaTime

/// Discontinuities and dates, found without building the segments: a list may have tens of thousands.
extension MediaSegments {
    /// The times of EXT-X-DISCONTINUITY on the playlist's own timeline, except before the first segment.
    package var discontinuities: [MediaTime] {
        indices.dropFirst().filter { store.record(at: $0).flags.contains(.discontinuity) }.map { startTime(at: $0) }
    }

    /// The dates that do not follow from earlier ones within `tolerance`: together with the first date they determine all dates
    /// of the list.
    package func dateMarks(tolerance: MediaTime = .milliseconds(1)) -> [(time: MediaTime, date: WallClockTime)] {
        let limit = tolerance.nanoseconds
        var marks: [(time: MediaTime, date: WallClockTime)] = []
        var last: (start: Int64, date: Int64)?
        for index in indices {
            let record = store.record(at: index)
            guard record.date != SegmentStore.noDate else { continue }
            if let last {
                let counted = last.date &+ (record.start - last.start)
                // Dates centuries apart overflow; then any difference counts as a jump.
                let (difference, isBeyond) = record.date.subtractingReportingOverflow(counted)
                guard isBeyond || difference.magnitude > limit.magnitude else { continue }
            }
            last = (record.start, record.date)
            marks.append((.nanoseconds(record.start), WallClockTime(nanosecondsSinceEpoch: record.date)))
        }
        return marks
    }
}
