import MediaModel
import MediaTime

/// The volume of one track over time; the counterpart of `AVAudioMixInputParameters`.
package struct AudioMixInputParameters: Sendable, Hashable {
    package let track: TrackID
    /// 0 (silent) to 1, in the time of the composition; 1 before the first ramp.
    package let volume: RampCurve<Double>
    /// Nil: nothing else lowers it.
    package let ducking: MixDucking?

    package init(track: TrackID, volume: RampCurve<Double> = RampCurve(1), ducking: MixDucking? = nil) {
        self.track = track
        self.volume = volume
        self.ducking = ducking
    }

    /// Whether the track is as loud as its source at all times.
    package var isFull: Bool { volume.isFull && ducking == nil }
}

/// How loud the audio tracks of a composition are; the counterpart of `AVAudioMix`. An immutable value.
package struct AudioMix: Sendable, Hashable {
    /// At most one for each track; a track without one has full volume.
    package let inputParameters: [AudioMixInputParameters]

    package init(inputParameters: [AudioMixInputParameters]) { self.inputParameters = inputParameters }

    /// The volume of a track at a time, without its ducking.
    package func volume(of track: TrackID, at time: MediaTime) -> Double {
        inputParameters.first { $0.track == track }?.volume.value(at: time) ?? 1
    }

    /// What makes the sound of a track of a composition as loud as its volume and its ducking say; nil for full volume.
    package func gain(of track: TrackID, in composition: Composition) -> MixGain? {
        guard let parameters = inputParameters.first(where: { $0.track == track }) else { return nil }
        let curves = [parameters.volume, parameters.ducking?.curve(in: composition)].compactMap(\.self).filter { !$0.isFull }
        return curves.isEmpty ? nil : MixGain(curves)
    }

    /// Checks it for a composition: every volume is 0 to 1 and of an audio track, and ramps do not overlap. The pointers are those of the JSON
    /// form.
    package func validate(for composition: Composition) -> [CompositionFinding] {
        var validator = MixValidator(composition)
        validator.check(self)
        return validator.findings.list
    }
}
