import CFFmpeg
import MediaModel

extension AVPixelFormat {
    /// The number stored in frames and contexts.
    init(_ number: Int32) { self.init(rawValue: number) }
}

extension PixelFormat {
    /// The corresponding format; nil for those that cannot be shown.
    init?(_ format: AVPixelFormat) {
        switch format {
        case AV_PIX_FMT_YUV420P, AV_PIX_FMT_YUVJ420P: self = .yuv420p
        case AV_PIX_FMT_NV12: self = .nv12
        case AV_PIX_FMT_YUV422P, AV_PIX_FMT_YUVJ422P: self = .yuv422p
        case AV_PIX_FMT_YUV444P, AV_PIX_FMT_YUVJ444P: self = .yuv444p
        case AV_PIX_FMT_YUV420P10LE: self = .yuv420p10
        case AV_PIX_FMT_P010LE: self = .p010
        default: return nil
        }
    }

    /// FFmpeg's format.
    var ffmpegFormat: AVPixelFormat {
        switch self {
        case .yuv420p: AV_PIX_FMT_YUV420P
        case .nv12: AV_PIX_FMT_NV12
        case .yuv422p: AV_PIX_FMT_YUV422P
        case .yuv444p: AV_PIX_FMT_YUV444P
        case .yuv420p10: AV_PIX_FMT_YUV420P10LE
        case .p010: AV_PIX_FMT_P010LE
        case .xrgb8888: AV_PIX_FMT_BGR0
        case .argb8888: AV_PIX_FMT_BGRA
        }
    }
}

/// The planes of an AVFrame, which C stores as arrays of eight.
enum FramePlanes {
    static func set(_ frame: UnsafeMutablePointer<AVFrame>, base: UnsafeMutablePointer<UInt8>, planes: [PixelBuffer.Plane]) {
        withUnsafeMutablePointer(to: &frame.pointee.data) { data in
            data.withMemoryRebound(to: UnsafeMutablePointer<UInt8>?.self, capacity: 8) { list in
                for (index, plane) in planes.enumerated() { list[index] = base + plane.offset }
            }
        }
        withUnsafeMutablePointer(to: &frame.pointee.linesize) { sizes in
            sizes.withMemoryRebound(to: Int32.self, capacity: 8) { list in
                for (index, plane) in planes.enumerated() { list[index] = Int32(plane.stride) }
            }
        }
    }

    /// The positions of a frame's planes relative to `base`, with the rows that remain of each of `original`.
    static func planes(
        of frame: UnsafeMutablePointer<AVFrame>, base: UnsafeMutableRawPointer, like original: [PixelBuffer.Plane]
    ) -> [PixelBuffer.Plane] {
        withPointers(frame) { data, strides in
            original.enumerated().map { index, plane in
                let offset = UnsafeMutableRawPointer(data[index]!) - base
                let rows = plane.rows - (offset - plane.offset) / plane.stride
                return PixelBuffer.Plane(offset: offset, stride: Int(strides[index]), rows: rows)
            }
        }
    }

    /// Lends the pointers and strides of a frame's planes.
    static func withPointers<Result>(
        _ frame: UnsafeMutablePointer<AVFrame>,
        _ body: (UnsafePointer<UnsafeMutablePointer<UInt8>?>, UnsafePointer<Int32>) -> Result
    ) -> Result {
        withUnsafePointer(to: &frame.pointee.data) { data in
            data.withMemoryRebound(to: UnsafeMutablePointer<UInt8>?.self, capacity: 8) { pointers in
                withUnsafePointer(to: &frame.pointee.linesize) { sizes in
                    sizes.withMemoryRebound(to: Int32.self, capacity: 8) { strides in body(pointers, strides) }
                }
            }
        }
    }
}
