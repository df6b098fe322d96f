import MediaModel
import WireFormats

/// Whether a segment has any sample. Packagers list segments without one where an encoder had nothing: they are holes, and the next segment is where its
/// playlist says, not where they begin.
enum SegmentContent {
    /// Whether the first bytes of a segment, decrypted, have no sample: tables, boxes, tags and stuffing only. Of part of a segment, whether none has come so far.
    ///
    /// - Parameters:
    ///   - tagLength: the length of the tags at the start of packed audio.
    ///   - isComplete: whether they are all of it.
    static func isBarren(_ head: [UInt8], _ container: ContainerHint?, tagLength: Int, isComplete: Bool) -> Bool {
        if isComplete, head.count == tagLength { return true }
        return switch container {
        case .transportStream: isOfTables(head)
        case .fragmentedMP4: hasNoData(head, isComplete: isComplete)
        default: false
        }
    }

    /// Whether packets have tables or stuffing, and no beginning of a picture or of sound (ISO/IEC 13818-1, 2.4.3).
    private static func isOfTables(_ bytes: [UInt8]) -> Bool {
        guard let packets = TransportPackets(in: bytes, isComplete: true) else { return false }
        var hasTables = false
        for start in stride(from: packets.offset, through: bytes.count - TransportPackets.packetLength, by: packets.length) {
            let packet = bytes[start..<start + TransportPackets.packetLength]
            if packet[start + 1] & 0x1F == 0x1F, packet[start + 2] == 0xFF { hasTables = true }
            guard packet[start + 1] & 0x40 != 0, packet[start + 3] & 0x10 != 0 else { continue }
            let adaptation = packet[start + 3] & 0x20 == 0 ? 0 : Int(packet[start + 4]) + 1
            let payload = packet.dropFirst(4 + adaptation)
            if payload.starts(with: [0, 0, 1]) { return false }
            hasTables = true
        }
        return hasTables
    }

    /// Whether boxes have no fragment, or one whose media data is empty (ISO/IEC 14496-12, 8.1.1).
    private static func hasNoData(_ bytes: [UInt8], isComplete: Bool) -> Bool {
        guard MP4Box.beginsSegment(bytes) else { return false }
        var (hasFragment, hasData) = (false, false)
        var rest = bytes[...]
        while let header = MP4Box.Header(rest) {
            let size = header.size ?? .max
            if header.type == "mdat" {
                if size > header.length { return false }
                hasData = true
            }
            guard size <= rest.count else { return !isComplete && !hasFragment }
            if header.type == "moof" { hasFragment = true }
            rest = rest.dropFirst(Int(size))
        }
        return !isComplete || rest.isEmpty && hasFragment == hasData
    }
}
