/// The header of a packet of RTP (RFC 3550, 5.1), as far as the order of its payload needs it.
struct RTPHeader: Equatable {
    let payloadType: UInt8
    let number: UInt16
    /// The synchronisation source: another one is another sender.
    let source: UInt32
    /// Without the list of contributing sources, the extension and the padding. May be empty.
    let payload: Range<Int>

    private static let fixedLength = 12

    /// Nil if the bytes are no whole packet of version 2.
    init?(_ bytes: UnsafeRawBufferPointer) {
        guard bytes.count >= Self.fixedLength, bytes[0] >> 6 == 2 else { return nil }
        var start = Self.fixedLength + 4 * Int(bytes[0] & 0x0f)
        if bytes[0] & 0x10 != 0 {
            guard start + 4 <= bytes.count else { return nil }
            start += 4 + 4 * (Int(bytes[start + 2]) << 8 | Int(bytes[start + 3]))
        }
        var end = bytes.count
        if bytes[0] & 0x20 != 0 {
            let padding = Int(bytes[end - 1])
            guard padding > 0 else { return nil }
            end -= padding
        }
        guard start <= end else { return nil }
        payloadType = bytes[1] & 0x7f
        number = UInt16(bytes[2]) << 8 | UInt16(bytes[3])
        source = bytes[8..<12].reduce(0) { $0 << 8 | UInt32($1) }
        payload = start..<end
    }
}
