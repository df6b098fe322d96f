import CFFmpeg
import MediaModel
import Synchronization

/// Lets libavcodec decode into the display's memory (`AVCodecContext.get_buffer2`).
///
/// Called from libavcodec's threads, several at a time. The object must outlive the codec contexts it is attached to; pictures
/// may outlive it.
final class PictureAllocator: Sendable {
    private let allocator: any FrameAllocator
    private let live = LivePictures()

    init(_ allocator: any FrameAllocator) { self.allocator = allocator }

    /// Makes a codec context request memory from this object.
    func attach(to context: UnsafeMutablePointer<AVCodecContext>) {
        context.pointee.opaque = Unmanaged.passUnretained(self).toOpaque()
        context.pointee.get_buffer2 = getPictureBuffer
        marquee_callbacks_are_thread_safe(context)
    }

    /// Fills in the planes of a frame.
    ///
    /// - Returns: 0, or a negative AVERROR; nil to use libavcodec's own memory.
    fileprivate func fill(_ context: UnsafeMutablePointer<AVCodecContext>, _ frame: UnsafeMutablePointer<AVFrame>) -> Int32? {
        guard context.pointee.codec.pointee.capabilities & Int32(AV_CODEC_CAP_DR1) != 0,
            let format = PixelFormat(AVPixelFormat(frame.pointee.format)),
            // Deeper pictures are converted: no screen shows this memory.
            format.planeShapes[0].bytes == 1
        else { return nil }
        var (width, height) = (frame.pointee.width, frame.pointee.height)
        guard width > 0, height > 0 else { return nil }
        var alignments: (Int32, Int32, Int32, Int32, Int32, Int32, Int32, Int32) = (0, 0, 0, 0, 0, 0, 0, 0)
        let alignment = withUnsafeMutablePointer(to: &alignments) { tuple in
            tuple.withMemoryRebound(to: Int32.self, capacity: 8) { list in
                avcodec_align_dimensions2(context, &width, &height, list)
                return Int((0..<format.planeShapes.count).map { list[$0] }.max() ?? 1)
            }
        }
        let buffer: PixelBuffer
        do throws(MediaError) {
            buffer = try allocator.makeBuffer(
                format: format, width: Int(context.pointee.width), height: Int(context.pointee.height), codedWidth: Int(width),
                codedHeight: Int(height))
        } catch {
            return nil
        }
        guard Self.isUsable(buffer, codedHeight: Int(height), alignment: alignment) else { return nil }
        let picture = DecodedPicture(buffer, live)
        let base = buffer.storage.base.assumingMemoryBound(to: UInt8.self)
        guard
            let reference = av_buffer_create(
                base, buffer.storage.byteCount, releasePicture, Unmanaged.passRetained(picture).toOpaque(), 0)
        else { return marquee_averror_memory }
        withUnsafeMutablePointer(to: &frame.pointee.buf) { list in
            list.withMemoryRebound(to: UnsafeMutablePointer<AVBufferRef>?.self, capacity: 8) { $0[0] = reference }
        }
        FramePlanes.set(frame, base: base, planes: buffer.planes)
        return 0
    }

    /// Whether a decoder can use the display's layout: SIMD code needs aligned rows and a decoder whole macroblocks.
    private static func isUsable(_ buffer: PixelBuffer, codedHeight: Int, alignment: Int) -> Bool {
        let base = Int(bitPattern: buffer.storage.base)
        return zip(buffer.planes, buffer.format.planeShapes).allSatisfy { plane, shape in
            plane.stride % alignment == 0 && (base + plane.offset) % min(alignment, 64) == 0
                && plane.rows >= codedHeight >> shape.verticalShift
        } && (buffer.planes.count < 3 || buffer.planes[1].stride == buffer.planes[2].stride)
    }

    /// The picture behind a decoded frame; nil when it is in libavcodec's own memory. The frame is complete: CPU writes end here.
    func takePicture(of frame: UnsafeMutablePointer<AVFrame>) -> PixelBuffer? {
        guard let reference = frame.pointee.buf.0, let opaque = av_buffer_get_opaque(reference),
            live.contains(opaque), let format = PixelFormat(AVPixelFormat(frame.pointee.format))
        else { return nil }
        let picture = Unmanaged<DecodedPicture>.fromOpaque(opaque).takeUnretainedValue()
        picture.endAccess()
        let buffer = picture.buffer
        let planes = FramePlanes.planes(of: frame, base: buffer.storage.base, like: buffer.planes)
        let (width, height) = (Int(frame.pointee.width), Int(frame.pointee.height))
        if planes == buffer.planes, width == buffer.width, height == buffer.height { return buffer }
        // Cropped at the left or the top: the same memory with another origin.
        return PixelBuffer(format: format, width: width, height: height, planes: planes, storage: buffer.storage)
    }
}

/// The pictures that libavcodec references, by address: distinguishes this memory from libavcodec's own.
private final class LivePictures: Sendable {
    private let addresses = Mutex<Set<UInt>>([])

    func insert(_ picture: UnsafeMutableRawPointer) { addresses.withLock { _ = $0.insert(UInt(bitPattern: picture)) } }
    func remove(_ picture: UnsafeMutableRawPointer) { addresses.withLock { _ = $0.remove(UInt(bitPattern: picture)) } }
    func contains(_ picture: UnsafeMutableRawPointer) -> Bool { addresses.withLock { $0.contains(UInt(bitPattern: picture)) } }
}

/// A picture while libavcodec references it. CPU access begins with it and ends when it is first output, or when it never is.
private final class DecodedPicture: Sendable {
    let buffer: PixelBuffer
    private let live: LivePictures
    private let hasEnded = Atomic(false)

    init(_ buffer: PixelBuffer, _ live: LivePictures) {
        self.buffer = buffer
        self.live = live
        buffer.storage.beginAccess()
        live.insert(Unmanaged.passUnretained(self).toOpaque())
    }

    func endAccess() {
        if !hasEnded.exchange(true, ordering: .relaxed) { buffer.storage.endAccess() }
    }

    /// libavcodec no longer references it.
    fileprivate static func release(_ opaque: UnsafeMutableRawPointer) {
        let picture = Unmanaged<DecodedPicture>.fromOpaque(opaque).takeRetainedValue()
        picture.live.remove(opaque)
        picture.endAccess()
    }
}

private func getPictureBuffer(
    _ context: UnsafeMutablePointer<AVCodecContext>?, _ frame: UnsafeMutablePointer<AVFrame>?, _ flags: Int32
) -> Int32 {
    guard let context, let frame, let opaque = context.pointee.opaque else { return marquee_averror_invalid }
    let pictures = Unmanaged<PictureAllocator>.fromOpaque(opaque).takeUnretainedValue()
    return pictures.fill(context, frame) ?? avcodec_default_get_buffer2(context, frame, flags)
}

private func releasePicture(_ opaque: UnsafeMutableRawPointer?, _ bytes: UnsafeMutablePointer<UInt8>?) {
    opaque.map(DecodedPicture.release)
}
