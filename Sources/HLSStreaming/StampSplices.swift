import MediaModel
import MediaTime

/// Finds where the time stamps of a run jump without an EXT-X-DISCONTINUITY in its playlist: an encoder was restarted, or recordings were joined.
///
/// A jump is a discontinuity: what follows continues where its track has ended, all tracks by the same offset, which the first sample after the jump
/// determines. A hole in one track while another goes on, such as a slide that stands for long, is no jump. A value, new for each run.
struct StampSplices {
    /// The place of a sample: what is added to its time stamps, and how many jumps precede it in this run.
    typealias Place = (offset: MediaTime, stretch: Int)

    private struct Track {
        var stretch: Int
        /// Asset time up to which it was delivered, in the order of decoding.
        var end: MediaTime
    }
    /// What each stretch adds to time stamps.
    private var offsets: [MediaTime]
    private var tracks: [TrackID: Track] = [:]

    /// More than pictures are reordered, and more than sound and pictures overlap between two variants.
    private static let longestStepBack = MediaTime.seconds(1)
    /// The same in short segments, whose stamps may begin anew in each.
    private static let shortestStepBack = MediaTime.milliseconds(400)
    private let stepBack: MediaTime
    /// More than encoders leave out. It is also the limit of ffmpeg (`-dts_delta_threshold`).
    private static let longestStepAhead = MediaTime.seconds(10)

    /// - Parameters:
    ///   - offset: maps the time stamps of the run's beginning to asset time.
    ///   - segment: how long its segments are.
    init(offset: MediaTime, segment: MediaTime? = nil) {
        offsets = [offset]
        stepBack = min(Self.longestStepBack, max(Self.shortestStepBack, (segment ?? Self.longestStepBack * 2) * 3 / 4))
    }

    /// The offset of the newest stretch.
    var lastOffset: MediaTime { offsets[offsets.count - 1] }

    /// How many jumps there have been.
    var count: Int { offsets.count - 1 }

    /// The place of the next sample. Those of one track come in the order of decoding.
    ///
    /// - Parameter segment: the end of the segment that is being read, by its playlist. Time that a playlist passes over, such as a gap, is no jump.
    mutating func place(_ sample: EncodedSample, before segment: MediaTime) -> Place {
        var stretch = tracks[sample.track]?.stretch ?? count
        if let track = tracks[sample.track] {
            // Another track may have come to the new stretch before.
            while isJump(sample.decodeTime + offsets[stretch], after: track, in: stretch, before: segment) {
                stretch += 1
                if stretch == offsets.count { offsets.append(track.end - sample.decodeTime) }
            }
        }
        let end = sample.decodeTime + offsets[stretch] + (sample.duration ?? .zero)
        tracks[sample.track] = Track(stretch: stretch, end: end)
        return (offsets[stretch], stretch)
    }

    private func isJump(_ time: MediaTime, after track: Track, in stretch: Int, before segment: MediaTime) -> Bool {
        if time < track.end - stepBack { return true }
        let furthest = tracks.values.filter { $0.stretch == stretch }.map(\.end).max() ?? track.end
        return time > max(furthest + Self.longestStepAhead, segment + Self.longestStepBack)
    }
}
