import LinuxSupport
import MediaModel
import MediaTime

/// How loud a player is: the viewer's volume, whether it is muted, and the ramp that it is on. The sink is given their product.
struct Loudness {
    var volume: Float = 1
    var isMuted = false
    /// The factor of a ramp.
    var fade: Float = 1
    var timer: ScheduledEvent?

    var product: Float { isMuted ? 0 : volume * fade }
}

extension Player {
    /// How loud everything is: 0…1; `AVPlayer.volume`.
    package var volume: Float {
        get { loudness.volume }
        set {
            loudness.volume = max(0, min(1, newValue))
            services.sink.volume = loudness.product
            passageMayHaveChanged()
        }
    }

    /// Whether nothing is heard; `AVPlayer.isMuted`.
    package var isMuted: Bool {
        get { loudness.isMuted }
        set {
            loudness.isMuted = newValue
            services.sink.volume = loudness.product
        }
    }

    /// The steps of a ramp; a sink smooths each.
    private static let rampStep = Duration.milliseconds(10)

    /// Makes the sound softer or louder by and by: `AVMutableAudioMixInputParameters.setVolumeRamp`. Another ramp takes the place of one that is under way, from where
    /// that has come to.
    ///
    /// - Parameters:
    ///   - level: the factor at the end, 0…1; the volume is not touched.
    ///   - length: how long it takes from here, in the clock's time.
    ///   - completion: called at its end; not when another takes its place.
    package func rampVolume(to level: Float, over length: Duration, completion: (@MainActor () -> Void)? = nil) {
        loudness.timer?.cancel()
        let (first, start) = (loudness.fade, clock.now)
        stepRamp(from: first, to: max(0, min(1, level)), start, length, completion)
    }

    private func stepRamp(
        from first: Float, to last: Float, _ start: HostTime, _ length: Duration, _ completion: (@MainActor () -> Void)?
    ) {
        let (elapsed, whole) = ((clock.now - start).wholeNanoseconds, length.wholeNanoseconds)
        let isOver = elapsed >= whole
        loudness.fade = isOver ? last : first + (last - first) * Float(elapsed) / Float(whole)
        services.sink.volume = loudness.product
        loudness.timer = nil
        guard !isOver else {
            completion?()
            return
        }
        loudness.timer = clock.schedule(after: Self.rampStep, rank: .sound) { [weak self] in
            self?.stepRamp(from: first, to: last, start, length, completion)
        }
    }

    /// Shapes the sound from now on; what plays is heard anew without a stop.
    ///
    /// - Throws: `MediaError` with `decoderUnsupported` where sound cannot be shaped; nothing is changed then.
    package func setSoundShaping(_ shaping: SoundShaping) throws(MediaError) {
        guard shaping != soundShaping else { return }
        try services.codecs.setSoundShaping(shaping)
        soundShaping = shaping
        if succession?.isArranged != true { succession?.stopReading() }
        if run?.audio != nil { changeSound() }
    }
}
