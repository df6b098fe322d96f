import CDRM
import Glibc
import MediaModel

/// The properties of a connector, CRTC or plane by name: their ids, values and ranges.
struct DRMProperties: Sendable {
    struct Property: Sendable {
        var id: UInt32
        var value: UInt64
        var isImmutable: Bool
        /// The names of an enumeration or bit mask, and their values.
        var names: [(name: String, value: UInt64)]
        /// Minimum and maximum of a range; empty for other kinds.
        var range: [UInt64]
    }
    /// The id of the object that has these properties.
    let object: UInt32
    private let byName: [String: Property]

    /// Reads the properties (drmModeObjectGetProperties).
    ///
    /// - Throws: `DisplayError` if any of them cannot be read. A table with gaps would look like a driver without these properties.
    init(_ device: DRMDevice, object: UInt32, type: UInt32) throws(DisplayError) {
        self.object = object
        guard let list = drmModeObjectGetProperties(device.number, object, type) else {
            throw DisplayError(.readResources, on: device.name, code: errno)
        }
        defer { drmModeFreeObjectProperties(list) }
        var table: [String: Property] = [:]
        for index in 0..<Int(list.pointee.count_props) {
            guard let property = drmModeGetProperty(device.number, list.pointee.props[index]) else {
                throw DisplayError(.readResources, on: device.name, code: errno)
            }
            defer { drmModeFreeProperty(property) }
            let name = withUnsafeBytes(of: property.pointee.name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
            let names = (0..<Int(property.pointee.count_enums)).map { index in
                let entry = property.pointee.enums[index]
                let name = withUnsafeBytes(of: entry.name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
                return (name: name, value: UInt64(entry.value))
            }
            let range = names.isEmpty ? (0..<Int(property.pointee.count_values)).map { property.pointee.values[$0] } : []
            table[name] = Property(
                id: property.pointee.prop_id, value: list.pointee.prop_values[index],
                isImmutable: property.pointee.flags & UInt32(DRM_MODE_PROP_IMMUTABLE) != 0, names: names, range: range)
        }
        byName = table
    }

    /// The property of this name; nil if the driver does not have it.
    subscript(name: String) -> Property? { byName[name] }

    /// The value of an enumeration's name.
    func value(of name: String, in property: String) -> UInt64? {
        byName[property]?.names.first { $0.name == name }?.value
    }

    /// How far a plane turns pictures, and the value of `rotation` for it: bits whose places have names (drm_blend.c). The kernel turns to the left.
    var rotations: [DisplayRotation: UInt64] {
        guard let property = self["rotation"], !property.isImmutable else { return [:] }
        func bit(_ name: String) -> UInt64? {
            property.names.first { $0.name == name && $0.value < 64 }.map { 1 << $0.value }
        }
        var result: [DisplayRotation: UInt64] = [:]
        for rotation in DisplayRotation.allCases { result[rotation] = bit("rotate-\(rotation.inverse.rawValue)") }
        // Mirrored both ways is upside down.
        if result[.half] == nil, let upright = result[.none], let across = bit("reflect-x"), let down = bit("reflect-y") {
            result[.half] = upright | across | down
        }
        return result
    }

    /// All settable properties, ordered by id.
    var settable: [(name: String, property: Property)] {
        byName.filter { !$0.value.isImmutable }.sorted { $0.value.id < $1.value.id }.map { ($0.key, $0.value) }
    }
}

/// One atomic change under construction. Freed in `deinit`.
struct AtomicRequest: ~Copyable {
    private let request: drmModeAtomicReqPtr

    init() {
        guard let request = drmModeAtomicAlloc() else { preconditionFailure("no memory for an atomic request") }
        self.request = request
    }

    deinit { drmModeAtomicFree(request) }

    /// Sets a property; ignored if the driver does not have it.
    mutating func set(_ properties: DRMProperties, _ name: String, _ value: UInt64) {
        guard let property = properties[name] else { return }
        set(properties.object, property.id, value)
    }

    /// Sets a property; ignored if the driver does not have it.
    mutating func set(_ control: DRMControl?, _ value: UInt64) {
        if let control { set(control.object, control.property, value) }
    }

    /// Sets a property by its id.
    mutating func set(_ object: UInt32, _ property: UInt32, _ value: UInt64) {
        let answer = drmModeAtomicAddProperty(request, object, property, value)
        precondition(answer >= 0, "no memory for an atomic request")
    }

    /// Commits the change.
    ///
    /// - Parameter token: returned with the flip's event.
    /// - Returns: 0 or a positive errno.
    func commit(_ device: DRMDevice, flags: UInt32, token: UInt64 = 0) -> Int32 {
        var interruptions = 0
        while true {
            let answer = drmModeAtomicCommit(device.number, request, flags, UnsafeMutableRawPointer(bitPattern: UInt(token)))
            if answer != -EINTR || interruptions == mostInterruptions { return -answer }
            interruptions += 1
        }
    }
}

/// A kernel blob for a property, e.g. a mode. Destroyed in `deinit`.
struct DRMBlob: ~Copyable {
    let id: UInt32
    private let device: DRMDevice

    init<Value>(_ value: Value, on device: DRMDevice) throws(DisplayError) {
        var id: UInt32 = 0
        try withUnsafeBytes(of: value) { bytes throws(DisplayError) in
            _ = try drm(.setMode, on: device.name) {
                drmModeCreatePropertyBlob(device.number, bytes.baseAddress, bytes.count, &id)
            }
        }
        self.id = id
        self.device = device
    }

    /// The content of a blob; empty for the number 0 and for a blob that was replaced since its number was read.
    static func bytes(of id: UInt64, on device: DRMDevice) throws(DisplayError) -> [UInt8] {
        guard let id = UInt32(exactly: id), id != 0 else { return [] }
        guard let blob = drmModeGetPropertyBlob(device.number, id) else {
            let code = errno
            if code == ENOENT { return [] }
            throw DisplayError(.readResources, on: device.name, code: code)
        }
        defer { drmModeFreePropertyBlob(blob) }
        return [UInt8](UnsafeRawBufferPointer(start: blob.pointee.data, count: Int(blob.pointee.length)))
    }

    deinit { _ = drmModeDestroyPropertyBlob(device.number, id) }
}
