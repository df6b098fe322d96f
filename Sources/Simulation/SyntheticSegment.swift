/// Media segments whose pictures are cheap to decode: one picture each two seconds, packed like a transport stream in packets of 188 bytes.
///
/// A packet has the sync byte 0x47, a kind (`P` picture, `S` sound for as long as a picture, `N` nothing), whether decoding can start here, whether the
/// segment has sound, the number of the stream, and the time stamp in units of 1/90000 s.
enum SyntheticSegment {
    static let packetSize = 188
    static let picture = UInt8(ascii: "P")
    static let sound = UInt8(ascii: "S")
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
    ///   - padding: packets without a picture for each picture, at least one.
    ///   - hasSound: whether the first of them has sound.
    static func bytes(stream: UInt32, start: Int64, seconds: Int, padding: Int, hasSound: Bool = false) -> [UInt8] {
        let pictures = seconds / Int(pictureInterval)
        var bytes = [UInt8](repeating: 0xFF, count: pictures * (padding + 1) * packetSize)
        for packet in 0..<pictures * (padding + 1) {
            let (number, rest) = packet.quotientAndRemainder(dividingBy: padding + 1)
            let stamp = (start + Int64(number) * pictureInterval) * timescale % stampLimit
            let kind = rest == 0 ? picture : rest == 1 && hasSound ? sound : nothing
            bytes.withUnsafeMutableBytes { all in
                let place = UnsafeMutableRawBufferPointer(rebasing: all[packet * packetSize..<(packet + 1) * packetSize])
                place.copyBytes(from: [0x47, kind, packet == 0 ? 1 : 0, hasSound ? 1 : 0])
                place.storeBytes(of: stream.bigEndian, toByteOffset: 4, as: UInt32.self)
                place.storeBytes(of: stamp.bigEndian, toByteOffset: 8, as: Int64.self)
            }
        }
        return bytes
    }

    /// A picture or a piece of sound in a segment.
    struct Sample {
        var isSound: Bool
        var isSync: Bool
        var stream: UInt32
        var stamp: Int64
    }

    /// Whether the segment of a packet has sound.
    static func hasSound(_ packet: ArraySlice<UInt8>) -> Bool { packet[packet.startIndex + 3] == 1 }

    /// The sample of a packet; nil for a packet without one.
    static func parse(_ packet: ArraySlice<UInt8>) -> Sample? {
        let first = packet.startIndex
        guard packet.count == packetSize, packet[first] == 0x47, packet[first + 1] != nothing else { return nil }
        let stream = packet[first + 4..<first + 8].reduce(0 as UInt32) { $0 << 8 | UInt32($1) }
        let stamp = packet[first + 8..<first + 16].reduce(0 as Int64) { $0 << 8 | Int64($1) }
        return Sample(
            isSound: packet[first + 1] == sound, isSync: packet[first + 2] == 1, stream: stream, stamp: stamp)
    }
}
