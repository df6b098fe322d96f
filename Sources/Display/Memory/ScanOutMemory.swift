import CDRM
import Glibc
import LinuxSupport
import MediaModel
import Synchronization

/// A block of memory that the card can show, mapped for the CPU: the owner of its handles and of the framebuffers made over it.
///
/// Framebuffers are cached here, so that a frame in reused pooled memory costs no call: one block has one framebuffer per layout.
final class ScanOutBlock: Sendable {
    /// How the memory is freed.
    enum Kind: Sendable {
        case dumb
        /// An imported dma-buf; CPU access is announced on the descriptor.
        case buffer(FileDescriptor)
        /// A GBM buffer object, kept with its device.
        case gbm(GBMObject, FileDescriptor)
    }
    private struct Layout: Equatable {
        var format: PixelFormat
        var width, height: Int
        var planes: [PixelBuffer.Plane]
    }
    let device: DRMDevice
    let byteCount: Int
    /// The kernel's pitch of the block in bytes; zero when the kernel has none.
    let rowBytes: Int
    private let handle: UInt32
    private let kind: Kind
    private let address: UInt
    /// One for each layout, of which a block has very few.
    private let framebuffers = Mutex<[(layout: Layout, id: UInt32)]>([])

    /// Takes ownership of a handle and maps the memory.
    init(
        device: DRMDevice, handle: UInt32, kind: Kind, byteCount: Int, rowBytes: Int = 0, mapping: Int32, offset: Int
    ) throws(DisplayError) {
        let pointer = mmap(nil, byteCount, PROT_READ | PROT_WRITE, MAP_SHARED, mapping, offset)
        guard let pointer, pointer != UnsafeMutableRawPointer(bitPattern: -1) else {
            let code = errno
            Self.release(handle, kind, device)
            throw DisplayError(.map, on: device.name, code: code)
        }
        self.device = device
        self.rowBytes = rowBytes
        self.handle = handle
        self.kind = kind
        self.byteCount = byteCount
        address = UInt(bitPattern: pointer)
    }

    var base: UnsafeMutableRawPointer { UnsafeMutableRawPointer(bitPattern: address)! }

    /// Announces the start or end of CPU access (DMA_BUF_IOCTL_SYNC); dumb buffers need none.
    func announceAccess(isEnd: Bool) {
        switch kind {
        case .dumb: break
        case .buffer(let descriptor), .gbm(_, let descriptor): _ = marquee_dma_buf_sync(descriptor.number, isEnd ? 1 : 0)
        }
    }

    /// The framebuffer of a picture in this block, made at its first use.
    func framebuffer(of picture: PixelBuffer) throws(DisplayError) -> UInt32 {
        guard let fourCC = picture.format.fourCC else {
            throw DisplayError(.addFramebuffer, on: device.name, because: "the kernel has no format for \(picture.format)")
        }
        let layout = Layout(format: picture.format, width: picture.width, height: picture.height, planes: picture.planes)
        if let known = framebuffers.withLock({ $0.first { $0.layout == layout }?.id }) { return known }
        let id = try device.addFramebuffer(picture, fourCC: fourCC, handle: handle)
        framebuffers.withLock { $0.append((layout, id)) }
        return id
    }

    private static func release(_ handle: UInt32, _ kind: Kind, _ device: DRMDevice) {
        switch kind {
        case .dumb: _ = drmModeDestroyDumbBuffer(device.number, handle)
        case .buffer: device.closeBuffer(handle)
        // The buffer object closes its own handle.
        case .gbm: break
        }
    }

    deinit {
        framebuffers.withLock { $0.map(\.id).sorted() }.forEach(device.removeFramebuffer)
        munmap(base, byteCount)
        Self.release(handle, kind, device)
    }
}

/// A block lent to one picture; it returns to its pool when the picture is released.
final class ScanOutStorage: PixelStorage {
    let block: ScanOutBlock
    private let pool: ScanOutPool

    init(block: ScanOutBlock, pool: ScanOutPool) {
        self.block = block
        self.pool = pool
    }

    var base: UnsafeMutableRawPointer { block.base }
    var byteCount: Int { block.byteCount }
    func beginAccess() { block.announceAccess(isEnd: false) }
    func endAccess() { block.announceAccess(isEnd: true) }

    deinit { pool.give(block) }
}

/// Free blocks by size, so that steady playback makes no kernel calls. It keeps a few of each size, within a total byte limit;
/// the oldest are freed first.
final class ScanOutPool: Sendable {
    private let free = Mutex<[ScanOutBlock]>([])
    private let mostFree: Int
    private let mostBytes: Int

    init(mostFree: Int = 8, mostBytes: Int = 64 << 20) {
        self.mostFree = mostFree
        self.mostBytes = mostBytes
    }

    /// A free block of exactly that size and, if the kernel knows a pitch, that stride.
    func take(_ byteCount: Int, stride: Int) -> ScanOutBlock? {
        free.withLock { blocks in
            blocks.lastIndex { $0.byteCount == byteCount && ($0.rowBytes == 0 || $0.rowBytes == stride) }.map {
                blocks.remove(at: $0)
            }
        }
    }

    func give(_ block: ScanOutBlock) {
        guard !block.device.isRetired else { return }
        // Surplus blocks are freed after the lock is released, because that calls the kernel.
        let surplus = free.withLock { blocks in
            var surplus: [ScanOutBlock] = []
            blocks.append(block)
            while blocks.count > mostFree || blocks.reduce(0, { $0 + $1.byteCount }) > mostBytes, blocks.count > 1 {
                surplus.append(blocks.removeFirst())
            }
            return surplus
        }
        withExtendedLifetime(surplus) {}
    }

    /// Frees all free blocks.
    func empty() {
        let all = free.withLock { blocks in
            defer { blocks = [] }
            return blocks
        }
        withExtendedLifetime(all) {}
    }
}

/// What allocators of scan-out memory share: layout, pooling, and the measured read speed.
protocol ScanOutAllocator: FrameAllocator {
    var device: DRMDevice { get }
    var pool: ScanOutPool { get }
    /// How fast the CPU reads it, once measured.
    var readSpeed: ReadSpeed { get }
    /// Gets a new block from the kernel.
    func makeBlock(format: PixelFormat, width: Int, height: Int, byteCount: Int, stride: Int) throws(DisplayError) -> ScanOutBlock
}

extension ScanOutAllocator {
    /// Rows start at multiples of this many bytes, which satisfies the strictest display hardware.
    static var strideAlignment: Int { 256 }

    func makePicture(
        format: PixelFormat, width: Int, height: Int, codedWidth: Int, codedHeight: Int
    ) throws(DisplayError) -> PixelBuffer {
        let (rowWidth, rows) = (max(width, codedWidth), max(height, codedHeight))
        let (planes, byteCount) = PixelBuffer.layout(
            format: format, width: rowWidth, height: rows, alignment: Self.strideAlignment)
        // Decoders and SIMD code may read a little past the end.
        let padded = (byteCount + 128 + 4095) / 4096 * 4096
        let block: ScanOutBlock
        if let pooled = pool.take(padded, stride: planes[0].stride) {
            block = pooled
        } else {
            block = try makeBlock(format: format, width: rowWidth, height: rows, byteCount: padded, stride: planes[0].stride)
        }
        return PixelBuffer(
            format: format, width: width, height: height, planes: planes, storage: ScanOutStorage(block: block, pool: pool))
    }

    func makeBuffer(
        format: PixelFormat, width: Int, height: Int, codedWidth: Int, codedHeight: Int
    ) throws(MediaError) -> PixelBuffer {
        do {
            return try makePicture(format: format, width: width, height: height, codedWidth: codedWidth, codedHeight: codedHeight)
        } catch {
            throw error.asMediaError
        }
    }

    var isCached: Bool { readSpeed.isCached }
}

extension PixelBuffer {
    /// The memory behind it, if a card can scan it out.
    var scanOutBlock: ScanOutBlock? { (storage as? ScanOutStorage)?.block }
}
