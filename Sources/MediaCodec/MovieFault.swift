import MediaModel
import WireFormats

/// What the boxes of an MP4 file say of it, for files of which FFmpeg makes no track, or no sample.
enum MovieFault {
    /// The index says that it is encrypted.
    case encrypted
    /// A box states more bytes than there are.
    case cut

    /// More than the index of a film of a day; a longer one is not read.
    private static let longestIndex: Int64 = 32 << 20
    /// The sample entries of encrypted tracks: ISO/IEC 14496-12, section 8.12, and those of Apple's stores.
    private static let entries: Set = ["encv", "enca", "enct", "encs", "drmi", "drms"]

    /// Nil where the boxes say nothing, and for a stream that cannot seek.
    ///
    /// - Throws: the error of the stream.
    init?(in stream: any ByteStream) throws(MediaError) {
        guard let length = stream.length else { return nil }
        var offset: Int64 = 0
        while offset < length {
            try stream.seek(to: offset)
            let head = try stream.read(count: MP4Box.Header.longest)
            guard let header = MP4Box.Header(head[...]) else { return nil }
            let left = length - offset
            let size = header.size ?? left
            if header.type == "moov", min(size, left) <= Self.longestIndex {
                try stream.seek(to: offset + Int64(header.length))
                if Self.isProtected(try stream.read(count: Int(min(size, left)) - header.length)) {
                    self = .encrypted
                    return
                }
            }
            if size > left {
                self = .cut
                return
            }
            offset += size
        }
        return nil
    }

    private static func isProtected(_ moov: [UInt8]) -> Bool {
        let boxes = MP4Box.boxes(in: moov[...])
        if boxes.contains(where: { $0.type == "pssh" }) { return true }
        return boxes.filter { $0.type == "trak" }.contains { track in
            guard let table = MP4Box.first(["mdia", "minf", "stbl", "stsd"], in: track.body) else { return false }
            // Version, flags and the number of entries precede them.
            return MP4Box.boxes(in: table.dropFirst(8)).contains { entries.contains($0.type) }
        }
    }
}
