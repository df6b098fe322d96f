import LinuxSupport
import MediaModel
import MediaTime

/// What is being read of a description, which is heard together with the programme's sound.
@MainActor
struct DescriptionReading {
    var track: TrackID
    var queue: BoundedQueue<Decoded<AudioBuffer>>
    /// Its own, where it began after the programme; nil: that of the run.
    var buffer: SampleBuffer?
    var decoder: TrackDecoder<AudioBuffer>

    func cancel() {
        queue.cancel()
        buffer?.cancel()
    }
}

/// The sound of one run of play: the track that is heard, what describes the programme, and the change of either that is under way. Main loop.
///
/// Another sound is read and decoded in parallel with the old one, which is heard until there is enough of the new. Then the sink is emptied and goes on with
/// the new sound at the place where the pictures are by then. A description is read and decoded in parallel with the programme, and mixed with it sample by sample.
@MainActor
final class SoundReading {
    /// Another sound that is on its way.
    private struct Change {
        var buffer: SampleBuffer
        var queue: BoundedQueue<Decoded<AudioBuffer>>
        var decoder: TrackDecoder<AudioBuffer>
        var old: TrackID
        var track: TrackID
    }

    /// What became of a change.
    enum Outcome {
        /// It is still under way, or there is none.
        case pending
        /// The new sound is heard.
        case changed
        /// It could not be made; what was heard before may not be read any more.
        case failed(MediaError, from: TrackID, to: TrackID)
    }

    /// The track that is heard.
    private(set) var track: TrackID
    /// What is decoded of it.
    private(set) var queue: BoundedQueue<Decoded<AudioBuffer>>
    /// What the run reads: pictures, and sound that was there from the beginning.
    private let buffer: SampleBuffer
    /// Where the sound comes from once it was changed; nil: from `buffer`.
    private var ownBuffer: SampleBuffer?
    private var description: DescriptionReading?
    private var change: Change?
    private var descriptionChange: DescriptionReading?
    private let pipeline: PlaybackPipeline

    /// This many pieces are decoded before the change is made: about 200 ms in any codec.
    private static let piecesNeeded = 10
    /// From emptying the sink to the first new sound.
    private static let lead = Duration.milliseconds(20)

    /// - Parameters:
    ///   - queue: what is decoded of the track.
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

    /// Whether another sound is on its way.
    var isChanging: Bool { change != nil }
    /// Whether another description is on its way.
    var isChangingDescription: Bool { descriptionChange != nil }
    /// What describes the programme.
    var descriptionTrack: TrackID? { description?.track }

    /// Ends reading and decoding the sound. Changes and the description have ended before.
    func cancel() {
        ownBuffer?.cancel()
        queue.cancel()
    }

    // MARK: Another sound

    /// Begins to read and decode another track.
    ///
    /// - Returns: false if the source cannot read it in parallel.
    func change(to new: TrackID, from source: any AlternateTrackSource, at place: MediaTime) -> Bool {
        guard let buffer = source.startReading(alternate: new, insteadOf: track, at: place) else { return false }
        // What was to be left a moment ago, and comes with the pictures, has never ceased to be heard.
        if new == track, buffer === self.buffer { return true }
        let decoder = output.takeSpareDecoder()
        let queue = decoder.start(reading: buffer, track: new, earliest: place - ForwardReading.longestFrame, bell: pipeline.bell)
        change = Change(buffer: buffer, queue: queue, decoder: decoder, old: track, track: new)
        buffer.readAhead()
        return true
    }

    /// Gives up a change that is under way.
    func endChange() {
        guard let change else { return }
        self.change = nil
        // Sound that comes with the pictures lies in their buffer.
        if change.buffer === buffer { change.buffer.leave(change.track) } else { change.buffer.cancel() }
        change.queue.cancel()
        output.putBack(change.decoder)
    }

    /// Makes the change once there is enough of the new sound at the place where the pictures are.
    ///
    /// - Parameters:
    ///   - media: the pictures' clock.
    ///   - rate: that of the sound.
    ///   - limit: no sound of this time or after is heard.
    ///   - described: the description that goes on with the new sound, if any does.
    func continueChange(_ media: MediaClock, rate: Ratio, limit: MediaTime?, describedBy described: TrackID?) -> Outcome {
        guard let change else { return .pending }
        let now = media.time(at: clock.now)
        while case .media(let piece) = change.queue.peek(), piece.end <= now { _ = change.queue.tryPop() }
        switch change.queue.peek() {
        case nil: return .pending
        case .failed(let error), .broken(let error):
            endChange()
            return .failed(error, from: change.old, to: change.track)
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

    /// Begins to decode the description of an item, if one is selected, out of the buffer of a reading that has just begun.
    func beginDescription(of item: PlayerItem, earliest: MediaTime) {
        guard let track = item.descriptionTrack?.id else { return }
        let decoder = output.takeDescriptionDecoder()
        let queue = decoder.start(reading: buffer, track: track, earliest: earliest, bell: pipeline.bell)
        description = DescriptionReading(track: track, queue: queue, decoder: decoder)
        output.renderer.describe(
            by: DescriptionMixer(queue, format: output.format) { [weak buffer = self.buffer, heard = self.track] in
                (buffer?.bufferedUntil(track), buffer?.bufferedUntil(heard))
            })
    }

    /// Begins to read and decode another description.
    ///
    /// - Returns: false if the source cannot read it in parallel.
    func changeDescription(to track: TrackID, from source: any AlternateTrackSource, at place: MediaTime) -> Bool {
        guard let buffer = source.startReading(alternate: track, insteadOf: nil, at: place) else { return false }
        let decoder = output.takeDescriptionDecoder()
        let queue = decoder.start(
            reading: buffer, track: track, earliest: place - ForwardReading.longestFrame, bell: pipeline.bell)
        descriptionChange = DescriptionReading(
            track: track, queue: queue, buffer: buffer === self.buffer ? nil : buffer, decoder: decoder)
        buffer.readAhead()
        return true
    }

    /// Makes the change once there is description at the place where the pictures are.
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

    /// Gives up a change that is under way.
    func endDescriptionChange() {
        guard let change = descriptionChange else { return }
        descriptionChange = nil
        leave(change)
    }

    /// Ends the description. Sound that is mixed already stays.
    func endDescription() {
        endDescriptionChange()
        guard let description else { return }
        self.description = nil
        leave(description)
        output.renderer.describe(by: nil)
    }

    /// Ends reading the description of an item whose sound is all in the sink: the mixer belongs to the next item.
    func leaveDescription() {
        endDescriptionChange()
        if let description { putBack(description) }
        description = nil
    }

    /// A call into the description's decoder that does not return: the programme goes on without.
    ///
    /// - Returns: whether there was one.
    func abandonHungDescription() -> Bool {
        guard let decoder = description?.decoder, decoder.looksHung() else { return false }
        decoder.abandon()
        endDescription()
        return true
    }

    /// Replaces what the sink has not played yet, with the description or without.
    func hearAgain(_ media: MediaClock, rate: Ratio) {
        let start = clock.now + Self.lead
        output.pause()
        output.renderer.remake(at: output.soundTime(ofPicture: media.time(at: start), at: rate))
        output.renderer.takeIn()
        output.renderer.feed()
        if media.rate != .zero { output.play(at: start) }
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
