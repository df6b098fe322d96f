/// The packets of MPEG-TS in datagrams (ISO/IEC 13818-1, 2.4.3).
struct DatagramPackets {
    /// How many packets are known to be missing, by their counters (2.4.3.3): at least so many.
    private(set) var missing = 0
    /// The last counter of each stream, by its PID.
    private var counters: [UInt16: UInt8] = [:]
    /// How many bytes the last packet lacks: a sender may cut the stream anywhere.
    private var lacking = 0

    private static let sync = UInt8(ascii: "G")
    private static let length = 188
    /// With 16 bytes of Reed-Solomon code behind each packet (DVB), or a time before it.
    private static let strides = [188, 204, 192]

    /// Whether bytes are whole packets from the first one on.
    static func isWhole(_ bytes: UnsafeRawBufferPointer) -> Bool {
        strides.contains { stride in bytes.count % stride == 0 && hasPackets(bytes, from: 0, stride) }
    }

    private static func hasPackets(_ bytes: UnsafeRawBufferPointer, from start: Int, _ stride: Int) -> Bool {
        start < bytes.count && Swift.stride(from: start, to: bytes.count, by: stride).allSatisfy { bytes[$0] == sync }
    }

    /// Takes what a datagram holds.
    ///
    /// - Parameter counts: whether packets that are missing are counted.
    /// - Returns: whether it is a piece of a transport stream.
    mutating func take(_ bytes: UnsafeRawBufferPointer, counts: Bool) -> Bool {
        guard let found = place(in: bytes) else { return false }
        let rest = bytes.count - found.start
        lacking = (found.stride - rest % found.stride) % found.stride
        guard counts else { return true }
        for start in Swift.stride(from: found.start, to: bytes.count, by: found.stride) where start + 4 <= bytes.count {
            count(UnsafeRawBufferPointer(rebasing: bytes[start...]))
        }
        return true
    }

    /// Where packets begin in a datagram. A short one need not have the beginning of any: it goes on where the last one ended.
    private func place(in bytes: UnsafeRawBufferPointer) -> (start: Int, stride: Int)? {
        for stride in Self.strides {
            if bytes.count % stride == 0, Self.hasPackets(bytes, from: 0, stride) { return (0, stride) }
        }
        if lacking > 0, bytes.count <= lacking { return (bytes.count, Self.length) }
        for stride in Self.strides {
            if lacking > 0, lacking < stride, Self.hasPackets(bytes, from: lacking, stride) { return (lacking, stride) }
            // Two marks may be there by accident.
            guard bytes.count >= 3 * stride else { continue }
            if let start = (0..<stride).first(where: { Self.hasPackets(bytes, from: $0, stride) }) { return (start, stride) }
        }
        return nil
    }

    private mutating func count(_ packet: UnsafeRawBufferPointer) {
        let pid = UInt16(packet[1] & 0x1f) << 8 | UInt16(packet[2])
        guard pid != 0x1fff else { return }
        let control = packet[3] >> 4 & 3
        let counter = packet[3] & 0x0f
        // The counter may jump where the sender says so.
        let mayJump = control & 2 != 0 && packet.count > 5 && packet[4] > 0 && packet[5] & 0x80 != 0
        defer { counters[pid] = counter }
        // Only packets with a payload are counted; one may come twice.
        guard control & 1 != 0, !mayJump, let last = counters[pid], last != counter else { return }
        missing += Int((counter &- last &- 1) & 0x0f)
    }
}
