import MediaTime

/// What is played, and what goes out to the television and to the loudspeakers, as the player has it at one instant.
package struct SignalFacts: Sendable, Hashable {
    /// The range of brightness of a picture.
    package enum DynamicRange: String, Sendable, Hashable {
        case standard = "SDR"
        /// SMPTE ST 2084 (PQ).
        case hdr10 = "HDR10"
        /// Hybrid log-gamma.
        case hlg = "HLG"
    }

    /// A picture.
    package struct Picture: Sendable, Hashable {
        package var width, height: Int
        /// Pictures per second; nil if unknown.
        package var rate: Ratio?
        package var range: DynamicRange
        /// The name of its codec; nil for what goes out, which has none.
        package var codec: String?

        package init(width: Int, height: Int, rate: Ratio? = nil, range: DynamicRange, codec: String? = nil) {
            self.width = width
            self.height = height
            self.rate = rate
            self.range = range
            self.codec = codec
        }
    }

    /// A sound.
    package struct Sound: Sendable, Hashable {
        /// The name of its format, such as "AAC".
        package var format: String
        package var channels: Int?
        /// Samples per second.
        package var sampleRate: Int?

        package init(format: String, channels: Int? = nil, sampleRate: Int? = nil) {
            self.format = format
            self.channels = channels
            self.sampleRate = sampleRate
        }
    }

    /// What is played; nil without a picture on the screen.
    package var picture: Picture?
    /// What the screen gets.
    package var screen: Picture?
    /// What is played; nil without sound.
    package var sound: Sound?
    /// What the audio output gets; nil without sound.
    package var output: Sound?

    package init(picture: Picture? = nil, screen: Picture? = nil, sound: Sound? = nil, output: Sound? = nil) {
        self.picture = picture
        self.screen = screen
        self.sound = sound
        self.output = output
    }
}
