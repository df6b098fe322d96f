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
    let rotation: DisplayRotation
    /// Whether the writeback connector is attached to the CRTC.
    private(set) var canReadBack = false
    private(set) var signal: RangeSignal?
    private let saved: SavedScreen
    private var controls: ScreenControls
    private let clock: any HostClock
    private var knownScreens = KnownScreens()
    /// The value of `max bpc` of each connector before this process changed it.
    private var foundBits: [UInt32: UInt64] = [:]

    /// Switches a screen on, black.
    init(
        _ output: KMSOutput, wanted: DisplayMode?, rotation: DisplayRotation = .none, clock: any HostClock
    ) throws(DisplayError) {
        guard let mode = KMSMode.choose(output.modes, wanted: wanted) else {
            throw DisplayError(
                .setMode, on: "\(output.device.name) \(output.connectorName)", because: "the screen offers no mode")
        }
        device = output.device
        self.output = output
        self.mode = mode
        self.rotation = rotation
        self.clock = clock
        saved = SavedScreen(output)
        controls = ScreenControls(output)
        _ = knownScreens.modes(of: output, at: clock.now)
        try setMode(signal: nil)
    }

    var name: String { "\(device.name) \(output.connectorName)" }
    var eventDescriptor: Int32 { device.number }
    var displayMode: DisplayMode { mode.mode }
    var planes: [PlaneProfile] { output.planes.map(\.profile) }
    var showsBackground: Bool { output.crtc["BACKGROUND_COLOR"] != nil }
    var ranges: Set<HighDynamicRange> { output.rangeAbility.ranges }

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
    private func framebuffer(of picture: PlanePicture) throws(DisplayError) -> UInt32 {
        let pixels = picture.pixels
        if let surface = pixels.surface { return try surface.framebuffer(on: device) }
        guard let block = pixels.scanOutBlock else {
            throw DisplayError(.addFramebuffer, on: device.name, because: "the picture is not in memory that it can show")
        }
        return try block.framebuffer(of: pixels)
    }

    func reset(wanted: DisplayMode?, signal: RangeSignal?) throws(DisplayError) {
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
        try setMode(leaving: left, signal: signal.flatMap { ranges.contains($0.range) ? $0 : nil })
    }

    /// A full mode set with no plane attached. Blocks until the kernel is done.
    ///
    /// - Parameter left: the output until now.
    private func setMode(leaving left: KMSOutput? = nil, signal: RangeSignal?) throws(DisplayError) {
        controls = ScreenControls(output)
        // Until the kernel has taken the new one, it is not known what is signalled.
        self.signal = nil
        let connector = output.connector
        if foundBits[connector.object] == nil { foundBits[connector.object] = connector["max bpc"]?.value }
        let blob = try DRMBlob(mode.info, on: device)
        canReadBack = false
        if let signal {
            let metadata = try DRMBlob(signal.metadata, on: device)
            try commitMode(blob.id, metadata: metadata.id, leaving: left, joiningWriteback: false)
            self.signal = signal
            return
        }
        if output.writeback != nil {
            let request = modeRequest(blob.id, metadata: nil, leaving: left, joiningWriteback: true)
            let flags = UInt32(DRM_MODE_ATOMIC_ALLOW_MODESET) | UInt32(DRM_MODE_ATOMIC_TEST_ONLY)
            canReadBack = request.commit(device, flags: flags) == 0
        }
        try commitMode(blob.id, metadata: nil, leaving: left, joiningWriteback: canReadBack)
    }

    private func commitMode(
        _ blob: UInt32, metadata: UInt32?, leaving left: KMSOutput?, joiningWriteback: Bool
    ) throws(DisplayError) {
        let request = modeRequest(blob, metadata: metadata, leaving: left, joiningWriteback: joiningWriteback)
        try drm(.setMode, on: "\(name) to \(mode.mode)\(metadata == nil ? "" : " in a high dynamic range")") {
            -request.commit(device, flags: UInt32(DRM_MODE_ATOMIC_ALLOW_MODESET))
        }
    }

    private func modeRequest(
        _ blob: UInt32, metadata: UInt32?, leaving left: KMSOutput? = nil, joiningWriteback: Bool
    ) -> AtomicRequest {
        var request = AtomicRequest()
        if let left, left.crtc.object != output.crtc.object { left.detach(&request) }
        addMode(blob, metadata: metadata, pictures: [], joiningWriteback: joiningWriteback, to: &request)
        return request
    }

    /// - Parameters:
    ///   - metadata: that of a high range.
    ///   - pictures: what the same request puts on planes; the others are switched off.
    private func addMode(
        _ blob: UInt32, metadata: UInt32?, pictures: [PlanePicture], joiningWriteback: Bool, to request: inout AtomicRequest
    ) {
        // Most cards refuse a CRTC with two connectors.
        for rival in output.rivals { request.set(rival, "CRTC_ID", 0) }
        for (index, plane) in output.planes.enumerated() where !pictures.contains(where: { $0.plane == index }) {
            request.set(plane.properties, "FB_ID", 0)
            request.set(plane.properties, "CRTC_ID", 0)
        }
        request.set(output.connector, "CRTC_ID", UInt64(output.crtc.object))
        output.rangeAbility.add(metadata, foundBits: foundBits[output.connector.object], output.connector, to: &request)
        if let good = output.connector.value(of: "Good", in: "link-status") { request.set(output.connector, "link-status", good) }
        if let writeback = output.writeback {
            if joiningWriteback { request.set(writeback, "CRTC_ID", UInt64(output.crtc.object)) }
            // It may have been joined for a standard range.
            if metadata != nil { request.set(writeback, "CRTC_ID", 0) }
        }
        request.set(output.crtc, "MODE_ID", UInt64(blob))
        request.set(output.crtc, "ACTIVE", 1)
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

    func accepts(_ pictures: [PlanePicture], wanted: DisplayMode?, signal: RangeSignal) -> Bool {
        guard let mode = KMSMode.choose(output.modes, wanted: wanted), let blob = try? DRMBlob(mode.info, on: device),
            let metadata = try? DRMBlob(signal.metadata, on: device)
        else { return false }
        // All values are sent, because those of the other range are no ground.
        var change: ScreenControls.Change
        do {
            change = try ScreenControls(output).change(to: pictures, background: .black, framebuffer: framebuffer)
        } catch {
            return false
        }
        addMode(blob.id, metadata: metadata.id, pictures: pictures, joiningWriteback: false, to: &change.request)
        let flags = UInt32(DRM_MODE_ATOMIC_ALLOW_MODESET) | UInt32(DRM_MODE_ATOMIC_TEST_ONLY)
        return change.request.commit(device, flags: flags) == 0
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
        try controls.change(to: pictures, background: background, framebuffer: framebuffer)
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
