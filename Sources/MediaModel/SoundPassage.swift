/// A way for sound to leave the box as it was encoded, for a receiver that decodes it: in bursts that take the place of samples (IEC 61937).
package struct SoundPassage: Sendable {
    /// The codec in FFmpeg's words.
    package var codec: String
    /// Samples a second of the sound itself.
    package var sampleRate: Int
    /// How the bursts are laid out. Their 16-bit words are carried as samples of a 32768th, so that nothing of them is lost.
    package var format: AudioFormat
    /// Frames of a burst: as long as the sound in it, and never cut.
    package var burstFrames: Int
    /// Opens what makes bursts of encoded samples, in the place of a decoder. It throws `MediaError` for any other sound than this.
    package var open: @Sendable () -> any AudioDecoding

    /// Describes a way.
    package init(
        codec: String, sampleRate: Int, format: AudioFormat, burstFrames: Int, open: @escaping @Sendable () -> any AudioDecoding
    ) {
        self.codec = codec
        self.sampleRate = sampleRate
        self.format = format
        self.burstFrames = burstFrames
        self.open = open
    }

    /// Whether sound of this kind goes the same way.
    package func carries(_ other: SoundPassage?) -> Bool {
        other.map { $0.codec == codec && $0.sampleRate == sampleRate } ?? false
    }
}

/// A sink that can carry encoded sound instead of samples.
@MainActor
package protocol PassingSink: AudioSink {
    /// How sound of a codec would be carried.
    ///
    /// - Parameters:
    ///   - codec: in FFmpeg's words.
    ///   - sampleRate: samples a second of the sound.
    /// - Returns: nil where the device, or what is behind it, does not take it.
    func passage(codec: String, sampleRate: Int) -> SoundPassage?
    /// Carries bursts from now on, or with nil samples again. `format` is the passage's from here on, what is queued is thrown away, and the volume is not applied:
    /// only zero is heeded, with which silence is sent from the next burst on.
    ///
    /// - Throws: `MediaError` with `soundLost` where the device does not open so. It carries samples then.
    func pass(_ passage: SoundPassage?) throws(MediaError)
}
