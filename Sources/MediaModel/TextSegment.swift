import MediaTime

/// One segment of a caption rendition: its bytes, and the mapping of its timestamps to asset time.
///
/// A segment is delivered once the mapping of its discontinuity sequence is known, so that no cue is shown at a wrong time.
package struct TextSegment: Sendable {
    /// Its track: one of type `text` in the source's description.
    package var track: TrackID
    /// The segment as received: a WebVTT file, or an MP4 fragment (IMSC1, WebVTT in MP4).
    package var bytes: [UInt8]
    /// The media initialization section that applies; nil for WebVTT files, which have none.
    package var initialization: [UInt8]?
    /// The segment's range according to its playlist, in asset time.
    package var timeRange: TimeRange
    /// Asset time of the MPEG-2 timestamp zero (X-TIMESTAMP-MAP's `MPEGTS`, a fragment's decode time), unwrapped.
    package var stampOffset: MediaTime
    /// Its number in the playlist.
    package var mediaSequence: Int64
    /// The discontinuity sequence: cues of different sequences are never merged.
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

    /// The period of MPEG-2 timestamps, 2^33 ticks of 90 kHz.
    private static let stampPeriod = MediaTime(1 << 33, 90_000)

    /// Asset time of a timestamp of the 33-bit 90 kHz clock, moved by whole periods to the value nearest to the segment.
    ///
    /// - Parameter stamp: in units of 1/90000 s, as in X-TIMESTAMP-MAP.
    package func assetTime(ofStamp stamp: Int64) -> MediaTime {
        let time = MediaTime(stamp, 90_000) + stampOffset
        let periods = (timeRange.start - time + Self.stampPeriod / 2).wholeSteps(of: Self.stampPeriod)
        return periods == 0 ? time : time + Self.stampPeriod * Int(periods)
    }
}

/// A pending read of captions. Cancelling or releasing it ends it.
@MainActor
package protocol TextReading: AnyObject {
    /// Playback has reached this asset time: segments far behind it are not loaded, those slightly before it are.
    func advance(to time: MediaTime)
    /// Ends it; nothing is delivered afterwards.
    func cancel()
}

/// A source with caption renditions in separate segments.
@MainActor
package protocol TextSource: MediaSource {
    /// Starts to deliver the segments of a track around a position, in order, each once, on the main loop. Segments that cannot
    /// be loaded are skipped: captions never fail an item.
    ///
    /// - Returns: nil when the source has no such track.
    func startReadingText(
        of track: TrackID, at time: MediaTime, deliver: @escaping @MainActor (TextSegment) -> Void
    ) -> (any TextReading)?
}

extension TextSource {
    package var textSource: (any TextSource)? { self }
}
