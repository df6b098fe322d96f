import CDRM

/// The state of connector, CRTC and planes before this process changed it, to restore the screen as it was found.
struct SavedScreen: Sendable {
    private let connector: DRMProperties
    private let crtc: DRMProperties
    private let planes: [DRMProperties]
    private let mode: [UInt8]
    /// Of a high dynamic range.
    private let metadata: [UInt8]

    init(_ output: KMSOutput) {
        connector = output.connector
        crtc = output.crtc
        planes = output.planes.map(\.properties)
        mode = (try? DRMBlob.bytes(of: output.crtc["MODE_ID"]?.value ?? 0, on: output.device)) ?? []
        metadata = (try? DRMBlob.bytes(of: connector["HDR_OUTPUT_METADATA"]?.value ?? 0, on: output.device)) ?? []
    }

    /// Restores everything. If the kernel refuses (the former owner's pictures are gone), it disables at least the planes, so
    /// that the kernel's console can use the screen.
    func restore(_ output: KMSOutput) {
        let flags = UInt32(DRM_MODE_ATOMIC_ALLOW_MODESET)
        let device = output.device
        if put(output, planesToo: true, flags: flags) { return }
        if put(output, planesToo: false, flags: flags) { return }
        var request = AtomicRequest()
        switchOffPlanes(&request)
        leave(output, &request)
        if let writeback = output.writeback { request.set(writeback, "CRTC_ID", 0) }
        request.set(connector, "CRTC_ID", 0)
        request.set(connector, "HDR_OUTPUT_METADATA", 0)
        request.set(crtc, "MODE_ID", 0)
        request.set(crtc, "ACTIVE", 0)
        _ = request.commit(device, flags: flags)
    }

    private func put(_ output: KMSOutput, planesToo: Bool, flags: UInt32) -> Bool {
        let device = output.device
        var request = AtomicRequest()
        var modeID: UInt32 = 0
        if !mode.isEmpty { _ = drmModeCreatePropertyBlob(device.number, mode, mode.count, &modeID) }
        var metadataID: UInt32 = 0
        if !metadata.isEmpty { _ = drmModeCreatePropertyBlob(device.number, metadata, metadata.count, &metadataID) }
        defer { for id in [modeID, metadataID] where id != 0 { _ = drmModeDestroyPropertyBlob(device.number, id) } }
        leave(output, &request)
        request.set(connector, "CRTC_ID", connector["CRTC_ID"]?.value ?? 0)
        request.set(connector, "HDR_OUTPUT_METADATA", UInt64(metadataID))
        for name in ["Colorspace", "max bpc"] { if let value = connector[name]?.value { request.set(connector, name, value) } }
        request.set(crtc, "MODE_ID", UInt64(modeID))
        request.set(crtc, "ACTIVE", modeID == 0 ? 0 : crtc["ACTIVE"]?.value ?? 0)
        if let colour = crtc["BACKGROUND_COLOR"]?.value { request.set(crtc, "BACKGROUND_COLOR", colour) }
        if planesToo {
            for plane in planes {
                for (name, property) in plane.settable where Self.restored.contains(name) {
                    request.set(plane.object, property.id, property.value)
                }
            }
        } else {
            switchOffPlanes(&request)
        }
        return request.commit(device, flags: flags) == 0
    }

    /// The screen may have been moved to another connector since.
    private func leave(_ output: KMSOutput, _ request: inout AtomicRequest) {
        if output.crtc.object != crtc.object {
            output.detach(&request)
        } else if output.connector.object != connector.object {
            request.set(output.connector, "CRTC_ID", 0)
        }
    }

    private func switchOffPlanes(_ request: inout AtomicRequest) {
        for plane in planes {
            request.set(plane, "FB_ID", 0)
            request.set(plane, "CRTC_ID", 0)
        }
    }

    /// The plane properties that this module changes.
    private static let restored: Set<String> = [
        "FB_ID", "CRTC_ID", "SRC_X", "SRC_Y", "SRC_W", "SRC_H", "CRTC_X", "CRTC_Y", "CRTC_W", "CRTC_H", "COLOR_ENCODING",
        "COLOR_RANGE",
        "alpha", "zpos", "rotation", "pixel blend mode",
    ]
}
