import MediaModel

/// The planes of a picture while its memory is lent: pointers to any sample, for the C calls that take a pointer and a stride.
///
/// It must not outlive the closure passed to `withReadablePlanes` or `withWritablePlanes`.
struct LentPlanes {
    let base: UnsafeMutableRawPointer
    let buffer: PixelBuffer

    /// The address of the sample that covers luma position (`x`, `y`) in a plane; chroma positions are rounded down.
    func bytes(_ plane: Int, x: Int = 0, y: Int = 0) -> UnsafeMutablePointer<UInt8> {
        let shape = buffer.format.planeShapes[plane]
        let place = buffer.planes[plane]
        let offset = place.offset + (y >> shape.verticalShift) * place.stride + (x >> shape.horizontalShift) * shape.bytes
        return (base + offset).assumingMemoryBound(to: UInt8.self)
    }

    /// The same for planes of 16-bit words.
    func words(_ plane: Int, x: Int = 0, y: Int = 0) -> UnsafeMutablePointer<UInt16> {
        UnsafeMutableRawPointer(bytes(plane, x: x, y: y)).assumingMemoryBound(to: UInt16.self)
    }

    /// Bytes from one row of a plane to the next.
    func stride(_ plane: Int) -> Int32 { Int32(buffer.planes[plane].stride) }

    /// 16-bit words from one row of a plane to the next.
    func wordStride(_ plane: Int) -> Int32 { Int32(buffer.planes[plane].stride / 2) }
}

extension PixelBuffer {
    /// Lends the planes for reading. (The pointers are mutable only because C interfaces differ in their `const`.)
    func withReadablePlanes<Result>(_ body: (LentPlanes) throws -> Result) rethrows -> Result {
        try withBytes { try body(LentPlanes(base: UnsafeMutableRawPointer(mutating: $0.baseAddress!), buffer: self)) }
    }

    /// Lends the planes for writing, to the code that allocated the picture.
    func withWritablePlanes<Result>(_ body: (LentPlanes) throws -> Result) rethrows -> Result {
        try withMutableBytes { try body(LentPlanes(base: $0.baseAddress!, buffer: self)) }
    }

    var bounds: PixelRect { PixelRect(x: 0, y: 0, width: width, height: height) }
}
