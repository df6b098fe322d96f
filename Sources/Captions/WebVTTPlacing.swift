import MediaTime

/// Converts the cues of one WebVTT segment of an HLS rendition to asset time (RFC 8216bis section 3.1.4).
package enum WebVTTSegment {
    /// Places the cues of a segment.
    ///
    /// By the header's `X-TIMESTAMP-MAP`; without it cue time zero is the stream's timestamp zero. Packagers that omit the header
    /// often write presentation times: when the rule puts every cue outside its segment and the written times lie inside, they
    /// are used as written.
    ///
    /// - Parameters:
    ///   - range: the segment's range according to its playlist, in asset time.
    ///   - offset: what is added to the stamps at which a cue begins and ends, to give asset time.
    package static func cues(
        of document: CaptionDocument, segment range: TimeRange, offset: (_ start: MediaTime, _ end: MediaTime) -> MediaTime
    ) -> [CaptionCue] {
        let map = document.timestampMap ?? TimestampMap(mpegTS: 0, local: .zero)
        let written = document.resolved()
        let placed = written.map { cue in
            cue.shifted(by: map.offset + offset(cue.start + map.offset, cue.end + map.offset))
        }
        func hits(_ cues: [CaptionCue]) -> Bool { cues.contains { $0.end > range.start && $0.start < range.end } }
        return document.timestampMap == nil && !hits(placed) && hits(written) ? written : placed
    }
}
