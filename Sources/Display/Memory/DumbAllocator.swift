import CDRM
import LinuxSupport
import MediaModel
import Synchronization

/// Dumb buffers: every card has them. On many cards the CPU reads them very slowly.
final class DumbAllocator: ScanOutAllocator {
    let name = "dumb"
    let device: DRMDevice
    let pool = ScanOutPool()
    private let measured = Mutex(ReadSpeed(bytesPerSecond: 0, plainBytesPerSecond: 0))
    var readSpeed: ReadSpeed { measured.withLock { $0 } }

    /// Allocates once to measure how fast the memory is read.
    init(device: DRMDevice, clock: any HostClock) throws(DisplayError) {
        self.device = device
        try measured.measure(with: self, clock: clock)
    }

    func makeBlock(format: PixelFormat, width: Int, height: Int, byteCount: Int, stride: Int) throws(DisplayError) -> ScanOutBlock
    {
        // The kernel sizes dumb buffers as one plane; the planes are laid out in it by hand. Rows are those of the picture
        // when they are whole 32-bit pixels: virtio-gpu scans out nothing beyond the width and height that its buffer was made
        // with. Otherwise 4096 bytes a row, a pitch that no driver pads.
        let number = device.number
        let pitchWanted = stride > 0 && stride % 4 == 0 ? stride : 4096
        var handle: UInt32 = 0
        var pitch: UInt32 = 0
        var size: UInt64 = 0
        try drm(.allocate, on: device.name) {
            drmModeCreateDumbBuffer(
                number, UInt32(pitchWanted / 4), UInt32((byteCount + pitchWanted - 1) / pitchWanted), 32, 0, &handle, &pitch,
                &size)
        }
        guard size >= UInt64(byteCount) else {
            _ = drmModeDestroyDumbBuffer(number, handle)
            throw DisplayError(.allocate, on: device.name, because: "it returned \(size) bytes instead of \(byteCount)")
        }
        var offset: UInt64 = 0
        do {
            try drm(.map, on: device.name) { drmModeMapDumbBuffer(number, handle, &offset) }
        } catch {
            _ = drmModeDestroyDumbBuffer(number, handle)
            throw error
        }
        return try ScanOutBlock(
            device: device, handle: handle, kind: .dumb, byteCount: byteCount, rowBytes: pitchWanted, mapping: number,
            offset: Int(offset))
    }
}

extension Mutex where Value == ReadSpeed {
    /// Measures the read speed of an allocator's memory and stores the result.
    func measure(with allocator: some ScanOutAllocator, clock: any HostClock) throws(DisplayError) {
        let picture = try allocator.makePicture(format: .xrgb8888, width: 640, height: 480, codedWidth: 640, codedHeight: 480)
        let speed = ReadSpeed.measure(picture, clock: clock)
        withLock { $0 = speed }
    }
}
