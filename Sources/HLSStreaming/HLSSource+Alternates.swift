import LinuxSupport
import MediaModel
import MediaTime

/// Renditions of sound that take the place of another while the pictures go on.
extension HLSSource: AlternateTrackSource {
    /// Begins to read a rendition of sound beside the pictures; nil where the sound is in the variant's own segments.
    public func startReading(alternate track: TrackID, insteadOf old: TrackID?, at time: MediaTime) -> SampleBuffer? {
        // Sound inside the variant's own segments is read with the pictures only.
        guard !isClosed, let next = readers.first(where: { $0.tracks == [track] }),
            old.map({ old in readers.contains { $0.tracks == [old] } }) ?? true
        else { return nil }
        if let old, let reader = readers.first(where: { $0.tracks == [old] })?.reader { reader.cancel(keepsBuffer: true) }
        let buffer = SampleBuffer(tracks: [track], ledger: context.clock.ledger)
        next.reader.start(at: time, session: nextSession(), isPrimary: false, into: buffer)
        return buffer
    }
}
