/// Memory at an address that the widest vector registers can load, freed in `deinit`. Not filled.
final class AlignedMemory {
    static let alignment = 64
    let base: UnsafeMutableRawPointer

    init(byteCount: Int) { base = .allocate(byteCount: byteCount, alignment: Self.alignment) }

    deinit { base.deallocate() }

    /// The smallest multiple of the alignment that is not below a count of bytes.
    static func rounded(_ byteCount: Int) -> Int { (byteCount + alignment - 1) / alignment * alignment }
}
