import WireFormats

/// Watches the bytes of a transport stream for tables that change. A value.
struct TableWatch {
    /// What was found in some bytes.
    struct Change {
        /// Which of the bytes are the packet that completes the new table; none if it began before them.
        let packet: Range<Int>
        /// Reads what follows.
        let next: ProgramTableReader
        /// Whether the tables before it are known to have been the others, without a jump in between.
        let isExact: Bool
    }
    private(set) var reader: ProgramTableReader
    let packets: TransportPackets
    /// Whether a table was as expected since the last jump.
    private(set) var isSure = true
    /// Whether it is known where packets begin.
    private var isAligned = true
    /// The beginning of a packet.
    private var carry: [UInt8] = []
    /// How many bytes the current packet of each PID's elementary stream lacks (ISO/IEC 13818-1, 2.4.3.6); `endless` if it ends where another begins.
    private var missing = [Int32](repeating: 0, count: 1 << 13)

    private static let endless = Int32.max

    init(_ reader: ProgramTableReader, _ packets: TransportPackets) {
        self.reader = reader
        self.packets = packets
    }

    /// What comes next does not continue what came before.
    ///
    /// - Parameter isSure: whether the tables there are known to be these.
    mutating func jump(isSure: Bool) {
        reader.jump()
        self.isSure = isSure
        isAligned = false
        carry = []
        for pid in missing.indices { missing[pid] = 0 }
    }

    /// Takes bytes up to a change. Nil if there is none.
    ///
    /// - Parameter same: called with how many bytes end with a table that is as expected.
    mutating func take(_ bytes: UnsafeRawBufferPointer, same: (Int) -> Void = { _ in }) -> Change? {
        var at = 0
        while at < bytes.count {
            let rest = UnsafeRawBufferPointer(rebasing: bytes[at...])
            guard carry.isEmpty else {
                let count = min(packets.length - carry.count, rest.count)
                carry += rest.prefix(count)
                at += count
                guard carry.count == packets.length else { break }
                let record = carry
                carry = []
                guard record[packets.lead] == TransportPackets.sync else {
                    isAligned = false
                    continue
                }
                if let change = record.withUnsafeBytes({ take(record: $0, at..<at, same) }) { return change }
                continue
            }
            if !isAligned || rest.count > packets.lead && rest[packets.lead] != TransportPackets.sync {
                at += packetStart(in: rest)
                isAligned = true
                if at == bytes.count { break }
            }
            guard bytes.count - at >= packets.length else {
                carry = Array(bytes[at...])
                break
            }
            let record = UnsafeRawBufferPointer(rebasing: bytes[at..<at + packets.length])
            at += packets.length
            if let change = take(record: record, at - packets.length..<at, same) { return change }
        }
        return nil
    }

    /// Where the next packet begins, as far as can be seen; the end if nowhere.
    private func packetStart(in bytes: UnsafeRawBufferPointer) -> Int {
        let (lead, length) = (packets.lead, packets.length)
        var at = 0
        while at + lead < bytes.count {
            let next = at + lead + length
            if bytes[at + lead] == TransportPackets.sync, next >= bytes.count || bytes[next] == TransportPackets.sync {
                return at
            }
            at += 1
        }
        return bytes.count
    }

    /// Forgets the beginning of a packet that ends the bytes, which come again.
    ///
    /// - Returns: how many bytes these are.
    mutating func returnCarry() -> Int {
        defer { carry = [] }
        return carry.count
    }

    private mutating func take(record: UnsafeRawBufferPointer, _ place: Range<Int>, _ same: (Int) -> Void) -> Change? {
        let packet = UnsafeRawBufferPointer(rebasing: record[packets.lead..<packets.lead + TransportPackets.packetLength])
        follow(packet)
        switch reader.take(packet) {
        case .nothing: return nil
        case .same:
            isSure = true
            same(place.upperBound)
            return nil
        case .changed(let next): return Change(packet: place, next: next, isExact: isSure)
        }
    }

    // MARK: - Elementary streams

    /// The PIDs of which a packet of the elementary stream has begun and not ended.
    func unfinished(of pids: Set<Int>) -> Set<Int> { pids.filter { missing[$0] > 0 } }

    /// The PID of a packet of 188 bytes, and whether a packet of the elementary stream begins with it.
    static func place(of packet: UnsafeRawBufferPointer) -> (pid: Int, begins: Bool) {
        (Int(packet[1] & 0x1F) << 8 | Int(packet[2]), packet[1] & 0x40 != 0)
    }

    private mutating func follow(_ packet: UnsafeRawBufferPointer) {
        guard packet[3] & 0x10 != 0 else { return }
        let (pid, begins) = Self.place(of: packet)
        let start = packet[3] & 0x20 != 0 ? 5 + Int(packet[4]) : 4
        guard start < packet.count else { return }
        let count = Int32(packet.count - start)
        if begins {
            guard count >= 6, packet[start] == 0, packet[start + 1] == 0, packet[start + 2] == 1 else {
                return missing[pid] = 0
            }
            let length = Int32(packet[start + 4]) << 8 | Int32(packet[start + 5])
            missing[pid] = length == 0 ? Self.endless : max(0, length + 6 - count)
        } else if missing[pid] != Self.endless {
            missing[pid] = max(0, missing[pid] - count)
        }
    }

    /// What follows a change and still belongs to what was before: the ends of packets of elementary streams. Each is awaited until it ends, within limits.
    ///
    /// - Parameters:
    ///   - pids: those that the tables list before and after the change.
    ///   - old: those that only the tables before it list. They are not awaited.
    ///   - nextPacket: a packet with what is around it; nil at the end.
    mutating func rest(of pids: Set<Int>, and old: Set<Int>, _ nextPacket: () -> [UInt8]?) -> [UInt8] {
        var awaited = unfinished(of: pids)
        var rest: [UInt8] = []
        for _ in 0..<Self.longestRest where !awaited.isEmpty {
            guard let record = nextPacket(), record.count == packets.length, record[packets.lead] == TransportPackets.sync else {
                break
            }
            let packet = Array(record[packets.lead...].prefix(TransportPackets.packetLength))
            packet.withUnsafeBytes { packet in
                let (pid, begins) = Self.place(of: packet)
                if awaited.contains(pid), begins {
                    awaited.remove(pid)
                } else if awaited.contains(pid) || old.contains(pid) && !begins {
                    follow(packet)
                    rest += record
                    if missing[pid] <= 0 { awaited.remove(pid) }
                }
            }
        }
        return rest
    }

    /// In packets: as much as a picture has.
    private static let longestRest = 4096
}
