import LinuxSupport
import MediaModel
import MediaTime

/// A description that is a track of its own and is heard together with the programme's sound: read and decoded beside it, mixed sample by sample.
extension Player {
    /// What is being read of it.
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

    /// Begins to decode it out of the buffer of a run that has just begun.
    func beginDescription(of item: PlayerItem, earliest: MediaTime) {
        guard let track = item.descriptionTrack, let heard = item.audioTrack, let buffer = run?.buffer, run?.audio != nil else {
            return
        }
        let decoder = sound.takeDescriptionDecoder()
        let queue = decoder.start(reading: buffer, track: track.id, earliest: earliest, bell: bell)
        run?.description = DescriptionReading(track: track.id, queue: queue, decoder: decoder)
        audio.describe(
            by: DescriptionMixer(queue, format: sound.format) { [weak buffer] in
                (buffer?.bufferedUntil(track.id), buffer?.bufferedUntil(heard.id))
            })
    }

    /// Lets go of what is read of it. The sound that is mixed already stays.
    func endDescription() {
        endDescriptionChange()
        guard let reading = run?.description else { return }
        run?.description = nil
        leave(reading)
        audio.describe(by: nil)
    }

    /// Lets go of that of an item whose sound is all in the sink: what is mixed now is another item's.
    func leaveDescription() {
        endDescriptionChange()
        if let reading = run?.description { keep(reading) }
        run?.description = nil
    }

    /// Lets go of one that is of this run.
    private func leave(_ reading: DescriptionReading) {
        if reading.buffer == nil { run?.buffer?.leave(reading.track) }
        keep(reading)
    }

    private func keep(_ reading: DescriptionReading) {
        reading.cancel()
        sound.putBack(description: reading.decoder)
    }

    /// Another sound was chosen, or another description of the same.
    func soundSelectionChanged() {
        guard let item = activeItem else { return }
        let isSameSound = run?.soundTrack != nil && run?.soundTrack == item.audioTrack?.id && session?.soundChange == nil
        if isSameSound, !sound.isOtherPassage(for: item, at: machine.rate) { changeDescription() } else { changeSound() }
    }

    /// Brings what describes the programme into line with what is chosen, while the programme goes on.
    func changeDescription() {
        guard let current = run, let item = activeItem, current.manner == .play else { return }
        endDescriptionChange()
        let wanted = item.descriptionTrack?.id
        guard wanted != current.description?.track else { return }
        let place = currentTime
        if succession?.isArranged == true { return seek(to: place, toleranceBefore: .zero, toleranceAfter: .zero) }
        guard let wanted else {
            endDescription()
            return hearAgain()
        }
        guard current.waiting == nil, current.landing != nil, current.audio != nil,
            let source = source?.alternateTrackSource,
            let buffer = source.startReading(alternate: wanted, insteadOf: nil, at: place)
        else { return seek(to: place, toleranceBefore: .zero, toleranceAfter: .zero) }
        let decoder = sound.takeDescriptionDecoder()
        let queue = decoder.start(reading: buffer, track: wanted, earliest: place - Self.longestFrame, bell: bell)
        session?.descriptionChange = DescriptionReading(
            track: wanted, queue: queue, buffer: buffer === current.buffer ? nil : buffer, decoder: decoder)
        buffer.readAhead()
    }

    /// Gives up a change that is under way.
    func endDescriptionChange() {
        guard let change = session?.descriptionChange else { return }
        session?.descriptionChange = nil
        leave(change)
    }

    /// Makes the change once there is description at the place where the pictures are, and tells of one that has failed.
    func continueDescription() {
        if let error = audio.description?.takeFailure(), let item = activeItem { note(error, of: item) }
        guard let change = session?.descriptionChange, run != nil else { return }
        let now = media.time(at: clock.now)
        while case .media(let piece) = change.queue.peek(), piece.end <= now { _ = change.queue.tryPop() }
        guard change.queue.peek() != nil else { return }
        session?.descriptionChange = nil
        if let old = run?.description { leave(old) }
        run?.description = change
        audio.describe(by: DescriptionMixer(change.queue, format: sound.format))
        hearAgain()
    }

    /// Nobody rings when it turns out that there is none of it for a while.
    func lookAgainForDescription() {
        guard audio.awaitsDescription else { return }
        startTimer?.cancel()
        startTimer = clock.schedule(after: PlaybackTicker.tickLength, rank: .media) { [weak self] in
            guard let self, self.machine.phase == .prerolling else { return }
            self.pump()
        }
    }

    /// What the sink has and has not played is made anew, with the description or without.
    private func hearAgain() {
        guard run?.landing != nil, run?.audio != nil else { return }
        let start = clock.now + Self.lead
        sound.pause()
        audio.remake(at: sound.soundTime(ofPicture: media.time(at: start), at: soundRate))
        audio.takeIn()
        audio.feed()
        if media.rate != .zero { sound.play(at: start) }
    }

    /// A call into its decoder that does not return: the programme goes on without.
    ///
    /// - Returns: whether there was one.
    func abandonDescription() -> Bool {
        guard let decoder = run?.description?.decoder, decoder.looksHung() else { return false }
        decoder.abandon()
        endDescription()
        return true
    }
}

extension TrackKind where Media == AudioBuffer {
    /// A description, which is mixed as it is.
    static func description(codecs: any CodecFactory, output: AudioFormat) -> TrackKind {
        .audio("decode-describe", codecs: codecs, output: output, processing: nil)
    }
}

extension PlayerItem {
    /// The track in force of the audible group.
    private var chosenSound: TrackDescription? {
        guard case .track(let id) = selection.selectedOption(.audible)?.source else { return nil }
        return description?.tracks.first { $0.id == id }
    }

    /// What a description is mixed with: the programme's sound in its language, else in any; what is default before what is not.
    private func programme(describedBy description: TrackDescription) -> TrackDescription? {
        let sounds = (self.description?.tracks ?? []).filter {
            $0.type == .audio && !$0.isDependent && !$0.characteristics.contains(OptionCharacteristic.describesVideo)
        }
        let same = sounds.filter { LanguageScore.normalized($0.languageTag) == LanguageScore.normalized(description.languageTag) }
        return same.first(where: \.isDefault) ?? same.first ?? sounds.first(where: \.isDefault) ?? sounds.first
    }

    /// The track of the sound that is played: the one in force of the audible group, or the one that this is mixed with.
    package var audioTrack: TrackDescription? {
        guard let chosen = chosenSound else { return nil }
        let track = chosen.isDependent ? programme(describedBy: chosen) ?? chosen : chosen
        return disabledTracks.contains(track.id) ? nil : track
    }

    /// The track of what describes the pictures, where that is mixed with the programme's sound; nil: there is none, or it is a sound of its own.
    package var descriptionTrack: TrackDescription? {
        guard let chosen = chosenSound, chosen.isDependent, !disabledTracks.contains(chosen.id), audioTrack != nil,
            programme(describedBy: chosen) != nil
        else { return nil }
        return chosen
    }
}
