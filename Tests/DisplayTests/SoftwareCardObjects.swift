import CDRM
import Glibc

/// The objects of a card in memory, their properties, and the checks of the atomic helpers.
extension SoftwareCard.State {
    mutating func add(_ id: UInt32, _ kind: SoftwareCard.Thing.Kind, _ values: [(String, UInt64)]) {
        var thing = SoftwareCard.Thing(kind: kind)
        for (name, value) in values {
            if ids[name] == nil {
                let property = UInt32(500 + ids.count)
                ids[name] = property
                properties[property] = makeProperty(name)
            }
            thing.values[ids[name]!] = value
        }
        things[id] = thing
    }

    private func makeProperty(_ name: String) -> SoftwareCard.Property {
        switch name {
        case "rotation":
            SoftwareCard.Property(
                name: name, isMask: true,
                names: Self.rotationBits.enumerated().filter { quirks.rotations.contains($1) }.map { ($1, UInt64($0)) })
        case "type": SoftwareCard.Property(name: name, isImmutable: true, names: [("Overlay", 0), ("Primary", 1), ("Cursor", 2)])
        case "EDID", "non-desktop", "IN_FORMATS": SoftwareCard.Property(name: name, isImmutable: true, range: [0, .max])
        case "link-status": SoftwareCard.Property(name: name, names: [("Good", 0), ("Bad", 1)])
        case "Colorspace": SoftwareCard.Property(name: name, names: [("Default", 0), ("BT2020_RGB", 9), ("BT2020_YCC", 10)])
        case "max bpc": SoftwareCard.Property(name: name, range: [8, 16])
        case "ACTIVE": SoftwareCard.Property(name: name, range: [0, 1])
        case "CRTC_X", "CRTC_Y": SoftwareCard.Property(name: name, range: [0, .max], isSigned: true)
        case "alpha": SoftwareCard.Property(name: name, range: [0, 0xFFFF])
        case "zpos": SoftwareCard.Property(name: name, range: [0, 17])
        case "pixel blend mode":
            SoftwareCard.Property(name: name, names: [("Pre-multiplied", 0), ("Coverage", 1), ("None", 2)])
        case "COLOR_ENCODING":
            SoftwareCard.Property(
                name: name, names: [("ITU-R BT.601 YCbCr", 0), ("ITU-R BT.709 YCbCr", 1), ("ITU-R BT.2020 YCbCr", 2)])
        case "COLOR_RANGE":
            SoftwareCard.Property(name: name, names: [("YCbCr limited range", 0), ("YCbCr full range", 1)])
        default: SoftwareCard.Property(name: name, range: [0, .max])
        }
    }

    /// In the order of the kernel's bits.
    private static let rotationBits = ["rotate-0", "rotate-90", "rotate-180", "rotate-270", "reflect-x", "reflect-y"]

    func value(_ thing: SoftwareCard.Thing, _ name: String) -> UInt64 { ids[name].flatMap { thing.values[$0] } ?? 0 }

    /// The metadata of a high range that a connector signals.
    func metadata(of thing: SoftwareCard.Thing) -> [UInt8]? { blobs[UInt32(value(thing, "HDR_OUTPUT_METADATA"))] }

    var hasHighRange: Bool { things.values.contains { metadata(of: $0) != nil } }

    mutating func set(_ id: UInt32, _ name: String, _ value: UInt64) { things[id]?.values[ids[name]!] = value }

    /// Writes what a connector says of its screen into its properties.
    mutating func updateScreen(_ index: Int) {
        let (id, screen) = (UInt32(100 + index), screens[index])
        let old = UInt32(value(things[id]!, "EDID"))
        if blobs[old] != screen.edid || old == 0 {
            blobs[old] = nil
            ownBlobs.remove(old)
            set(id, "EDID", 0)
            if !screen.edid.isEmpty {
                lastID += 1
                blobs[lastID] = screen.edid
                ownBlobs.insert(lastID)
                set(id, "EDID", UInt64(lastID))
            }
        }
        set(id, "link-status", screen.isLinkBad ? 1 : 0)
    }

    mutating func master(_ call: SoftwareCard.Call) -> Int32 {
        switch call {
        case .authenticate: return isMaster ? -EINVAL : -EACCES
        case .dropMaster:
            isMaster = false
            return 0
        default:
            if hasOtherMaster { return -EBUSY }
            isMaster = true
            return 0
        }
    }

    /// The mode of a CRTC; nil: it is off.
    func mode(of crtc: Int) -> drmModeModeInfo? {
        guard let thing = things[UInt32(300 + crtc)], value(thing, "ACTIVE") == 1 else { return nil }
        return blobs[UInt32(value(thing, "MODE_ID"))]?.withUnsafeBytes { $0.loadUnaligned(as: drmModeModeInfo.self) }
    }

    func isActive(_ crtc: Int) -> Bool { things[UInt32(300 + crtc)].map { value($0, "ACTIVE") == 1 } ?? false }

    /// The connector's and the CRTC's values that only a mode set may change.
    private var modeValues: [UInt32: [UInt64]] {
        things.compactMapValues { thing in
            switch thing.kind {
            case .connector:
                [value(thing, "CRTC_ID"), value(thing, "Colorspace"), value(thing, "max bpc")]
                    + (metadata(of: thing) ?? []).map(UInt64.init)
            case .crtc: [value(thing, "MODE_ID"), value(thing, "ACTIVE")]
            case .plane: nil
            }
        }
    }

    func modeDiffers(from other: Self) -> Bool { modeValues != other.modeValues }

    /// The names of a request's properties.
    func names(_ request: drm_mode_atomic) -> [String] {
        Self.changes(request).compactMap { _, property, _ in properties[property]?.name }
    }

    /// Applies a request.
    ///
    /// - Returns: an errno if it names what does not exist, or a value out of its range.
    mutating func apply(_ request: drm_mode_atomic) -> Int32? {
        for (object, property, value) in Self.changes(request) {
            guard things[object]?.values[property] != nil, let known = properties[property] else { return ENOENT }
            if known.isImmutable { return EINVAL }
            if known.isMask {
                // Exactly one turn, and only bits that there are.
                let mask = known.names.reduce(UInt64(0)) { $0 | 1 << $1.1 }
                guard value & ~mask == 0, (value & 0xF).nonzeroBitCount == 1 else { return EINVAL }
            } else if !known.names.isEmpty, !known.names.contains(where: { $0.1 == value }) {
                return EINVAL
            }
            if known.range.count == 2, !known.isSigned, !(known.range[0]...known.range[1]).contains(value) { return EINVAL }
            if value != 0 {
                switch known.name {
                case "FB_ID": if framebuffers[UInt32(truncatingIfNeeded: value)] == nil { return EINVAL }
                case "MODE_ID": if blobs[UInt32(truncatingIfNeeded: value)]?.count != 68 { return EINVAL }
                case "HDR_OUTPUT_METADATA": if blobs[UInt32(truncatingIfNeeded: value)]?.count != 32 { return EINVAL }
                case "CRTC_ID": if things[UInt32(truncatingIfNeeded: value)] == nil { return EINVAL }
                default: break
                }
            }
            things[object]!.values[property] = value
        }
        return nil
    }

    private static func changes(_ request: drm_mode_atomic) -> [(UInt32, UInt32, UInt64)] {
        let objects = UnsafePointer<UInt32>(bitPattern: UInt(request.objs_ptr))
        let counts = UnsafePointer<UInt32>(bitPattern: UInt(request.count_props_ptr))
        let names = UnsafePointer<UInt32>(bitPattern: UInt(request.props_ptr))
        let values = UnsafePointer<UInt64>(bitPattern: UInt(request.prop_values_ptr))
        guard let objects, let counts, let names, let values else { return [] }
        var result: [(UInt32, UInt32, UInt64)] = []
        for index in 0..<Int(request.count_objs) {
            for _ in 0..<counts[index] { result.append((objects[index], names[result.count], values[result.count])) }
        }
        return result
    }

    func touchedCRTCs(_ request: drm_mode_atomic) -> Set<Int> {
        Set(
            Self.changes(request).compactMap { object, _, _ in
                switch things[object]?.kind {
                case .crtc(let index): index
                case .plane(let crtc): crtc
                default: nil
                }
            })
    }

    /// The checks of the atomic helpers.
    func check(before: Self, mayChangeMode: Bool, isTest: Bool) -> Int32? {
        if modeDiffers(from: before), !mayChangeMode { return EINVAL }
        var driven: [Int: Int] = [:]
        for thing in things.values {
            guard case .connector = thing.kind else { continue }
            let id = value(thing, "CRTC_ID")
            if id != 0 { driven[Int(id) - 300, default: 0] += 1 }
        }
        // No card here clones a CRTC to two connectors.
        if driven.values.contains(where: { $0 > 1 }) { return EINVAL }
        var pictures = 0
        for thing in things.values {
            switch thing.kind {
            case .connector: break
            case .crtc(let index):
                let hasMode = value(thing, "MODE_ID") != 0
                if value(thing, "ACTIVE") == 1, !hasMode { return EINVAL }
                if hasMode != (driven[index] != nil) { return EINVAL }
            case .plane(let crtc):
                guard value(thing, "FB_ID") != 0 || value(thing, "CRTC_ID") != 0 else { continue }
                pictures += 1
                if let code = checkPlane(thing, crtc, isTest) { return code }
            }
        }
        if quirks.refusesRange, hasHighRange, !isTest || quirks.testsTellTheTruth { return EINVAL }
        if pictures >= quirks.refusedPictures, !isTest || quirks.testsTellTheTruth { return EINVAL }
        return nil
    }

    private func checkPlane(_ thing: SoftwareCard.Thing, _ crtc: Int, _ isTest: Bool) -> Int32? {
        guard let picture = framebuffers[UInt32(value(thing, "FB_ID"))], value(thing, "CRTC_ID") == UInt64(300 + crtc) else {
            return EINVAL
        }
        guard isActive(crtc), formats.contains(picture.format) else { return EINVAL }
        if picture.modifier != 0, !quirks.showsColumns { return EINVAL }
        if picture.isImported, isTest ? quirks.testsRefuseImports : quirks.refusesImports { return EINVAL }
        let (width, height) = (value(thing, "SRC_W") >> 16, value(thing, "SRC_H") >> 16)
        let (x, y) = (value(thing, "SRC_X") >> 16, value(thing, "SRC_Y") >> 16)
        guard width > 0, height > 0, x + width <= UInt64(picture.width), y + height <= UInt64(picture.height) else {
            return ENOSPC
        }
        let rotation = quirks.rotations.isEmpty ? 1 : value(thing, "rotation")
        if rotation != 1, !quirks.turnsPictures { return EINVAL }
        let isSideways = rotation & 0b1010 != 0
        let (wide, high) = isSideways ? (height, width) : (width, height)
        let isScaled = value(thing, "CRTC_W") != wide || value(thing, "CRTC_H") != high
        return isScaled && !quirks.scales ? EINVAL : nil
    }

    var formats: [UInt32] {
        let names =
            ["XR24", "AR24"] + (quirks.showsYUV ? ["NV12", "YU12"] : [])
            + (quirks.signalsRange ? ["P010"] : [])
        return names.map(Self.code)
    }
}
