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
}
