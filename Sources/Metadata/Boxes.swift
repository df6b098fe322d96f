/// A box of an ISO base media or QuickTime file (ISO/IEC 14496-12 section 4.2), by the position of its contents.
struct Box {
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
    func children(from start: Int64, to end: Int64?) throws -> [Box] {
        var boxes: [Box] = []
        var offset = start
        while boxes.count < Self.mostSiblings, end.map({ offset + 8 <= $0 }) ?? true, let header = try reader.read(offset, 8) {
            var cursor = ByteCursor(header)
            guard let size = cursor.big(4), let type = cursor.fourCharacters() else { break }
            var box = Box(type: type, start: offset + 8, end: nil)
            if size == 1 {
                guard let long = try reader.read(offset + 8, 8) else { break }
                var cursor = ByteCursor(long)
                guard let size = cursor.big(8), size >= 16, size < 1 << 60 else { break }
                box.start = offset + 16
                box.end = offset + Int64(size)
            } else if size == 0 {
                box.end = end
            } else {
                guard size >= 8 else { break }
                box.end = offset + Int64(size)
            }
            if let end, let boxEnd = box.end, boxEnd > end { break }
            boxes.append(box)
            guard let next = box.end else { break }
            offset = next
        }
        return boxes
    }

    func children(of box: Box, skipping: Int64 = 0) throws -> [Box] { try children(from: box.start + skipping, to: box.end) }

    /// The first box with a path of types below another box.
    func first(_ path: [String], in box: Box) throws -> Box? {
        var place = box
        for type in path {
            guard let next = try children(of: place).first(where: { $0.type == type }) else { return nil }
            place = next
        }
        return place
    }

    /// The contents of a box; nil when it is longer than `most` or truncated.
    func contents(_ box: Box, most: Int64) throws -> [UInt8]? {
        guard let length = box.length, length <= most else { return nil }
        return try reader.read(box.start, Int(length))
    }
}
