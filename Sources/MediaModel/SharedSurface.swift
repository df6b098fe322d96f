import Glibc
import LinuxSupport
import Synchronization

/// A picture that a hardware decoder left in shared memory, while the player holds it. The CPU can read it like any other; a display shows its memory
/// without a copy. Any thread.
///
/// Its deinit gives the memory back to the decoder.
package final class SharedSurface: PixelStorage {
    package let memory: SurfaceMemory
    package let pool: SurfacePool
    /// The decoder's own reference to the picture.
    private let owner: any AnyObject & Sendable
    /// Rows in order, made when the CPU first reads a picture that is stored in columns.
    private let rows = Mutex<PlainRows?>(nil)

    /// Takes a picture over.
    ///
    /// - Parameters:
    ///   - descriptors: one dma-buf for each of the layout's buffers, open during the call.
    ///   - pool: that of the decoder.
    ///   - owner: keeps the picture from being decoded into again until it is released.
    /// - Throws: `decoderUnsupported` if the memory cannot be mapped or is smaller than stated.
    package init(
        _ layout: SurfaceLayout, descriptors: [Int32], pool: SurfacePool, owner: any AnyObject & Sendable
    ) throws(MediaError) {
        memory = try pool.memory(layout, descriptors)
        self.pool = pool
        self.owner = owner
        pool.lend()
    }

    deinit { pool.giveBack() }

    package var layout: SurfaceLayout { memory.layout }

    /// The picture in it.
    package var pixels: PixelBuffer {
        PixelBuffer(format: layout.format, width: layout.width, height: layout.height, planes: memory.planes, storage: self)
    }

    package var base: UnsafeMutableRawPointer {
        guard layout.tiling != .linear else { return memory.mapping.base }
        return rows.withLock { rows in
            let made = rows ?? PlainRows(of: memory)
            rows = made
            return made.base
        }
    }

    package var byteCount: Int { layout.tiling == .linear ? memory.mapping.byteCount : memory.plainByteCount }

    package func beginAccess() {
        if layout.tiling == .linear { memory.beginReading() }
    }

    package func endAccess() {
        if layout.tiling == .linear { memory.endReading() }
    }
}

/// What a display made of a surface's memory: kept with the memory, and released with it.
package protocol SurfaceAttachment: AnyObject, Sendable {}

/// The memory of a surface, which a decoder uses for one picture after another. Any thread.
package final class SurfaceMemory: Sendable {
    package let layout: SurfaceLayout
    /// One for each of the layout's buffers.
    package let buffers: [DMABuffer]
    fileprivate let mapping: DMABufferMapping
    /// Where the CPU finds the planes, from `SharedSurface.base`.
    fileprivate let planes: [PixelBuffer.Plane]
    /// The bytes of the picture in plain rows.
    fileprivate let plainByteCount: Int
    private let attachment = Mutex<(any SurfaceAttachment)?>(nil)

    fileprivate init(_ layout: SurfaceLayout, _ descriptors: [Int32]) throws(MediaError) {
        self.layout = layout
        do {
            var buffers: [DMABuffer] = []
            for number in descriptors { buffers.append(try DMABuffer(duplicating: number)) }
            // Reading beyond the end of the memory would end the process.
            guard buffers.count == layout.byteCounts.count, zip(buffers, layout.byteCounts).allSatisfy({ $0.byteCount >= $1 })
            else {
                throw MediaError.unreadableSurface("its memory has \(buffers.map(\.byteCount)) bytes, not \(layout.byteCounts)")
            }
            self.buffers = buffers
            mapping = try DMABufferMapping(buffers)
        } catch let error as MediaError {
            throw error
        } catch {
            throw .unreadableSurface("\(error)")
        }
        let plain = PixelBuffer.layout(format: layout.format, width: layout.width, height: layout.height, alignment: 64)
        plainByteCount = plain.byteCount
        let offsets = mapping.offsets
        planes =
            layout.tiling == .linear
            ? zip(layout.planes, plain.planes).map { plane, plain in
                PixelBuffer.Plane(offset: offsets[plane.buffer] + plane.offset, stride: plane.pitch, rows: plain.rows)
            } : plain.planes
    }

    /// What a display keeps with the memory, made at first use. A display's attachments are of one type.
    ///
    /// - Parameter isOwn: whether what is there was made by the caller's display.
    package func attached<Attachment: SurfaceAttachment, Failure: Error>(
        _ isOwn: (Attachment) -> Bool, make: () throws(Failure) -> Attachment
    ) throws(Failure) -> Attachment {
        try attachment.withLock { attachment throws(Failure) in
            if let known = attachment as? Attachment, isOwn(known) { return known }
            let made = try make()
            attachment = made
            return made
        }
    }

    fileprivate func beginReading() { for buffer in buffers { buffer.beginReading() } }
    fileprivate func endReading() { for buffer in buffers { buffer.endReading() } }
}

/// The surfaces of one hardware decoder. Any thread.
///
/// A decoder decodes into the same memory again and again, and cannot decode while all of it is held.
package final class SurfacePool: Sendable {
    private struct Key: Hashable {
        var buffers: [DMABuffer.Identity]
        var layout: SurfaceLayout
    }
    private struct State {
        var memories: [Key: SurfaceMemory] = [:]
        /// One of those in `memories`.
        var layout: SurfaceLayout?
        var lent = 0
        var refusal: MediaError?
    }
    private let state = Mutex(State())
    /// More surfaces than a decoder has; beyond it their memory is collected again.
    private static let mostMemories = 64

    package init() {}

    /// How many pictures the player holds.
    package var lentCount: Int { state.withLock { $0.lent } }

    /// How many surfaces are known, each with its mapping and what a display made of it.
    package var knownCount: Int { state.withLock { $0.memories.count } }

    /// Why the display cannot show the pictures; nil while it can.
    package var refusal: MediaError? { state.withLock { $0.refusal } }

    /// The display cannot show the pictures, or not without work that it is no use for: the decoder should be left. The first reason is kept.
    package func refuse(_ reason: MediaError) { state.withLock { $0.refusal = $0.refusal ?? reason } }

    /// The decoder has given up its memory. Surfaces that are held stay as they are.
    package func forgetAll() { drop { _ in true } }

    fileprivate func lend() { state.withLock { $0.lent += 1 } }
    fileprivate func giveBack() { state.withLock { $0.lent -= 1 } }

    /// The memory behind descriptors. When the format changes, all of the last format is given up.
    fileprivate func memory(_ layout: SurfaceLayout, _ descriptors: [Int32]) throws(MediaError) -> SurfaceMemory {
        var identities: [DMABuffer.Identity] = []
        for number in descriptors {
            do {
                identities.append(try DMABuffer.identity(of: number))
            } catch {
                throw .unreadableSurface("\(error)")
            }
        }
        let key = Key(buffers: identities, layout: layout)
        if let known = state.withLock({ $0.memories[key] }) { return known }
        drop { $0.memories.count >= Self.mostMemories || !($0.layout?.isLike(layout) ?? true) }
        let made = try SurfaceMemory(layout, descriptors)
        state.withLock { state in
            state.memories[key] = made
            state.layout = layout
        }
        return made
    }

    /// Forgets all memory if a condition holds. What is no longer used is released outside the lock, because that calls the kernel.
    private func drop(_ condition: (borrowing State) -> Bool) {
        let gone = state.withLock { state -> [Key: SurfaceMemory] in
            guard condition(state) else { return [:] }
            defer { (state.memories, state.layout) = ([:], nil) }
            return state.memories
        }
        withExtendedLifetime(gone) {}
    }
}

/// A picture in plain rows, copied from columns.
// Unchecked: the memory is written in `init` and only read after that.
private final class PlainRows: @unchecked Sendable {
    let base: UnsafeMutableRawPointer

    init(of memory: SurfaceMemory) {
        base = .allocate(byteCount: memory.plainByteCount, alignment: 64)
        guard case .sand128(let columnHeight) = memory.layout.tiling else { return }
        memory.beginReading()
        defer { memory.endReading() }
        let layout = memory.layout
        let size = SurfaceLayout.Tiling.columnBytes
        for (index, shape) in layout.format.planeShapes.enumerated() {
            let (plane, target) = (layout.planes[index], memory.planes[index])
            let row = SurfaceLayout.shifted(layout.width, shape.horizontalShift) * shape.bytes
            let source = memory.mapping.base + memory.mapping.offsets[plane.buffer] + plane.offset
            for line in 0..<SurfaceLayout.shifted(layout.height, shape.verticalShift) {
                for start in stride(from: 0, to: row, by: size) {
                    let place = source + (start / size * columnHeight + line) * size
                    (base + target.offset + line * target.stride + start).copyMemory(
                        from: place, byteCount: min(size, row - start))
                }
            }
        }
    }

    deinit { base.deallocate() }
}
