import Glibc
import LinuxSupport
import MediaModel
import Synchronization

/// The memory of a hardware decoder in a test: a fixed number of surfaces that are filled again once nobody holds them. Any thread.
package final class TestSurfaces: Sendable {
    /// How its pictures lie in memory.
    package enum Shape: String, Sendable, CaseIterable {
        case rows, rowsInTwoBuffers, columns, columnsInTwoBuffers

        fileprivate var isLinear: Bool { self == .rows || self == .rowsInTwoBuffers }
        fileprivate var bufferCount: Int { self == .rows || self == .columns ? 1 : 2 }
    }
    package let shape: Shape
    package let layout: SurfaceLayout
    private let surfaces: [[FileDescriptor]]
    private let free: Mutex<[Int]>

    /// A picture as long as someone holds it.
    private final class Loan: Sendable {
        let surface: Int
        let source: TestSurfaces

        init(_ surface: Int, of source: TestSurfaces) { (self.surface, self.source) = (surface, source) }
        deinit { source.free.withLock { $0.append(surface) } }
    }

    /// - Parameter allocate: makes a buffer of a size; nil: a file without a name, which is mapped and compared like a dma-buf.
    package init(
        _ shape: Shape, width: Int, height: Int, count: Int = 20, allocate: ((Int) throws -> FileDescriptor)? = nil
    ) throws {
        self.shape = shape
        let page = Int(getpagesize())
        func padded(_ length: Int) -> Int { (length + page - 1) / page * page }
        let pitch = (width + 127) / 128 * 128
        // Odd heights of columns, as banks of memory ask for them.
        let columnHeight = shape == .columns ? height + (height + 1) / 2 + 3 : height + 5
        let chromaRows = (height + 1) / 2
        let luma = shape.isLinear ? pitch * height : pitch * columnHeight
        let modifier = shape.isLinear ? 0 : SurfaceLayout.Tiling.sand128(columnHeight: columnHeight).modifier
        let planes: [SurfaceLayout.Plane]
        let sizes: [Int]
        switch shape {
        case .rows:
            planes = [.init(buffer: 0, offset: 0, pitch: pitch), .init(buffer: 0, offset: luma, pitch: pitch)]
            sizes = [padded(luma + pitch * chromaRows)]
        case .columns:
            planes = [.init(buffer: 0, offset: 0, pitch: pitch), .init(buffer: 0, offset: height * 128, pitch: pitch)]
            sizes = [padded(luma)]
        case .rowsInTwoBuffers, .columnsInTwoBuffers:
            planes = [.init(buffer: 0, offset: 0, pitch: pitch), .init(buffer: 1, offset: 0, pitch: pitch)]
            sizes = [padded(luma), padded(luma)]
        }
        layout = try SurfaceLayout(
            format: .nv12, width: width, height: height, modifiers: [UInt64](repeating: modifier, count: shape.bufferCount),
            planes: planes, byteCounts: sizes)
        surfaces = try (0..<count).map { _ in try sizes.map { try allocate?($0) ?? Self.file(of: $0) } }
        free = Mutex(Array(0..<count))
    }

    private static func file(of size: Int) throws -> FileDescriptor {
        // O_TMPFILE is a macro that Swift does not import.
        let file = try FileDescriptor(opening: "/tmp", flags: O_RDWR | 0o20_200_000, mode: 0o600)
        try systemCall("ftruncate", on: "a surface") { ftruncate(file.number, size) }
        return file
    }

    /// How many descriptors of this process are buffers of surfaces: dma-bufs, or files without a name.
    package static var openBuffers: Int {
        Folder.names("/proc/self/fd").count { name in
            var path = [UInt8](repeating: 0, count: 64)
            let count = path.withUnsafeMutableBytes {
                readlink("/proc/self/fd/\(name)", $0.bindMemory(to: CChar.self).baseAddress!, $0.count)
            }
            let target = String(decoding: path[..<max(0, count)], as: UTF8.self)
            return target.hasPrefix("/tmp/#") || target.hasPrefix("/dmabuf")
        }
    }

    /// How many surfaces nobody holds.
    package var freeCount: Int { free.withLock { $0.count } }

    /// The descriptors of a surface's buffers.
    package func descriptors(of surface: Int) -> [Int32] { surfaces[surface].map(\.number) }

    /// Fills a surface with a picture of a number that `NumberGrid` reads.
    package func fill(_ surface: Int, number: Int) {
        let bytes = NumberGrid.picture(number, width: layout.width, height: layout.height)
        for index in layout.planes.indices {
            fill(surface, index) { plane, x, y in plane == 0 ? bytes[y * layout.width + x] : 128 }
        }
    }

    /// A picture whose samples come from a function of plane, column in bytes and row.
    ///
    /// - Returns: nil if all surfaces are held.
    package func picture(_ pool: SurfacePool, _ sample: (_ plane: Int, _ x: Int, _ y: Int) -> UInt8) throws(MediaError)
        -> PixelBuffer?
    {
        try picture(pool) { surface in for index in layout.planes.indices { fill(surface, index, sample) } }
    }

    private func picture(_ pool: SurfacePool, filling fill: (Int) -> Void) throws(MediaError) -> PixelBuffer? {
        guard let surface = free.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) else { return nil }
        let loan = Loan(surface, of: self)
        fill(surface)
        return try SharedSurface(layout, descriptors: surfaces[surface].map(\.number), pool: pool, owner: loan).pixels
    }

    /// A picture of a number that `NumberGrid` reads.
    package func picture(_ pool: SurfacePool, number: Int) throws(MediaError) -> PixelBuffer? {
        try picture(pool) { surface in fill(surface, number: number) }
    }

    private func fill(_ surface: Int, _ index: Int, _ sample: (Int, Int, Int) -> UInt8) {
        let plane = layout.planes[index]
        let size = layout.byteCounts[plane.buffer]
        let number = surfaces[surface][plane.buffer].number
        guard let memory = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_SHARED, number, 0),
            memory != UnsafeMutableRawPointer(bitPattern: -1)
        else { preconditionFailure("a test has memory") }
        defer { munmap(memory, size) }
        let bytes = memory.assumingMemoryBound(to: UInt8.self) + plane.offset
        let rows = index == 0 ? layout.height : (layout.height + 1) / 2
        let row = index == 0 ? layout.width : (layout.width + 1) / 2 * 2
        for y in 0..<rows {
            for x in 0..<row {
                switch layout.tiling {
                case .linear: bytes[y * plane.pitch + x] = sample(index, x, y)
                case .sand128(let columnHeight): bytes[(x / 128 * columnHeight + y) * 128 + x % 128] = sample(index, x, y)
                }
            }
        }
    }
}
