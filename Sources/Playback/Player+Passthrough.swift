import LinuxSupport
import MediaModel
import MediaTime

/// Sound that leaves the box as it was encoded, for a receiver that decodes it: only where that is wanted, the sink takes it, and nothing is to be done with it. Each run
/// of play decides anew; where the one before went another way, the device is opened anew.
extension Player {
    /// How the sound of an item goes at a rate; nil: it is decoded here.
    func passage(for item: PlayerItem, at rate: Ratio) -> SoundPassage? {
        guard services.passesSoundThrough, let sink = services.sink as? any PassingSink, !item.isSoundDecodedHere,
            let track = item.audioTrack, item.descriptionTrack == nil, soundRate(at: rate) == .one, soundShaping.isNone,
            loudness.volume == 1
        else { return nil }
        return sink.passage(codec: Self.codecName(track.codec), sampleRate: track.sampleRate ?? 48_000)
    }

    /// HLS tells codecs in the words of RFC 6381.
    private static func codecName(_ codec: String) -> String {
        switch codec {
        case "ac-3": "ac3"
        case "ec-3": "eac3"
        default: codec
        }
    }

    /// Whether the sound of an item that is being played, or is to be, goes another way than the sink is set to.
    func isOtherPassage(for item: PlayerItem, at rate: Ratio) -> Bool {
        let wanted = passage(for: item, at: rate)
        return wanted.map { !$0.carries(passing) } ?? (passing != nil)
    }

    /// Sets the sink to how the sound of a run that begins goes. What the sink had is void by then.
    func matchPassage(to item: PlayerItem) {
        guard isOtherPassage(for: item, at: machine.rate), item.audioTrack != nil, let sink = services.sink as? any PassingSink
        else { return matchFormat() }
        let wanted = passage(for: item, at: machine.rate)
        do throws(MediaError) {
            try sink.pass(wanted)
            passing = wanted
        } catch {
            // What cannot be passed on is heard all the same.
            item.isSoundDecodedHere = true
            passing = nil
            note(error, of: item)
        }
        sink.volume = loudness.product
        audio.burstFrames = passing?.burstFrames
        remakeSoundDecoders()
    }

    /// Another device may have been found while nothing was heard.
    private func matchFormat() { if services.sink.format != soundFormat { remakeSoundDecoders() } }

    private func remakeSoundDecoders() {
        soundFormat = services.sink.format
        audioDecoder.thread.retire()
        audioDecoder = TrackDecoder(kind: soundKind, clock: clock)
        spareAudioDecoder?.thread.retire()
        spareAudioDecoder = nil
        descriptionDecoder?.thread.retire()
        descriptionDecoder = nil
    }

    /// What the sink is given is made by this.
    var soundKind: TrackKind<AudioBuffer> {
        passing.map { .passing($0) } ?? .audio(codecs: services.codecs, output: services.sink.format)
    }

    /// Something has changed on which it hangs whether sound is passed on.
    func passageMayHaveChanged() {
        guard let item = activeItem, run?.audio != nil, isOtherPassage(for: item, at: machine.rate) else { return }
        changeSound()
    }

    /// Sound that was passed on has become another: it is decoded from here on.
    ///
    /// - Returns: false where it was not passed on.
    func passageFailed(_ error: MediaError) -> Bool {
        guard passing != nil, let item = activeItem else { return false }
        item.isSoundDecodedHere = true
        note(error, of: item)
        rebuild(after: error)
        return true
    }
}

extension TrackKind where Media == AudioBuffer {
    /// Sound that is not decoded.
    static func passing(_ passage: SoundPassage) -> TrackKind {
        TrackKind(
            name: "decode-audio", capacity: 32, end: { $0.end }, keepsLast: false, drainsBetweenRuns: true, longestSilence: 200,
            open: { _ in
                let packer = passage.open()
                return OpenDecoder(
                    decode: { sample throws(MediaError) in try packer.decode(sample) }, flush: { packer.flush() },
                    setHaste: { _ in })
            })
    }
}
