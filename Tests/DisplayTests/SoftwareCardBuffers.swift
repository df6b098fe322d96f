import CDRM
import Glibc
import LinuxSupport

/// Buffers that are imported into a card in memory, and framebuffers over its buffers.
extension SoftwareCard.State {
    /// As the kernel does, one handle for one buffer, however often it is imported.
    mutating func importBuffer(_ prime: UnsafeMutablePointer<drm_prime_handle>) -> Int32 {
        let size = lseek(prime.pointee.fd, 0, SEEK_END)
        var facts = stat()
        guard size > 0, fstat(prime.pointee.fd, &facts) == 0 else { return -EBADF }
        let inode = UInt64(facts.st_ino)
        if let known = buffers.first(where: { $0.value.inode == inode })?.key {
            prime.pointee.handle = known
            return 0
        }
        let own = dup(prime.pointee.fd)
        guard own >= 0 else { return -EMFILE }
        lastID += 1
        buffers[lastID] = SoftwareCard.Buffer(size: UInt64(size), file: FileDescriptor(adopting: own), inode: inode)
        prime.pointee.handle = lastID
        return 0
    }

    mutating func addFramebuffer(_ place: UnsafeMutablePointer<drm_mode_fb_cmd2>) -> Int32 {
        let wanted = place.pointee
        guard formats.contains(wanted.pixel_format), wanted.width > 0, wanted.height > 0 else { return -EINVAL }
        let isYUV = ["NV12", "P010", "YU12"].map(Self.code).contains(wanted.pixel_format)
        if isYUV, wanted.width % 2 != 0 || wanted.height % 2 != 0 { return -EINVAL }
        let handles = [wanted.handles.0, wanted.handles.1, wanted.handles.2]
        let offsets = [wanted.offsets.0, wanted.offsets.1, wanted.offsets.2]
        let pitches = [wanted.pitches.0, wanted.pitches.1, wanted.pitches.2]
        let modifiers = [wanted.modifier.0, wanted.modifier.1, wanted.modifier.2]
        let planes = wanted.pixel_format == Self.code("YU12") ? 3 : isYUV ? 2 : 1
        let sampleBytes: UInt64 = !isYUV ? 4 : wanted.pixel_format == Self.code("P010") ? 2 : 1
        let modifier = wanted.flags & UInt32(DRM_MODE_FB_MODIFIERS) != 0 ? modifiers[0] : 0
        let isInColumns = modifier != 0
        if isInColumns {
            guard modifier & ~0xFFFF_FFFF_FFFF_00 == 0x0700_0000_0000_0004, quirks.registersColumns || quirks.showsColumns,
                wanted.pixel_format == Self.code("NV12")
            else { return -EINVAL }
        }
        var framebuffer = SoftwareCard.Framebuffer(
            width: wanted.width, height: wanted.height, format: wanted.pixel_format, modifier: modifier, offsets: [], pitches: [])
        for plane in 0..<planes {
            guard let buffer = buffers[handles[plane]] else { return -ENOENT }
            guard wanted.flags & UInt32(DRM_MODE_FB_MODIFIERS) == 0 || modifiers[plane] == modifier else { return -EINVAL }
            let rows = UInt64(plane == 0 ? wanted.height : wanted.height / 2)
            let row = UInt64(wanted.width) * sampleBytes / (plane > 0 && planes == 3 ? 2 : 1)
            let end = UInt64(offsets[plane]) + (isInColumns ? rows * 128 : UInt64(pitches[plane]) * (rows - 1) + row)
            guard UInt64(pitches[plane]) >= row, end <= buffer.size else { return -EINVAL }
            framebuffer.offsets.append(buffer.offset + UInt64(offsets[plane]))
            framebuffer.pitches.append(UInt64(pitches[plane]))
            framebuffer.files.append(buffer.file)
        }
        lastID += 1
        place.pointee.fb_id = lastID
        framebuffers[lastID] = framebuffer
        return 0
    }

    /// The property `IN_FORMATS`: all formats in rows, NV12 also in columns.
    mutating func makeFormatsBlob() -> UInt32 {
        let formats = formats
        let nv12 = UInt64(1) << UInt64(formats.firstIndex(of: Self.code("NV12")) ?? 63)
        let modifiers: [(mask: UInt64, modifier: UInt64)] = [(1 << UInt64(formats.count) - 1, 0), (nv12, 0x0700_0000_0000_0004)]
        let numbers: [UInt32] = [1, 0, UInt32(formats.count), 24, UInt32(modifiers.count), UInt32(24 + 4 * formats.count)]
        var bytes = (numbers + formats).flatMap { number in withUnsafeBytes(of: number) { Array($0) } }
        for (mask, modifier) in modifiers {
            bytes += [mask, 0, modifier].flatMap { number in withUnsafeBytes(of: number) { Array($0) } }
        }
        lastID += 1
        blobs[lastID] = bytes
        ownBlobs.insert(lastID)
        return lastID
    }

    static func code(_ name: String) -> UInt32 { name.utf8.reversed().reduce(0) { $0 << 8 | UInt32($1) } }
}
