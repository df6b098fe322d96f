import CFFmpeg
import MediaModel

/// Measures loudness by EBU R 128, with libavfilter's `ebur128`. Used by one thread at a time.
package final class LoudnessMeter {
    private final class Result {
        var integrated = -70.0
        var range = 0.0
    }
    private let result = Result()
    private let filter: SoundFilter
    private let format: AudioFormat
    private var frames: Int64 = 0

    /// Makes a meter.
    ///
    /// - Throws: `MediaError` with `decoderUnsupported` without libavfilter.
    package init(_ format: AudioFormat) throws(MediaError) {
        guard let filters = FilterLibrary.shared else {
            throw MediaError(.decoderUnsupported, "Measuring the loudness failed: libavfilter is not installed; install it.")
        }
        self.format = format
        let result = result
        do throws(FFmpegError) {
            filter = try SoundFilter(filters, format, [("ebur128", "metadata=1")]) { frame in
                if let value = Self.number("lavfi.r128.I", of: frame) { result.integrated = value }
                if let value = Self.number("lavfi.r128.LRA", of: frame) { result.range = value }
            }
        } catch {
            throw MediaError(.decoderUnsupported, "Measuring the loudness failed: \(error); play the sound unfiltered.")
        }
    }

    private static func number(_ key: String, of frame: UnsafeMutablePointer<AVFrame>) -> Double? {
        av_dict_get(frame.pointee.metadata, key, nil, 0).flatMap { Double(String(cString: $0.pointee.value)) }
    }

    /// Adds interleaved samples.
    package func take(_ samples: [Float]) {
        frames += Int64(samples.count / format.channels)
        _ = filter.process(samples[...])
    }

    /// Whether the measurement covers ten seconds, which makes it reliable.
    package var isReliable: Bool { frames >= Int64(format.sampleRate) * 10 }

    /// Integrated loudness so far, in LUFS; -70 for silence.
    package var integrated: Double { result.integrated }
    /// Loudness range so far, in LU.
    package var range: Double { result.range }
}
