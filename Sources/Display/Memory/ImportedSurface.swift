import CDRM
import MediaModel

/// A decoder's memory as a card sees it: the handles of its buffers, and one framebuffer. Made once for each surface and kept with its memory, so that
/// showing a picture in it again makes no call.
final class ImportedSurface: SurfaceAttachment {
    let device: DRMDevice
    let framebuffer: UInt32
    private let handles: [UInt32]

    /// Imports the buffers (drmPrimeFDToHandle) and registers the picture (drmModeAddFB2WithModifiers).
    init(_ memory: SurfaceMemory, on device: DRMDevice) throws(DisplayError) {
        var handles: [UInt32] = []
        do throws(DisplayError) {
            for buffer in memory.buffers { handles.append(try device.importBuffer(buffer.number)) }
            framebuffer = try device.addFramebuffer(memory.layout, buffers: handles)
        } catch {
            handles.forEach(device.closeBuffer)
            throw error
        }
        self.device = device
        self.handles = handles
    }

    deinit {
        device.removeFramebuffer(framebuffer)
        handles.forEach(device.closeBuffer)
    }
}

extension SharedSurface {
    /// The framebuffer of the picture, made at the first use of its memory.
    func framebuffer(on device: DRMDevice) throws(DisplayError) -> UInt32 {
        try memory.attached { (known: ImportedSurface) in
            known.device === device
        } make: { () throws(DisplayError) in
            try ImportedSurface(memory, on: device)
        }.framebuffer
    }

    /// Whether the card can show the memory. If it cannot, the decoder is told so.
    func isShowable(on device: DRMDevice) -> Bool {
        guard pool.refusal == nil else { return false }
        do throws(DisplayError) {
            _ = try framebuffer(on: device)
            return true
        } catch {
            pool.refuse(error.asMediaError)
            return false
        }
    }
}
