import MediaModel
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
    /// How its time stamps map to asset time (X-TIMESTAMP-MAP's `MPEGTS`, a fragment's decode time).
    package var mapping: Mapping
    /// Nil for a new segment. A segment that is delivered again, because its mapping has become known better: the mapping before, by which its
    /// cues are to be removed.
    package var replaced: Mapping?
    /// Its number in the playlist.
    package var mediaSequence: Int64
    /// The discontinuity sequence: cues of different sequences are never merged.
    package var discontinuitySequence: Int64

    package init(
        track: TrackID, bytes: [UInt8], initialization: [UInt8]?, timeRange: TimeRange, mapping: Mapping,
        replaced: Mapping? = nil, mediaSequence: Int64, discontinuitySequence: Int64
    ) {
        self.track = track
        self.bytes = bytes
        self.initialization = initialization
        self.timeRange = timeRange
        self.mapping = mapping
        self.replaced = replaced
        self.mediaSequence = mediaSequence
        self.discontinuitySequence = discontinuitySequence
    }

    /// The segment as it was delivered before; nil for a new one.
    package var asDeliveredBefore: TextSegment? {
        guard let replaced else { return nil }
        var segment = self
        (segment.mapping, segment.replaced) = (replaced, nil)
        return segment
    }

    /// How time stamps map to asset time.
    package struct Mapping: Sendable, Hashable {
        /// In the segment's own discontinuity sequence.
        package var own: StampPlacement
        /// In the other sequences of the pictures. One of them is meant where no cue lies in its segment otherwise: packagers leave
        /// EXT-X-DISCONTINUITY out of the playlists of captions, or count it in another way.
        package var others: [StampPlacement]

        package init(own: StampPlacement, others: [StampPlacement] = []) {
            self.own = own
            self.others = others
        }
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
    /// Starts to deliver the segments of a track around a position, in order, each once, on the main loop; again where their mapping
    /// has become known better (`TextSegment.replaced`). Segments that cannot be loaded are skipped: captions never fail an item.
    ///
    /// - Returns: nil when the source has no such track.
    func startReadingText(
        of track: TrackID, at time: MediaTime, deliver: @escaping @MainActor (TextSegment) -> Void
    ) -> (any TextReading)?
}

extension TextSource {
    package var textSource: (any TextSource)? { self }
}
