/// How sound is changed for the viewer before it is heard.
public struct SoundShaping: Sendable, Hashable {
    /// Loud stretches are made softer and quiet ones louder: what lies 10 dB apart comes to lie 4 dB apart.
    public var reducesLoudSounds = false
    /// Speech stands out: the centre of surround sound, the middle of stereo.
    public var enhancesDialogue = false
    /// Everything is so much louder (negative: softer), in decibels: what makes one channel as loud as another.
    public var gain = 0.0

    /// Describes a change.
    public init(reducesLoudSounds: Bool = false, enhancesDialogue: Bool = false, gain: Double = 0) {
        self.reducesLoudSounds = reducesLoudSounds
        self.enhancesDialogue = enhancesDialogue
        self.gain = gain
    }

    /// Whether sound is left as it is.
    public var isNone: Bool { self == SoundShaping() }
}
