import MediaTime

/// Brings the cues of one WebVTT segment of an HLS rendition into asset time (RFC 8216bis section 3.1.4).
package enum WebVTTSegment {
    /// Places the cues of a segment.
    ///
    /// By the header's `X-TIMESTAMP-MAP`; without it cue time zero is the stream's time stamp zero. Packagers that leave the header out often write times of
    /// the presentation itself: where the rule puts every cue outside its segment and the times as written lie inside, they are taken as written.
    ///
    /// - Parameters:
    ///   - range: where the segment lies by its playlist, in asset time.
    ///   - assetTime: asset time of a stamp of the 33-bit clock of 90 kHz.
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
