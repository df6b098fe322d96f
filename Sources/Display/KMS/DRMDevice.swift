import CDRM
import CLinux
import Glibc
import LinuxSupport
import MediaModel
import Synchronization

/// An open graphics card of which this process is master. It tracks every framebuffer that it registered, so that none is leaked, and how often each buffer
/// was imported.
///
/// Any thread; the kernel serializes concurrent calls. The descriptor is closed when the last buffer made from it is released.
final class DRMDevice: Sendable {
    /// The path of the card, e.g. `/dev/dri/card0`.
    let path: String
    /// The name of the kernel's driver, e.g. `vc4`.
    let driver: String
    private let descriptor: FileDescriptor
    private struct Registry {
        var framebuffers: Set<UInt32> = []
        var isRetired = false
        /// How many users each imported buffer has, by its handle.
        var imports: [UInt32: Int] = [:]
    }
    private let registry = Mutex(Registry())
    /// Whether framebuffers can state the order of their samples (DRM_CAP_ADDFB2_MODIFIERS).
    private let takesModifiers: Bool

    /// The descriptor's number, for calls made while this object is alive.
    var number: Int32 { descriptor.number }
    /// The last part of the path, for messages.
    var name: String { String(path.split(separator: "/").last ?? "card") }

    /// Opens a card and becomes its DRM master with atomic mode setting.
    ///
    /// - Throws: `DisplayError` when there is no such card, another program is master, or the driver is not atomic.
    init(path: String) throws(DisplayError) {
        self.path = path
        let name = String(path.split(separator: "/").last ?? "card")
        do {
            descriptor = try FileDescriptor(opening: path, flags: O_RDWR | O_NONBLOCK)
        } catch {
            throw DisplayError(.openCard, on: path, code: error.code)
        }
        let number = descriptor.number
        driver = Self.driverName(number)
        try Self.becomeMaster(number, name)
        try drm(.readResources, on: "\(name), whose driver \(driver) has no universal planes") {
            drmSetClientCap(number, UInt64(DRM_CLIENT_CAP_UNIVERSAL_PLANES), 1)
        }
        try drm(.readResources, on: "\(name), whose driver \(driver) has no atomic mode setting") {
            drmSetClientCap(number, UInt64(DRM_CLIENT_CAP_ATOMIC), 1)
        }
        // Without it the screen cannot be read back, but pictures can still be shown.
        _ = drmSetClientCap(number, UInt64(DRM_CLIENT_CAP_WRITEBACK_CONNECTORS), 1)
        var takesModifiers: UInt64 = 0
        self.takesModifiers = drmGetCap(number, UInt64(DRM_CAP_ADDFB2_MODIFIERS), &takesModifiers) == 0 && takesModifiers == 1
        var isMonotonic: UInt64 = 0
        guard drmGetCap(number, UInt64(DRM_CAP_TIMESTAMP_MONOTONIC), &isMonotonic) == 0, isMonotonic == 1 else {
            throw DisplayError(
                .readResources, on: name, because: "its driver \(driver) does not stamp flips with CLOCK_MONOTONIC")
        }
    }

    /// Becomes DRM master, unless this process is.
    ///
    /// - Throws: `DisplayError` while another program is master.
    func becomeMaster() throws(DisplayError) { try Self.becomeMaster(number, name) }

    private static func becomeMaster(_ number: Int32, _ name: String) throws(DisplayError) {
        if drmIsMaster(number) == 0 { try drm(.becomeMaster, on: name) { drmSetMaster(number) } }
    }

    /// The name of a card's kernel driver; nil when there is no card or it cannot be opened.
    static func driver(ofCard path: String) -> String? {
        guard let descriptor = try? FileDescriptor(opening: path, flags: O_RDWR) else { return nil }
        return driverName(descriptor.number)
    }

    private static func driverName(_ number: Int32) -> String {
        guard let version = drmGetVersion(number) else { return "unknown" }
        defer { drmFreeVersion(version) }
        return version.pointee.name.map { String(cString: $0) } ?? "unknown"
    }

    /// Registers a picture with the kernel (drmModeAddFB2).
    ///
    /// - Parameter handle: the GEM handle of the memory that holds all planes.
    func addFramebuffer(_ picture: PixelBuffer, fourCC: UInt32, handle: UInt32) throws(DisplayError) -> UInt32 {
        var handles = [UInt32](repeating: 0, count: 4)
        var pitches = handles
        var offsets = handles
        for (index, plane) in picture.planes.enumerated() {
            handles[index] = handle
            pitches[index] = UInt32(plane.stride)
            offsets[index] = UInt32(plane.offset)
        }
        var id: UInt32 = 0
        try drm(.addFramebuffer, on: "\(name) (\(picture.format) \(picture.width)x\(picture.height))") {
            drmModeAddFB2(number, UInt32(picture.width), UInt32(picture.height), fourCC, handles, pitches, offsets, &id, 0)
        }
        registry.withLock { _ = $0.framebuffers.insert(id) }
        return id
    }

    /// Registers a decoder's picture with the kernel (drmModeAddFB2WithModifiers).
    ///
    /// - Parameter buffers: the GEM handle of each of its buffers.
    func addFramebuffer(_ layout: SurfaceLayout, buffers: [UInt32]) throws(DisplayError) -> UInt32 {
        // The kernel takes no odd lengths of subsampled formats; the last column and row are not shown.
        let (width, height) = (layout.width & ~1, layout.height & ~1)
        guard let fourCC = layout.format.fourCC, width > 0, height > 0, takesModifiers || layout.tiling == .linear else {
            throw DisplayError(
                .addFramebuffer, on: name,
                because:
                    "it shows no \(layout.format) of \(layout.width)x\(layout.height) in the order of samples of this decoder")
        }
        var handles = [UInt32](repeating: 0, count: 4)
        var (pitches, offsets, modifiers) = (handles, handles, [UInt64](repeating: 0, count: 4))
        for (index, plane) in layout.planes.enumerated() {
            handles[index] = buffers[plane.buffer]
            pitches[index] = UInt32(plane.pitch)
            offsets[index] = UInt32(plane.offset)
            modifiers[index] = layout.tiling.modifier
        }
        let flags = takesModifiers ? UInt32(DRM_MODE_FB_MODIFIERS) : 0
        var id: UInt32 = 0
        try drm(.addFramebuffer, on: "\(name) (\(layout.format) \(width)x\(height) of a decoder)") {
            drmModeAddFB2WithModifiers(
                number, UInt32(width), UInt32(height), fourCC, handles, pitches, offsets, takesModifiers ? modifiers : nil, &id,
                flags)
        }
        registry.withLock { _ = $0.framebuffers.insert(id) }
        return id
    }

    /// Imports a dma-buf (drmPrimeFDToHandle).
    ///
    /// - Returns: its GEM handle. A buffer that is imported twice has the same handle both times, which is closed when the last user does so.
    func importBuffer(_ buffer: Int32) throws(DisplayError) -> UInt32 {
        // Another thread must not close the handle between the call and its being counted.
        try registry.withLock { registry throws(DisplayError) in
            var handle: UInt32 = 0
            try drm(.importBuffer, on: name) { drmPrimeFDToHandle(number, buffer, &handle) }
            registry.imports[handle, default: 0] += 1
            return handle
        }
    }

    /// Gives up an imported buffer.
    func closeBuffer(_ handle: UInt32) {
        registry.withLock { registry in
            let users = registry.imports[handle] ?? 1
            registry.imports[handle] = users > 1 ? users - 1 : nil
            if users == 1 { _ = drmCloseBufferHandle(number, handle) }
        }
    }

    /// Removes a framebuffer, unless `retire` already has.
    func removeFramebuffer(_ id: UInt32) {
        guard registry.withLock({ $0.framebuffers.remove(id) != nil }) else { return }
        _ = drmModeRmFB(number, id)
    }

    /// Removes all framebuffers and drops DRM master. The display is done with the card, though other code may still hold
    /// pictures in its memory.
    func retire() {
        let left = registry.withLock { registry in
            registry.isRetired = true
            defer { registry.framebuffers = [] }
            return registry.framebuffers.sorted()
        }
        for id in left { _ = drmModeRmFB(number, id) }
        _ = drmDropMaster(number)
    }

    /// Whether `retire` was called: nothing can be shown any more.
    var isRetired: Bool { registry.withLock { $0.isRetired } }
}

extension PixelFormat {
    /// The kernel's format code (drm_fourcc.h); nil if it has none.
    var fourCC: UInt32? {
        switch self {
        case .yuv420p: Self.code("YU12")
        case .nv12: Self.code("NV12")
        case .yuv422p: Self.code("YU16")
        case .yuv444p: Self.code("YU24")
        case .p010: Self.code("P010")
        case .xrgb8888: Self.code("XR24")
        case .argb8888: Self.code("AR24")
        // The kernel's three-plane 10-bit formats keep the value in the high bits.
        case .yuv420p10: nil
        }
    }

    private static func code(_ text: StaticString) -> UInt32 {
        text.withUTF8Buffer { UInt32($0[0]) | UInt32($0[1]) << 8 | UInt32($0[2]) << 16 | UInt32($0[3]) << 24 }
    }
}
