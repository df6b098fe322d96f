import MediaModel
import MediaTime

/// The runs of a rendition's samples: what belongs together for their decoders. A discontinuity begins another one, unless a track goes on behind it as if there were
/// none, with its time stamps and its position in asset time: packagers declare some for every advertisement that was not sold. A value.
struct RunNumbers {
    private struct Track {
        /// Where its last sample ends, in stream time; nil if that states no duration.
        var end: MediaTime?
        /// What was added to its time stamps.
        var offset: MediaTime
        /// The newest discontinuity that it has come to.
        var discontinuity: Int
        /// How many it has passed as if they were none.
        var passed = 0
    }
    /// How many discontinuities there were.
    private(set) var discontinuities = 0
    private var tracks: [TrackID: Track] = [:]

    /// More than the rounding of time stamps.
    private static let longestGap = MediaTime.milliseconds(1)
    /// A playlist may state lengths with two digits. Decoders of sound continue over as much.
    private static let longestShift = MediaTime.milliseconds(10)

    mutating func add(_ count: Int) { discontinuities += count }

    /// The run of the next sample of a track.
    ///
    /// - Parameters:
    ///   - sample: in stream time.
    ///   - jumps: how many jumps precede it that `discontinuities` does not count yet.
    mutating func number(of sample: EncodedSample, _ track: TrackID, offset: MediaTime, jumps: Int) -> Int {
        let place = discontinuities + jumps
        var state = tracks[track] ?? Track(offset: offset, discontinuity: place)
        if state.discontinuity != place, let end = state.end,
            (sample.decodeTime - end).magnitude <= Self.longestGap, (offset - state.offset).magnitude <= Self.longestShift
        {
            state.passed += place - state.discontinuity
        }
        state.discontinuity = place
        state.offset = offset
        state.end = sample.duration.map { sample.decodeTime + $0 }
        tracks[track] = state
        return place - state.passed
    }
}
