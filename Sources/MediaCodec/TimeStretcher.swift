import CFFmpeg
import Glibc
import MediaModel
import MediaTime

/// libavfilter's `atempo`: sound faster or slower at the pitch that it has. Used by one thread at a time.
final class TimeStretcher: TimeStretching {
    /// Whether libavfilter lies beside libavcodec. It is not loaded for that: with all that it needs itself it would take 15 MB and a good part of the start.
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

    private let filters: marquee_filters
    private let format: AudioFormat
    private let rate: Ratio
    private var graph: UnsafeMutablePointer<AVFilterGraph>?
    private var source: UnsafeMutablePointer<AVFilterContext>?
    private var sink: UnsafeMutablePointer<AVFilterContext>?
    private let frame = allocated(av_frame_alloc(), "a frame")
    /// Frames that went in and came out: what comes out in the end is exactly as long as what went in, over the rate.
    private var taken: Int64 = 0
    private var given: Int64 = 0

    /// - Throws: `decoderUnsupported` where libavfilter is absent or refuses.
    init(_ format: AudioFormat, rate: Ratio) throws(MediaError) {
        guard let filters = FilterLibrary.shared else {
            throw MediaError(
                .decoderUnsupported,
                "Playing sound at rate \(rate) failed: libavfilter is not installed; install it, or play at rate 1.")
        }
        self.filters = filters
        self.format = format
        self.rate = rate
        do throws(FFmpegError) {
            try makeGraph()
        } catch {
            throw MediaError(.decoderUnsupported, "Playing sound at rate \(rate) failed: \(error); play at rate 1.")
        }
    }

    deinit {
        filters.graph_free(&graph)
        var frame: UnsafeMutablePointer<AVFrame>? = frame
        av_frame_free(&frame)
    }

    private func makeGraph() throws(FFmpegError) {
        graph = filters.graph_alloc()
        graph?.pointee.nb_threads = 1
        let layout = format.channels == 1 ? "mono" : format.channels == 2 ? "stereo" : "\(format.channels)c"
        source = try make(
            "abuffer", "sample_rate=\(format.sampleRate):sample_fmt=flt:channel_layout=\(layout):time_base=1/\(format.sampleRate)"
        )
        let tempo = try make("atempo", "tempo=\(rate.numerator)/\(rate.denominator)")
        // atempo works in any packed format; what comes out is in the one that went in.
        sink = try make("abuffersink", nil)
        try ffmpeg("avfilter_link") { filters.link(source, 0, tempo, 0) }
        try ffmpeg("avfilter_link") { filters.link(tempo, 0, sink, 0) }
        try ffmpeg("avfilter_graph_config") { filters.graph_config(graph, nil) }
    }

    private func make(_ name: String, _ options: String?) throws(FFmpegError) -> UnsafeMutablePointer<AVFilterContext>? {
        var filter: UnsafeMutablePointer<AVFilterContext>?
        guard let kind = filters.get_by_name(name) else { throw FFmpegError(call: name, code: marquee_averror_invalid) }
        try ffmpeg(name) { filters.graph_create_filter(&filter, kind, name, options, nil, graph) }
        return filter
    }

    func stretch(_ samples: ArraySlice<Float>) -> [Float] {
        let count = samples.count / format.channels
        guard count > 0 else { return [] }
        frame.pointee.format = AV_SAMPLE_FMT_FLT.rawValue
        frame.pointee.sample_rate = Int32(format.sampleRate)
        frame.pointee.nb_samples = Int32(count)
        frame.pointee.pts = taken
        av_channel_layout_default(&frame.pointee.ch_layout, Int32(format.channels))
        guard av_frame_get_buffer(frame, 0) >= 0, let data = frame.pointee.data.0 else { return [] }
        samples.withUnsafeBytes {
            UnsafeMutableRawPointer(data).copyMemory(from: $0.baseAddress!, byteCount: count * format.channels * 4)
        }
        taken += Int64(count)
        let code = filters.add_frame(source, frame, 0)
        av_frame_unref(frame)
        return code < 0 ? [] : output()
    }

    func drain() -> [Float] {
        _ = filters.add_frame(source, nil, 0)
        var samples = output()
        // What the last window rounds away, or has too much.
        let whole = MediaTime(taken, Int32(format.sampleRate)).scaled(by: Ratio(rate.denominator, rate.numerator))
        let missing = Int(whole.units(of: Int32(format.sampleRate)) - given) * format.channels
        if missing > 0 {
            samples += [Float](repeating: 0, count: missing)
        } else {
            samples.removeLast(min(-missing, samples.count))
        }
        return samples
    }

    private func output() -> [Float] {
        var samples: [Float] = []
        while filters.get_frame(sink, frame) >= 0 {
            let count = Int(frame.pointee.nb_samples) * format.channels
            if let data = frame.pointee.data.0 {
                UnsafeMutableRawPointer(data).withMemoryRebound(to: Float.self, capacity: count) {
                    samples += UnsafeBufferPointer(start: $0, count: count)
                }
            }
            given += Int64(frame.pointee.nb_samples)
            av_frame_unref(frame)
        }
        return samples
    }
}
