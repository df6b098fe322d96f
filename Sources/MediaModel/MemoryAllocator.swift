import Synchronization

/// Plain memory for pictures, pooled by size so that steady playback allocates nothing. What the headless display and tests use.
package final class MemoryAllocator: FrameAllocator {
    private let pool = MemoryPool()

    package init() {}

    /// What pictures take at this moment. Any thread.
    package var usage: MemoryUsage { pool.usage }

    /// From now on the most is counted anew. Any thread.
    package func forgetMost() { pool.forgetMost() }

    package var name: String { "memory" }
    package var isCached: Bool { true }

    package func makeBuffer(
        format: PixelFormat, width: Int, height: Int, codedWidth: Int, codedHeight: Int
    ) throws(MediaError) -> PixelBuffer {
        let (planes, byteCount) = PixelBuffer.layout(
            format: format, width: max(width, codedWidth), height: max(height, codedHeight), alignment: 64)
        return PixelBuffer(
            format: format, width: width, height: height, planes: planes, storage: MemoryStorage(byteCount: byteCount, pool: pool)
        )
    }
}

/// What pictures take of an allocator's memory. A value.
package struct MemoryUsage: Sendable, Hashable {
    /// Pictures that somebody holds.
    package var pictures = 0
    /// Their bytes.
    package var bytes = 0
    /// The most that there were at a time.
    package var mostPictures = 0
    /// The most bytes that there were at a time.
    package var mostBytes = 0
    /// How often memory was asked of the system, since none that was given back fitted.
    package var allocations = 0

    mutating func take(_ byteCount: Int, isNew: Bool) {
        pictures += 1
        bytes += byteCount
        if isNew { allocations += 1 }
        mostPictures = max(mostPictures, pictures)
        mostBytes = max(mostBytes, bytes)
    }

    mutating func give(_ byteCount: Int) {
        pictures -= 1
        bytes -= byteCount
    }

    mutating func forgetMost() { (mostPictures, mostBytes) = (pictures, bytes) }
}

extension PixelBuffer {
    /// Lays planes one after the other, each row starting at a multiple of `alignment` bytes.
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

/// One block of plain memory, given back to its pool when nobody holds it any more.
// Unchecked: `base` never changes; what it points at is written before the picture is shared and only read after.
private final class MemoryStorage: PixelStorage, @unchecked Sendable {
    let base: UnsafeMutableRawPointer
    let byteCount: Int
    private let pool: MemoryPool

    init(byteCount: Int, pool: MemoryPool) {
        self.byteCount = byteCount
        self.pool = pool
        base = pool.take(byteCount)
    }

    func beginAccess() {}
    func endAccess() {}

    deinit { pool.give(base, byteCount) }
}

/// Free blocks by size. At most a few of each size are kept; sizes no longer asked for go when another size is given back.
private final class MemoryPool: Sendable {
    // Unchecked: a free block is in the pool only, and the pool is behind a lock.
    private struct Block: @unchecked Sendable {
        let base: UnsafeMutableRawPointer
        let byteCount: Int
    }
    private struct State {
        var free: [Block] = []
        var usage = MemoryUsage()
    }
    private let state = Mutex(State())
    private static let mostFree = 4
    /// Room behind a picture: decoders and SIMD code read a little past the end.
    private static let padding = 128

    func take(_ byteCount: Int) -> UnsafeMutableRawPointer {
        let block = state.withLock { state -> Block? in
            let block = state.free.lastIndex { $0.byteCount == byteCount }.map { state.free.remove(at: $0) }
            state.usage.take(byteCount, isNew: block == nil)
            return block
        }
        return block?.base ?? .allocate(byteCount: byteCount + Self.padding, alignment: 64)
    }

    func give(_ base: UnsafeMutableRawPointer, _ byteCount: Int) {
        let surplus = state.withLock { state -> Block? in
            state.usage.give(byteCount)
            state.free.append(Block(base: base, byteCount: byteCount))
            return state.free.count > Self.mostFree ? state.free.removeFirst() : nil
        }
        surplus?.base.deallocate()
    }

    var usage: MemoryUsage { state.withLock(\.usage) }

    func forgetMost() { state.withLock { $0.usage.forgetMost() } }

    deinit { state.withLock { $0.free.forEach { $0.base.deallocate() } } }
}
