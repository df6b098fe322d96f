import Glibc
import MediaModel

/// What a screen says of its dynamic range and colours in its EDID. A value.
///
/// Read are block 0 (VESA E-EDID 1.4) and the data blocks of CTA-861 extensions (CTA-861-G, 7.5): HDR static metadata, colorimetry, and the deep colour of
/// HDMI's and the HDMI Forum's blocks. There is a library for all of an EDID, libdisplay-info, but not in Debian 12, and the kernel reports none of this.
///
/// An EDID comes from outside. A block whose checksum is wrong is not read, nor is what leaves its block; whatever is wrong leaves a screen of standard range.
struct SinkAbility: Sendable, Hashable {
    /// The transfer functions that it accepts with static metadata of type 1.
    private(set) var transfers: Set<HighDynamicRange> = []
    /// Whether it accepts the primaries of BT.2020 as red, green and blue.
    private(set) var acceptsBT2020RGB = false
    /// The same as luma and chroma.
    private(set) var acceptsBT2020YCC = false
    /// Bits of each component: 8…16.
    private(set) var bits = 8
    /// Its peak in cd/m², if it states one: 50…12,525.
    private(set) var peak: Double?

    /// The ranges that it can show: with the primaries of BT.2020 and at least ten bits.
    var ranges: Set<HighDynamicRange> { (acceptsBT2020RGB || acceptsBT2020YCC) && bits >= 10 ? transfers : [] }

    private static let blockSize = 128
    /// An EDID has no more, as its count of extensions is a byte.
    private static let mostBlocks = 256
    private static let header: [UInt8] = [0, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0]

    /// - Parameter edid: as the kernel has it; empty: unknown.
    init(edid: [UInt8]) {
        let blocks = (0..<min(edid.count / Self.blockSize, Self.mostBlocks)).map {
            edid[$0 * Self.blockSize..<($0 + 1) * Self.blockSize]
        }
        guard let base = blocks.first, base.starts(with: Self.header), Self.isIntact(base) else { return }
        let base0 = [UInt8](base)
        // A digital input of E-EDID 1.4 states its depth.
        if base0[18] == 1, base0[19] >= 4, base0[20] & 0x80 != 0 {
            switch base0[20] >> 4 & 7 {
            case 3: bits = 10
            case 4: bits = 12
            case 5: bits = 14
            case 6: bits = 16
            default: break
            }
        }
        // The count in block 0 is not used: HDMI Forum's override of it, and receivers that forget it, make it too small.
        for block in blocks.dropFirst() where Self.isIntact(block) { readExtension([UInt8](block)) }
    }

    private static func isIntact(_ block: ArraySlice<UInt8>) -> Bool { block.reduce(UInt8(0), &+) == 0 }

    private mutating func readExtension(_ block: [UInt8]) {
        // Data blocks came with revision 3. They end where the detailed timings begin.
        guard block[0] == 2, block[1] >= 3 else { return }
        let end = min(Int(block[2]), Self.blockSize - 1)
        var place = 4
        while place < end {
            let length = Int(block[place] & 0x1F)
            guard place + length < end else { return }
            readDataBlock(tag: block[place] >> 5, Array(block[place + 1..<place + 1 + length]))
            place += 1 + length
        }
    }

    private mutating func readDataBlock(tag: UInt8, _ data: [UInt8]) {
        switch (tag, data.first) {
        case (3, _): readVendorBlock(data)
        case (7, 5) where data.count >= 2:
            acceptsBT2020YCC = data[1] & 0x40 != 0
            acceptsBT2020RGB = data[1] & 0x80 != 0
        case (7, 6) where data.count >= 3: readStaticMetadata(data)
        // HDMI Forum's block in another place: HDMI 2.1, 10.3.2.
        case (7, 0x79): readForumBlock(data)
        default: break
        }
    }

    private mutating func readStaticMetadata(_ data: [UInt8]) {
        guard data[2] & 1 != 0 else { return }
        if data[1] & 4 != 0 { transfers.insert(.pq) }
        if data[1] & 8 != 0 { transfers.insert(.hlg) }
        if data.count >= 4, data[3] > 0 { peak = 50 * exp2(Double(data[3]) / 32) }
    }

    private mutating func readVendorBlock(_ data: [UInt8]) {
        guard data.count >= 3 else { return }
        switch UInt32(data[2]) << 16 | UInt32(data[1]) << 8 | UInt32(data[0]) {
        // HDMI Licensing: the depths of red, green and blue (HDMI 1.4, 8.3.2).
        case 0x000C03 where data.count >= 6: readDepths(data[5] >> 4)
        case 0xC45DD8: readForumBlock(data)
        default: break
        }
    }

    /// The depths of 4:2:0 (HDMI 2.0, 10.3.2).
    private mutating func readForumBlock(_ data: [UInt8]) { if data.count >= 7 { readDepths(data[6]) } }

    /// - Parameter flags: 10, 12 and 16 bits in the lowest three.
    private mutating func readDepths(_ flags: UInt8) {
        for (flag, depth) in [(UInt8(1), 10), (2, 12), (4, 16)] where flags & flag != 0 { bits = max(bits, depth) }
    }
}
