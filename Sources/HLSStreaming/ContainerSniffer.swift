import MediaModel

/// Detects the container of a segment from its first bytes; names and media types are not reliable.
enum ContainerSniffer {
    /// The container of a segment, or nil when it is none of the formats of RFC 8216bis, section 3.1.
    static func container(of bytes: [UInt8]) -> ContainerHint? {
        if bytes.count > 188, bytes[0] == 0x47, bytes[188] == 0x47 { return .transportStream }
        if bytes.count >= 8, ["ftyp", "styp", "moof", "moov", "sidx", "emsg", "prft"].contains(text(bytes[4..<8])) {
            return .fragmentedMP4
        }
        var start = 0
        if bytes.count > 10, text(bytes[0..<3]) == "ID3" {
            // ID3v2: a synchsafe length after ten bytes of header.
            start = 10 + bytes[6..<10].reduce(0) { $0 << 7 | Int($1 & 0x7f) }
        }
        guard bytes.count > start + 1 else { return nil }
        switch (bytes[start], bytes[start + 1]) {
        case (0xFF, let second) where second & 0xF6 == 0xF0: return .packedAAC
        case (0xFF, let second) where second & 0xE0 == 0xE0: return .packedMP3
        case (0x0B, 0x77) where bytes.count > start + 5: return bytes[start + 5] >> 3 > 10 ? .packedEAC3 : .packedAC3
        default: return nil
        }
    }

    /// Whether samples carry timestamps shared by all renditions. Packed audio does not: it starts at its segment's start.
    static func hasSharedStamps(_ container: ContainerHint) -> Bool {
        container == .transportStream || container == .fragmentedMP4
    }

    private static func text(_ bytes: ArraySlice<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }
}
