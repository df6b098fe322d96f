import MediaTime

/// One segment of a rendition of captions: its bytes, and how its stamps become asset time.
///
/// A segment is delivered once the mapping of its discontinuity sequence is known, so that no cue is shown in a wrong place.
package struct TextSegment: Sendable {
    /// The track it belongs to: one of type `text` in the source's description.
    package var track: TrackID
    /// The segment as it came: a WebVTT file, or a fragment of MP4 (IMSC1, WebVTT in MP4).
    package var bytes: [UInt8]
    /// The initialization section in force; nil for WebVTT files, which have none.
    package var initialization: [UInt8]?
    /// Where the segment lies by its playlist, in asset time.
    package var timeRange: TimeRange
    /// Asset time of the stamp zero of the MPEG-2 clock (X-TIMESTAMP-MAP's `MPEGTS`, a fragment's decode time), the stamp unwrapped.
    package var stampOffset: MediaTime
    /// Its number in the playlist.
    package var mediaSequence: Int64
    /// The discontinuity sequence: cues of two sequences are never one cue.
    package var discontinuitySequence: Int64

    package init(
        track: TrackID, bytes: [UInt8], initialization: [UInt8]?, timeRange: TimeRange, stampOffset: MediaTime,
        mediaSequence: Int64, discontinuitySequence: Int64
    ) {
        self.track = track
        self.bytes = bytes
        self.initialization = initialization
        self.timeRange = timeRange
        self.stampOffset = stampOffset
        self.mediaSequence = mediaSequence
        self.discontinuitySequence = discontinuitySequence
    }

    /// The period of MPEG-2 time stamps, 2^33 ticks of 90 kHz.
    private static let stampPeriod = MediaTime(1 << 33, 90_000)

    /// Asset time of a stamp of the 33-bit clock of 90 kHz, moved by whole periods to where it is nearest to the segment.
    ///
    /// - Parameter stamp: in units of 1/90000 s, as X-TIMESTAMP-MAP gives it.
    package func assetTime(ofStamp stamp: Int64) -> MediaTime {
        let time = MediaTime(stamp, 90_000) + stampOffset
        let periods = (timeRange.start - time + Self.stampPeriod / 2).wholeSteps(of: Self.stampPeriod)
        return periods == 0 ? time : time + Self.stampPeriod * Int(periods)
    }
}

/// A reading of captions that is under way. It ends when it is cancelled or let go.
@MainActor
package protocol TextReading: AnyObject {
    /// Playback has come to this asset time: what lies far behind it is not fetched, what lies shortly before it is.
    func advance(to time: MediaTime)
    /// Ends it; nothing is delivered any more.
    func cancel()
}

/// A source that has renditions of captions in segments of their own.
@MainActor
package protocol TextSource: MediaSource {
    /// Begins to deliver the segments of a track around a place, in order, each once, on the main loop. Segments that cannot be had are
    /// left out: captions never fail an item.
    ///
    /// - Returns: nil where the source has no such track.
    func startReadingText(
        of track: TrackID, at time: MediaTime, deliver: @escaping @MainActor (TextSegment) -> Void
    ) -> (any TextReading)?
}
