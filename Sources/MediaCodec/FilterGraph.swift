import CFFmpeg

/// libavfilter, loaded at first use.
enum FilterLibrary {
    /// Its functions; nil when it is not installed.
    static let shared: marquee_filters? = {
        var filters = marquee_filters()
        return marquee_find_filters(&filters) != 0 ? filters : nil
    }()

    /// The filters that this module uses. The image's FFmpeg has these and few others (scripts/image.d/ffmpeg.sh).
    static let used = [
        "abuffer", "abuffersink", "acompressor", "aformat", "alimiter", "atempo", "buffer", "buffersink", "bwdif", "ebur128",
        "stereotools", "volume",
    ]
}

/// A chain of libavfilter's filters between a source and a sink. Used by one thread at a time.
final class FilterGraph {
    /// A filter, and its options as in `ffmpeg -filter`.
    typealias Step = (name: String, options: String)

    private let filters: marquee_filters
    private var graph: UnsafeMutablePointer<AVFilterGraph>?
    private var source: UnsafeMutablePointer<AVFilterContext>?
    private var sink: UnsafeMutablePointer<AVFilterContext>?

    /// - Parameters:
    ///   - source: `abuffer` or `buffer`, with the format of the frames.
    ///   - sink: `abuffersink` or `buffersink`.
    ///   - threads: the most threads that one filter uses.
    init(_ filters: marquee_filters, source: Step, chain: [Step], sink: String, threads: Int) throws(FFmpegError) {
        self.filters = filters
        graph = filters.graph_alloc()
        graph?.pointee.nb_threads = Int32(threads)
        self.source = try make(source.name, source.options)
        var last = self.source
        for step in chain {
            let next = try make(step.name, step.options)
            try ffmpeg("avfilter_link") { filters.link(last, 0, next, 0) }
            last = next
        }
        self.sink = try make(sink, nil)
        try ffmpeg("avfilter_link") { filters.link(last, 0, self.sink, 0) }
        try ffmpeg("avfilter_graph_config") { filters.graph_config(graph, nil) }
    }

    deinit { filters.graph_free(&graph) }

    private func make(_ name: String, _ options: String?) throws(FFmpegError) -> UnsafeMutablePointer<AVFilterContext>? {
        precondition(FilterLibrary.used.contains(name), "\(name) is not among the filters that the image has")
        var filter: UnsafeMutablePointer<AVFilterContext>?
        guard let kind = filters.get_by_name(name) else { throw FFmpegError(call: name, code: marquee_averror_invalid) }
        try ffmpeg(name) { filters.graph_create_filter(&filter, kind, name, options, nil, graph) }
        return filter
    }

    /// Sends a frame, or with nil the end. The caller keeps its own reference to the frame.
    ///
    /// - Returns: whether it was taken; false when memory is exhausted.
    func send(_ frame: UnsafeMutablePointer<AVFrame>?) -> Bool {
        filters.add_frame(source, frame, Int32(AV_BUFFERSRC_FLAG_KEEP_REF)) >= 0
    }

    /// Fills an empty frame with the next result.
    ///
    /// - Returns: whether there is one.
    func receive(into frame: UnsafeMutablePointer<AVFrame>) -> Bool { filters.get_frame(sink, frame) >= 0 }
}
