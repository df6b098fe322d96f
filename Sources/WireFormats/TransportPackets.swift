/// The packets of a transport stream in some bytes: of 188 bytes, of 192 with a time stamp before each (BDAV), or of 204 with a checksum behind each.
package struct TransportPackets: Equatable, Sendable {
    package static let sync: UInt8 = 0x47
    /// Of a packet without what is around it (ISO/IEC 13818-1, 2.4.3.2).
    package static let packetLength = 188
    /// The sync byte of the first packet.
    package let offset: Int
    /// From one packet to the next.
    package let length: Int

    /// What comes before the sync byte of each packet.
    package var lead: Int { length == 192 ? 4 : 0 }
    /// Where the first packet begins, with what belongs to it.
    package var start: Int { max(offset - lead, 0) }

    private static let lengths = [188, 192, 204]
    /// So many packets in a row are no accident, where they do not begin at the first byte.
    private static let fewest = 5
    private static let most = 8
    private static let longestJunk = 64 << 10

    /// - Parameter isComplete: whether no more bytes follow: then fewer packets are enough.
    package init?(in bytes: [UInt8], isComplete: Bool) {
        for offset in bytes.indices.prefix(Self.longestJunk) where bytes[offset] == Self.sync {
            for length in Self.lengths {
                let count = (bytes.count - 1 - offset) / length + 1
                // A segment without a sample may be a single packet, of a table.
                let isWhole = isComplete && bytes.count == length && offset == (length == 192 ? 4 : 0)
                guard isWhole || count >= (offset == 0 || isComplete ? 2 : Self.fewest) else { continue }
                guard (1..<min(count, Self.most)).allSatisfy({ bytes[offset + $0 * length] == Self.sync }) else { continue }
                self.offset = offset
                self.length = length
                return
            }
        }
        return nil
    }

    /// A packet with as much around it as the others have.
    package func framed(_ packet: some Collection<UInt8>) -> [UInt8] {
        [UInt8](repeating: 0, count: lead) + Array(packet) + [UInt8](repeating: 0, count: length - lead - packet.count)
    }
}
