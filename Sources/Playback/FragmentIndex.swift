import MediaModel
import MediaTime

/// What there is of a fragmented MP4 file so far (ISO/IEC 14496-12 section 8.8): how far it is complete, and the asset time up to which that reaches.
///
/// A value that is led on by `scan`: only what was added since the last time is read, and of that only the boxes' heads and the fragments' lists.
struct FragmentIndex: Sendable {
    /// First byte behind the movie box: what lies before it is needed to read any fragment.
    private(set) var headerEnd: Int64 = 0
    /// First byte behind the last fragment that is there whole.
    private(set) var completeEnd: Int64 = 0
    /// The end of the newest media by the container's clock; nil before the first fragment.
    private(set) var end: MediaTime?
    /// How long the longest fragment is.
    private(set) var longestFragment = MediaTime.zero
    /// Whether the file says of itself that nothing follows: it has its random access box.
    private(set) var isFinal = false
    /// Whether there is anything that cannot be followed.
    private(set) var isOdd = false
    /// Whether it is a file in fragments.
    var isFragmented: Bool { headerEnd > 0 && completeEnd > headerEnd && !isOdd }

    private var next: Int64 = 0
    private var timescales: [UInt64: Int32] = [:]
    private var defaultDurations: [UInt64: Int64] = [:]
    /// The end of a fragment whose media are not there yet.
    private var pending: (start: MediaTime, end: MediaTime)?

    private static let longestHeader: Int64 = 16 << 20
    private static let mostBoxes = 100_000

    /// Reads what was added. Worker threads only: it waits for the disk.
    mutating func scan(_ stream: any ByteStream) throws(MediaError) {
        for _ in 0..<Self.mostBoxes {
            guard !isFinal, !isOdd, let box = try Self.box(stream, at: next), try Self.isThere(stream, box.end) else { return }
            switch box.type {
            case "moov":
                guard let bytes = try Self.contents(stream, box) else { return isOdd = true }
                takeHeader(bytes)
                headerEnd = box.end
                completeEnd = box.end
            case "moof":
                guard headerEnd > 0, let bytes = try Self.contents(stream, box) else { return isOdd = true }
                pending = fragment(bytes)
            case "mdat":
                // Media in front of the movie box belong to a file that is not in fragments.
                guard headerEnd > 0 else { return isOdd = true }
                if let pending {
                    end = max(end ?? pending.end, pending.end)
                    longestFragment = max(longestFragment, pending.end - pending.start)
                    completeEnd = box.end
                }
                pending = nil
            case "mfra": isFinal = true
            default: break
            }
            next = box.end
        }
    }

    // MARK: Boxes

    private struct Place {
        var type: String
        var start: Int64
        var end: Int64
    }

    private static func box(_ stream: any ByteStream, at offset: Int64) throws(MediaError) -> Place? {
        guard let head = try read(stream, at: offset, 16, atLeast: 8) else { return nil }
        let size = number(head[0..<4])
        let type = String(decoding: head[4..<8], as: UTF8.self)
        if size == 1 {
            guard head.count == 16 else { return nil }
            let long = number(head[8..<16])
            return long >= 16 && long < 1 << 60 ? Place(type: type, start: offset + 16, end: offset + Int64(long)) : nil
        }
        return size >= 8 ? Place(type: type, start: offset + 8, end: offset + Int64(size)) : nil
    }

    private static func isThere(_ stream: any ByteStream, _ end: Int64) throws(MediaError) -> Bool {
        try read(stream, at: end - 1, 1, atLeast: 1) != nil
    }

    private static func contents(_ stream: any ByteStream, _ box: Place) throws(MediaError) -> [UInt8]? {
        guard box.end - box.start <= longestHeader else { return nil }
        let count = Int(box.end - box.start)
        return count == 0 ? [] : try read(stream, at: box.start, count, atLeast: count)
    }

    private static func read(_ stream: any ByteStream, at offset: Int64, _ count: Int, atLeast: Int) throws(MediaError)
        -> [UInt8]?
    {
        try stream.seek(to: offset)
        let bytes = try stream.read(count: count)
        return bytes.count >= atLeast ? bytes : nil
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }

    /// The boxes inside another.
    private static func children(_ bytes: ArraySlice<UInt8>) -> [(type: String, contents: ArraySlice<UInt8>)] {
        var children: [(String, ArraySlice<UInt8>)] = []
        var rest = bytes
        while rest.count >= 8 {
            let size = Int(clamping: number(rest.prefix(4)))
            guard size >= 8, size <= rest.count else { break }
            children.append((String(decoding: rest.dropFirst(4).prefix(4), as: UTF8.self), rest.prefix(size).dropFirst(8)))
            rest = rest.dropFirst(size)
        }
        return children
    }

    private static func first(_ path: [String], in bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        var place = bytes
        for type in path {
            guard let child = children(place).first(where: { $0.type == type }) else { return nil }
            place = child.contents
        }
        return place
    }

    /// A number at a place of a box; nil where it is too short.
    private static func number(_ bytes: ArraySlice<UInt8>, at place: Int, _ count: Int) -> UInt64? {
        guard place >= 0, bytes.count >= place + count else { return nil }
        return number(bytes.dropFirst(place).prefix(count))
    }

    private mutating func takeHeader(_ bytes: [UInt8]) {
        for (type, contents) in Self.children(bytes[...]) {
            if type == "trak", let header = Self.first(["tkhd"], in: contents),
                let media = Self.first(["mdia", "mdhd"], in: contents),
                let id = Self.number(header, at: header.first == 1 ? 20 : 12, 4),
                let scale = Self.number(media, at: media.first == 1 ? 20 : 12, 4)
            {
                timescales[id] = Int32(clamping: scale)
            }
            guard type == "mvex" else { continue }
            for (type, defaults) in Self.children(contents) where type == "trex" {
                if let id = Self.number(defaults, at: 4, 4), let duration = Self.number(defaults, at: 12, 4) {
                    defaultDurations[id] = Int64(duration)
                }
            }
        }
    }

    /// The media that a fragment lists, from the earliest to the latest of all tracks.
    private func fragment(_ bytes: [UInt8]) -> (start: MediaTime, end: MediaTime)? {
        var range: (start: MediaTime, end: MediaTime)?
        for (type, contents) in Self.children(bytes[...]) where type == "traf" {
            guard let head = Self.first(["tfhd"], in: contents), let time = Self.first(["tfdt"], in: contents),
                let id = Self.number(head, at: 4, 4),
                let scale = timescales[id], scale > 0, let start = Self.number(time, at: 4, time.first == 1 ? 8 : 4),
                start < 1 << 62
            else { continue }
            let usual = Self.usualDuration(head) ?? defaultDurations[id] ?? 0
            let length = Self.children(contents).filter { $0.type == "trun" }.reduce(Int64(0)) {
                $0 + Self.duration($1.contents, usual)
            }
            let (first, last) = (MediaTime(Int64(start), scale), MediaTime(Int64(start) + length, scale))
            range = range.map { (min($0.start, first), max($0.end, last)) } ?? (first, last)
        }
        return range
    }

    private static func flags(_ bytes: ArraySlice<UInt8>) -> UInt64 { number(bytes, at: 1, 3) ?? 0 }

    /// The length of a sample that a fragment's track has where its list says nothing.
    private static func usualDuration(_ head: ArraySlice<UInt8>) -> Int64? {
        let flags = flags(head)
        guard flags & 0x8 != 0 else { return nil }
        return number(head, at: 8 + (flags & 0x1 != 0 ? 8 : 0) + (flags & 0x2 != 0 ? 4 : 0), 4).map { Int64($0) }
    }

    /// How long the samples of a list are together.
    private static func duration(_ run: ArraySlice<UInt8>, _ usual: Int64) -> Int64 {
        let flags = flags(run)
        guard let count = number(run, at: 4, 4), count < 1 << 24 else { return 0 }
        guard flags & 0x100 != 0 else { return Int64(count) * usual }
        let first = 8 + (flags & 0x1 != 0 ? 4 : 0) + (flags & 0x4 != 0 ? 4 : 0)
        let stride = 4 * [0x100, 0x200, 0x400, 0x800].filter { flags & $0 != 0 }.count
        return (0..<Int(count)).reduce(Int64(0)) { $0 + Int64(number(run, at: first + $1 * stride, 4) ?? 0) }
    }
}
