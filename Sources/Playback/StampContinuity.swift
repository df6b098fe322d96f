import MediaModel
import MediaTime

/// Carries a file's timeline on where its stamps begin anew: transport streams that were put one behind the other, and streams without an end.
///
/// What follows such a place is moved to the end of what lay before, by one and the same length for all tracks: the first that comes there says by how much.
/// A value, fresh for each run of reading; where one begins behind such a place the stamps are taken as they are.
struct StampContinuity {
    /// By how much the samples of each stretch are moved.
    private var shifts = [MediaTime.zero]
    /// The stretch that each track is in, and where it ends so far.
    private var tracks: [TrackID: (stretch: Int, end: MediaTime)] = [:]

    /// Nobody's pictures are reordered that far.
    private static let longestStepBack = MediaTime.seconds(1)

    /// Puts a sample where it belongs. Samples come in the order of decoding.
    mutating func place(_ sample: inout EncodedSample) {
        var (stretch, end) = tracks[sample.track] ?? (0, sample.decodeTime)
        if sample.decodeTime + shifts[stretch] < end - Self.longestStepBack {
            stretch += 1
            if stretch == shifts.count { shifts.append(end - sample.decodeTime) }
        }
        sample.presentationTime += shifts[stretch]
        sample.decodeTime += shifts[stretch]
        sample.run += stretch
        end = sample.decodeTime + (sample.duration ?? .zero)
        tracks[sample.track] = (stretch, end)
    }
}
