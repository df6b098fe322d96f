/// The EDID of a television, made by a test: block 0 and one extension of CTA-861.
struct TelevisionEDID {
    /// The flags of the transfer functions; nil: without the block.
    var transfers: UInt8? = 0b1101
    /// The flags of the descriptors of static metadata.
    var descriptors: UInt8 = 1
    /// The code of its peak: 50 cd/m² x 2^(code/32).
    var peak: UInt8? = 115
    /// The flags of the colorimetry block; nil: without it.
    var colorimetry: UInt8? = 0xC0
    /// The flags of HDMI's block: deep colour of 30, 36 and 48 bits in bits 4 to 6; nil: without it.
    var deepColour: UInt8? = 0x30
    /// The flags of the HDMI Forum's block: 4:2:0 of 30, 36 and 48 bits; nil: without it.
    var forum: UInt8?
    /// Whether the HDMI Forum's block is one of CTA's extended tags.
    var isForumExtended = false
    /// Byte 20 of block 0.
    var input: UInt8 = 0x80
    var revision: UInt8 = 3
    /// Distinguishes one television from another.
    var serial: UInt8 = 0

    var bytes: [UInt8] {
        var base = [UInt8](repeating: 0, count: 128)
        base.replaceSubrange(0..<8, with: [0, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0])
        (base[12], base[18], base[19], base[20], base[126]) = (serial, 1, 4, input, 1)
        var blocks: [UInt8] = []
        func add(_ tag: UInt8, _ data: [UInt8]) { blocks += [tag << 5 | UInt8(data.count)] + data }
        add(2, [16])
        if let deepColour { add(3, [0x03, 0x0C, 0x00, 0x10, 0x00, deepColour]) }
        if let forum {
            let data: [UInt8] = [1, 0x78, 0x80, forum]
            if isForumExtended { add(7, [0x79, 0, 0] + data) } else { add(3, [0xD8, 0x5D, 0xC4] + data) }
        }
        if let colorimetry { add(7, [5, colorimetry, 0]) }
        if let transfers { add(7, [6, transfers, descriptors] + (peak.map { [$0, $0, 0] } ?? [])) }
        var cta = [UInt8](repeating: 0, count: 128)
        (cta[0], cta[1], cta[2]) = (2, revision, UInt8(4 + blocks.count))
        cta.replaceSubrange(4..<4 + blocks.count, with: blocks)
        return Self.sealed(base) + Self.sealed(cta)
    }

    /// A block with its checksum.
    static func sealed(_ block: [UInt8]) -> [UInt8] {
        let sum = block.dropLast().reduce(UInt8(0), &+)
        return block.dropLast() + [0 &- sum]
    }
}
