import MediaModel
import MediaTime

/// Finds out which tracks of a rendition with several are missing for a while, such as the sound of an advertisement that has none. A value.
///
/// Without it a decoder would wait for the track, and the others with it. Used on the demuxer's thread.
struct AbsenceWatch {
    /// A track has no samples before a position.
    struct Absence: Equatable {
        var track: TrackID
        var until: MediaTime
        /// Whether it is the first news of the absence of a track that was there.
        var isNew: Bool

        /// Its sentence for operators.
        ///
        /// - Parameter url: the playlist.
        func error(of type: MediaType, in url: String) -> MediaError {
            let name = type == .video ? "pictures" : "sound"
            return MediaError(
                .sourceFormat, "Segments of \(url) before \(until) s have no \(name); the rest of them plays. Check the encoder.")
        }
    }

    private let tracks: [TrackID]
    /// The tracks that the current run does not have at all.
    private var lacking: [TrackID] = []
    /// The end of each track's last sample, in asset time.
    private var ends: [TrackID: MediaTime] = [:]
    /// How far each missing track has been told to be missing.
    private var told: [TrackID: MediaTime] = [:]
    /// The segment of the last sample, by its start in the playlist.
    private var segment: MediaTime?
    /// Asset time of the first sample of that segment.
    private var boundary: MediaTime?
    /// The first asset time.
    private var first: MediaTime?

    /// Of a track that the run lacks, this much more is told at a time.
    private static let step = MediaTime.milliseconds(250)
    /// Sound may begin this much before the first picture of its segment, and end this much after it.
    private static let overlap = MediaTime.milliseconds(500)
    /// A shorter absence is one of the interleaving.
    private static let shortest = MediaTime.seconds(1)

    init(tracks: [TrackID]) { self.tracks = tracks }

    /// A run of segments begins.
    ///
    /// - Parameter lacking: the tracks that it does not have.
    mutating func beginRun(lacking: [TrackID]) {
        self.lacking = lacking
        segment = nil
        boundary = nil
    }

    /// A sample has been delivered.
    ///
    /// - Parameters:
    ///   - time: its decode time.
    ///   - segment: the start of the segment that is being read, by its playlist.
    /// - Returns: the tracks that are missing up to here.
    mutating func take(_ track: TrackID, from time: MediaTime, to end: MediaTime, in segment: MediaTime) -> [Absence] {
        ends[track] = max(ends[track] ?? end, end)
        told[track] = nil
        lacking.removeAll { $0 == track }
        first = first ?? time
        var found: [Absence] = []
        for other in lacking where other != track {
            let since = told[other] ?? ends[other] ?? first ?? time
            if time - since >= Self.step { found.append(note(other, until: time)) }
        }
        guard segment != self.segment else { return found }
        // A whole segment has been read, from the last boundary to this one.
        let last = boundary
        self.segment = segment
        boundary = time
        guard let last else { return found }
        for other in tracks where other != track && !lacking.contains(other) {
            let since = ends[other] ?? first ?? time
            guard since < last + Self.overlap, time - since >= Self.shortest + Self.overlap else { continue }
            found.append(note(other, until: time - Self.overlap))
        }
        return found
    }

    private mutating func note(_ track: TrackID, until: MediaTime) -> Absence {
        // Until it has been there, the programme may simply not have it.
        let isNew = told.updateValue(until, forKey: track) == nil && ends[track] != nil
        return Absence(track: track, until: until, isNew: isNew)
    }
}
