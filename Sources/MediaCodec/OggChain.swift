import MediaModel
import WireFormats

/// Where the streams of a chained Ogg file begin and end (RFC 3533, 4): files one after the other, each with its own headers, numbers and time. Found by
/// bisection where each stream has a serial number that no other one has. A value.
struct OggChain {
    /// The places in the file of each link, in their order: two at least. The last one goes on to the end.
    let links: [Range<Int64>]

    /// More links than these are read as one, as FFmpeg reads them.
    static let mostLinks = 64
    /// A page is not longer (RFC 3533, 6).
    private static let longestPage = 65_307
    private static let step = 128 << 10
    /// So many bytes are read at most to find links that have the same numbers.
    private static let mostRead: Int64 = 64 << 20
    /// Streams that are played together. More are no programme.
    private static let mostTogether = 64

    /// A page's header (RFC 3533, 6).
    private struct Page {
        let start: Int64
        let end: Int64
        let serial: UInt32
        /// How many pages of its stream are before it.
        let number: UInt32
        /// Whether a stream begins with it.
        let isFirst: Bool

        /// - Parameters:
        ///   - bytes: from its beginning on, as far as they are known.
        init?(_ bytes: ArraySlice<UInt8>, at start: Int64) {
            guard bytes.starts(with: Array("OggS".utf8)), bytes.count >= 27 else { return nil }
            let base = bytes.startIndex
            let count = Int(bytes[base + 26])
            guard bytes[base + 4] == 0, bytes[base + 5] < 8, bytes.count >= 27 + count else { return nil }
            self.start = start
            end = start + Int64(27 + count) + bytes[(base + 27)..<(base + 27 + count)].reduce(0) { $0 + Int64($1) }
            serial = (0..<4).reduce(0) { $0 | UInt32(bytes[base + 14 + $1]) << (8 * UInt32($1)) }
            number = (0..<4).reduce(0) { $0 | UInt32(bytes[base + 18 + $1]) << (8 * UInt32($1)) }
            isFirst = bytes[base + 5] & 2 != 0
        }
    }

    /// Nil where all is one link, and for what is no Ogg file. The stream is at any place afterwards.
    ///
    /// - Parameter head: its first bytes.
    /// - Throws: the error of the stream.
    init?(_ stream: some ByteStream, head: [UInt8]) throws(MediaError) {
        guard let length = stream.length, Page(head[...], at: 0) != nil,
            let last = try Self.lastPage(stream, length: length)
        else { return nil }
        var links: [Range<Int64>] = []
        var start: Int64 = 0
        while links.count + 1 < Self.mostLinks {
            let (serials, body) = try Self.beginning(stream, at: start, length: length)
            guard !serials.isEmpty else { break }
            guard !serials.contains(last.serial) else {
                for next in try Self.restarts(stream, from: body, length: length, last: last)
                where links.count + 1 < Self.mostLinks {
                    links.append(start..<next)
                    start = next
                }
                break
            }
            let end = try Self.end(stream, of: serials, from: body, before: last.start)
            guard end > start, end < length else { break }
            links.append(start..<end)
            start = end
        }
        guard !links.isEmpty else { return nil }
        self.links = links + [start..<length]
    }

    private static func lastPage(_ stream: some ByteStream, length: Int64) throws(MediaError) -> Page? {
        let start = max(0, length - Int64(longestPage))
        try stream.seek(to: start)
        let bytes = try stream.read(count: longestPage)
        return bytes.indices.reversed().lazy
            .filter { bytes[$0] == 0x4F }.compactMap { Page(bytes[$0...], at: start + Int64($0)) }.first
    }

    /// The serial numbers of the streams that begin at a place, and where the first page behind their beginnings is.
    private static func beginning(
        _ stream: some ByteStream, at start: Int64, length: Int64
    ) throws(MediaError) -> (serials: Set<UInt32>, body: Int64) {
        var serials: Set<UInt32> = []
        var place = start
        while serials.count < mostTogether, let page = try page(stream, from: place, before: length), page.isFirst {
            serials.insert(page.serial)
            place = page.end
        }
        return (serials, place)
    }

    /// Where the first page behind a link begins.
    ///
    /// - Parameters:
    ///   - start: a place in the link.
    ///   - known: where a page of another link begins.
    private static func end(
        _ stream: some ByteStream, of serials: Set<UInt32>, from start: Int64, before known: Int64
    ) throws(MediaError) -> Int64 {
        var (low, high) = (start, known)
        while high - low > Int64(step) {
            let middle = low + (high - low) / 2
            guard let page = try page(stream, from: middle, before: high) else {
                high = middle
                continue
            }
            if serials.contains(page.serial) { low = page.end } else { high = middle }
        }
        return try firstOther(stream, than: serials, from: low, before: known)
    }

    /// Where the first page of another stream begins, which is near.
    private static func firstOther(
        _ stream: some ByteStream, than serials: Set<UInt32>, from start: Int64, before known: Int64
    ) throws(MediaError) -> Int64 {
        var found = known
        try forEachPage(stream, from: start, before: known) { page in
            if serials.contains(page.serial) { return true }
            found = page.start
            return false
        }
        return found
    }

    /// Where further links begin whose numbers are those of the link before them, as where a file is joined with itself. All pages are read for that, which is
    /// only done where they must be more than the last one has counted.
    ///
    /// - Parameters:
    ///   - start: where the first page behind the beginning of a link is.
    ///   - last: the last page of the file.
    private static func restarts(
        _ stream: some ByteStream, from start: Int64, length: Int64, last: Page
    ) throws(MediaError) -> [Int64] {
        let size = length - start
        guard size <= mostRead else { return [] }
        var (count, end) = (Int64(0), start)
        try forEachPage(stream, from: start, before: min(start + Int64(step), length)) { page in
            (count, end) = (count + 1, page.end)
            return true
        }
        let expected = end < length ? size * count / max(end - start, 1) * 2 / 3 : count
        guard expected > Int64(last.number) else { return [] }
        var found: [Int64] = []
        var isBeginning = false
        try forEachPage(stream, from: start, before: length) { page in
            if page.isFirst, !isBeginning { found.append(page.start) }
            isBeginning = page.isFirst
            return found.count < mostLinks
        }
        return found
    }

    /// - Parameter body: whether to go on behind a page.
    private static func forEachPage(
        _ stream: some ByteStream, from start: Int64, before end: Int64, _ body: (Page) -> Bool
    ) throws(MediaError) {
        var place = start
        while place < end {
            try stream.seek(to: place)
            let bytes = try stream.read(count: step + longestPage)
            let first = place
            while place < end, place - first < bytes.count, let page = Page(bytes[Int(place - first)...], at: place) {
                guard body(page) else { return }
                place = page.end
            }
            // Between pages is damage, or a page was cut at the end of what was read.
            guard place < end, let next = try page(stream, from: place, before: end) else { return }
            place = next.start
        }
    }

    /// The first page that begins in a stretch.
    private static func page(_ stream: some ByteStream, from start: Int64, before end: Int64) throws(MediaError) -> Page? {
        var place = start
        while place < end {
            try stream.seek(to: place)
            let bytes = try stream.read(count: step)
            for index in bytes.indices where bytes[index] == 0x4F {
                guard place + Int64(index) < end else { return nil }
                if let page = Page(bytes[index...], at: place + Int64(index)) { return page }
            }
            // A header may be cut at the end of what was read.
            guard bytes.count == step else { return nil }
            place += Int64(step - 282)
        }
        return nil
    }
}
