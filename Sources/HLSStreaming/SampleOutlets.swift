import LinuxSupport
import MediaModel
import MediaSources
import MediaTime

/// Delivers the samples of a rendition in asset time, run after run, and knows how far each track has come.
struct SampleOutlets {
    let outlets: [TrackOutlet]
    private var runs = RunNumbers()
    /// Asset time up to which each track has been delivered. When a run starts before the end of the previous one, as another
    /// variant's does, no sound is delivered and no picture shown twice.
    private(set) var ends: [TrackID: MediaTime] = [:]
    private var absences: AbsenceWatch
    /// Receives what is missing.
    private let notices: Relay<AbsenceWatch.Absence>?

    init(_ outlets: [TrackOutlet], notices: Relay<AbsenceWatch.Absence>?) {
        self.outlets = outlets
        self.notices = notices
        absences = AbsenceWatch(tracks: outlets.map(\.track))
    }

    /// - Parameter lacking: the tracks that the run does not have, up to now.
    mutating func beginRun(lacking: [TrackID]) { absences.beginRun(lacking: lacking) }

    /// Discontinuities have been passed.
    mutating func passDiscontinuities(_ count: Int) { runs.add(count) }

    /// Removes what was delivered from a time on, as far as it has not been taken.
    mutating func remove(from cut: MediaTime, of buffer: SampleBuffer) {
        for (outlet, taken) in zip(outlets, buffer.remove(outlets.map(\.track), from: cut)) {
            ends[outlet.track] = ends[outlet.track].map { min($0, max(cut, taken ?? cut)) }
        }
    }

    /// - Parameters:
    ///   - shown: up to which asset time the track was delivered before a run that continues another one.
    ///   - segment: where the segment begins.
    /// - Returns: false once the buffer is cancelled.
    mutating func deliver(
        _ sample: EncodedSample, to outlet: TrackOutlet, at place: StampSplices.Place, shown: MediaTime?, segment: MediaTime,
        into buffer: SampleBuffer
    ) -> Bool {
        var placed = placing(sample, outlet.track, place)
        let end = placed.presentationTime + (placed.duration ?? .zero)
        if let shown, placed.presentationTime + (placed.duration ?? .zero) / 2 < shown {
            guard outlet.type == .video else { return true }
            // Later pictures depend on it: it is decoded, but not shown a second time.
            placed.doesNotDisplay = true
        }
        ends[outlet.track] = max(ends[outlet.track] ?? end, end)
        guard buffer.append(placed) else { return false }
        if outlets.count > 1 {
            for absence in absences.take(outlet.track, from: placed.decodeTime, to: end, in: segment) {
                buffer.pass(absence.track, until: absence.until)
                if absence.isNew { notices?.add(absence) }
            }
        }
        return true
    }

    private mutating func placing(_ sample: EncodedSample, _ track: TrackID, _ place: StampSplices.Place) -> EncodedSample {
        let run = runs.number(of: sample, track, offset: place.offset, jumps: place.stretch)
        var sample = sample
        sample.track = track
        sample.presentationTime += place.offset
        sample.decodeTime += place.offset
        sample.run = run
        return sample
    }
}
