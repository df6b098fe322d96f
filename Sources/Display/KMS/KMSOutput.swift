import CDRM
import Glibc
import MediaModel
import MediaTime

/// A mode that a screen offers, in the kernel's form and in ours.
struct KMSMode: Sendable {
    var info: drmModeModeInfo
    var mode: DisplayMode
    var isPreferred: Bool
    /// Given on the kernel's command line (`video=HDMI-A-1:1280x720@50`).
    var isFromCommandLine: Bool

    /// - Returns: nil for interlaced modes and those without a clock, which are not used.
    init?(_ info: drmModeModeInfo) {
        guard info.flags & UInt32(DRM_MODE_FLAG_INTERLACE) == 0, info.clock > 0, info.htotal > 0, info.vtotal > 0 else {
            return nil
        }
        let scans = (info.flags & UInt32(DRM_MODE_FLAG_DBLSCAN) != 0 ? 2 : 1) * max(Int64(info.vscan), 1)
        self.info = info
        // Not the rounded `vrefresh`, which cannot tell 59.94 from 60.
        mode = DisplayMode(
            width: Int(info.hdisplay), height: Int(info.vdisplay),
            refresh: Ratio(Int64(info.clock) * 1000, Int64(info.htotal) * Int64(info.vtotal) * scans))
        isPreferred = info.type & UInt32(DRM_MODE_TYPE_PREFERRED) != 0
        isFromCommandLine = info.type & UInt32(DRM_MODE_TYPE_USERDEF) != 0
    }

    /// The wanted size at the rate nearest to the wanted one; otherwise the mode from the kernel command line, the preferred
    /// mode, or the first.
    static func choose(_ modes: [KMSMode], wanted: DisplayMode?) -> KMSMode? {
        if let wanted {
            let fitting = modes.filter { $0.mode.width == wanted.width && $0.mode.height == wanted.height }
            func distance(_ mode: KMSMode) -> Double { abs(mode.mode.refresh.approximateValue - wanted.refresh.approximateValue) }
            if let best = fitting.min(by: { distance($0) < distance($1) }) { return best }
        }
        return modes.first(where: \.isFromCommandLine) ?? modes.first(where: \.isPreferred) ?? modes.first
    }
}

/// A plane that the chosen CRTC can use.
struct KMSPlane: Sendable {
    let properties: DRMProperties
    let profile: PlaneProfile
    /// The range of its z position, if it can be set; nil when it is fixed.
    let settableZ: ClosedRange<UInt64>?
    private let order: (UInt64, UInt32)

    var id: UInt32 { properties.object }

    /// - Returns: nil if the CRTC cannot use the plane.
    init?(_ device: DRMDevice, id: UInt32, crtcIndex: Int) throws(DisplayError) {
        guard let plane = drmModeGetPlane(device.number, id) else {
            throw DisplayError(.readResources, on: device.name, code: errno)
        }
        defer { drmModeFreePlane(plane) }
        guard plane.pointee.possible_crtcs & (1 << UInt32(crtcIndex)) != 0 else { return nil }
        let codes = Set((0..<Int(plane.pointee.count_formats)).map { plane.pointee.formats[$0] })
        properties = try DRMProperties(device, object: id, type: UInt32(DRM_MODE_OBJECT_PLANE))
        let kind = properties["type"]?.value ?? UInt64(DRM_PLANE_TYPE_OVERLAY)
        profile = PlaneProfile(
            formats: Set(PixelFormat.allCases.filter { $0.fourCC.map(codes.contains) ?? false }),
            hasAlpha: properties["alpha"] != nil, isCursor: kind == UInt64(DRM_PLANE_TYPE_CURSOR),
            columnFormats: FormatModifiers(try DRMBlob.bytes(of: properties["IN_FORMATS"]?.value ?? 0, on: device)).sand128,
            rotations: Set(properties.rotations.keys).union([.none]))
        let z = properties["zpos"]
        settableZ = z.flatMap { $0.isImmutable || $0.range.count < 2 ? nil : $0.range[0]...max($0.range[0], $0.range[1]) }
        // Without a z position the primary plane is lowest and the cursor highest.
        let place: UInt64 = kind == UInt64(DRM_PLANE_TYPE_PRIMARY) ? 0 : kind == UInt64(DRM_PLANE_TYPE_CURSOR) ? 1 << 32 : 1 << 16
        order = (z?.value ?? place, id)
    }

    /// All planes of a CRTC from the lowest to the highest.
    static func all(_ device: DRMDevice, crtcIndex: Int) throws(DisplayError) -> [KMSPlane] {
        guard let list = drmModeGetPlaneResources(device.number) else {
            throw DisplayError(.readResources, on: device.name, code: errno)
        }
        defer { drmModeFreePlaneResources(list) }
        var planes: [KMSPlane] = []
        for index in 0..<Int(list.pointee.count_planes) {
            if let plane = try KMSPlane(device, id: list.pointee.planes[index], crtcIndex: crtcIndex) { planes.append(plane) }
        }
        return planes.sorted { $0.order < $1.order }
    }
}

/// The path of a picture to a screen: connector, CRTC and planes, as read from the kernel.
struct KMSOutput: Sendable {
    let device: DRMDevice
    /// E.g. `HDMI-A-1`.
    let connectorName: String
    let connector: DRMProperties
    let crtc: DRMProperties
    let crtcIndex: Int
    let planes: [KMSPlane]
    /// In the order in which the screen lists them.
    var modes: [KMSMode]
    /// What the screen says of itself; empty when it could not be read.
    let edid: [UInt8]
    /// Other connectors that the CRTC still drives, such as the one that the screen was moved from.
    let rivals: [DRMProperties]
    /// The connector that reads back what the CRTC composed, if the card has one.
    let writeback: DRMProperties?
    /// What the screen says of its dynamic range.
    let sink: SinkAbility
    /// What of it can be signalled.
    let rangeAbility: RangeAbility

    /// The first connector with a screen, and a CRTC for it.
    ///
    /// - Parameter preferred: the id of the connector used before; it is tried first.
    /// - Throws: `DisplayError` when no screen is connected or no CRTC can drive it.
    init(_ device: DRMDevice, preferred: UInt32? = nil) throws(DisplayError) {
        guard let resources = drmModeGetResources(device.number) else {
            throw DisplayError(.readResources, on: device.name, code: errno)
        }
        defer { drmModeFreeResources(resources) }
        let crtcs = (0..<Int(resources.pointee.count_crtcs)).map { resources.pointee.crtcs[$0] }
        var ids = (0..<Int(resources.pointee.count_connectors)).map { resources.pointee.connectors[$0] }
        if let preferred, let place = ids.firstIndex(of: preferred) { ids.insert(ids.remove(at: place), at: 0) }
        var connectors: [Connector] = []
        for id in ids {
            if let connector = try Connector(device, id: id) { connectors.append(connector) }
        }
        guard let screen = connectors.first(where: { !$0.isWriteback && $0.isConnected && !$0.modes.isEmpty }) else {
            let names = connectors.filter { !$0.isWriteback }.map(\.name).joined(separator: ", ")
            throw DisplayError(
                .readResources, on: device.name,
                because: names.isEmpty ? "it has no connector for a screen" : "no screen is connected to \(names)")
        }
        let usable = crtcs.indices.filter { screen.possibleCRTCs & (1 << UInt32($0)) != 0 }
        // One that shows the console on another screen is left alone if possible: most cards refuse a CRTC with two connectors.
        let taken = connectors.filter { !$0.isWriteback && $0.isConnected && $0.properties.object != screen.properties.object }
            .compactMap { $0.properties["CRTC_ID"]?.value }
        let chosen =
            usable.first { UInt64(crtcs[$0]) == screen.properties["CRTC_ID"]?.value }
            ?? usable.first { !taken.contains(UInt64(crtcs[$0])) } ?? usable.first
        guard let index = chosen else {
            throw DisplayError(.readResources, on: "\(device.name) \(screen.name)", because: "no CRTC reaches it")
        }
        self.device = device
        connectorName = screen.name
        connector = screen.properties
        crtcIndex = index
        crtc = try DRMProperties(device, object: crtcs[index], type: UInt32(DRM_MODE_OBJECT_CRTC))
        planes = try KMSPlane.all(device, crtcIndex: index)
        modes = screen.modes
        edid = screen.edid
        sink = SinkAbility(edid: edid)
        rangeAbility = RangeAbility(screen.properties, sink, planes: planes)
        rivals = connectors.filter { !$0.isWriteback }.map(\.properties).filter {
            $0.object != screen.properties.object && $0["CRTC_ID"]?.value == UInt64(crtcs[index])
        }
        writeback = connectors.first { $0.isWriteback && $0.possibleCRTCs & (1 << UInt32(index)) != 0 }?.properties
    }

    /// Switches the CRTC off and detaches the connector.
    func detach(_ request: inout AtomicRequest) {
        request.set(connector, "CRTC_ID", 0)
        request.set(crtc, "MODE_ID", 0)
        request.set(crtc, "ACTIVE", 0)
    }

    /// The connector as it is now; nil when it is gone. Asks the hardware, which may take some tens of milliseconds.
    func readConnector() throws(DisplayError) -> Connector? { try Connector(device, id: connector.object) }

    /// What the kernel says of a connector.
    struct Connector {
        let name: String
        let isWriteback: Bool
        let isConnected: Bool
        let possibleCRTCs: UInt32
        let modes: [KMSMode]
        let edid: [UInt8]
        let properties: DRMProperties

        /// - Returns: nil if there is no such connector any more.
        init?(_ device: DRMDevice, id: UInt32) throws(DisplayError) {
            guard let connector = drmModeGetConnector(device.number, id) else {
                let code = errno
                if code == ENOENT { return nil }
                throw DisplayError(.readResources, on: device.name, code: code)
            }
            defer { drmModeFreeConnector(connector) }
            let kind = connector.pointee.connector_type
            let kindName = drmModeGetConnectorTypeName(kind).map { String(cString: $0) } ?? "Unknown"
            name = "\(kindName)-\(connector.pointee.connector_type_id)"
            properties = try DRMProperties(device, object: id, type: UInt32(DRM_MODE_OBJECT_CONNECTOR))
            isWriteback = kind == UInt32(DRM_MODE_CONNECTOR_WRITEBACK)
            isConnected = connector.pointee.connection == DRM_MODE_CONNECTED && properties["non-desktop"]?.value != 1
            possibleCRTCs = drmModeConnectorGetPossibleCrtcs(device.number, connector)
            modes = (0..<Int(connector.pointee.count_modes)).compactMap { KMSMode(connector.pointee.modes[$0]) }
            edid =
                try properties["EDID"].map { property throws(DisplayError) in try DRMBlob.bytes(of: property.value, on: device) }
                ?? []
        }
    }
}
