import MediaModel
import Metadata
import WireFormats

/// Detects the container of a segment from its first bytes; names and media types are not reliable.
enum ContainerSniffer {
    /// The container of a segment, or nil when it is none of the formats of RFC 8216bis, section 3.1.
    static func container(of bytes: [UInt8]) -> ContainerHint? {
        if bytes.count > 188, bytes[0] == 0x47, bytes[188] == 0x47 { return .transportStream }
        if MP4Box.beginsSegment(bytes) { return .fragmentedMP4 }
        let start = ID3Tag.byteCount(bytes.prefix(ID3Tag.headerLength)) ?? 0
        guard bytes.count > start + 1 else { return nil }
        switch (bytes[start], bytes[start + 1]) {
        case (0xFF, let second) where second & 0xF6 == 0xF0: return .packedAAC
        case (0xFF, let second) where second & 0xE0 == 0xE0: return .packedMP3
        case (0x0B, 0x77) where bytes.count > start + 5: return bytes[start + 5] >> 3 > 10 ? .packedEAC3 : .packedAC3
        default: return nil
        }
    }

    /// The container of a segment with its initialization section, if it has one; nil when it is none of these formats, or a web page that was sent for a segment.
    ///
    /// - Parameters:
    ///   - head: the first bytes of the segment, decrypted.
    ///   - map: the initialization section, decrypted.
    ///   - tagLength: the length of the tags at the start of packed audio.
    static func container(ofSegment head: [UInt8], map: [UInt8]?, tagLength: Int) -> ContainerHint? {
        guard let map else { return container(of: Array(head.dropFirst(tagLength))) }
        return isMarkup(head) ? nil : container(of: map)
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
