/// A way to pass encoded sound to a receiver that decodes it: in bursts in place of samples (IEC 61937).
package struct SoundPassage: Sendable {
    /// FFmpeg's name of the codec.
    package var codec: String
    /// Samples per second of the sound itself.
    package var sampleRate: Int
    /// The format of the bursts. Their 16-bit words are carried as samples in units of 1/32768, without loss.
    package var format: AudioFormat
    /// Frames per burst: as long as its sound, and never cut.
    package var burstFrames: Int
    /// Opens a packer that makes bursts from encoded samples, in place of a decoder. It throws `MediaError` for any other kind of
    /// sound.
    package var open: @Sendable () -> any AudioDecoding

    package init(
        codec: String, sampleRate: Int, format: AudioFormat, burstFrames: Int, open: @escaping @Sendable () -> any AudioDecoding
    ) {
        self.codec = codec
        self.sampleRate = sampleRate
        self.format = format
        self.burstFrames = burstFrames
        self.open = open
    }

    /// Whether the other kind of sound uses the same passage.
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
    ///   - codec: FFmpeg's name.
    ///   - sampleRate: samples per second of the sound.
    /// - Returns: nil when the device, or the receiver behind it, does not accept it.
    func passage(codec: String, sampleRate: Int) -> SoundPassage?
    /// Carries bursts from now on, or with nil samples again. `format` becomes the passage's, the queue is discarded, and the
    /// volume is not applied, except that zero sends silence from the next burst on.
    ///
    /// - Throws: `MediaError` with `soundLost` when the device cannot be opened this way. It then carries samples.
    func pass(_ passage: SoundPassage?) throws(MediaError)
}

extension PassingSink {
    package var passing: (any PassingSink)? { self }
}
