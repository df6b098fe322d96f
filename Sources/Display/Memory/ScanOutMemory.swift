import CDRM
import Glibc
import LinuxSupport
import MediaModel
import Synchronization

/// A block of memory that the card can show, mapped for the CPU: the owner of its handles and of the framebuffers made over it.
///
/// Framebuffers are cached here, so that a frame that comes back in pooled memory costs no call: one block has one framebuffer a layout.
final class ScanOutBlock: Sendable {
    /// How the memory is given back.
    enum Kind: Sendable {
        /// A dumb buffer.
        case dumb
        /// A dma-buf that was imported; the descriptor is also what access is announced on.
        case buffer(FileDescriptor)
        /// A GBM buffer object, kept with its device.
        case gbm(GBMObject, FileDescriptor)
    }
    private struct Layout: Hashable {
        var format: PixelFormat
        var width, height: Int
        var planes: [PixelBuffer.Plane]
    }
    let device: DRMDevice
    let byteCount: Int
    /// Bytes of a row as the kernel knows them; zero where it knows of no rows.
    let rowBytes: Int
    private let handle: UInt32
    private let kind: Kind
    private let address: UInt
    private let framebuffers = Mutex<[Layout: UInt32]>([:])

    /// Takes over a handle and maps the memory.
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

    /// Announces that the CPU reads and writes, or that it is done (DMA_BUF_IOCTL_SYNC); dumb buffers need none.
    func announceAccess(isEnd: Bool) {
        switch kind {
        case .dumb: break
        case .buffer(let descriptor), .gbm(_, let descriptor): _ = marquee_dma_buf_sync(descriptor.number, isEnd ? 1 : 0)
        }
    }

    /// The framebuffer of a picture that lies in this block, made at its first use.
    func framebuffer(of picture: PixelBuffer) throws(DisplayError) -> UInt32 {
        guard let fourCC = picture.format.fourCC else {
            throw DisplayError(.addFramebuffer, on: device.name, because: "the kernel has no name for \(picture.format)")
        }
        let layout = Layout(format: picture.format, width: picture.width, height: picture.height, planes: picture.planes)
        if let known = framebuffers.withLock({ $0[layout] }) { return known }
        let id = try device.addFramebuffer(picture, fourCC: fourCC, handle: handle)
        framebuffers.withLock { $0[layout] = id }
        return id
    }

    private static func release(_ handle: UInt32, _ kind: Kind, _ device: DRMDevice) {
        switch kind {
        case .dumb: _ = drmModeDestroyDumbBuffer(device.number, handle)
        case .buffer: _ = drmCloseBufferHandle(device.number, handle)
        // The buffer object closes its handle itself.
        case .gbm: break
        }
    }

    deinit {
        framebuffers.withLock { $0.values.sorted() }.forEach(device.removeFramebuffer)
        munmap(base, byteCount)
        Self.release(handle, kind, device)
    }
}

/// A block on loan to one picture; it goes back to its pool when the picture is gone.
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

/// Free blocks by size, so that steady playback asks the kernel for nothing. A few of each size are kept, and only so many bytes in all; the oldest go first.
final class ScanOutPool: Sendable {
    private let free = Mutex<[ScanOutBlock]>([])
    private let mostFree: Int
    private let mostBytes: Int

    init(mostFree: Int = 8, mostBytes: Int = 64 << 20) {
        self.mostFree = mostFree
        self.mostBytes = mostBytes
    }

    /// A free block of just that size, and of those rows where the kernel knows of rows.
    func take(_ byteCount: Int, stride: Int) -> ScanOutBlock? {
        free.withLock { blocks in
            blocks.lastIndex { $0.byteCount == byteCount && ($0.rowBytes == 0 || $0.rowBytes == stride) }.map {
                blocks.remove(at: $0)
            }
        }
    }

    func give(_ block: ScanOutBlock) {
        guard !block.device.isRetired else { return }
        // What is let go is let go after the lock, because that calls the kernel.
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

    /// Lets all free blocks go.
    func empty() {
        let all = free.withLock { blocks in
            defer { blocks = [] }
            return blocks
        }
        withExtendedLifetime(all) {}
    }
}

/// What allocators of scan-out memory have in common: layout, pooling, and the measured speed of reading.
protocol ScanOutAllocator: FrameAllocator {
    var device: DRMDevice { get }
    var pool: ScanOutPool { get }
    /// How fast the CPU reads, once it was measured.
    var readSpeed: ReadSpeed { get }
    /// Gets a new block from the kernel.
    func makeBlock(format: PixelFormat, width: Int, height: Int, byteCount: Int, stride: Int) throws(DisplayError) -> ScanOutBlock
}

extension ScanOutAllocator {
    /// Rows start at multiples of so many bytes: what the pickiest display hardware wants.
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
    /// The memory behind it, where a card can show it.
    var scanOutBlock: ScanOutBlock? { (storage as? ScanOutStorage)?.block }
}
