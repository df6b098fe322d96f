import MediaModel
import MediaTime

/// Continues a file's timeline where its time stamps restart: in concatenated transport streams, and streams without an end.
///
/// Samples after a restart are moved to the end of the earlier ones, all tracks by the same offset, which the first sample determines. A value, new
/// for each run of reading; a run that starts after a restart uses the stamps unchanged.
struct StampContinuity {
    /// The offset of each stretch.
    private var shifts = [MediaTime.zero]
    /// The stretch of each track, and its last sample.
    private var tracks: [TrackID: (stretch: Int, start: MediaTime, end: MediaTime)] = [:]

    /// More than any reordering of pictures.
    private static let longestStepBack = MediaTime.seconds(1)

    /// Moves a sample to its place. Samples come in decoding order.
    mutating func place(_ sample: inout EncodedSample) {
        // Where an edit begins between key pictures, the stamps of the pictures before it are those of others.
        if sample.doesNotDisplay {
            let shift = shifts[tracks[sample.track]?.stretch ?? 0]
            sample.presentationTime += shift
            sample.decodeTime += shift
            sample.run += tracks[sample.track]?.stretch ?? 0
            return
        }
        var (stretch, start, end) = tracks[sample.track] ?? (0, sample.decodeTime, sample.decodeTime)
        // Captions overlap, and a sample may be stated to last until after the next one.
        if sample.decodeTime + shifts[stretch] < start - Self.longestStepBack {
            stretch += 1
            if stretch == shifts.count { shifts.append(end - sample.decodeTime) }
        }
        sample.presentationTime += shifts[stretch]
        sample.decodeTime += shifts[stretch]
        sample.run += stretch
        (start, end) = (sample.decodeTime, sample.decodeTime + (sample.duration ?? .zero))
        tracks[sample.track] = (stretch, start, end)
    }
}
