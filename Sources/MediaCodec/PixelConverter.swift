import CFFmpeg
import MediaModel

/// Brings pictures into the memory where they are needed: copied if the layout is the same, otherwise converted by libswscale.
/// Confined to one thread.
final class PixelConverter {
    private var context: OpaquePointer?

    deinit { sws_freeContext(context) }

    /// A copy of a frame in an allocator's memory; formats that cannot be shown become 8-bit 4:2:0.
    func copy(_ frame: UnsafeMutablePointer<AVFrame>, into allocator: any FrameAllocator) throws(MediaError) -> PixelBuffer {
        let format = PixelFormat(AVPixelFormat(frame.pointee.format))
        let (width, height) = (Int(frame.pointee.width), Int(frame.pointee.height))
        let buffer = try allocator.makeBuffer(format: format ?? .yuv420p, width: width, height: height)
        if format == nil { try convert(frame, into: buffer) } else { Self.copyRows(frame, into: buffer) }
        return buffer
    }

    /// Converts and scales a frame to fill a picture.
    func convert(_ frame: UnsafeMutablePointer<AVFrame>, into buffer: PixelBuffer) throws(MediaError) {
        context = sws_getCachedContext(
            context, frame.pointee.width, frame.pointee.height, AVPixelFormat(frame.pointee.format), Int32(buffer.width),
            Int32(buffer.height), buffer.format.ffmpegFormat, SWS_BILINEAR, nil, nil, nil)
        guard let context else {
            throw MediaError(
                .decoderUnsupported,
                "Converting a picture of \(frame.pointee.width)x\(frame.pointee.height) pixels failed: "
                    + "its pixel format cannot be converted; use a stream in 8-bit 4:2:0.")
        }
        if !buffer.format.isYUV { Self.setColours(of: frame, context) }
        buffer.withMutableBytes { bytes in
            let base = bytes.baseAddress!.assumingMemoryBound(to: UInt8.self)
            var pointers = [UnsafeMutablePointer<UInt8>?](repeating: nil, count: 4)
            var strides = [Int32](repeating: 0, count: 4)
            for (index, plane) in buffer.planes.enumerated() {
                pointers[index] = base + plane.offset
                strides[index] = Int32(plane.stride)
            }
            FramePlanes.withPointers(frame) { data, sizes in
                let sources = (0..<4).map { UnsafePointer($0 < 4 ? data[$0] : nil) }
                _ = sws_scale(context, sources, sizes, 0, frame.pointee.height, pointers, strides)
            }
        }
    }

    /// What the numbers of the frame mean, for a conversion to RGB.
    private static func setColours(of frame: UnsafeMutablePointer<AVFrame>, _ context: OpaquePointer) {
        let coefficients =
            switch frame.pointee.colorspace {
            case AVCOL_SPC_BT709: SWS_CS_ITU709
            case AVCOL_SPC_BT2020_NCL, AVCOL_SPC_BT2020_CL: SWS_CS_BT2020
            default: SWS_CS_ITU601
            }
        let fullRange = [AV_PIX_FMT_YUVJ420P, AV_PIX_FMT_YUVJ422P, AV_PIX_FMT_YUVJ444P, AV_PIX_FMT_YUVJ440P, AV_PIX_FMT_YUVJ411P]
        let isFull = frame.pointee.color_range == AVCOL_RANGE_JPEG || fullRange.contains(AVPixelFormat(frame.pointee.format))
        sws_setColorspaceDetails(
            context, sws_getCoefficients(coefficients), isFull ? 1 : 0, sws_getCoefficients(SWS_CS_ITU601), 1, 0, 1 << 16, 1 << 16
        )
    }

    private static func copyRows(_ frame: UnsafeMutablePointer<AVFrame>, into buffer: PixelBuffer) {
        buffer.withMutableBytes { bytes in
            FramePlanes.withPointers(frame) { data, strides in
                for (index, (plane, shape)) in zip(buffer.planes, buffer.format.planeShapes).enumerated() {
                    let columns = (buffer.width + (1 << shape.horizontalShift) - 1) >> shape.horizontalShift
                    let rows = (buffer.height + (1 << shape.verticalShift) - 1) >> shape.verticalShift
                    for row in 0..<rows {
                        let source = UnsafeRawPointer(data[index]!) + row * Int(strides[index])
                        bytes.baseAddress!.advanced(by: plane.offset + row * plane.stride)
                            .copyMemory(from: source, byteCount: columns * shape.bytes)
                    }
                }
            }
        }
    }
}
