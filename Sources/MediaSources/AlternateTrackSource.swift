import MediaModel
import MediaTime

/// A source that can deliver another track in addition to those being read, so that sound changes without a stop.
@MainActor
package protocol AlternateTrackSource: MediaSource {
    /// Starts to deliver one track from the last sync sample at or before `time`. Reading of other tracks continues; samples of
    /// `old` that were read stay, and no more are added if that saves work. The next `startReading` ends it.
    ///
    /// - Returns: a separate buffer, or, when the track comes with others that are being read, their buffer, which must not be
    ///   cancelled: use `SampleBuffer.leave`. nil when this is not possible: the caller restarts reading.
    func startReading(alternate track: TrackID, insteadOf old: TrackID?, at time: MediaTime) -> SampleBuffer?
}

/// A source with several video angles, which all come as one track.
@MainActor
package protocol AngleSource: MediaSource {
    /// Selects another angle from the next reading on, by its track of the description.
    ///
    /// - Returns: false when there is no such angle, or when it is selected already.
    func selectAngle(_ track: TrackID) -> Bool
}

extension AlternateTrackSource {
    package var alternateTrackSource: (any AlternateTrackSource)? { self }
}

extension AngleSource {
    package var angleSource: (any AngleSource)? { self }
}
