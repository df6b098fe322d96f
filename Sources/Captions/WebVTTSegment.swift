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
    ///   - assetTime: maps a timestamp of the 33-bit 90 kHz clock to asset time.
    package static func cues(
        of document: CaptionDocument, segment range: TimeRange, assetTime: (_ stamp: Int64) -> MediaTime
    ) -> [CaptionCue] {
        let map = document.timestampMap ?? TimestampMap(mpegTS: 0, local: .zero)
        var offset = assetTime(map.mpegTS) - map.local
        if document.timestampMap == nil, !document.cues.isEmpty {
            func hits(_ offset: MediaTime) -> Bool {
                document.cues.contains { $0.end + offset > range.start && $0.start + offset < range.end }
            }
            if !hits(offset), hits(.zero) { offset = .zero }
        }
        return document.resolved().map { $0.shifted(by: offset) }
    }
}
