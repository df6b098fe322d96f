import CDRM
import CGBM
import Glibc
import LinuxSupport
import MediaModel
import Synchronization

/// RGB memory from the card's GPU driver, linear so that the CPU can draw into it. Loading that driver can take seconds, so it is
/// made only on machines that have a GPU.
final class GBMAllocator: ScanOutAllocator {
    let name = "gbm"
    let device: DRMDevice
    let pool = ScanOutPool()
    private let gbm: GBMDevice
    private let measured = Mutex(ReadSpeed(bytesPerSecond: 0, plainBytesPerSecond: 0))
    var readSpeed: ReadSpeed { measured.withLock { $0 } }

    /// Whether the machine has a GPU that may belong to a card: a render node.
    static var isWorthTrying: Bool {
        (128..<192).contains { access("/dev/dri/renderD\($0)", F_OK) == 0 }
    }

    /// Loads the card's GPU driver, allocates once and measures how fast it is read.
    init(device: DRMDevice, clock: any HostClock) throws(DisplayError) {
        self.device = device
        gbm = try GBMDevice(device)
        try measured.measure(with: self, clock: clock)
    }

    func makeBlock(format: PixelFormat, width: Int, height: Int, byteCount: Int, stride: Int) throws(DisplayError) -> ScanOutBlock
    {
        guard !format.isYUV, let fourCC = format.fourCC else {
            throw DisplayError(.allocate, on: "GBM of \(device.name)", because: "it has no memory for \(format)")
        }
        let object = try GBMObject(
            gbm, width: stride / 4, height: (byteCount + stride - 1) / stride, fourCC: fourCC, stride: stride)
        // Not gbm_bo_get_fd(): some drivers export with it for reading only.
        let handle = gbm_bo_get_handle(object.pointer).u32
        var number: Int32 = -1
        try drm(.map, on: "GBM of \(device.name)") {
            drmPrimeHandleToFD(device.number, handle, UInt32(O_CLOEXEC | O_RDWR), &number)
        }
        let buffer = FileDescriptor(adopting: number)
        return try ScanOutBlock(
            device: device, handle: handle, kind: .gbm(object, buffer), byteCount: byteCount, mapping: number, offset: 0)
    }
}

/// The owner of a GBM device.
// Unchecked: the pointer never changes, and GBM's allocation and release take locks of their own.
final class GBMDevice: @unchecked Sendable {
    let pointer: OpaquePointer
    let device: DRMDevice

    init(_ device: DRMDevice) throws(DisplayError) {
        guard let pointer = gbm_create_device(device.number) else {
            throw DisplayError(.allocate, on: "GBM of \(device.name)", because: "there is no GPU driver for \(device.driver)")
        }
        self.pointer = pointer
        self.device = device
    }

    deinit { gbm_device_destroy(pointer) }
}

/// The owner of a GBM buffer object.
// Unchecked: the pointer never changes; its only user is the block that owns this object.
final class GBMObject: @unchecked Sendable {
    let pointer: OpaquePointer
    private let gbm: GBMDevice

    init(_ gbm: GBMDevice, width: Int, height: Int, fourCC: UInt32, stride: Int) throws(DisplayError) {
        let usage = GBM_BO_USE_SCANOUT.rawValue | GBM_BO_USE_LINEAR.rawValue | GBM_BO_USE_WRITE.rawValue
        let plain = GBM_BO_USE_SCANOUT.rawValue | GBM_BO_USE_LINEAR.rawValue
        guard
            let pointer = gbm_bo_create(gbm.pointer, UInt32(width), UInt32(height), fourCC, plain)
                ?? gbm_bo_create(gbm.pointer, UInt32(width), UInt32(height), fourCC, usage)
        else { throw DisplayError(.allocate, on: "GBM of \(gbm.device.name)", code: errno) }
        self.pointer = pointer
        self.gbm = gbm
        guard gbm_bo_get_stride(pointer) == UInt32(stride) else {
            throw DisplayError(
                .allocate, on: "GBM of \(gbm.device.name)",
                because: "its rows have \(gbm_bo_get_stride(pointer)) bytes instead of \(stride)")
        }
    }

    deinit { gbm_bo_destroy(pointer) }
}
