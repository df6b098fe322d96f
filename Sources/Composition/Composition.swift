import MediaModel
import MediaTime
import WireFormats

/// What a composition may contain at most. Everything from outside is bounded by this, so that no arithmetic on it can overflow and no
/// document can occupy the machine.
package enum CompositionLimits {
    /// Times from this on (more than three years) are refused.
    package static let time = MediaTime.seconds(100_000_000)
    /// Tracks of a composition.
    package static let tracks = 16
    /// Segments of all tracks together.
    package static let segments = 10_000
    /// The slowest and the fastest speed of a segment.
    package static let rates = Ratio(1, 16)...Ratio(16)
    /// The length of an address in bytes.
    package static let address = 4096
    /// Instructions of a video composition, or ramps of an audio mix and of a layer.
    package static let instructions = 1000
    /// Chapters of a composition.
    package static let chapters = 1000
    /// A segment that leaves no more than this of a chapter cuts it off: the times of chapters are seldom those of pictures.
    package static let chapterRest = MediaTime.milliseconds(100)
    /// The size of a document in bytes.
    package static let document = 4 << 20
}

/// A track of a composition: segments one after another from time zero; the counterpart of `AVCompositionTrack`.
package struct CompositionTrack: Sendable, Hashable {
    /// Its number in the composition, from 1.
    package let id: TrackID
    /// Video or audio.
    package let type: MediaType
    /// BCP 47, if known.
    package let languageTag: String?
    /// In the order of their targets, if the track is valid.
    package let segments: [CompositionTrackSegment]

    /// Makes a track of any segments. `Composition.validate()` says whether it can be played.
    package init(id: TrackID, type: MediaType, languageTag: String? = nil, segments: [CompositionTrackSegment] = []) {
        self.id = id
        self.type = type
        self.languageTag = languageTag
        self.segments = segments
    }

    /// The end of the last segment.
    package var duration: MediaTime { segments.last?.target.end ?? .zero }

    /// The codec of its first segment with a known one.
    package var codec: String? { segments.lazy.compactMap { $0.source?.codec }.first }

    /// The segment presented at a time; nil before the start and after the end of a valid track.
    package func segment(at time: MediaTime) -> CompositionTrackSegment? {
        let index = segments.partitioningIndex { $0.target.start > time } - 1
        guard segments.indices.contains(index), segments[index].target.contains(time) else { return nil }
        return segments[index]
    }

    /// The source presented at a time with the time in it; nil in an empty segment and outside the track.
    package func source(at time: MediaTime) -> (SourceReference, MediaTime)? {
        guard let segment = segment(at: time), let source = segment.source, let place = segment.timeMapping?.sourceTime(at: time)
        else { return nil }
        return (source, place)
    }
}

/// A programme edited from ranges of other media, without new media; the counterpart of `AVComposition`. An immutable value;
/// `MutableComposition` edits one.
package struct Composition: Sendable, Hashable {
    package let tracks: [CompositionTrack]

    /// Makes a composition of any tracks. `validate()` says whether it can be played.
    package init(tracks: [CompositionTrack] = []) { self.tracks = tracks }

    /// The end of the longest track.
    package var duration: MediaTime { tracks.map(\.duration).max() ?? .zero }

    /// The track with a number.
    package func track(_ id: TrackID) -> CompositionTrack? { tracks.first { $0.id == id } }

    /// The tracks of a media type.
    package func tracks(of type: MediaType) -> [CompositionTrack] { tracks.filter { $0.type == type } }

    /// The addresses of all sources, each once, in the order of their first use.
    package var sourceURLs: [String] {
        var known: Set<String> = []
        return tracks.flatMap(\.segments).compactMap { $0.source?.url }.filter { known.insert($0).inserted }
    }

    /// The number of all segments.
    package var segmentCount: Int { tracks.reduce(0) { $0 + $1.segments.count } }

    /// Compares the segments with their sources: each must be a file with a track of the right type, and have media in the whole range.
    ///
    /// - Parameter sources: by their addresses; segments of other addresses are not checked.
    package func validate(against sources: [String: SourceResult]) -> [CompositionFinding] {
        var rules = SourceRules(sources)
        for (index, track) in tracks.enumerated() {
            rules.check(track, at: JSONPointer(["tracks", String(index), "segments"]))
        }
        return rules.findings.list
    }

    /// Checks the tracks as AVFoundation's `validateTrackSegments` does: segments follow one another from zero without gap and overlap, no
    /// time is negative, and every speed, count and time is within `CompositionLimits`. The pointers are those of the JSON form.
    ///
    /// - Returns: what is wrong, in the order of the tracks. Without an error the composition can be edited and played as far as its values
    ///   say; whether the sources exist is not known here.
    package func validate() -> [CompositionFinding] {
        var validator = CompositionValidator()
        validator.check(self)
        return validator.findings.list
    }
}
