import BoxModel
import Glibc
import MediaModel

/// The tone by which a viewer hears whether a side of the sound is where it belongs.
enum TestTone {
    static let length = Duration.milliseconds(800)
    /// -20 dBFS: well audible at the loudness of programmes, and no fright.
    static let peak = 0.1
    private static let pitch = 440.0
    /// In seconds. Without it the ends would be crackles.
    private static let ramp = 0.02

    /// Interleaved samples. A single channel has both sides.
    static func samples(_ side: SoundSide, _ format: AudioFormat) -> [Float] {
        let seconds = length / .seconds(1)
        let channels = max(format.channels, 1)
        let channel = side == .right && channels > 1 ? 1 : 0
        var samples = [Float](repeating: 0, count: Int(seconds * Double(format.sampleRate)) * channels)
        for frame in 0..<samples.count / channels {
            let time = Double(frame) / Double(format.sampleRate)
            let level = min(time, seconds - time, ramp) / ramp
            samples[frame * channels + channel] = Float(peak * level * sin(2 * .pi * pitch * time))
        }
        return samples
    }
}
