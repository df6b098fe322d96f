import CFFmpeg
import MediaModel
import MediaTime

/// A video decoder of libavcodec. Pictures are decoded directly into the display's memory if it is fast to read and supports the
/// codec's pixel format; otherwise they are copied or converted into it once. Pictures of two fields are deinterlaced. Those with a high dynamic
/// range, wide colours or more than eight bits become pictures for screens of standard dynamic range, unless the screen gets just that range.
///
/// Confined to one thread; libavcodec's own threads request memory from the allocator.
final class VideoDecoder: VideoDecoding {
    private let allocator: any FrameAllocator
    private let threads: Int
    private var codec: CodecContext
    private let pictures: PictureAllocator
    private let converter = PixelConverter()
    private let standard = StandardRangeConverter()
    private var isDrained = false
    private var reader = FrameFactsReader()
    private var deinterlacer: Deinterlacer?
    /// Frames in the deinterlacer, without their pixels.
    private var waiting: [FrameFacts] = []
    /// Whether there is no deinterlacer for the pictures of this stream.
    private var lacksDeinterlacer = false

    init(_ parameters: StreamParameters, allocator: any FrameAllocator, threads: Int) throws(MediaError) {
        self.allocator = allocator
        self.threads = threads
        // If reading back is slow, libavcodec decodes into plain memory, and each picture is copied once.
        pictures = PictureAllocator(allocator.isCached ? allocator : MemoryAllocator())
        codec = try Self.open(parameters, pictures, threads: threads)
    }

    private static func open(
        _ parameters: StreamParameters, _ pictures: PictureAllocator, threads: Int
    ) throws(MediaError) -> CodecContext {
        try CodecContext(parameters) { context in
            context.pointee.thread_count = Int32(threads)
            context.pointee.thread_type = FF_THREAD_FRAME | FF_THREAD_SLICE
            pictures.attach(to: context)
        }
    }

    var skipsNonReference = false {
        didSet { applySkip() }
    }

    private func applySkip() { codec.context.pointee.skip_frame = skipsNonReference ? AVDISCARD_NONREF : AVDISCARD_DEFAULT }

    func flush() {
        codec.flush()
        isDrained = false
        reader = FrameFactsReader()
        (deinterlacer, waiting) = (nil, [])
    }

    func decode(_ sample: EncodedSample?) throws(MediaError) -> [VideoFrame] {
        guard let sample else {
            if isDrained { return [] }
            isDrained = true
            return try run(nil)
        }
        var frames: [VideoFrame] = []
        let parameters = FFmpegCodecs.own(sample.parameters)
        if parameters !== codec.parameters, !codec.parameters.canContinue(as: parameters) {
            if !isDrained { frames = try run(nil) }
            codec = try Self.open(parameters, pictures, threads: threads)
            applySkip()
            isDrained = false
            lacksDeinterlacer = false
        } else if isDrained {
            codec.flush()
            isDrained = false
        }
        return frames + (try run(sample))
    }

    private func run(_ sample: EncodedSample?) throws(MediaError) -> [VideoFrame] {
        var frames: [VideoFrame] = []
        try codec.decode(sample) { frame throws(MediaError) in try take(frame, &frames) }
        if sample == nil { try endDeinterlacing(&frames) }
        return frames
    }

    /// Adds a decoded frame, or while there are interlaced ones the frame before it.
    private func take(_ frame: UnsafeMutablePointer<AVFrame>, _ frames: inout [VideoFrame]) throws(MediaError) {
        let facts = reader.facts(of: frame, from: codec)
        if let deinterlacer, !deinterlacer.takes(frame) {
            try endDeinterlacing(&frames)
            lacksDeinterlacer = false
        }
        if facts.isInterlaced, deinterlacer == nil, !lacksDeinterlacer {
            deinterlacer = Deinterlacer(frame, threads: threads)
            lacksDeinterlacer = deinterlacer == nil
        }
        guard let deinterlacer else { return frames.append(try makeFrame(frame, facts)) }
        waiting.append(facts)
        try deinterlacer.process(frame) { whole throws(MediaError) in try takeWhole(whole, &frames) }
    }

    private func endDeinterlacing(_ frames: inout [VideoFrame]) throws(MediaError) {
        try deinterlacer?.process(nil) { whole throws(MediaError) in try takeWhole(whole, &frames) }
        (deinterlacer, waiting) = (nil, [])
    }

    private func takeWhole(_ frame: UnsafeMutablePointer<AVFrame>, _ frames: inout [VideoFrame]) throws(MediaError) {
        guard !waiting.isEmpty else { return }
        var facts = waiting.removeFirst()
        facts.isInterlaced = false
        frames.append(try makeFrame(frame, facts))
    }

    private func makeFrame(_ frame: UnsafeMutablePointer<AVFrame>, _ facts: FrameFacts) throws(MediaError) -> VideoFrame {
        let (pixels, colour): (PixelBuffer, ColourDescription)
        if let kept = try kept(frame, facts.colour) {
            (pixels, colour) = (kept, facts.colour)
        } else if StandardRangeConverter.applies(to: frame, facts.colour) {
            (pixels, colour) = try standard.convert(frame, facts.colour, into: allocator)
        } else {
            (pixels, colour) = (try self.pixels(of: frame), facts.colour)
        }
        var picture = VideoFrame(pixels: pixels, facts, quarterTurns: codec.parameters.quarterTurns)
        picture.colour = colour
        return picture
    }

    /// A picture of ten bits whose range the screen has: only the layout of its samples changes.
    ///
    /// - Returns: nil for other pictures.
    private func kept(
        _ frame: UnsafeMutablePointer<AVFrame>, _ colour: ColourDescription
    ) throws(MediaError) -> PixelBuffer? {
        guard let range = colour.highRange, range == allocator.keptRange else { return nil }
        switch PixelFormat(AVPixelFormat(frame.pointee.format)) {
        case .p010: return try pixels(of: frame)
        case .yuv420p10:
            let (width, height) = (Int(frame.pointee.width), Int(frame.pointee.height))
            let buffer = try allocator.makeBuffer(format: .p010, width: width, height: height)
            try converter.convert(frame, into: buffer)
            return buffer
        default: return nil
        }
    }

    private func pixels(of frame: UnsafeMutablePointer<AVFrame>) throws(MediaError) -> PixelBuffer {
        if let own = pictures.takePicture(of: frame), allocator.isCached { return own }
        return try converter.copy(frame, into: allocator)
    }
}
