import CDRM
import Glibc
import LinuxSupport
import MediaModel
import Synchronization

/// Memory of a dma-heap: cached, and scanned out after being imported into the card (PRIME). Memory of the CMA heap is
/// contiguous, which cards without an IOMMU need.
final class DMAHeapAllocator: ScanOutAllocator {
    let name: String
    let device: DRMDevice
    let pool = ScanOutPool()
    private let heap: FileDescriptor
    private let heapName: String
    private let measured = Mutex(ReadSpeed(bytesPerSecond: 0, plainBytesPerSecond: 0))
    var readSpeed: ReadSpeed { measured.withLock { $0 } }

    /// The heaps that may exist, first the one that uses no reserved memory.
    static let heaps = ["system", "linux,cma", "reserved", "default_cma_region"]

    /// Opens a heap, allocates once, imports the buffer and measures how fast it is read.
    ///
    /// - Parameter folder: where the heaps are.
    init(
        device: DRMDevice, heap name: String, in folder: String = "/dev/dma_heap", clock: any HostClock
    ) throws(DisplayError) {
        self.device = device
        heapName = name
        self.name = name == "system" ? "dma-heap" : "dma-heap \(name)"
        do {
            heap = try FileDescriptor(opening: "\(folder)/\(name)", flags: O_RDWR)
        } catch {
            throw DisplayError(.allocate, on: "the dma-heap \(name)", code: error.code)
        }
        try measured.measure(with: self, clock: clock)
    }

    func makeBlock(format: PixelFormat, width: Int, height: Int, byteCount: Int, stride: Int) throws(DisplayError) -> ScanOutBlock
    {
        let number = try drm(.allocate, on: "the dma-heap \(heapName)") {
            marquee_dma_heap_allocate(heap.number, UInt64(byteCount))
        }
        let buffer = FileDescriptor(adopting: number)
        let handle = try device.importBuffer(number)
        return try ScanOutBlock(
            device: device, handle: handle, kind: .buffer(buffer), byteCount: byteCount, mapping: number, offset: 0)
    }
}
