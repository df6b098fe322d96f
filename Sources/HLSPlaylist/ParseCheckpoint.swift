/// The parser's state after the last segment of a text, from which the parse of a reload with appended lines can continue.
///
/// Only a 128-bit digest of the earlier text is kept, to check that it is unchanged.
final class ParseCheckpoint: Sendable {
    /// The builder, without its segments.
    let builder: MediaBuilder
    /// How many bytes were parsed.
    let position: Int
    /// The number of the last line before it.
    let line: Int
    let digest: PrefixDigest
    /// How many segments end before the position.
    let segmentCount: Int

    init(_ builder: MediaBuilder, position: Int, line: Int, bytes: Bytes, continuing earlier: PrefixDigest?) {
        var builder = builder
        segmentCount = builder.playlist.store.count
        builder.playlist.store = SegmentBlocks()
        self.builder = builder
        self.position = position
        self.line = line
        digest = PrefixDigest(bytes.part(0, position), continuing: earlier)
    }
}

/// Eight interleaved 64-bit sums over a text: equal texts have equal digests, and different texts almost certainly differ.
struct PrefixDigest: Sendable, Equatable {
    /// The length of the text in bytes.
    private let count: Int
    /// The sums over all complete blocks of 128 bytes.
    private var lanes: SIMD8<UInt64>
    /// The sum over the bytes after the last complete block.
    private let tail: UInt64

    private static let blockSize = 128

    /// The digest of a text, continuing the digest of a prefix of it.
    init(_ text: Bytes, continuing earlier: PrefixDigest? = nil) {
        count = text.count
        lanes =
            earlier?.lanes
            ?? SIMD8(
                0x9E37_79B9_7F4A_7C15, 0xC2B2_AE3D_27D4_EB4F, 0x1656_67B1_9E37_79F9, 0x27D4_EB2F_1656_67C5,
                0x94D0_49BB_1331_11EB, 0xBF58_476D_1CE4_E5B9, 0xD6E8_FEB8_6659_FD93, 0xA076_1D64_78BD_642F)
        let whole = count / Self.blockSize * Self.blockSize
        let start = (earlier?.count ?? 0) / Self.blockSize * Self.blockSize
        if let base = UnsafeRawPointer(text.baseAddress), start < whole {
            Self.add(base + start, base + whole, to: &lanes)
        }
        var tail: UInt64 = 0xCBF2_9CE4_8422_2325
        for position in whole..<count { tail = (tail ^ UInt64(text[position])) &* 0x0000_0100_0000_01B3 }
        self.tail = tail
    }

    /// Adds complete blocks. It reads through the raw pointer, keeps the sums in registers, and has no dependency between them,
    /// so it runs at memory speed. Each step multiplies two words to 128 bits and folds them, so that every bit of both counts.
    private static func add(_ start: UnsafeRawPointer, _ end: UnsafeRawPointer, to lanes: inout SIMD8<UInt64>) {
        var (a, b, c, d) = (lanes[0], lanes[1], lanes[2], lanes[3])
        var (e, f, g, h) = (lanes[4], lanes[5], lanes[6], lanes[7])
        var block = start
        while block < end {
            a = mixed(a, block, 0)
            b = mixed(b, block, 16)
            c = mixed(c, block, 32)
            d = mixed(d, block, 48)
            e = mixed(e, block, 64)
            f = mixed(f, block, 80)
            g = mixed(g, block, 96)
            h = mixed(h, block, 112)
            block += blockSize
        }
        lanes = SIMD8(a, b, c, d, e, f, g, h)
    }

    @inline(__always)
    private static func mixed(_ lane: UInt64, _ block: UnsafeRawPointer, _ offset: Int) -> UInt64 {
        let left = block.loadUnaligned(fromByteOffset: offset, as: UInt64.self) ^ 0xFF51_AFD7_ED55_8CCD
        let right = block.loadUnaligned(fromByteOffset: offset + 8, as: UInt64.self) ^ lane
        let product = left.multipliedFullWidth(by: right)
        return product.high ^ product.low
    }
}
