import MediaModel
import MediaTime
import WireFormats

extension CompositionDocument {
    /// What prevents playing a valid document. Playback, exports that render and `marquee compose check` refuse it with these findings. The pointers are those of
    /// the JSON form.
    package func validateForPlaying() -> [CompositionFinding] {
        var findings = CompositionFindings()
        let place = JSONPointer(["tracks"])
        if composition.duration == .zero {
            findings.error(.empty, place, "the composition is empty", "Add segments.")
            return findings.list
        }
        let isComposed = videoComposition != nil && composition.tracks.contains { $0.type == .video && !$0.segments.isEmpty }
        if !isComposed, composition.tracks.allSatisfy({ $0.segments.allSatisfy(\.isEmpty) }) {
            findings.error(.empty, place, "all segments are empty", "Add a segment with a source.")
            return findings.list
        }
        guard videoComposition == nil else { return findings.list }
        var hasVideo = false
        for (index, track) in composition.tracks.enumerated() where track.type == .video {
            if hasVideo {
                findings.error(
                    .track, place.appending(index), "there are several video tracks, and nothing says how they are shown",
                    "Add a \"videoComposition\", or remove this track.")
            }
            hasVideo = true
            for (number, segment) in track.segments.enumerated() where segment.isEmpty {
                findings.error(
                    .empty, place.appending(index).appending("segments").appending(number), "there is no picture in this segment",
                    "Add a \"videoComposition\", whose background is shown there.")
            }
        }
        return findings.list
    }

    /// The first error of `validate` and `validateForPlaying`; nil if it can be played.
    package var obstacleToPlaying: CompositionFinding? {
        validate().first { $0.severity == .error } ?? validateForPlaying().first { $0.severity == .error }
    }
}
