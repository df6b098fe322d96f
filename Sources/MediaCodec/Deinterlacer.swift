import CFFmpeg
import MediaModel

/// Makes whole pictures of those that consist of two fields from different times, as broadcasts in 1080i have them, with libavfilter's `bwdif`. Other
/// pictures stay as they are. Each picture gives one, in the same order; it comes out with the next one, because that is looked at too. Used by one
/// thread at a time.
final class Deinterlacer {
    private let graph: FilterGraph
    private let frame = allocated(av_frame_alloc(), "a frame")
    private let shape: Shape

    /// What must not change in the pictures of one chain.
    private struct Shape: Equatable {
        var width, height, format: Int32

        init(_ frame: AVFrame) { (width, height, format) = (frame.width, frame.height, frame.format) }
    }

    /// A chain for pictures like this one.
    ///
    /// - Returns: nil when no filters are installed, or `bwdif` does not take such pictures.
    init?(_ first: UnsafeMutablePointer<AVFrame>, threads: Int) {
        guard let filters = FilterLibrary.shared else { return nil }
        shape = Shape(first.pointee)
        let input = "video_size=\(shape.width)x\(shape.height):pix_fmt=\(shape.format):time_base=1/1000000000:pixel_aspect=1/1"
        do throws(FFmpegError) {
            graph = try FilterGraph(
                filters, source: ("buffer", input + Self.colour(first.pointee)),
                chain: [("bwdif", "mode=send_frame:parity=auto:deint=interlaced")], sink: "buffersink", threads: threads)
        } catch {
            return nil
        }
    }

    deinit {
        var frame: UnsafeMutablePointer<AVFrame>? = frame
        av_frame_free(&frame)
    }

    private static func colour(_ frame: AVFrame) -> String {
        marquee_buffer_source_has_colours() != 0
            ? ":colorspace=\(frame.colorspace.rawValue):range=\(frame.color_range.rawValue)" : ""
    }

    /// Whether a picture has the size and format of the first one.
    func takes(_ picture: UnsafeMutablePointer<AVFrame>) -> Bool { Shape(picture.pointee) == shape }

    /// Sends a picture, or with nil the end, and passes every result to `body`.
    ///
    /// - Throws: `internal` when memory is exhausted.
    func process(
        _ picture: UnsafeMutablePointer<AVFrame>?, _ body: (UnsafeMutablePointer<AVFrame>) throws(MediaError) -> Void
    ) throws(MediaError) {
        guard graph.send(picture) else {
            throw MediaError(.internal, "Deinterlacing a picture failed: out of memory; restart the box.")
        }
        while graph.receive(into: frame) {
            defer { av_frame_unref(frame) }
            try body(frame)
        }
    }
}
