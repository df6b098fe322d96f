import CFFmpeg
import MediaModel
import MediaTime

/// What an AAC frame says of itself in its ADTS header (ISO/IEC 13818-7, 6.2).
///
/// FFmpeg counts the frames behind a time stamp in the rate that the stream had first. Where it has another one later, as in an advertisement of other
/// makers, they last as long as they say here.
struct SoundFrame {
    let duration: MediaTime
    private let samples: Int64
    private let rate: Int32

    private static let rates: [Int32] = [
        96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000, 7_350,
    ]

    /// Nil for what has no such header.
    init?(_ bytes: UnsafeRawBufferPointer) {
        guard bytes.count >= 7, bytes[0] == 0xFF, bytes[1] & 0xF6 == 0xF0 else { return nil }
        let index = Int(bytes[2] >> 2 & 15)
        guard index < Self.rates.count else { return nil }
        rate = Self.rates[index]
        samples = 1024 * (Int64(bytes[6] & 3) + 1)
        duration = MediaTime(samples, rate)
    }

    /// How long it lasts in units of a stream.
    func units(of timeBase: AVRational) -> Int64? {
        guard timeBase.num > 0 else { return nil }
        return samples * Int64(timeBase.den) / (Int64(rate) * Int64(timeBase.num))
    }
}
