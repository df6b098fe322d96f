import CFFmpeg
import MediaTime

/// A stream of sound in a chain of Ogg streams, after the first one.
///
/// FFmpeg gives its time stamps in the unit of the first stream, and counts those of Vorbis by the blocks of the first stream: they are right at the ends of
/// pages only. Vorbis is counted here. A value, but for the parser.
struct OggLink {
    let rate: Int32
    private let start: MediaTime
    private let isVorbis: Bool
    private var headers: [[UInt8]] = []
    private var blocks: VorbisBlocks?
    private var hasSound = false
    /// Samples per channel up to the newest packet's end…
    private var count: Int64 = 0
    /// …and by the stream, which may end within a block: right if that was the last packet.
    private var statedEnd: Int64?
    /// What the newest packet covers; nil if its stamps tell.
    private(set) var stretch: (start: MediaTime, duration: MediaTime)?
    /// How many samples the decoder makes of the newest packet before the sound begins.
    private var priming: Int64 = 0

    /// - Parameter start: where the sound before it ends.
    /// - Returns: nil if no sound begins with the packet.
    init?(_ packet: UnsafeRawBufferPointer, start: MediaTime) {
        // Vorbis I, 4.2.2.
        isVorbis = packet.count >= 30 && packet[0] == 1 && packet[1..<7].elementsEqual("vorbis".utf8)
        if isVorbis {
            rate = Int32(
                truncatingIfNeeded: UInt32(littleEndian: packet.loadUnaligned(fromByteOffset: 12, as: UInt32.self)))
        } else if packet.count >= 51, packet[0] == 0x7F, packet[1..<5].elementsEqual("FLAC".utf8) {
            // RFC 9639, 10.1 and 8.2: STREAMINFO begins at byte 17, and its rate of 20 bits at its tenth byte.
            rate = Int32(packet[27]) << 12 | Int32(packet[28]) << 4 | Int32(packet[29]) >> 4
        } else {
            return nil
        }
        guard rate > 0 else { return nil }
        self.start = start
    }

    /// Where its sound ends, as far as it was read; nil if its stamps tell.
    var end: MediaTime? { isVorbis ? start + MediaTime(count - surplus, rate) : nil }

    /// How many samples behind the end of the stream the decoder makes of the newest packet, if that is the last one.
    private var surplus: Int64 {
        // FFmpeg counts below zero in 32 bits.
        let surplus = statedEnd.map { (count &- $0) & 0xFFFF_FFFF } ?? 0
        return surplus <= Self.longestBlock ? surplus : 0
    }

    /// The samples of the newest packet that are no sound, at its two ends, where FFmpeg states any or should; nil if it is right.
    /// - Parameter isLast: whether FFmpeg takes it for the last packet, and counts them by the blocks of the first stream.
    func padding(isLast: Bool) -> (start: Int64, end: Int64)? {
        guard isVorbis, priming > 0 || isLast else { return nil }
        return (priming, isLast ? surplus : 0)
    }

    /// Vorbis I, 4.2.2.
    private static let longestBlock: Int64 = 8192

    /// - Parameter end: the stated end of the packet, in samples of the stream; nil if unknown.
    mutating func take(_ packet: UnsafeRawBufferPointer, statedEnd end: Int64?) {
        guard isVorbis, let first = packet.first else { return }
        priming = 0
        guard first & 1 == 0 else {
            stretch = (start, .zero)
            if headers.count < 3 { headers.append(Array(packet)) }
            if headers.count == 3, blocks == nil { blocks = VorbisBlocks(headers: headers) }
            return
        }
        guard let length = blocks?.length(of: packet) else {
            stretch = nil
            return
        }
        let duration = MediaTime(length, rate)
        // Each packet completes the one before it. There is none before the first.
        guard hasSound else {
            hasSound = true
            priming = length
            stretch = (start - duration, duration)
            return
        }
        stretch = (start + MediaTime(count, rate), duration)
        count += length
        statedEnd = end
    }
}

/// The lengths of the packets of a Vorbis stream, by FFmpeg's parser.
private final class VorbisBlocks {
    private var context: OpaquePointer?

    /// - Parameter headers: its three header packets.
    init?(headers: [[UInt8]]) {
        // As Matroska joins them: the number of packets less one, the lengths of all but the last in steps of 255, and the packets.
        var joined: [UInt8] = [2]
        for header in headers.prefix(2) {
            joined += [UInt8](repeating: 255, count: header.count / 255)
            joined.append(UInt8(header.count % 255))
        }
        for header in headers { joined += header }
        let count = joined.count
        joined += [UInt8](repeating: 0, count: Int(AV_INPUT_BUFFER_PADDING_SIZE))
        context = joined.withUnsafeBufferPointer { av_vorbis_parse_init($0.baseAddress, Int32(count)) }
        guard context != nil else { return nil }
    }

    deinit { av_vorbis_parse_free(&context) }

    /// - Returns: in samples; nil for what is no sound.
    func length(of packet: UnsafeRawBufferPointer) -> Int64? {
        let length = av_vorbis_parse_frame(context, packet.baseAddress?.assumingMemoryBound(to: UInt8.self), Int32(packet.count))
        return length >= 0 ? Int64(length) : nil
    }
}
