import MediaTime

/// A source that can begin to deliver another track beside those that are being read: sound is changed without a stop.
@MainActor
package protocol AlternateTrackSource: MediaSource {
    /// Begins to deliver one track from the last sync sample at or before `time`. What is being read of other tracks goes on; what has been read of `old` stays
    /// where it is and nothing more is added where that saves work. The next `startReading` ends it.
    ///
    /// - Returns: a buffer of its own, or where it comes with other tracks that are being read, theirs, which must not be cancelled for it: it is left
    ///   (`SampleBuffer.leave`). nil where that cannot be done: the caller starts reading anew.
    func startReading(alternate track: TrackID, insteadOf old: TrackID?, at time: MediaTime) -> SampleBuffer?
}

/// A source with pictures from several angles, all of which come as one track.
@MainActor
package protocol AngleSource: MediaSource {
    /// Reads another angle from the next reading on; it is named by its track of the description.
    ///
    /// - Returns: false where there is no such angle, or where it is read already.
    func selectAngle(_ track: TrackID) -> Bool
}
