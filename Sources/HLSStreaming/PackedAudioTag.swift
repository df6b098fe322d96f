import MediaTime
import Metadata
import WireFormats

/// The ID3 tags at the start of packed audio (RFC 8216bis, 3.4): their length, the stamp of the first sample, and whether there is
/// anything else in them.
struct PackedAudioTag {
    /// All tags, complete.
    let bytes: [UInt8]
    /// The stamp of the first sample after them: 33 bits at 90 kHz.
    private(set) var transportStreamTimestamp: MediaTime?
    /// Whether there are frames besides the stamp.
    private(set) var hasContent = false

    var length: Int { bytes.count }

    private static let owner = "com.apple.streaming.transportStreamTimestamp"

    /// Parses consecutive tags at the start of some bytes; nil when there is none, or when one is still incomplete.
    init?(_ data: [UInt8]) {
        var end = 0
        while let size = ID3Tag.byteCount(data[end...].prefix(ID3Tag.headerLength)) {
            guard end + size <= data.count, let tag = ID3Tag(data[end..<end + size]) else { return nil }
            let stamps = tag.privateFrames.filter { $0.owner == Self.owner && $0.data.count == 8 }
            if transportStreamTimestamp == nil, let stamp = stamps.first?.data[...].bigEndian {
                transportStreamTimestamp = MediaTime(Int64(stamp & (1 << 33 - 1)), 90_000)
            }
            hasContent = hasContent || tag.items.count > stamps.count || !tag.chapters.isEmpty
            end += size
        }
        guard end > 0 else { return nil }
        bytes = Array(data[..<end])
    }

    /// Whether these may be the first bytes of an incomplete tag.
    static func mayBegin(_ data: [UInt8]) -> Bool {
        data.prefix(3).elementsEqual("ID3".utf8.prefix(data.count))
            && (ID3Tag.byteCount(data.prefix(ID3Tag.headerLength)).map { $0 > data.count } ?? (data.count < ID3Tag.headerLength))
    }
}
