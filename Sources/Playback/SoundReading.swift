import LinuxSupport
import MediaModel
import MediaSources
import MediaTime

/// Reading of an audio description, which is mixed with the main audio.
@MainActor
struct DescriptionReading {
    var track: TrackID
    var queue: BoundedQueue<Decoded<AudioBuffer>>
    /// Its own buffer if it started after the programme; nil for that of the run.
    var buffer: SampleBuffer?
    var decoder: TrackDecoder<AudioBuffer>

    func cancel() {
        queue.cancel()
        buffer?.cancel()
    }
}

/// The audio of one run of playback: the audible track, the audio description, and a pending change of either. Main loop.
///
/// Another track is read and decoded in parallel with the old one, which remains audible until there is enough of the new one. Then the sink is
/// flushed and continues with the new track at the current position of the video. A description is read and decoded in parallel with the main audio,
/// and mixed with it sample by sample.
@MainActor
final class SoundReading {
    /// A pending change of the track.
    private struct Change {
        var buffer: SampleBuffer
        var queue: BoundedQueue<Decoded<AudioBuffer>>
        var decoder: TrackDecoder<AudioBuffer>
        var old: TrackID
        var track: TrackID
    }

    /// The result of a change.
    enum Outcome {
        /// Pending, or there is none.
        case pending
        /// The new track is audible.
        case changed
        /// It failed; the previous track may no longer be read.
        case failed(MediaError, from: TrackID, to: TrackID)
    }

    /// The audible track.
    private(set) var track: TrackID
    /// The decoded part of it.
    private(set) var queue: BoundedQueue<Decoded<AudioBuffer>>
    /// What the run reads: pictures, and the audio selected at its start.
    private let buffer: SampleBuffer
    /// The buffer of the audio after a track change; nil for `buffer`.
    private var ownBuffer: SampleBuffer?
    private var description: DescriptionReading?
    private var change: Change?
    private var descriptionChange: DescriptionReading?
    private let pipeline: PlaybackPipeline

    /// The number of blocks decoded before the change is made: about 200 ms in any codec.
    private static let piecesNeeded = 10
    /// A new track that begins later than this waits for its beginning.
    private static let longestSilence = MediaTime.milliseconds(250)
    /// From flushing the sink to the first new sound.
    private static let lead = Duration.milliseconds(20)

    /// - Parameters:
    ///   - queue: the decoded part of the track.
    ///   - buffer: what the run reads.
    init(
        _ queue: BoundedQueue<Decoded<AudioBuffer>>, of track: TrackID, in buffer: SampleBuffer,
        describedBy description: DescriptionReading? = nil, pipeline: PlaybackPipeline
    ) {
        self.queue = queue
        self.track = track
        self.buffer = buffer
        self.description = description
        self.pipeline = pipeline
    }

    private var output: SoundOutput { pipeline.sound }
    private var clock: any HostClock { pipeline.clock }

    /// Whether a change of the track is pending.
    var isChanging: Bool { change != nil }
    /// Whether a change of the description is pending.
    var isChangingDescription: Bool { descriptionChange != nil }
    /// The audio description.
    var descriptionTrack: TrackID? { description?.track }

    /// Ends the audio of a run that goes on without it.
    func stop() {
        endChange()
        endDescription()
        buffer.leave(track)
        cancel()
    }

    /// Ends reading and decoding of audio. Changes and the description have ended before.
    func cancel() {
        ownBuffer?.cancel()
        queue.cancel()
    }

    // MARK: Another track

    /// Begins to read and decode another track.
    ///
    /// - Returns: false if the source cannot read it in parallel.
    func change(to new: TrackID, from source: any AlternateTrackSource, at position: MediaTime) -> Bool {
        guard let buffer = source.startReading(alternate: new, insteadOf: track, at: position) else { return false }
        // The track that was to be left is still being read with the pictures, and is still heard.
        if new == track, buffer === self.buffer { return true }
        let decoder = output.takeSpareDecoder()
        let queue = decoder.start(
            reading: buffer, track: new, DecodingWish(earliest: position - ForwardReading.longestFrame), bell: pipeline.bell)
        change = Change(buffer: buffer, queue: queue, decoder: decoder, old: track, track: new)
        buffer.readAhead()
        return true
    }

    /// Cancels a pending change.
    func endChange() {
        guard let change else { return }
        self.change = nil
        // Audio in the video segments is in the video's buffer.
        if change.buffer === buffer { change.buffer.leave(change.track) } else { change.buffer.cancel() }
        change.queue.cancel()
        output.putBack(change.decoder)
    }

    /// Completes the change when enough of the new sound is available at the position of the pictures.
    ///
    /// - Parameters:
    ///   - media: the video clock.
    ///   - rate: that of the audio.
    ///   - limit: no audio at or after this time is played.
    ///   - described: the description that continues with the new track, if any.
    func continueChange(_ media: MediaClock, rate: Ratio, limit: MediaTime?, describedBy described: TrackID?) -> Outcome {
        guard let change else { return .pending }
        let now = media.time(at: clock.now)
        while case .media(let piece) = change.queue.peek(), piece.end <= now { _ = change.queue.tryPop() }
        switch change.queue.peek() {
        case nil: return .pending
        case .failed(let error), .broken(let error):
            endChange()
            return .failed(error, from: change.old, to: change.track)
        // The old track is heard until the new one has sound: a recording may add a language later.
        case .media(let piece) where piece.time > now + Self.longestSilence: return .pending
        case .media, .end: break
        }
        guard change.queue.count >= Self.piecesNeeded || change.buffer.isFinished(change.track) || media.rate == .zero else {
            return .pending
        }
        self.change = nil
        buffer.leave(change.old)
        cancel()
        output.takeOver(change.decoder)
        queue = change.queue
        ownBuffer = change.buffer === buffer ? nil : change.buffer
        track = change.track
        if description == nil || description?.track != described { endDescription() }
        hearNew(media, rate: rate, limit: limit)
        return .changed
    }

    private func hearNew(_ media: MediaClock, rate: Ratio, limit: MediaTime?) {
        let start = clock.now + Self.lead
        output.pause()
        output.renderer.restart(
            at: output.soundTime(ofPicture: media.time(at: start), at: rate), queue: queue, rate: rate, keepsDescription: true)
        output.renderer.limit = limit
        output.renderer.takeIn()
        output.renderer.feed()
        if media.rate != .zero { output.play(at: start) }
    }

    // MARK: The description

    /// Begins to decode the description, if one is selected, from the buffer of a reading that has just begun.
    func beginDescription(of item: PlayerItem, earliest: MediaTime) {
        guard let track = item.descriptionTrack?.id else { return }
        let decoder = output.takeDescriptionDecoder()
        let queue = decoder.start(reading: buffer, track: track, DecodingWish(earliest: earliest), bell: pipeline.bell)
        description = DescriptionReading(track: track, queue: queue, decoder: decoder)
        output.renderer.describe(
            by: DescriptionMixer(queue, format: output.format) { [weak buffer = self.buffer, heard = self.track] in
                (buffer?.bufferedUntil(track), buffer?.bufferedUntil(heard))
            })
    }

    /// Begins to read and decode another description.
    ///
    /// - Returns: false if the source cannot read it in parallel.
    func changeDescription(to track: TrackID, from source: any AlternateTrackSource, at position: MediaTime) -> Bool {
        guard let buffer = source.startReading(alternate: track, insteadOf: nil, at: position) else { return false }
        let decoder = output.takeDescriptionDecoder()
        let queue = decoder.start(
            reading: buffer, track: track, DecodingWish(earliest: position - ForwardReading.longestFrame), bell: pipeline.bell)
        descriptionChange = DescriptionReading(
            track: track, queue: queue, buffer: buffer === self.buffer ? nil : buffer, decoder: decoder)
        buffer.readAhead()
        return true
    }

    /// Makes the change once there is description at the current position of the video.
    ///
    /// - Returns: whether the new description is mixed from now on.
    func continueDescriptionChange(at now: MediaTime) -> Bool {
        guard let change = descriptionChange else { return false }
        while case .media(let piece) = change.queue.peek(), piece.end <= now { _ = change.queue.tryPop() }
        guard change.queue.peek() != nil else { return false }
        descriptionChange = nil
        if let description { leave(description) }
        description = change
        output.renderer.describe(by: DescriptionMixer(change.queue, format: output.format))
        return true
    }

    /// Cancels a pending change.
    func endDescriptionChange() {
        guard let change = descriptionChange else { return }
        descriptionChange = nil
        leave(change)
    }

    /// Ends the description. Audio that has been mixed keeps it.
    func endDescription() {
        endDescriptionChange()
        guard let description else { return }
        self.description = nil
        leave(description)
        output.renderer.describe(by: nil)
    }

    /// Ends reading the description of an item whose audio is all in the sink: the mixer belongs to the next item.
    func leaveDescription() {
        endDescriptionChange()
        if let description { putBack(description) }
        description = nil
    }

    /// Handles a hung call of the description's decoder: playback continues without the description.
    ///
    /// - Returns: whether one hung.
    func abandonHungDescription() -> Bool {
        guard let decoder = description?.decoder, decoder.looksHung() else { return false }
        decoder.abandon()
        endDescription()
        return true
    }

    /// Replaces what the sink has not played yet, with or without the description.
    func hearAgain(_ media: MediaClock, rate: Ratio) {
        let start = clock.now + Self.lead
        let position = media.time(at: start)
        output.pause()
        output.renderer.remake(at: output.soundTime(ofPicture: position, at: rate))
        output.renderer.takeIn()
        output.renderer.feed()
        if media.rate != .zero { output.play(at: start + output.silence(before: position, at: rate)) }
    }

    private func leave(_ reading: DescriptionReading) {
        if reading.buffer == nil { buffer.leave(reading.track) }
        putBack(reading)
    }

    private func putBack(_ reading: DescriptionReading) {
        reading.cancel()
        output.putBack(description: reading.decoder)
    }
}
