import Synchronization

/// Plain memory for pictures, pooled by size so that steady playback allocates nothing. Used by the headless display and tests.
package final class MemoryAllocator: FrameAllocator {
    private let pool = MemoryPool()

    package init() {}

    /// The memory of pictures in use. Any thread.
    package var usage: MemoryUsage { pool.usage }

    /// Resets the maximum. Any thread.
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

/// An allocator's memory for pictures that are not shown as they are decoded, such as those from which others are composed: they have a standard range
/// whatever the screen gets.
package final class StandardRangeMemory: FrameAllocator {
    private let inner: any FrameAllocator

    package init(_ inner: any FrameAllocator) { self.inner = inner }

    package var name: String { inner.name }
    package var isCached: Bool { inner.isCached }

    package func makeBuffer(
        format: PixelFormat, width: Int, height: Int, codedWidth: Int, codedHeight: Int
    ) throws(MediaError) -> PixelBuffer {
        try inner.makeBuffer(format: format, width: width, height: height, codedWidth: codedWidth, codedHeight: codedHeight)
    }
}

/// The memory used by pictures of an allocator. A value.
package struct MemoryUsage: Sendable, Hashable {
    /// Pictures that are referenced.
    package var pictures = 0
    /// Their bytes.
    package var bytes = 0
    /// The maximum number at a time.
    package var mostPictures = 0
    /// The maximum bytes at a time.
    package var mostBytes = 0
    /// How often memory was requested from the system, because no free block fitted.
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

/// One block of plain memory, returned to its pool when it is no longer referenced.
// Unchecked: `base` never changes; its memory is written before the picture is shared and only read after.
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

/// Free blocks by size. It keeps at most a few of each size; sizes that are no longer requested are freed when another size is
/// returned.
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
    /// Padding after a picture: decoders and SIMD code read slightly past the end.
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
