import WireFormats

/// A box of an ISO base media or QuickTime file (ISO/IEC 14496-12 section 4.2), by the position of its contents.
struct BoxExtent {
    var type: String
    /// First byte of the contents.
    var start: Int64
    /// First byte after them; nil when the box extends to the end of the file.
    var end: Int64?

    var length: Int64? { end.map { $0 - start } }
}

/// Walks boxes without reading their contents.
struct BoxWalker {
    let reader: BlockReader
    /// The limit on sibling boxes, far above that of real files.
    private static let mostSiblings = 4096

    /// The sibling boxes from `start` to `end`. A box that exceeds its parent ends the walk.
    func children(from start: Int64, to end: Int64?) throws -> [BoxExtent] {
        var boxes: [BoxExtent] = []
        var offset = start
        while boxes.count < Self.mostSiblings, end.map({ offset + 8 <= $0 }) ?? true, let header = try header(at: offset) {
            let box = BoxExtent(
                type: header.type, start: offset + Int64(header.length), end: header.size.map { offset + $0 } ?? end)
            if let end, let boxEnd = box.end, boxEnd > end { break }
            boxes.append(box)
            guard let next = box.end else { break }
            offset = next
        }
        return boxes
    }

    private func header(at offset: Int64) throws -> MP4Box.Header? {
        guard let short = try reader.read(offset, 8) else { return nil }
        return try MP4Box.Header(short[...]) ?? reader.read(offset, MP4Box.Header.longest).flatMap { MP4Box.Header($0[...]) }
    }

    func children(of box: BoxExtent, skipping: Int64 = 0) throws -> [BoxExtent] {
        try children(from: box.start + skipping, to: box.end)
    }

    /// The first box with a path of types below another box.
    func first(_ path: [String], in box: BoxExtent) throws -> BoxExtent? {
        var place = box
        for type in path {
            guard let next = try children(of: place).first(where: { $0.type == type }) else { return nil }
            place = next
        }
        return place
    }

    /// The contents of a box; nil when it is longer than `most` or truncated.
    func contents(_ box: BoxExtent, most: Int64) throws -> [UInt8]? {
        guard let length = box.length, length <= most else { return nil }
        return try reader.read(box.start, Int(length))
    }
}
