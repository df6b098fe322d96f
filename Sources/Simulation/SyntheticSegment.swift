/// Media segments whose pictures are cheap to decode: one picture each two seconds, packed like a transport stream in packets of 188 bytes.
///
/// A packet has the sync byte 0x47, a kind (`P` picture, `N` nothing), whether decoding can start here, the number of the stream, and the time stamp in
/// units of 1/90000 s.
enum SyntheticSegment {
    static let packetSize = 188
    static let picture = UInt8(ascii: "P")
    static let nothing = UInt8(ascii: "N")
    /// Units of the time stamps in a second.
    static let timescale: Int64 = 90_000
    /// Seconds from one picture to the next. Each picture costs a few wake-ups of the box, and more of them find nothing more.
    static let pictureInterval: Int64 = 2
    /// Time stamps of transport streams have 33 bits.
    static let stampLimit: Int64 = 1 << 33

    /// A segment.
    ///
    /// - Parameters:
    ///   - stream: the number of the stream, which every picture carries.
    ///   - start: the time stamp of the first picture in seconds.
    ///   - seconds: its length.
    ///   - padding: packets without content for each picture.
    static func bytes(stream: UInt32, start: Int64, seconds: Int, padding: Int) -> [UInt8] {
        let pictures = seconds / Int(pictureInterval)
        var bytes = [UInt8](repeating: 0xFF, count: pictures * (padding + 1) * packetSize)
        for packet in 0..<pictures * (padding + 1) {
            let (number, rest) = packet.quotientAndRemainder(dividingBy: padding + 1)
            let stamp = (start + Int64(number) * pictureInterval) * timescale % stampLimit
            let kind = rest == 0 ? picture : nothing
            bytes.withUnsafeMutableBytes { all in
                let place = UnsafeMutableRawBufferPointer(rebasing: all[packet * packetSize..<(packet + 1) * packetSize])
                place.copyBytes(from: [0x47, kind, packet == 0 ? 1 : 0, 0])
                place.storeBytes(of: stream.bigEndian, toByteOffset: 4, as: UInt32.self)
                place.storeBytes(of: stamp.bigEndian, toByteOffset: 8, as: Int64.self)
            }
        }
        return bytes
    }

    /// A picture in a segment.
    struct Picture {
        var isSync: Bool
        var stream: UInt32
        var stamp: Int64
    }

    /// The picture of a packet; nil for a packet without one.
    static func parse(_ packet: ArraySlice<UInt8>) -> Picture? {
        let first = packet.startIndex
        guard packet.count == packetSize, packet[first] == 0x47, packet[first + 1] == picture else { return nil }
        let stream = packet[first + 4..<first + 8].reduce(0 as UInt32) { $0 << 8 | UInt32($1) }
        let stamp = packet[first + 8..<first + 16].reduce(0 as Int64) { $0 << 8 | Int64($1) }
        return Picture(isSync: packet[first + 2] == 1, stream: stream, stamp: stamp)
    }
}
