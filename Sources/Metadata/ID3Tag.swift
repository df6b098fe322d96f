import Languages
import MediaTime
import TextDecoding
import WireFormats

/// The frames of an ID3v2 tag of version 2.2, 2.3 or 2.4 (id3.org, "ID3v2.4.0-structure" and "-frames"; chapters: "ID3v2 Chapter Frame Addendum").
package struct ID3Tag: Sendable {
    /// The second part of the version: 2, 3 or 4.
    package var version: Int
    /// The length in bytes including header and footer.
    package var byteCount: Int
    /// The metadata in the frames.
    package var items: [MetadataItem]
    /// The chapters of the top-level table of contents in its order, or all chapters ordered by time when there is no table.
    package var chapters: [TimedMetadataGroup]
    /// Private frames (`PRIV`), e.g. the timestamp of an HLS segment.
    package var privateFrames: [(owner: String, data: [UInt8])]

    /// The bytes at the start of a tag that say how long it is.
    package static let headerLength = 10

    /// The length of the tag that starts with these bytes; nil when there is none. Ten bytes are enough.
    package static func byteCount(_ bytes: some Sequence<UInt8>) -> Int? {
        var cursor = ByteCursor(bytes)
        guard let header = Header(&cursor) else { return nil }
        return 10 + header.size + (header.flags & 0x10 != 0 && header.version == 4 ? 10 : 0)
    }

    /// Parses a tag at the start of the bytes.
    ///
    /// - Returns: nil when there is none. A damaged or truncated tag gives the frames before the damage.
    package init?(_ bytes: some Sequence<UInt8>) {
        var cursor = ByteCursor(bytes)
        guard let header = Header(&cursor) else { return nil }
        var body = cursor.take(min(header.size, cursor.count)) ?? []
        if header.flags & 0x80 != 0, header.version < 4 { body = Self.synchronised(body) }
        let reader = Self.frames(of: body, header)
        version = header.version
        byteCount = 10 + header.size + (header.flags & 0x10 != 0 && header.version == 4 ? 10 : 0)
        items = reader.items
        chapters = reader.orderedChapters
        privateFrames = reader.privateFrames
    }

    private static func frames(of body: ArraySlice<UInt8>, _ header: Header) -> ID3FrameReader {
        func read(_ latin: LegacyText) -> ID3FrameReader {
            var frames = ByteCursor(body)
            if header.flags & 0x40 != 0, header.version > 2 { skipExtendedHeader(&frames, header.version) }
            var reader = ID3FrameReader(
                version: header.version, isUnsynchronised: header.flags & 0x80 != 0, latin: latin)
            reader.read(&frames)
            return reader
        }
        let first = read(LegacyText())
        let latin = LegacyText(sample: first.latinTexts)
        return latin == LegacyText() ? first : read(latin)
    }

    private struct Header {
        var version: Int
        var flags: UInt8
        var size: Int

        init?(_ cursor: inout ByteCursor) {
            guard let mark = cursor.take(3), mark.elementsEqual("ID3".utf8), let version = cursor.byte(),
                (2...4).contains(version),
                let revision = cursor.byte(), revision != 0xFF, let flags = cursor.byte(), let size = cursor.synchsafe()
            else { return nil }
            self.version = Int(version)
            self.flags = flags
            self.size = size
        }
    }

    private static func skipExtendedHeader(_ cursor: inout ByteCursor, _ version: Int) {
        if version == 3 {
            guard let size = cursor.big(4) else { return }
            _ = cursor.take(min(Int(size), cursor.count))
        } else {
            guard let size = cursor.synchsafe() else { return }
            _ = cursor.take(min(max(size - 4, 0), cursor.count))
        }
    }

    /// Undoes unsynchronisation, which inserts a zero byte after each 0xFF.
    static func synchronised(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var isAfterFF = false
        for byte in bytes {
            if isAfterFF, byte == 0 {
                isAfterFF = false
                continue
            }
            result.append(byte)
            isAfterFF = byte == 0xFF
        }
        return result[...]
    }
}
