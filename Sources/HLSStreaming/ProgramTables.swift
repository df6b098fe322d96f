/// The tracks that the tables at the start of a transport stream list (ISO/IEC 13818-1, 2.4.4): their PIDs and types.
///
/// A demuxer continues with segments of the same tracks only. With other ones it would hold back the last picture of a PID that is not used any more.
struct ProgramTables: Equatable {
    private struct Track: Comparable {
        var pid: Int
        var type: UInt8

        static func < (left: Track, right: Track) -> Bool { left.pid < right.pid }
    }
    private let tracks: [Track]

    private static let packetSize = 188

    /// Nil if the first bytes do not have the whole tables.
    init?(_ head: [UInt8]) {
        var programPID: Int?
        for start in stride(from: 0, through: head.count - Self.packetSize, by: Self.packetSize) {
            guard let section = Self.section(head[start..<start + Self.packetSize]) else { continue }
            if section.pid == 0 { programPID = programPID ?? Self.programPID(section.bytes) }
            if let programPID, section.pid == programPID, let tracks = Self.tracks(section.bytes) {
                self.tracks = tracks.sorted()
                return
            }
        }
        return nil
    }

    /// The section that begins in a packet, if it ends there too, without its checksum.
    private static func section(_ packet: ArraySlice<UInt8>) -> (pid: Int, bytes: ArraySlice<UInt8>)? {
        guard packet.first == 0x47 else { return nil }
        let base = packet.startIndex
        // The payload begins a section.
        guard packet[base + 1] & 0x40 != 0, packet[base + 3] & 0x10 != 0 else { return nil }
        let pid = Int(packet[base + 1] & 0x1F) << 8 | Int(packet[base + 2])
        var payload = packet.dropFirst(4)
        if packet[base + 3] & 0x20 != 0 { payload = payload.dropFirst(1 + Int(packet[base + 4])) }
        guard let pointer = payload.first else { return nil }
        payload = payload.dropFirst(1 + Int(pointer))
        guard payload.count > 12 else { return nil }
        let at = payload.startIndex
        let length = 3 + Int(payload[at + 1] & 0x0F) << 8 + Int(payload[at + 2])
        guard length > 12, length <= payload.count else { return nil }
        return (pid, payload.prefix(length - 4))
    }

    /// The PID of the first program of an association table.
    private static func programPID(_ section: ArraySlice<UInt8>) -> Int? {
        guard section.first == 0 else { return nil }
        var rest = section.dropFirst(8)
        while rest.count >= 4 {
            let at = rest.startIndex
            if rest[at] != 0 || rest[at + 1] != 0 { return Int(rest[at + 2] & 0x1F) << 8 | Int(rest[at + 3]) }
            rest = rest.dropFirst(4)
        }
        return nil
    }

    private static func tracks(_ section: ArraySlice<UInt8>) -> [Track]? {
        guard section.first == 2, section.count >= 12 else { return nil }
        let at = section.startIndex
        var rest = section.dropFirst(12 + Int(section[at + 10] & 0x0F) << 8 + Int(section[at + 11]))
        var tracks: [Track] = []
        while rest.count >= 5 {
            let at = rest.startIndex
            tracks.append(Track(pid: Int(rest[at + 1] & 0x1F) << 8 | Int(rest[at + 2]), type: rest[at]))
            rest = rest.dropFirst(5 + Int(rest[at + 3] & 0x0F) << 8 + Int(rest[at + 4]))
        }
        return tracks
    }
}
