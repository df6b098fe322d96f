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
