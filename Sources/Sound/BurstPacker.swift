import MediaModel
import MediaTime

/// Packs encoded sound into bursts, in place of a decoder. Confined to one thread.
final class BurstPacker: AudioDecoding {
    private let codec: IEC61937.Codec
    private let sampleRate: Int
    private let format: AudioFormat
    private var framer: IEC61937
    /// The time of the first sync frame of an incomplete burst.
    private var first: MediaTime?

    init(_ codec: IEC61937.Codec, sampleRate: Int) {
        self.codec = codec
        self.sampleRate = sampleRate
        format = AudioFormat(sampleRate: codec.carrierRate(ofSampleRate: sampleRate), channels: 2)
        framer = IEC61937(codec)
    }

    func decode(_ sample: EncodedSample?) throws(MediaError) -> [AudioBuffer] {
        guard let sample else {
            flush()
            return []
        }
        let bytes = sample.payload.withBytes { Array($0) }
        guard sample.parameters.codecName == codec.rawValue, IEC61937.sampleRate(of: bytes).map({ $0 == sampleRate }) ?? true
        else {
            throw MediaError(
                .decoderUnsupported,
                "Passing \(codec.rawValue) at \(sampleRate) Hz through failed: the sound changed to \(sample.parameters.codecName) with other parameters; it is decoded here."
            )
        }
        let time = first ?? sample.presentationTime
        guard let burst = framer.burst(bytes) else {
            first = framer.isMidBurst ? time : nil
            return []
        }
        first = nil
        let words = stride(from: 0, to: burst.count, by: 2).map {
            Float(Int16(bitPattern: UInt16(burst[$0]) | UInt16(burst[$0 + 1]) << 8)) / BurstWords.scale
        }
        return [AudioBuffer(format: format, samples: words, time: time)]
    }

    func flush() {
        framer = IEC61937(codec)
        first = nil
    }
}

extension SoundPassage {
    /// The passage for a codec at its own carrier rate.
    static func iec61937(_ codec: IEC61937.Codec, sampleRate: Int) -> SoundPassage {
        SoundPassage(
            codec: codec.rawValue, sampleRate: sampleRate,
            format: AudioFormat(sampleRate: codec.carrierRate(ofSampleRate: sampleRate), channels: 2),
            burstFrames: codec.burstFrames, open: { BurstPacker(codec, sampleRate: sampleRate) })
    }
}

/// Turns the samples that carry bursts back into their words, bit-exactly; while muted, into silence, one whole burst at a time.
struct BurstWords {
    /// Divides a word to give a sample.
    static let scale: Float = 32768
    /// Whether the current burst is replaced by silence.
    private var isSilent = false

    /// The word of a sample.
    static func word(_ sample: Float) -> Int16 { Int16(max(-scale, min(scale - 1, sample * scale))) }

    /// Whether a burst begins with this frame.
    static func begins(_ left: Float, _ right: Float) -> Bool {
        word(left) == Int16(bitPattern: 0xF872) && word(right) == Int16(bitPattern: 0x4E1F)
    }

    /// Replaces the rest of the current burst by silence.
    mutating func skip() { isSilent = true }

    /// Makes the two words of a frame.
    mutating func store(_ left: Float, _ right: Float, volume: Float) -> (Int16, Int16) {
        if Self.begins(left, right) { isSilent = volume == 0 }
        return isSilent ? (0, 0) : (Self.word(left), Self.word(right))
    }
}
