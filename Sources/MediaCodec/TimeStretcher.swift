import CFFmpeg
import Glibc
import MediaModel
import MediaTime

/// libavfilter's `atempo`: changes the speed of sound and keeps its pitch. Used by one thread at a time.
final class TimeStretcher: TimeStretching {
    /// Whether libavfilter is installed next to libavcodec. The check does not load it: with its dependencies it would take 15 MB
    /// and a good part of the start time.
    static let isInstalled: Bool = {
        guard let maps = fopen("/proc/self/maps", "r") else { return false }
        defer { fclose(maps) }
        var line = [CChar](repeating: 0, count: 4096)
        while fgets(&line, Int32(line.count), maps) != nil {
            let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            guard let start = text.firstIndex(of: "/"), let slash = text.lastIndex(of: "/"),
                text[slash...].hasPrefix("/libavcodec.so")
            else { continue }
            return access("\(text[start..<slash])/libavfilter.so.\(LIBAVFILTER_VERSION_MAJOR)", R_OK) == 0
        }
        return false
    }()

    private let filter: SoundFilter

    /// - Throws: `decoderUnsupported` when libavfilter is absent or fails.
    init(_ format: AudioFormat, rate: Ratio) throws(MediaError) {
        guard let filters = FilterLibrary.shared else {
            throw MediaError(
                .decoderUnsupported,
                "Playing sound at rate \(rate) failed: libavfilter is not installed; install it, or play at rate 1.")
        }
        do throws(FFmpegError) {
            filter = try SoundFilter(filters, format, [("atempo", "tempo=\(rate.numerator)/\(rate.denominator)")], rate: rate)
        } catch {
            throw MediaError(.decoderUnsupported, "Playing sound at rate \(rate) failed: \(error); play at rate 1.")
        }
    }

    func stretch(_ samples: ArraySlice<Float>) -> [Float] { filter.process(samples) ?? [] }

    func drain() -> [Float] { filter.drain() }
}
