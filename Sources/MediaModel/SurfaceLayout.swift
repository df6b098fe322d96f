/// How a picture lies in memory that devices share: what a hardware decoder states of a frame, within bounds.
package struct SurfaceLayout: Sendable, Hashable {
    /// The order of samples within a plane (the format modifiers of drm_fourcc.h).
    package enum Tiling: Sendable, Hashable {
        /// Row after row.
        case linear
        /// Broadcom's SAND: columns of 128 bytes by `columnHeight` rows, one after another. The planes of a picture share the columns.
        case sand128(columnHeight: Int)
    }
    /// One plane of the picture.
    package struct Plane: Sendable, Hashable {
        /// The buffer that it is in.
        package let buffer: Int
        /// Bytes from the start of that buffer to the first sample.
        package let offset: Int
        /// Bytes from one row to the next; of no meaning for columns.
        package let pitch: Int

        package init(buffer: Int, offset: Int, pitch: Int) {
            self.buffer = buffer
            self.offset = offset
            self.pitch = pitch
        }
    }

    package let format: PixelFormat
    /// Visible width in pixels.
    package let width: Int
    /// Visible height in pixels.
    package let height: Int
    package let tiling: Tiling
    package let planes: [Plane]
    /// The bytes that each buffer must have.
    package let byteCounts: [Int]

    /// The largest picture that is taken, in pixels a side.
    private static let longestSide = 8192
    /// The largest buffer that is taken.
    private static let mostBytes = 1 << 30
    /// The most bytes in a row, and rows in a column.
    private static let mostPitch = 1 << 16

    /// Checks what a decoder states.
    ///
    /// - Parameters:
    ///   - modifiers: one for each buffer, all equal, because no card shows a picture of two orders.
    ///   - byteCounts: the stated size of each buffer.
    /// - Throws: `decoderUnsupported` with what is not possible.
    package init(
        format: PixelFormat, width: Int, height: Int, modifiers: [UInt64], planes: [Plane], byteCounts: [Int]
    ) throws(MediaError) {
        guard let tiling = modifiers.first.flatMap({ Tiling(modifier: $0) }), modifiers.allSatisfy({ $0 == modifiers[0] }) else {
            let list = modifiers.prefix(4).map { "0x" + String($0, radix: 16) }.joined(separator: ", ")
            throw .unshowableSurface("its memory has an unknown order of samples (modifiers \(list))")
        }
        let side = 1...Self.longestSide
        guard side.contains(width), side.contains(height) else { throw .unshowableSurface("its size is \(width)x\(height)") }
        guard (1...planes.count.clamped(to: 1...4)).contains(byteCounts.count), modifiers.count == byteCounts.count,
            byteCounts.allSatisfy({ (1...Self.mostBytes).contains($0) })
        else { throw .unshowableSurface("its buffers have \(byteCounts.prefix(4)) bytes") }
        guard [.nv12, .yuv420p].contains(format), planes.count == format.planeShapes.count else {
            throw .unshowableSurface("it is \(format) in \(planes.count) planes")
        }
        var columnRows = Int.max
        if case .sand128(let columnHeight) = tiling {
            guard format == .nv12, (1...Self.mostPitch).contains(columnHeight) else {
                throw .unshowableSurface("it is \(format) in columns of \(columnHeight) rows")
            }
            columnRows = columnHeight
        }
        for (plane, shape) in zip(planes, format.planeShapes) {
            let row = Self.shifted(width, shape.horizontalShift) * shape.bytes
            let rows = Self.shifted(height, shape.verticalShift)
            guard byteCounts.indices.contains(plane.buffer), (0...Self.mostBytes).contains(plane.offset), rows <= columnRows,
                (row...Self.mostPitch).contains(plane.pitch)
            else {
                throw .unshowableSurface(
                    "a plane is at byte \(plane.offset) of buffer \(plane.buffer) with rows of \(plane.pitch) bytes")
            }
            let length = tiling.length(row: row, rows: rows, pitch: plane.pitch)
            guard plane.offset + length <= byteCounts[plane.buffer] else {
                throw .unshowableSurface(
                    "a plane ends at byte \(plane.offset + length) of a buffer of \(byteCounts[plane.buffer])")
            }
        }
        self.format = format
        self.width = width
        self.height = height
        self.tiling = tiling
        self.planes = planes
        self.byteCounts = byteCounts
    }

    /// A length in samples of a plane, rounded up.
    static func shifted(_ length: Int, _ shift: Int) -> Int { (length + (1 << shift) - 1) >> shift }

    /// Whether another layout is that of the same format in the same size, so that its surfaces belong to the same set.
    func isLike(_ other: SurfaceLayout) -> Bool {
        format == other.format && width == other.width && height == other.height && tiling == other.tiling
    }
}

extension SurfaceLayout.Tiling {
    /// DRM_FORMAT_MOD_BROADCOM_SAND128: the vendor is in the upper byte, the column height in the bits above the lowest byte.
    private static let sand128: UInt64 = 0x07 << 56 | 4
    private static let parameterMask: UInt64 = (1 << 48 - 1) << 8
    /// The bytes of a row in a column.
    static let columnBytes = 128

    /// From the kernel's number; nil for orders that are not known here.
    package init?(modifier: UInt64) {
        if modifier == 0 {
            self = .linear
        } else if Self.isSAND128(modifier: modifier) {
            self = .sand128(columnHeight: Int((modifier & Self.parameterMask) >> 8))
        } else {
            return nil
        }
    }

    /// Whether a number is that of SAND with columns of any height: planes list it without its parameter.
    package static func isSAND128(modifier: UInt64) -> Bool { modifier & ~parameterMask == sand128 }

    /// The kernel's number.
    package var modifier: UInt64 {
        switch self {
        case .linear: 0
        case .sand128(let columnHeight): Self.sand128 | UInt64(columnHeight) << 8
        }
    }

    /// The bytes from the first sample of a plane to after its last.
    fileprivate func length(row: Int, rows: Int, pitch: Int) -> Int {
        switch self {
        case .linear: return pitch * (rows - 1) + row
        case .sand128(let columnHeight):
            let columns = (row + Self.columnBytes - 1) / Self.columnBytes
            return ((columns - 1) * columnHeight + rows) * Self.columnBytes
        }
    }
}

extension Comparable {
    fileprivate func clamped(to range: ClosedRange<Self>) -> Self { min(max(self, range.lowerBound), range.upperBound) }
}
