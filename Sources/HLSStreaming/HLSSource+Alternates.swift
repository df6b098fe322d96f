import LinuxSupport
import MediaModel
import MediaTime

/// Sound that takes the place of another while the pictures go on.
extension HLSSource: AlternateTrackSource {
    /// Begins to read another sound beside the pictures. One that has a playlist of its own is read into a buffer of its own; one inside the segments of the
    /// pictures has come with them, and is taken up where it lies: in the buffer of the pictures.
    package func startReading(alternate track: TrackID, insteadOf old: TrackID?, at time: MediaTime) -> SampleBuffer? {
        guard !isClosed, let next = readers.first(where: { $0.tracks.contains(track) }) else { return nil }
        for (_, reader) in readers where reader.session?.buffer.isCancelled == true { reader.cancel(keepsBuffer: true) }
        if next.tracks != [track] {
            guard let buffer = next.reader.session?.buffer, buffer.isRead(track) || buffer.takeUp(track, from: time) else {
                return nil
            }
            leave(old)
            return buffer
        }
        leave(old)
        let buffer = SampleBuffer(tracks: [track], ledger: context.clock.ledger)
        next.reader.start(at: time, session: nextSession(), isPrimary: false, into: buffer)
        return buffer
    }

    /// Loads no more of a sound that has a playlist of its own; what has come of it stays where it is.
    private func leave(_ track: TrackID?) {
        guard let track else { return }
        readers.first { $0.tracks == [track] }?.reader.cancel(keepsBuffer: true)
    }

    /// The sound that comes in the same segments as pictures, where there is a choice: it is kept while another is heard.
    func soundBesidePictures(of reader: RenditionReader) -> [TrackID] {
        let sounds = readers.flatMap(\.reader.outlets).filter { $0.type == .audio }
        guard sounds.count > 1, reader.outlets.contains(where: { $0.type == .video }) else { return [] }
        return reader.outlets.filter { $0.type == .audio }.map(\.track)
    }
}
