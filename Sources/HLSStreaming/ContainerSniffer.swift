import MediaModel
import Metadata
import WireFormats

/// Detects the container of a segment from its first bytes; names and media types are not reliable.
enum ContainerSniffer {
    /// The container of a segment, or nil when it is none of the formats of RFC 8216bis, section 3.1.
    ///
    /// - Parameter isComplete: whether no more bytes follow: then one frame of packed audio is enough. Otherwise nil may mean that more are needed.
    static func container(of bytes: [UInt8], isComplete: Bool = true) -> ContainerHint? {
        if bytes.first == TransportPackets.sync, TransportPackets(in: bytes, isComplete: isComplete)?.offset == 0 {
            return .transportStream
        }
        if MP4Box.beginsSegment(bytes) { return .fragmentedMP4 }
        let frames = bytes[(ID3Tag.byteCount(bytes.prefix(ID3Tag.headerLength)).map { min($0, bytes.count) } ?? 0)...]
        if FrameHeader.isFollowed({ FrameHeader(adts: $0) }, in: frames, isComplete: isComplete) { return .packedAAC }
        if FrameHeader.isFollowed({ FrameHeader(mpegAudio: $0) }, in: frames, isComplete: isComplete) { return .packedMP3 }
        if frames.starts(with: [0x0B, 0x77]), frames.count > 5 {
            return frames[frames.startIndex + 5] >> 3 > 10 ? .packedEAC3 : .packedAC3
        }
        return TransportPackets(in: bytes, isComplete: isComplete).map { _ in .transportStream }
    }

    /// The container of a segment with its initialization section, if it has one; nil when it is none of these formats, or a web page that was sent for a segment.
    ///
    /// - Parameters:
    ///   - head: the first bytes of the segment, decrypted.
    ///   - map: the initialization section, decrypted.
    ///   - tagLength: the length of the tags at the start of packed audio.
    ///   - isComplete: whether `head` is all of the segment.
    static func container(ofSegment head: [UInt8], map: [UInt8]?, tagLength: Int, isComplete: Bool) -> ContainerHint? {
        guard let map else { return container(of: Array(head.dropFirst(tagLength)), isComplete: isComplete) }
        return isMarkup(head) ? nil : container(of: map)
    }

    /// How many bytes at the start of a segment do not belong to its media: what an encoder or a server has put before the first packet of a transport
    /// stream. A demuxer that reads over them takes some of them for packets.
    static func junkLength(in head: [UInt8], _ container: ContainerHint) -> Int {
        guard container == .transportStream, let packets = TransportPackets(in: head, isComplete: true) else { return 0 }
        return packets.start
    }

    /// Whether bytes are a web page, or may be the beginning of one. As a box of MP4 they would have more than a thousand million bytes.
    static func isMarkup(_ bytes: [UInt8]) -> Bool {
        let text = bytes.drop { " \t\r\n".utf8.contains($0) }
        guard text.first == UInt8(ascii: "<") else { return false }
        // A tag, a declaration or a comment; or the rest has not arrived.
        guard let next = text.dropFirst().first else { return true }
        return "!?/".utf8.contains(next) || (0x41...0x5A).contains(next & 0xDF)
    }

    /// Whether samples carry timestamps shared by all renditions. Packed audio does not: it starts at its segment's start.
    static func hasSharedStamps(_ container: ContainerHint) -> Bool {
        container == .transportStream || container == .fragmentedMP4
    }
}

/// The header of a frame of packed audio: how long the frame is, and what all frames of a stream share.
struct FrameHeader: Equatable {
    /// With the header.
    let length: Int
    private let kind: [UInt8]

    /// Whether a stream begins with a frame, behind which another one of its kind follows, or nothing more.
    static func isFollowed(
        _ read: (ArraySlice<UInt8>) -> FrameHeader?, in bytes: ArraySlice<UInt8>, isComplete: Bool
    ) -> Bool {
        guard let first = read(bytes) else { return false }
        let rest = bytes.dropFirst(first.length)
        guard let next = read(rest) else { return isComplete && rest.isEmpty && bytes.count == first.length }
        return next.kind == first.kind
    }

    /// AAC in ADTS (ISO/IEC 13818-7, 6.2).
    init?(adts bytes: ArraySlice<UInt8>) {
        let header = Array(bytes.prefix(7))
        guard header.count == 7, header[0] == 0xFF, header[1] & 0xF6 == 0xF0, header[2] & 0x3C < 13 << 2 else { return nil }
        length = Int(header[3] & 3) << 11 | Int(header[4]) << 3 | Int(header[5] >> 5)
        kind = [header[1] & 0xF8, header[2] & 0xFC]
        guard length > 7 else { return nil }
    }

    /// Layers I to III of MPEG-1 and MPEG-2 (ISO/IEC 11172-3, 2.4.2.3).
    init?(mpegAudio bytes: ArraySlice<UInt8>) {
        let header = Array(bytes.prefix(4))
        guard header.count == 4, header[0] == 0xFF, header[1] & 0xE0 == 0xE0 else { return nil }
        let (version, layer) = (Int(header[1] >> 3 & 3), 4 - Int(header[1] >> 1 & 3))
        let (bitRate, rate) = (Int(header[2] >> 4), Int(header[2] >> 2 & 3))
        guard version != 1, layer != 4, (1..<15).contains(bitRate), rate != 3 else { return nil }
        let isFirst = version == 3
        let rates = Self.bitRates[isFirst ? layer - 1 : layer == 1 ? 3 : 4]
        let frequency = [44_100, 48_000, 32_000][rate] >> (isFirst ? 0 : version == 2 ? 1 : 2)
        let padding = Int(header[2] >> 1 & 1)
        let bits = rates[bitRate - 1] * 1000
        if layer == 1 {
            length = (12 * bits / frequency + padding) * 4
        } else {
            length = (layer == 3 && !isFirst ? 72 : 144) * bits / frequency + padding
        }
        kind = [header[1] & 0xFE, header[2] & 0x0C]
    }

    /// In kbit/s: layers I, II and III of MPEG-1, layer I of MPEG-2, layers II and III of MPEG-2.
    private static let bitRates = [
        [32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
        [32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
        [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
        [32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
        [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
    ]
}
