import Synchronization

/// Changes of the sound for the viewer.
package struct SoundShaping: Sendable, Hashable {
    /// Makes loud passages softer and quiet ones louder: a difference of 10 dB becomes 4 dB.
    package var reducesLoudSounds = false
    /// Emphasises speech: the centre of surround sound, the middle of stereo.
    package var enhancesDialogue = false
    /// A gain in decibels (negative: softer), which gives channels the same loudness.
    package var gain = 0.0

    package init(reducesLoudSounds: Bool = false, enhancesDialogue: Bool = false, gain: Double = 0) {
        self.reducesLoudSounds = reducesLoudSounds
        self.enhancesDialogue = enhancesDialogue
        self.gain = gain
    }

    /// Whether sound stays unchanged.
    package var isNone: Bool { self == SoundShaping() }
}

/// How one player's sound is processed. The player sets the shaping; its decoders read it when a run begins, and report how loud the sound is. Any
/// thread.
package final class SoundProcessing: Sendable {
    private struct State {
        var shaping: SoundShaping
        var measuredLoudness: Double?
    }
    private let state: Mutex<State>

    package init(_ shaping: SoundShaping = SoundShaping()) { state = Mutex(State(shaping: shaping)) }

    /// Takes effect with a decoder's next run. Setting it discards the measured loudness.
    package var shaping: SoundShaping {
        get { state.withLock { $0.shaping } }
        set { state.withLock { $0 = State(shaping: newValue) } }
    }

    /// The loudness of decoded sound before shaping: integrated loudness by EBU R 128 in LUFS; nil while loud sounds are not reduced, and until ten
    /// seconds in a row have been decoded.
    package var measuredLoudness: Double? {
        get { state.withLock { $0.measuredLoudness } }
        set { state.withLock { $0.measuredLoudness = newValue } }
    }
}
