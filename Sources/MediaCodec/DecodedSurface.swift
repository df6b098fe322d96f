import CFFmpeg
import MediaModel

/// Keeps a frame of libavcodec, and with it its memory from being decoded into again.
// Unchecked: the frame is not touched between `init` and `deinit`, and libavutil counts references atomically.
private final class FrameReference: @unchecked Sendable {
    private let frame: UnsafeMutablePointer<AVFrame>

    init?(_ frame: UnsafePointer<AVFrame>) {
        guard let clone = av_frame_clone(frame) else { return nil }
        self.frame = clone
    }

    deinit {
        var frame: UnsafeMutablePointer<AVFrame>? = frame
        av_frame_free(&frame)
    }
}

extension SharedSurface {
    /// Takes over a decoded frame (AVDRMFrameDescriptor of libavutil/hwcontext_drm.h). What it states is checked here.
    ///
    /// - Throws: `decoderUnsupported` if it is no such frame, is cropped at the left or the top, or its layout is not possible.
    convenience init(_ frame: UnsafePointer<AVFrame>, pool: SurfacePool) throws(MediaError) {
        guard AVPixelFormat(frame.pointee.format) == AV_PIX_FMT_DRM_PRIME, let data = frame.pointee.data.0 else {
            throw .unshowableSurface("it is not in memory that devices share")
        }
        guard frame.pointee.crop_left == 0, frame.pointee.crop_top == 0 else {
            throw .unshowableSurface("it is cropped at the left or the top")
        }
        let stated = UnsafeRawPointer(data).loadUnaligned(as: AVDRMFrameDescriptor.self)
        let counts = 1...Int(AV_DRM_MAX_PLANES)
        guard counts.contains(Int(stated.nb_objects)), counts.contains(Int(stated.nb_layers)) else {
            throw .unshowableSurface("it states \(stated.nb_objects) buffers and \(stated.nb_layers) layers")
        }
        let objects = Self.list(stated.objects, Int(stated.nb_objects), as: AVDRMObjectDescriptor.self)
        let layers = Self.list(stated.layers, Int(stated.nb_layers), as: AVDRMLayerDescriptor.self)
        guard layers.allSatisfy({ counts.contains(Int($0.nb_planes)) }), let format = Self.format(layers) else {
            throw .unshowableSurface(
                "its layers are \(layers.map { "0x" + String($0.format, radix: 16) }.joined(separator: ", "))")
        }
        let planes = layers.flatMap { layer in Self.list(layer.planes, Int(layer.nb_planes), as: AVDRMPlaneDescriptor.self) }
        let layout = try SurfaceLayout(
            format: format, width: Int(frame.pointee.width), height: Int(frame.pointee.height),
            modifiers: objects.map(\.format_modifier),
            planes: planes.map { .init(buffer: Int($0.object_index), offset: $0.offset, pitch: $0.pitch) },
            byteCounts: objects.map { Int(clamping: $0.size) })
        guard let reference = FrameReference(frame) else {
            throw MediaError(.internal, "Keeping a picture of a hardware decoder failed: out of memory; restart the box.")
        }
        try self.init(layout, descriptors: objects.map(\.fd), pool: pool, owner: reference)
    }

    /// The first elements of a C array, which Swift sees as a tuple.
    private static func list<Tuple, Element>(_ tuple: Tuple, _ count: Int, as type: Element.Type) -> [Element] {
        withUnsafeBytes(of: tuple) { Array($0.bindMemory(to: Element.self).prefix(count)) }
    }

    /// The format of all layers together: one layer with all planes, or luma and chroma as two pictures.
    private static func format(_ layers: [AVDRMLayerDescriptor]) -> PixelFormat? {
        switch layers.map(\.format) {
        case [code("NV12")]: .nv12
        case [code("YU12")]: .yuv420p
        case [code("R8  "), code("GR88")]: .nv12
        default: nil
        }
    }

    /// A format code of drm_fourcc.h.
    private static func code(_ text: StaticString) -> UInt32 {
        text.withUTF8Buffer { UInt32($0[0]) | UInt32($0[1]) << 8 | UInt32($0[2]) << 16 | UInt32($0[3]) << 24 }
    }
}
