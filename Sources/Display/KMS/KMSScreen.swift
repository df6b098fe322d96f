import CDRM
import Glibc
import LinuxSupport
import MediaModel
import MediaTime

/// The screen as a transaction: builds one atomic request for a whole picture, tests or commits it, and tracks the committed
/// values so that only changes are sent. Used by one thread at a time: first the one that opens the display, then the display's.
final class KMSScreen: ScanOutScreen {
    let device: DRMDevice
    private(set) var output: KMSOutput
    private(set) var mode: KMSMode
    /// Whether the writeback connector is attached to the CRTC.
    private(set) var canReadBack = false
    private let saved: SavedScreen
    private var controls: ScreenControls
    private let clock: any HostClock
    private var knownScreens = KnownScreens()

    /// Switches a screen on, black.
    init(_ output: KMSOutput, wanted: DisplayMode?, clock: any HostClock) throws(DisplayError) {
        guard let mode = KMSMode.choose(output.modes, wanted: wanted) else {
            throw DisplayError(
                .setMode, on: "\(output.device.name) \(output.connectorName)", because: "the screen offers no mode")
        }
        device = output.device
        self.output = output
        self.mode = mode
        self.clock = clock
        saved = SavedScreen(output)
        controls = ScreenControls(output)
        _ = knownScreens.modes(of: output, at: clock.now)
        try setMode()
    }

    var name: String { "\(device.name) \(output.connectorName)" }
    var eventDescriptor: Int32 { device.number }
    var displayMode: DisplayMode { mode.mode }
    var planes: [PlaneProfile] { output.planes.map(\.profile) }
    var showsBackground: Bool { output.crtc["BACKGROUND_COLOR"] != nil }

    var condition: ScreenCondition {
        let found: KMSOutput.Connector?
        do {
            found = try output.readConnector()
        } catch {
            return .unknown
        }
        guard let now = found, now.isConnected else { return .absent }
        guard let driven = now.properties["CRTC_ID"]?.value, driven == UInt64(output.crtc.object) else { return .changed }
        if now.properties.value(of: "Bad", in: "link-status").map({ now.properties["link-status"]?.value == $0 }) ?? false {
            return .changed
        }
        // An EDID that cannot be read any more is not another screen: receivers that switch over hide it for seconds.
        return now.edid.isEmpty || now.edid == output.edid ? .same : .changed
    }

    func mode(nearestTo wanted: DisplayMode?) -> DisplayMode? { KMSMode.choose(output.modes, wanted: wanted)?.mode }

    func canScanOut(_ pixels: PixelBuffer) -> Bool {
        guard let surface = pixels.surface else { return pixels.scanOutBlock?.device === device }
        let isInColumns = pixels.isInColumns
        return planes.contains { (isInColumns ? $0.columnFormats : $0.formats).contains(pixels.format) }
            && surface.isShowable(on: device)
    }

    /// The framebuffer of a picture whose memory the card can scan out.
    private func framebuffer(of pixels: PixelBuffer) throws(DisplayError) -> UInt32 {
        if let surface = pixels.surface { return try surface.framebuffer(on: device) }
        guard let block = pixels.scanOutBlock else {
            throw DisplayError(.addFramebuffer, on: device.name, because: "the picture is not in memory that it can show")
        }
        return try block.framebuffer(of: pixels)
    }

    func reset(wanted: DisplayMode?) throws(DisplayError) {
        // Another program may have taken the card since; the kernel refuses everything to those who are not its master.
        try device.becomeMaster()
        var output = try KMSOutput(device, preferred: output.connector.object)
        guard let modes = knownScreens.modes(of: output, at: clock.now) else {
            throw DisplayError(.readResources, on: name, because: "the screen has not told its modes yet")
        }
        output.modes = modes
        guard let mode = KMSMode.choose(output.modes, wanted: wanted) else {
            throw DisplayError(.setMode, on: name, because: "the screen offers no mode")
        }
        let left = self.output
        self.output = output
        self.mode = mode
        try setMode(leaving: left)
    }

    /// A full mode set with no plane attached. Blocks until the kernel is done.
    ///
    /// - Parameter left: the output until now.
    private func setMode(leaving left: KMSOutput? = nil) throws(DisplayError) {
        controls = ScreenControls(output)
        let blob = try DRMBlob(mode.info, on: device)
        let flags = UInt32(DRM_MODE_ATOMIC_ALLOW_MODESET)
        canReadBack = false
        if output.writeback != nil {
            let request = modeRequest(blob.id, leaving: left, joiningWriteback: true)
            canReadBack = request.commit(device, flags: flags | UInt32(DRM_MODE_ATOMIC_TEST_ONLY)) == 0
        }
        let request = modeRequest(blob.id, leaving: left, joiningWriteback: canReadBack)
        try drm(.setMode, on: "\(name) to \(mode.mode)") { -request.commit(device, flags: flags) }
    }

    private func modeRequest(_ blob: UInt32, leaving left: KMSOutput?, joiningWriteback: Bool) -> AtomicRequest {
        var request = AtomicRequest()
        if let left, left.crtc.object != output.crtc.object { left.detach(&request) }
        // Most cards refuse a CRTC with two connectors.
        for rival in output.rivals { request.set(rival, "CRTC_ID", 0) }
        for plane in output.planes {
            request.set(plane.properties, "FB_ID", 0)
            request.set(plane.properties, "CRTC_ID", 0)
        }
        request.set(output.connector, "CRTC_ID", UInt64(output.crtc.object))
        if let good = output.connector.value(of: "Good", in: "link-status") { request.set(output.connector, "link-status", good) }
        if joiningWriteback, let writeback = output.writeback { request.set(writeback, "CRTC_ID", UInt64(output.crtc.object)) }
        request.set(output.crtc, "MODE_ID", UInt64(blob))
        request.set(output.crtc, "ACTIVE", 1)
        return request
    }

    func switchOff() {
        controls = ScreenControls(output)
        var request = AtomicRequest()
        for plane in output.planes {
            request.set(plane.properties, "FB_ID", 0)
            request.set(plane.properties, "CRTC_ID", 0)
        }
        request.set(output.crtc, "ACTIVE", 0)
        _ = request.commit(device, flags: UInt32(DRM_MODE_ATOMIC_ALLOW_MODESET))
    }

    func accepts(_ pictures: [PlanePicture], background: OpaqueColour) -> Bool {
        guard let change = try? change(to: pictures, background: background) else { return false }
        return change.request.commit(device, flags: UInt32(DRM_MODE_ATOMIC_TEST_ONLY)) == 0
    }

    func commit(
        _ pictures: [PlanePicture], background: OpaqueColour, token: UInt64, readInto: PixelBuffer?
    ) throws(DisplayError) -> (CommitVerdict, FileDescriptor?) {
        var change = try change(to: pictures, background: background)
        let fence = UnsafeMutablePointer<Int32>.allocate(capacity: 2)
        defer { fence.deallocate() }
        fence.initialize(repeating: -1, count: 2)
        if let readInto, let writeback = output.writeback, let block = readInto.scanOutBlock {
            change.request.set(writeback, "WRITEBACK_FB_ID", UInt64(try block.framebuffer(of: readInto)))
            change.request.set(writeback, "WRITEBACK_OUT_FENCE_PTR", UInt64(UInt(bitPattern: fence)))
        }
        let flags = UInt32(DRM_MODE_ATOMIC_NONBLOCK) | UInt32(DRM_MODE_PAGE_FLIP_EVENT)
        let code = change.request.commit(device, flags: flags, token: token)
        guard code == 0 else { return (code == EBUSY ? .busy : .refused(code), nil) }
        controls.took(change)
        return (.accepted, fence[0] >= 0 ? FileDescriptor(adopting: fence[0]) : nil)
    }

    private func change(to pictures: [PlanePicture], background: OpaqueColour) throws(DisplayError) -> ScreenControls.Change {
        try controls.change(to: pictures, background: background) { picture throws(DisplayError) in
            try framebuffer(of: picture.pixels)
        }
    }

    func readFlips(_ report: (CompletedFlip) -> Void) {
        withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 8) { buffer in
            let count = read(device.number, buffer.baseAddress, buffer.count)
            var offset = 0
            while offset + MemoryLayout<drm_event>.size <= count {
                let head = buffer.loadUnaligned(fromByteOffset: offset, as: drm_event.self)
                guard head.length >= UInt32(MemoryLayout<drm_event>.size) else { break }
                if head.type == UInt32(DRM_EVENT_FLIP_COMPLETE), offset + MemoryLayout<drm_event_vblank>.size <= count {
                    let event = buffer.loadUnaligned(fromByteOffset: offset, as: drm_event_vblank.self)
                    let nanoseconds = Int64(event.tv_sec) * 1_000_000_000 + Int64(event.tv_usec) * 1000
                    report(CompletedFlip(token: event.user_data, nanoseconds: nanoseconds, sequence: event.sequence))
                }
                offset += Int(head.length)
            }
        }
    }

    func lastBlank() -> (nanoseconds: Int64, sequence: UInt64)? {
        var sequence: UInt64 = 0
        var nanoseconds: UInt64 = 0
        guard drmCrtcGetSequence(device.number, output.crtc.object, &sequence, &nanoseconds) == 0 else { return nil }
        var now = timespec()
        clock_gettime(CLOCK_MONOTONIC, &now)
        let latest = Int64(now.tv_sec) * 1_000_000_000 + Int64(now.tv_nsec)
        guard let time = Int64(exactly: nanoseconds), time > 0, time <= latest else { return nil }
        return (time, sequence)
    }

    func restore() { saved.restore(output) }

    var refreshRates: [Ratio] {
        output.modes.filter { $0.mode.width == mode.mode.width && $0.mode.height == mode.mode.height }.map(\.mode.refresh)
    }
}

extension ColourDescription.Matrix {
    /// The kernel's name for it (drm_color_mgmt.c).
    var propertyName: String {
        switch self {
        case .bt601: "ITU-R BT.601 YCbCr"
        case .bt709: "ITU-R BT.709 YCbCr"
        case .bt2020: "ITU-R BT.2020 YCbCr"
        }
    }
}
