/// Marks the second audio track of a transport stream as one to be mixed with the first (EN 300 468: the supplementary audio
/// descriptor), which ffmpeg cannot write.
package enum SupplementaryAudio {
    /// A descriptor for: not a complete mix, for the visually impaired.
    private static let descriptor: [UInt8] = [0x7F, 2, 0x06, 0x06]
    /// Stream types of sound: MPEG, private (AC-3, AES3), AAC.
    private static let sounds: Set<UInt8> = [0x03, 0x04, 0x06, 0x0F, 0x81]

    /// Marks the second audio track of a stream with one programme whose map fits into one packet.
    package static func mark(_ stream: [UInt8]) -> [UInt8] {
        var marked = stream
        var map: Int?
        for start in stride(from: 0, to: stream.count - 187, by: 188) {
            let packet = Array(stream[start..<start + 188])
            guard packet[1] & 0x40 != 0 else { continue }
            let pid = Int(packet[1] & 0x1F) << 8 | Int(packet[2])
            let section = Array(packet[(5 + Int(packet[4]))...])
            if pid == 0 { map = Int(section[10] & 0x1F) << 8 | Int(section[11]) }
            guard pid == map, let changed = self.changed(section) else { continue }
            let bytes = packet[..<(5 + Int(packet[4]))] + changed
            marked.replaceSubrange(start..<start + 188, with: bytes + [UInt8](repeating: 0xFF, count: 188 - bytes.count))
        }
        return marked
    }

    private static func changed(_ section: [UInt8]) -> [UInt8]? {
        func length(_ place: Int) -> Int { Int(section[place] & 0x0F) << 8 | Int(section[place + 1]) }
        var bytes = Array(section[..<(length(1) + 3 - 4)])
        var (place, count) = (12 + length(10), 0)
        while place < bytes.count {
            let own = length(place + 3)
            if sounds.contains(bytes[place]) { count += 1 }
            if count == 2 {
                bytes.insert(contentsOf: descriptor, at: place + 5 + own)
                set(own + descriptor.count, at: place + 3, in: &bytes)
                set(bytes.count + 4 - 3, at: 1, in: &bytes)
                let check = checksum(bytes)
                return bytes + (0..<4).map { UInt8(truncatingIfNeeded: check >> (24 - 8 * $0)) }
            }
            place += 5 + own
        }
        return nil
    }

    private static func set(_ length: Int, at place: Int, in bytes: inout [UInt8]) {
        bytes[place] = bytes[place] & 0xF0 | UInt8(length >> 8)
        bytes[place + 1] = UInt8(truncatingIfNeeded: length)
    }

    /// CRC-32 of MPEG-2 sections.
    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        bytes.reduce(UInt32.max) { sum, byte in
            (0..<8).reduce(sum ^ UInt32(byte) << 24) { sum, _ in sum & 0x8000_0000 != 0 ? sum << 1 ^ 0x04C1_1DB7 : sum << 1 }
        }
    }
}
