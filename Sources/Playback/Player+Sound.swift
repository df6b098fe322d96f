import LinuxSupport
import MediaModel
import MediaTime

/// How a player sounds.
extension Player {
    /// How loud everything is: 0…1; `AVPlayer.volume`.
    package var volume: Float {
        get { sound.volume }
        set {
            sound.volume = newValue
            passageMayHaveChanged()
        }
    }

    /// Whether the sound is muted; `AVPlayer.isMuted`.
    package var isMuted: Bool {
        get { sound.isMuted }
        set { sound.isMuted = newValue }
    }

    /// Makes the sound softer or louder by and by: `AVMutableAudioMixInputParameters.setVolumeRamp`. Another ramp takes the place of one that is under way, from where
    /// that has come to.
    ///
    /// - Parameters:
    ///   - level: the factor at the end, 0…1; the volume is not touched.
    ///   - length: how long it takes from here, in the clock's time.
    ///   - completion: called at its end; not when another takes its place.
    package func rampVolume(to level: Float, over length: Duration, completion: (@MainActor () -> Void)? = nil) {
        sound.ramp(to: level, over: length, completion: completion)
    }

    /// Shapes the sound from now on; what plays is heard anew without a stop.
    ///
    /// - Throws: `MediaError` with `decoderUnsupported` where sound cannot be shaped; nothing is changed then.
    package func setSoundShaping(_ shaping: SoundShaping) throws(MediaError) {
        guard shaping != sound.shaping else { return }
        try sound.setShaping(shaping)
        if succession?.isArranged != true { succession?.stopReading() }
        if run?.audio != nil { changeSound() }
    }

    /// The rate of the sound of what is being begun.
    var soundRate: Ratio { SoundOutput.rate(at: machine.rate) }

    /// Whether the sound leaves the box as it was encoded may be another now.
    private func passageMayHaveChanged() {
        guard let item = activeItem, run?.audio != nil, sound.isOtherPassage(for: item, at: machine.rate) else { return }
        changeSound()
    }

    /// Sound that was passed on has become another: it is decoded from here on.
    ///
    /// - Returns: false where it was not passed on.
    func passageFailed(_ error: MediaError) -> Bool {
        guard sound.passage != nil, let item = activeItem else { return false }
        item.isSoundDecodedHere = true
        note(error, of: item)
        rebuild(after: error)
        return true
    }
}
