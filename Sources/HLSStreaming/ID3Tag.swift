import MediaTime

/// An ID3v2 tag at the start of packed audio (RFC 8216bis, 3.4): its length, the timestamp of the first sample, and whether it
/// contains anything else.
struct ID3Tag {
    /// The whole tag.
    let bytes: [UInt8]
    /// The timestamp of the first sample after it: 33 bits at 90 kHz.
    private(set) var transportStreamTimestamp: MediaTime?
    /// Whether it has frames other than the timestamp.
    private(set) var hasContent = false

    var length: Int { bytes.count }

    private static let owner = Array("com.apple.streaming.transportStreamTimestamp".utf8)

    /// Parses the consecutive tags at the start of some bytes; nil when there is none, or when it is incomplete.
    init?(_ data: [UInt8]) {
        var end = 0
        while let size = Self.size(data, at: end) {
            guard end + size <= data.count else { return nil }
            end += size
        }
        guard end > 0 else { return nil }
        bytes = Array(data[..<end])
        var start = 0
        while let size = Self.size(data, at: start), start + size <= end {
            readFrames(start + 10, start + size, version: data[start + 3])
            start += size
        }
    }

    /// Whether these may be the first bytes of an incomplete tag.
    static func mayBegin(_ data: [UInt8]) -> Bool {
        data.prefix(3).elementsEqual("ID3".utf8.prefix(data.count))
            && (size(data, at: 0).map { $0 > data.count } ?? (data.count < 10))
    }

    /// The size of a tag, including the header.
    private static func size(_ data: [UInt8], at start: Int) -> Int? {
        guard data.count >= start + 10, data[start..<start + 3].elementsEqual("ID3".utf8) else { return nil }
        let body = data[start + 6..<start + 10].reduce(0) { $0 << 7 | Int($1 & 0x7f) }
        return body + 10 + (data[start + 5] & 0x10 != 0 ? 10 : 0)
    }

    private mutating func readFrames(_ first: Int, _ end: Int, version: UInt8) {
        var position = first
        while position + 10 <= end, bytes[position] != 0 {
            let length = bytes[position + 4..<position + 8].reduce(0) { $0 << (version >= 4 ? 7 : 8) | Int($1) }
            let body = position + 10
            guard length > 0, body + length <= end else { return }
            let frame = bytes[body..<body + length]
            if bytes[position..<position + 4].elementsEqual("PRIV".utf8), frame.starts(with: Self.owner),
                length == Self.owner.count + 9
            {
                let stamp = frame.suffix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
                if transportStreamTimestamp == nil {
                    transportStreamTimestamp = MediaTime(Int64(stamp & (1 << 33 - 1)), 90_000)
                }
            } else {
                hasContent = true
            }
            position = body + length
        }
    }
}
