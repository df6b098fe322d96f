import CDRM
import MediaModel

/// The orders of samples that a plane shows: the property `IN_FORMATS` (drm_format_modifier_blob of drm_mode.h).
struct FormatModifiers: Sendable {
    /// The formats that the plane shows in columns (`SurfaceLayout.Tiling.sand128`), of any height.
    let sand128: Set<PixelFormat>

    /// - Parameter blob: the kernel's bytes; empty if the plane has no such property. What lies beyond their end is not there.
    init(_ blob: [UInt8]) {
        func number<Number: FixedWidthInteger>(at offset: Int, _ type: Number.Type) -> Number? {
            guard offset >= 0, offset <= blob.count - MemoryLayout<Number>.size else { return nil }
            return blob.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: type) }
        }
        func field(_ offset: Int) -> Int { number(at: offset, UInt32.self).map(Int.init) ?? 0 }
        let (formatCount, formats, modifierCount, modifiers) = (field(8), field(12), field(16), field(20))
        var found: Set<PixelFormat> = []
        let size = MemoryLayout<drm_format_modifier>.size
        for index in 0..<min(modifierCount, blob.count / size) {
            let place = modifiers + index * size
            guard let mask = number(at: place, UInt64.self), let modifier = number(at: place + 16, UInt64.self),
                SurfaceLayout.Tiling.isSAND128(modifier: modifier)
            else { continue }
            // Each entry is about 64 formats from this one on.
            let first = field(place + 8)
            for bit in 0..<64 where mask >> UInt64(bit) & 1 == 1 && first + bit < formatCount {
                let code = number(at: formats + 4 * (first + bit), UInt32.self)
                if let format = PixelFormat.allCases.first(where: { $0.fourCC != nil && $0.fourCC == code }) {
                    found.insert(format)
                }
            }
        }
        sand128 = found
    }
}
