import MediaTime

/// A source that can begin to deliver another track beside those that are being read: sound is changed without a stop.
@MainActor
public protocol AlternateTrackSource: MediaSource {
    /// Begins to deliver one track from the last sync sample at or before `time`, into a buffer of its own. What is being read of other tracks goes on; what has
    /// been read of `old` stays where it is and nothing more is added where that saves work. The next `startReading` ends it.
    ///
    /// - Returns: nil where that cannot be done: the caller starts reading anew.
    func startReading(alternate track: TrackID, insteadOf old: TrackID?, at time: MediaTime) -> SampleBuffer?
}
