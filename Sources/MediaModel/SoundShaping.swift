/// How sound is changed for the viewer before it is heard.
package struct SoundShaping: Sendable, Hashable {
    /// Loud stretches are made softer and quiet ones louder: what lies 10 dB apart comes to lie 4 dB apart.
    package var reducesLoudSounds = false
    /// Speech stands out: the centre of surround sound, the middle of stereo.
    package var enhancesDialogue = false
    /// Everything is so much louder (negative: softer), in decibels: what makes one channel as loud as another.
    package var gain = 0.0

    /// Describes a change.
    package init(reducesLoudSounds: Bool = false, enhancesDialogue: Bool = false, gain: Double = 0) {
        self.reducesLoudSounds = reducesLoudSounds
        self.enhancesDialogue = enhancesDialogue
        self.gain = gain
    }

    /// Whether sound is left as it is.
    package var isNone: Bool { self == SoundShaping() }
}
