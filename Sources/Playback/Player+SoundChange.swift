import LinuxSupport
import MediaModel
import MediaTime

/// Another sound takes the place of the one that is heard, while the pictures go on.
///
/// The new one is read and decoded beside the old one, which is heard until there is enough of the new; then the sink is emptied and goes on with the new sound at
/// the place where the pictures are by then.
extension Player {
    /// A change that is under way.
    struct SoundChange {
        var buffer: SampleBuffer
        var queue: BoundedQueue<Decoded<AudioBuffer>>
        var decoder: TrackDecoder<AudioBuffer>
        var old: TrackID?
        var track: TrackID
    }

    /// So many pieces are decoded before the change is made: about 200 ms in any codec.
    private static let piecesNeeded = 10
    /// From emptying the sink to the first new sound.
    static let lead = Duration.milliseconds(20)

    /// The selected sound is another one.
    func changeSound() {
        guard let current = run, let item = activeItem, current.manner == .play else { return }
        endSoundChange()
        let place = currentTime
        if succession?.isArranged == true { return seek(to: place, toleranceBefore: .zero, toleranceAfter: .zero) }
        if sound.isOtherPassage(for: item, at: machine.rate) {
            return seek(to: place, toleranceBefore: .zero, toleranceAfter: .zero)
        }
        endDescriptionChange()
        let old = current.soundTrack
        guard current.waiting == nil, current.landing != nil, current.audio != nil, let track = item.audioTrack,
            let source = source?.alternateTrackSource,
            let buffer = source.startReading(alternate: track.id, insteadOf: old, at: place)
        else { return seek(to: place, toleranceBefore: .zero, toleranceAfter: .zero) }
        // What was to be left a moment ago, and comes with the pictures, has never ceased to be heard.
        if track.id == old, buffer === current.buffer { return changeDescription() }
        let decoder = sound.takeSpareDecoder()
        let queue = decoder.start(reading: buffer, track: track.id, earliest: place - Self.longestFrame, bell: bell)
        session?.soundChange = SoundChange(buffer: buffer, queue: queue, decoder: decoder, old: old, track: track.id)
        buffer.readAhead()
    }

    /// Gives up a change that is under way.
    func endSoundChange() {
        guard let change = session?.soundChange else { return }
        session?.soundChange = nil
        // Sound that comes with the pictures lies in their buffer.
        if change.buffer === run?.buffer { change.buffer.leave(change.track) } else { change.buffer.cancel() }
        change.queue.cancel()
        sound.putBack(change.decoder)
    }

    /// Makes the change once there is enough of the new sound at the place where the pictures are.
    func continueSoundChange() {
        guard let change = session?.soundChange, let current = run else { return }
        let now = media.time(at: clock.now)
        while case .media(let piece) = change.queue.peek(), piece.end <= now { _ = change.queue.tryPop() }
        switch change.queue.peek() {
        case nil: return
        case .failed(let error), .broken(let error): return soundChangeFailed(change, error)
        case .media, .end: break
        }
        guard change.queue.count >= Self.piecesNeeded || change.buffer.isFinished(change.track) || media.rate == .zero else {
            return
        }
        session?.soundChange = nil
        if let old = change.old { current.buffer?.leave(old) }
        current.soundBuffer?.cancel()
        current.audio?.cancel()
        sound.takeOver(change.decoder)
        run?.audio = change.queue
        run?.soundBuffer = change.buffer === current.buffer ? nil : change.buffer
        run?.soundTrack = change.track
        let describes = run?.description != nil && run?.description?.track == activeItem?.descriptionTrack?.id
        if !describes { endDescription() }
        hearNew(change.queue)
        changeDescription()
    }

    /// What was heard is chosen again. Its source may have been left, so it is read anew; where that fails too, play begins anew at its place or says why not.
    private func soundChangeFailed(_ change: SoundChange, _ error: MediaError) {
        endSoundChange()
        guard let item = activeItem else { return }
        note(error, of: item)
        guard let old = change.old, old != change.track, let group = item.selection.group(.audible),
            let option = group.options.first(where: { $0.source == .track(old) })
        else { return seek(to: currentTime, toleranceBefore: .zero, toleranceAfter: .zero) }
        tell(.soundChangeFailed(error))
        guard activeItem === item else { return }
        item.selection.select(option, in: group)
        changeSound()
    }

    private func hearNew(_ queue: BoundedQueue<Decoded<AudioBuffer>>) {
        let start = clock.now + Self.lead
        sound.pause()
        audio.restart(
            at: sound.soundTime(ofPicture: media.time(at: start), at: soundRate), queue: queue, rate: soundRate,
            keepsDescription: true)
        audio.limit = boundary
        audio.takeIn()
        audio.feed()
        if media.rate != .zero { sound.play(at: start) }
    }
}
