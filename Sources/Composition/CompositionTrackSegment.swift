import MediaModel
import MediaTime

/// One track of one source, by its address and number.
package struct SourceReference: Sendable, Hashable {
    /// An `http(s):` or `file:` URL, or a path.
    package let url: String
    /// The track; nil for the source's first track of the composition track's media type.
    package let track: TrackID?
    /// FFmpeg's name of its codec, e.g. `h264`, if known.
    package let codec: String?

    package init(url: String, track: TrackID? = nil, codec: String? = nil) {
        self.url = url
        self.track = track
        self.codec = codec
    }
}

/// A piece of a track: a range of a source, or nothing for a while; the counterpart of `AVCompositionTrackSegment`.
package struct CompositionTrackSegment: Sendable, Hashable {
    /// What is presented.
    package enum Content: Sendable, Hashable {
        /// A range of a source.
        case media(SourceReference, TimeRange)
        /// No picture, or silence.
        case empty
    }

    package let content: Content
    /// When it is presented, in the time of the composition.
    package let target: TimeRange

    package init(_ content: Content, target: TimeRange) {
        self.content = content
        self.target = target
    }

    /// A range of a source at its own speed.
    package init(_ source: SourceReference, _ range: TimeRange, at start: MediaTime) {
        self.init(.media(source, range), target: TimeRange(start: start, duration: range.duration))
    }

    package var isEmpty: Bool { content == .empty }

    /// The source; nil for an empty segment.
    package var source: SourceReference? {
        if case .media(let source, _) = content { source } else { nil }
    }

    /// Nil for an empty segment.
    package var timeMapping: TimeMapping? {
        if case .media(_, let range) = content { TimeMapping(source: range, target: target) } else { nil }
    }

    /// Seconds of the source for each second of the composition; nil for an empty segment, and where `TimeMapping.rate` is.
    package var rate: Ratio? { timeMapping?.rate }
}
