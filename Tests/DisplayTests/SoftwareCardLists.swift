import CDRM
import Glibc

/// The calls that only read, or keep lists.
extension SoftwareCard.State {
    mutating func simple(_ call: SoftwareCard.Call, _ argument: UnsafeMutableRawPointer) -> Int32 {
        switch call {
        case .version: version(argument.assumingMemoryBound(to: drm_version.self))
        case .capability:
            argument.assumingMemoryBound(to: drm_get_cap.self).pointee.value = 1
            return 0
        case .clientCapability:
            let name = argument.assumingMemoryBound(to: drm_set_client_cap.self).pointee.capability
            return name == UInt64(DRM_CLIENT_CAP_WRITEBACK_CONNECTORS) ? -EINVAL : 0
        case .resources: resources(argument.assumingMemoryBound(to: drm_mode_card_res.self))
        case .encoder: return encoder(argument.assumingMemoryBound(to: drm_mode_get_encoder.self))
        case .connector: return connector(argument.assumingMemoryBound(to: drm_mode_get_connector.self))
        case .planes:
            let list = argument.assumingMemoryBound(to: drm_mode_get_plane_res.self)
            Self.put(planeIDs, at: list.pointee.plane_id_ptr, &list.pointee.count_planes)
        case .plane: return plane(argument.assumingMemoryBound(to: drm_mode_get_plane.self))
        case .properties: return objectProperties(argument.assumingMemoryBound(to: drm_mode_obj_get_properties.self))
        case .property: return property(argument.assumingMemoryBound(to: drm_mode_get_property.self))
        case .blob:
            let blob = argument.assumingMemoryBound(to: drm_mode_get_blob.self)
            guard let bytes = blobs[blob.pointee.blob_id] else { return -ENOENT }
            Self.put(bytes, at: blob.pointee.data, &blob.pointee.length)
        case .makeBlob:
            let blob = argument.assumingMemoryBound(to: drm_mode_create_blob.self)
            lastID += 1
            blob.pointee.blob_id = lastID
            blobs[lastID] = [UInt8](
                UnsafeRawBufferPointer(
                    start: UnsafeRawPointer(bitPattern: UInt(blob.pointee.data)), count: Int(blob.pointee.length)))
        case .freeBlob:
            // The mode of a CRTC stays while it is in force; here it is kept under its number until another one is set.
            let id = argument.assumingMemoryBound(to: drm_mode_destroy_blob.self).pointee.blob_id
            guard blobs[id] != nil else { return -ENOENT }
            released.insert(id)
            sweep()
        case .addFramebuffer: return addFramebuffer(argument.assumingMemoryBound(to: drm_mode_fb_cmd2.self))
        case .removeFramebuffer:
            let id = argument.assumingMemoryBound(to: UInt32.self).pointee
            guard framebuffers.removeValue(forKey: id) != nil else { return -ENOENT }
            // The kernel takes a framebuffer that is removed from its planes.
            for (key, thing) in things where value(thing, "FB_ID") == UInt64(id) {
                set(key, "FB_ID", 0)
                set(key, "CRTC_ID", 0)
            }
        case .mapDumb:
            let map = argument.assumingMemoryBound(to: drm_mode_map_dumb.self)
            guard let buffer = buffers[map.pointee.handle] else { return -ENOENT }
            map.pointee.offset = buffer.offset
        case .importBuffer:
            return importBuffer(argument.assumingMemoryBound(to: drm_prime_handle.self))
        case .freeDumb, .closeHandle:
            let handle = argument.assumingMemoryBound(to: UInt32.self).pointee
            if buffers.removeValue(forKey: handle) != nil { return 0 }
            wrongCloses += 1
            return -EINVAL
        case .authenticate, .becomeMaster, .dropMaster, .commit, .makeDumb, .sequence: return -EINVAL
        }
        return 0
    }

    private var planeIDs: [UInt32] {
        things.keys.sorted().filter { id in
            if case .plane = things[id]!.kind { true } else { false }
        }
    }

    /// Copies a list to a program that has room for it, and says how long it is.
    private static func put<Element>(_ values: [Element], at address: UInt64, _ count: inout UInt32) {
        if Int(count) >= values.count, !values.isEmpty, let place = UnsafeMutablePointer<Element>(bitPattern: UInt(address)) {
            place.update(from: values, count: values.count)
        }
        count = UInt32(values.count)
    }

    private func version(_ version: UnsafeMutablePointer<drm_version>) {
        // Libdrm copies all three, and none may be missing.
        Self.put("software", at: version.pointee.name, &version.pointee.name_len)
        Self.put("20260101", at: version.pointee.date, &version.pointee.date_len)
        Self.put("a card in memory", at: version.pointee.desc, &version.pointee.desc_len)
    }

    private static func put(_ text: String, at place: UnsafeMutablePointer<CChar>?, _ length: inout __kernel_size_t) {
        let characters = text.utf8.map { CChar(bitPattern: $0) }
        if length >= characters.count { place?.update(from: characters, count: characters.count) }
        length = __kernel_size_t(characters.count)
    }

    private func resources(_ list: UnsafeMutablePointer<drm_mode_card_res>) {
        func ids(_ base: UInt32, _ count: Int) -> [UInt32] { (0..<count).map { base + UInt32($0) } }
        let crtcs = things.values.count { if case .crtc = $0.kind { true } else { false } }
        Self.put(ids(100, screens.count), at: list.pointee.connector_id_ptr, &list.pointee.count_connectors)
        Self.put(ids(200, screens.count), at: list.pointee.encoder_id_ptr, &list.pointee.count_encoders)
        Self.put(ids(300, crtcs), at: list.pointee.crtc_id_ptr, &list.pointee.count_crtcs)
        list.pointee.count_fbs = 0
        (list.pointee.max_width, list.pointee.max_height) = (8192, 8192)
    }

    private func encoder(_ place: UnsafeMutablePointer<drm_mode_get_encoder>) -> Int32 {
        let index = Int(place.pointee.encoder_id) - 200
        guard screens.indices.contains(index) else { return -ENOENT }
        place.pointee.crtc_id = UInt32(value(things[UInt32(100 + index)]!, "CRTC_ID"))
        place.pointee.possible_crtcs = 0xFF
        return 0
    }

    private func connector(_ place: UnsafeMutablePointer<drm_mode_get_connector>) -> Int32 {
        let index = Int(place.pointee.connector_id) - 100
        guard screens.indices.contains(index), let thing = things[place.pointee.connector_id] else { return -ENOENT }
        let screen = screens[index]
        let forgets = quirks.forgetsEncoder && !litConnectors.contains(index)
        place.pointee.encoder_id = forgets || value(thing, "CRTC_ID") == 0 ? 0 : UInt32(200 + index)
        place.pointee.connector_type = UInt32(DRM_MODE_CONNECTOR_HDMIA)
        place.pointee.connector_type_id = UInt32(index + 1)
        place.pointee.connection = screen.isConnected ? 1 : 2
        let modes = screen.isConnected ? screen.modes : []
        let infos = modes.map { mode in withUnsafeBytes(of: mode) { $0.loadUnaligned(as: drm_mode_modeinfo.self) } }
        let keys = thing.values.keys.sorted()
        var propertyCount = place.pointee.count_props
        Self.put(infos, at: place.pointee.modes_ptr, &place.pointee.count_modes)
        Self.put([UInt32(200 + index)], at: place.pointee.encoders_ptr, &place.pointee.count_encoders)
        Self.put(keys, at: place.pointee.props_ptr, &place.pointee.count_props)
        Self.put(keys.map { thing.values[$0]! }, at: place.pointee.prop_values_ptr, &propertyCount)
        return 0
    }

    private func plane(_ place: UnsafeMutablePointer<drm_mode_get_plane>) -> Int32 {
        guard let thing = things[place.pointee.plane_id], case .plane(let crtc) = thing.kind else { return -ENOENT }
        place.pointee.crtc_id = UInt32(value(thing, "CRTC_ID"))
        place.pointee.fb_id = UInt32(value(thing, "FB_ID"))
        place.pointee.possible_crtcs = 1 << UInt32(crtc)
        Self.put(formats, at: place.pointee.format_type_ptr, &place.pointee.count_format_types)
        return 0
    }

    private func objectProperties(_ place: UnsafeMutablePointer<drm_mode_obj_get_properties>) -> Int32 {
        guard let thing = things[place.pointee.obj_id] else { return -ENOENT }
        let keys = thing.values.keys.sorted()
        var count = place.pointee.count_props
        Self.put(keys, at: place.pointee.props_ptr, &place.pointee.count_props)
        Self.put(keys.map { thing.values[$0]! }, at: place.pointee.prop_values_ptr, &count)
        return 0
    }

    private func property(_ place: UnsafeMutablePointer<drm_mode_get_property>) -> Int32 {
        guard let known = properties[place.pointee.prop_id] else { return -ENOENT }
        withUnsafeMutableBytes(of: &place.pointee.name) { bytes in
            bytes.copyBytes(from: Array(known.name.utf8) + [0])
        }
        place.pointee.flags = (known.isImmutable ? 4 : 0) | (known.isMask ? 32 : known.names.isEmpty ? 2 : 8)
        let values = known.names.isEmpty ? known.range : known.names.map(\.1)
        Self.put(values, at: place.pointee.values_ptr, &place.pointee.count_values)
        let names = known.names.map { name, value in
            var entry = drm_mode_property_enum()
            entry.value = value
            withUnsafeMutableBytes(of: &entry.name) { $0.copyBytes(from: Array(name.utf8) + [0]) }
            return entry
        }
        Self.put(names, at: place.pointee.enum_blob_ptr, &place.pointee.count_enum_blobs)
        return 0
    }

    /// Frees the blobs that their program has given up and no CRTC or connector uses.
    mutating func sweep() {
        let used = Set(things.values.flatMap { [UInt32(value($0, "MODE_ID")), UInt32(value($0, "HDR_OUTPUT_METADATA"))] })
        for id in released.subtracting(used) {
            blobs[id] = nil
            released.remove(id)
        }
    }
}
