import CFFmpeg
import MediaModel

/// The form of a picture with luma and chroma in three planes of whole bytes or little-endian words.
struct PlanarLayout: Equatable {
    /// Bits of a sample.
    let depth: Int
    /// By how many bits the width of chroma is shifted right, rounded up.
    let horizontalShift: Int
    let verticalShift: Int

    /// - Returns: nil for formats of another form.
    init?(_ format: AVPixelFormat) {
        guard let description = av_pix_fmt_desc_get(format)?.pointee, description.nb_components == 3,
            description.flags & UInt64(AV_PIX_FMT_FLAG_PLANAR) != 0,
            description.flags & UInt64(AV_PIX_FMT_FLAG_RGB | AV_PIX_FMT_FLAG_BE | AV_PIX_FMT_FLAG_FLOAT | AV_PIX_FMT_FLAG_HWACCEL)
                == 0
        else { return nil }
        let (luma, first, second) = (description.comp.0, description.comp.1, description.comp.2)
        let depth = Int(luma.depth)
        guard luma.plane == 0, first.plane == 1, second.plane == 2, luma.shift == 0, (8...16).contains(depth) else { return nil }
        self.depth = depth
        horizontalShift = Int(description.log2_chroma_w)
        verticalShift = Int(description.log2_chroma_h)
    }

    /// Bytes of a sample in memory.
    var sampleBytes: Int { depth > 8 ? 2 : 1 }

    /// The shifts of a plane.
    func shifts(_ plane: Int) -> (horizontal: Int, vertical: Int) { plane == 0 ? (0, 0) : (horizontalShift, verticalShift) }
}

/// A copy of a picture whose rows zimg can take, in an even size: the last column and row are repeated. Used by one thread at a time.
final class PlanarCopy {
    let planes: PlanePointers
    private let memory: AlignedMemory
    private let layout: PlanarLayout
    private let width, height: Int

    init(_ layout: PlanarLayout, width: Int, height: Int) {
        (self.layout, self.width, self.height) = (layout, width, height)
        var (offsets, strides) = ([Int](), [Int]())
        var end = 0
        for plane in 0..<3 {
            let shifts = layout.shifts(plane)
            offsets.append(end)
            strides.append(AlignedMemory.rounded((width >> shifts.horizontal) * layout.sampleBytes))
            end += strides[plane] * (height >> shifts.vertical)
        }
        memory = AlignedMemory(byteCount: end)
        let base = memory.base
        planes = PlanePointers(
            data: (base + offsets[0], base + offsets[1], base + offsets[2]), strides: (strides[0], strides[1], strides[2]))
    }

    /// - Parameters:
    ///   - width: that of the picture, at most one less than that of the copy.
    ///   - height: the same.
    func fill(_ picture: PlanePointers, width: Int, height: Int) {
        copy(0, from: picture.data.0, picture.strides.0, to: planes.data.0, planes.strides.0, width, height)
        copy(1, from: picture.data.1, picture.strides.1, to: planes.data.1, planes.strides.1, width, height)
        copy(2, from: picture.data.2, picture.strides.2, to: planes.data.2, planes.strides.2, width, height)
    }

    private func copy(
        _ plane: Int, from source: UnsafeMutableRawPointer, _ sourceStride: Int, to target: UnsafeMutableRawPointer,
        _ targetStride: Int, _ width: Int, _ height: Int
    ) {
        let shifts = layout.shifts(plane)
        let bytes = layout.sampleBytes
        func rounded(_ value: Int, _ shift: Int) -> Int { (value + (1 << shift) - 1) >> shift }
        let (columns, rows) = (rounded(width, shifts.horizontal), rounded(height, shifts.vertical))
        let (allColumns, allRows) = (self.width >> shifts.horizontal, self.height >> shifts.vertical)
        for row in 0..<allRows {
            let line = target + row * targetStride
            line.copyMemory(from: source + min(row, rows - 1) * sourceStride, byteCount: columns * bytes)
            for column in columns..<max(allColumns, columns) {
                (line + column * bytes).copyMemory(from: line + (columns - 1) * bytes, byteCount: bytes)
            }
        }
    }
}

extension PlanePointers {
    /// - Precondition: the frame has three planes.
    init(_ frame: AVFrame) {
        guard let first = frame.data.0, let second = frame.data.1, let third = frame.data.2 else {
            preconditionFailure("a frame of three planes")
        }
        self.init(
            data: (UnsafeMutableRawPointer(first), UnsafeMutableRawPointer(second), UnsafeMutableRawPointer(third)),
            strides: (Int(frame.linesize.0), Int(frame.linesize.1), Int(frame.linesize.2)))
    }

    /// - Precondition: the picture has three planes, and its memory is kept as long as the result.
    init(_ pixels: PixelBuffer) {
        let (base, planes) = (pixels.storage.base, pixels.planes)
        self.init(
            data: (base + planes[0].offset, base + planes[1].offset, base + planes[2].offset),
            strides: (planes[0].stride, planes[1].stride, planes[2].stride))
    }
}
