/// The memory layout of a picture's samples.
package enum PixelFormat: String, Sendable, Hashable, CaseIterable {
    /// 8-bit 4:2:0 in three planes (DRM `YU12`, FFmpeg `yuv420p`).
    case yuv420p
    /// 8-bit 4:2:0, luma plane and interleaved chroma plane (DRM `NV12`).
    case nv12
    /// 8-bit 4:2:2 in three planes (DRM `YU16`).
    case yuv422p
    /// 8-bit 4:4:4 in three planes (DRM `YU24`).
    case yuv444p
    /// 10-bit 4:2:0 in three planes of 16-bit little-endian words, value in the low bits (FFmpeg `yuv420p10le`).
    case yuv420p10
    /// 10-bit 4:2:0, luma and interleaved chroma, value in the high bits of 16-bit words (DRM `P010`).
    case p010
    /// 32-bit words B, G, R, x in memory order (DRM `XR24`).
    case xrgb8888
    /// 32-bit words B, G, R, A in memory order, colour premultiplied by alpha (DRM `AR24`, Cairo `ARGB32`).
    case argb8888

    /// Whether the samples are luma and chroma.
    package var isYUV: Bool { self != .xrgb8888 && self != .argb8888 }

    /// For each plane: bytes of one sample, and by how many bits its width and height are shifted right (rounded up).
    package var planeShapes: [(bytes: Int, horizontalShift: Int, verticalShift: Int)] {
        switch self {
        case .yuv420p: [(1, 0, 0), (1, 1, 1), (1, 1, 1)]
        case .nv12: [(1, 0, 0), (2, 1, 1)]
        case .yuv422p: [(1, 0, 0), (1, 1, 0), (1, 1, 0)]
        case .yuv444p: [(1, 0, 0), (1, 0, 0), (1, 0, 0)]
        case .yuv420p10: [(2, 0, 0), (2, 1, 1), (2, 1, 1)]
        case .p010: [(2, 0, 0), (4, 1, 1)]
        case .xrgb8888, .argb8888: [(4, 0, 0)]
        }
    }
}

/// A rectangle in pixels, origin at the top left.
package struct PixelRect: Sendable, Hashable {
    package var x: Int
    package var y: Int
    /// Not negative.
    package var width: Int
    /// Not negative.
    package var height: Int

    package init(x: Int, y: Int, width: Int, height: Int) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }

    package var isEmpty: Bool { width <= 0 || height <= 0 }

    /// The intersection of two rectangles; empty when they do not meet.
    package func intersection(_ other: PixelRect) -> PixelRect {
        let left = max(x, other.x)
        let top = max(y, other.y)
        let right = min(x + width, other.x + other.width)
        let bottom = min(y + height, other.y + other.height)
        return PixelRect(x: left, y: top, width: max(0, right - left), height: max(0, bottom - top))
    }
}

extension PixelRect: DumpRecord {
    package static var dumpFields: [DumpFieldWriter<Self>] {
        [.init("x", \.x), .init("y", \.y), .init("width", \.width), .init("height", \.height)]
    }
}

/// Memory that holds pixels: plain, or known to the display. Its creator owns the handles behind it and releases them in
/// `deinit`.
package protocol PixelStorage: AnyObject, Sendable {
    /// The first byte, mapped for the lifetime of the object.
    var base: UnsafeMutableRawPointer { get }
    var byteCount: Int { get }
    /// Called before the CPU reads or writes (DMA_BUF_IOCTL_SYNC start if the memory needs it). Any thread.
    func beginAccess()
    /// Called when the CPU is done.
    func endAccess()
}

/// A picture in memory. It is filled once by the code that allocated it, and only read after that, which makes sharing it safe.
package final class PixelBuffer: Sendable {
    /// One plane of the picture.
    package struct Plane: Sendable, Hashable {
        /// Bytes from the start of the storage to the first sample.
        package let offset: Int
        /// Bytes from one row to the next.
        package let stride: Int
        /// The number of rows in memory (at least the visible ones).
        package let rows: Int

        package init(offset: Int, stride: Int, rows: Int) {
            self.offset = offset
            self.stride = stride
            self.rows = rows
        }
    }

    package let format: PixelFormat
    /// Visible width in pixels.
    package let width: Int
    /// Visible height in pixels.
    package let height: Int
    package let planes: [Plane]
    /// The memory, retained by this object; the `deinit` of the storage returns pooled memory to its allocator.
    package let storage: any PixelStorage

    package init(format: PixelFormat, width: Int, height: Int, planes: [Plane], storage: any PixelStorage) {
        precondition(planes.count == format.planeShapes.count, "\(format) has \(format.planeShapes.count) planes")
        self.format = format
        self.width = width
        self.height = height
        self.planes = planes
        self.storage = storage
    }

    /// Lends the whole memory for reading.
    package func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        storage.beginAccess()
        defer { storage.endAccess() }
        return try body(UnsafeRawBufferPointer(start: storage.base, count: storage.byteCount))
    }

    /// Lends the whole memory for writing: only to the code that allocated the buffer and has not shared it yet.
    package func withMutableBytes<Result>(_ body: (UnsafeMutableRawBufferPointer) throws -> Result) rethrows -> Result {
        storage.beginAccess()
        defer { storage.endAccess() }
        return try body(UnsafeMutableRawBufferPointer(start: storage.base, count: storage.byteCount))
    }

    /// The surface that it is in, if a hardware decoder made it.
    package var surface: SharedSurface? { storage as? SharedSurface }

    /// A copy in an allocator's memory.
    package func copied(into allocator: any FrameAllocator) throws(MediaError) -> PixelBuffer {
        let copy = try allocator.makeBuffer(format: format, width: width, height: height)
        copy.withMutableBytes { target in
            withBytes { source in
                for (index, shape) in format.planeShapes.enumerated() {
                    let (from, to) = (planes[index], copy.planes[index])
                    let row = SurfaceLayout.shifted(width, shape.horizontalShift) * shape.bytes
                    for line in 0..<SurfaceLayout.shifted(height, shape.verticalShift) {
                        (target.baseAddress! + to.offset + line * to.stride).copyMemory(
                            from: source.baseAddress! + from.offset + line * from.stride, byteCount: row)
                    }
                }
            }
        }
        return copy
    }

    /// Lays out planes one after another, with each row at a multiple of `alignment` bytes.
    package static func layout(
        format: PixelFormat, width: Int, height: Int, alignment: Int
    ) -> (planes: [Plane], byteCount: Int) {
        var planes: [Plane] = []
        var offset = 0
        for shape in format.planeShapes {
            let columns = (width + (1 << shape.horizontalShift) - 1) >> shape.horizontalShift
            let rows = (height + (1 << shape.verticalShift) - 1) >> shape.verticalShift
            let stride = (columns * shape.bytes + alignment - 1) / alignment * alignment
            planes.append(Plane(offset: offset, stride: stride, rows: rows))
            offset += stride * rows
        }
        return (planes, offset)
    }
}

/// Allocates memory for pictures. `Display` implements it for memory that it can scan out; decoders and drawing use it.
package protocol FrameAllocator: AnyObject, Sendable {
    /// Its name for logs and `marquee doctor`, e.g. `memory`, `dumb`, `dma-heap`, `gbm`.
    var name: String { get }

    /// Whether a decoder can read back its output at full speed (cached memory). Measured, not guessed.
    var isCached: Bool { get }

    /// The high dynamic range that the screen of this memory gets, or will get with the item that begins: a decoder leaves pictures of it as they are, in
    /// `p010`. Nil: all pictures become those of a standard range. Any thread.
    var keptRange: HighDynamicRange? { get }

    /// Memory for one picture with undefined contents. Any thread.
    ///
    /// - Parameters:
    ///   - width: visible pixels; the memory may be wider.
    ///   - height: visible rows.
    ///   - codedWidth: the least pixels per row (a decoder's padding).
    ///   - codedHeight: the least rows per plane.
    /// - Throws: `MediaError` with code `internal` when memory is exhausted.
    func makeBuffer(format: PixelFormat, width: Int, height: Int, codedWidth: Int, codedHeight: Int) throws(MediaError)
        -> PixelBuffer
}

extension FrameAllocator {
    package var keptRange: HighDynamicRange? { nil }

    /// Memory for one picture without a decoder's padding.
    package func makeBuffer(format: PixelFormat, width: Int, height: Int) throws(MediaError) -> PixelBuffer {
        try makeBuffer(format: format, width: width, height: height, codedWidth: width, codedHeight: height)
    }
}
