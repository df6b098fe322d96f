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

extension StringCatalogue {
    /// "1920×1080 · 25 fps · SDR · H.264".
    package func words(_ picture: SignalFacts.Picture, rate phrase: Phrase) -> String {
        joined([
            "\(picture.width)×\(picture.height)", picture.rate.map { text(phrase, decimal($0)) }, picture.range.rawValue,
            picture.codec,
        ])
    }

    /// "AAC · 5.1 · 48 kHz".
    package func words(_ sound: SignalFacts.Sound) -> String {
        joined([
            sound.format, sound.channels.map(Self.layout),
            sound.sampleRate.map { text(.kilohertz, decimal(Ratio(Int64($0), 1000))) },
        ])
    }

    /// Each part in its own direction, one after the other in that of the language.
    private func joined(_ parts: [String?]) -> String {
        (isRightToLeft ? "\u{200F}" : "") + parts.compactMap { $0.map(isolated) }.joined(separator: " · ")
    }

    /// Two digits after the point at most, without zeros at the end.
    private func decimal(_ number: Ratio) -> String {
        let hundredths = (number.numerator * 200 / number.denominator + 1) / 2
        let (whole, rest) = (hundredths / 100, hundredths % 100)
        guard rest != 0 else { return "\(whole)" }
        return "\(whole)" + text(.decimalSeparator) + (rest % 10 == 0 ? "\(rest / 10)" : (rest < 10 ? "0" : "") + "\(rest)")
    }

    private static func layout(_ channels: Int) -> String {
        switch channels {
        case 6: "5.1"
        case 8: "7.1"
        default: "\(channels).0"
        }
    }
}
