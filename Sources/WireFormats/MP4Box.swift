/// A box of ISO/IEC 14496-12 (section 4.2) that is completely in memory.
package struct MP4Box {
    /// Four characters; each byte is one character of ISO 8859-1.
    package var type: String
    package var body: ArraySlice<UInt8>
    /// The index of the first byte of its header.
    package var start: Int

    /// Parses a sequence of boxes; stops at a damaged or incomplete one.
    package static func boxes(in bytes: ArraySlice<UInt8>) -> [MP4Box] {
        var boxes: [MP4Box] = []
        var rest = bytes
        while let header = Header(rest) {
            let size = header.size ?? Int64(rest.count)
            guard size <= rest.count else { break }
            boxes.append(
                MP4Box(type: header.type, body: rest.prefix(Int(size)).dropFirst(header.length), start: rest.startIndex))
            rest = rest.dropFirst(Int(size))
        }
        return boxes
    }

    /// The contents of the first box at a path of types, each inside the one before.
    package static func first(_ path: [String], in bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        var place = bytes
        for type in path {
            guard let child = boxes(in: place).first(where: { $0.type == type }) else { return nil }
            place = child.body
        }
        return place
    }

    /// Whether bytes begin like a segment of fragmented MP4 (RFC 8216bis, 3.1.2).
    package static func beginsSegment(_ bytes: some Collection<UInt8>) -> Bool {
        type(of: bytes).map { ["ftyp", "styp", "moof", "moov", "sidx", "emsg", "prft"].contains($0) } ?? false
    }

    /// The type of the box at the start of some bytes; nil when there are fewer than eight.
    package static func type(of bytes: some Collection<UInt8>) -> String? {
        let head = ArraySlice(Array(bytes.prefix(8)))
        return head.count == 8 ? head.suffix(4).latin1 : nil
    }

    /// The header of a box.
    package struct Header {
        package static let longest = 16
        package var type: String
        /// The length of the header itself: 8, or 16 when the size has eight bytes.
        package var length: Int
        /// The length of the whole box; nil when it extends to the end of the file.
        package var size: Int64?

        /// Nil when the header is incomplete or its size is invalid.
        package init?(_ bytes: ArraySlice<UInt8>) {
            guard let short = bytes.big(4, at: 0), let type = MP4Box.type(of: bytes) else { return nil }
            self.type = type
            length = 8
            switch short {
            case 0: size = nil
            case 1:
                guard let long = bytes.big(8, at: 8), long >= 16, long < 1 << 60 else { return nil }
                length = 16
                size = Int64(long)
            case 8...: size = Int64(short)
            default: return nil
            }
        }
    }
}
