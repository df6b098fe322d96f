import MediaTime

/// Compact storage for the segments of a playlist: 40 bytes and the URL for each, and 16 more with a byte range.
///
/// Values that seldom change between segments (keys, initialization, bit rate, discontinuity sequence) are stored once per run.
/// Segments are stored in blocks; full blocks never change, so a reload that only appended segments shares them with the previous
/// playlist.
struct SegmentBlocks: Sendable {
    struct Record: Sendable, Equatable {
        /// Nanoseconds from the start of the playlist.
        var start: Int64
        /// Nanoseconds since 1970, or `noDate`.
        var date: Int64
        /// The position of the URL, followed by the title, in the block's text.
        var textOffset: UInt32
        /// Bytes of the URL.
        var uriLength: UInt32
        /// Index into `runs`.
        var run: UInt32
        /// Index into the byte ranges of the block, or `none`.
        var byteRange: UInt32
        var flags: Flags
    }

    struct Flags: OptionSet, Sendable, Equatable {
        let rawValue: UInt8
        static let discontinuity = Flags(rawValue: 1)
        static let gap = Flags(rawValue: 2)
        static let ownDate = Flags(rawValue: 4)
        static let parts = Flags(rawValue: 8)
    }

    /// The values shared by a run of segments.
    struct Run: Sendable, Equatable {
        /// Discontinuities since the start of the playlist.
        var discontinuities: Int64 = 0
        /// Index into `keySets`, or `none`.
        var keys: UInt32 = SegmentBlocks.none
        /// Index into `maps`, or `none`.
        var map: UInt32 = SegmentBlocks.none
        /// Kilobits per second, or -1.
        var bitrate: Int64 = -1
        /// Which of the three the text has set so far; a delta update takes the others from the previous playlist.
        var declares: Declares = []
    }

    struct Declares: OptionSet, Sendable, Equatable {
        let rawValue: UInt8
        static let keys = Declares(rawValue: 1)
        static let map = Declares(rawValue: 2)
        static let bitrate = Declares(rawValue: 4)
    }

    /// The parts of one segment.
    struct PartGroup: Sendable, Equatable {
        var segment: Int
        var parts: Range<Int>
    }

    static let none = UInt32.max
    static let noDate = Int64.min

    /// A block of consecutive segments.
    struct Block: Sendable {
        var records: [Record] = []
        var text: [UInt8] = []
        var byteRanges: [ByteRange] = []
    }

    /// A full block, shared between playlists.
    final class SharedBlock: Sendable {
        let block: Block

        init(_ block: Block) { self.block = block }
    }

    /// The number of segments in a full block, as a power of two.
    private static let blockShift = 10
    static let blockSize = 1 << blockShift

    private(set) var blocks: [SharedBlock] = []
    /// The newest segments, fewer than `blockSize`.
    private(set) var open = Block()
    /// The end of the last segment in nanoseconds.
    private(set) var end: Int64 = 0
    /// The longest duration in nanoseconds; of a prefix, that of the whole.
    private(set) var longestDuration: Int64 = 0
    var runs: [Run] = []
    var keySets: [[EncryptionKey]] = []
    var maps: [MediaInitialization] = []
    var partGroups: [PartGroup] = []
    var parts: [PartialSegment] = []

    var count: Int { blocks.count << Self.blockShift + open.records.count }

    var isEmpty: Bool { count == 0 }

    func record(at index: Int) -> Record {
        let block = index >> Self.blockShift
        let inside = index & (Self.blockSize - 1)
        return block < blocks.count ? blocks[block].block.records[inside] : open.records[inside]
    }

    func duration(at index: Int) -> Int64 {
        (index + 1 < count ? record(at: index + 1).start : end) - record(at: index).start
    }

    func uri(at index: Int) -> String {
        let record = record(at: index)
        let start = Int(record.textOffset)
        return string(in: index, start, start + Int(record.uriLength))
    }

    func title(at index: Int) -> String {
        let record = record(at: index)
        let start = Int(record.textOffset) + Int(record.uriLength)
        let end = textEnd(at: index)
        return start == end ? "" : string(in: index, start, end)
    }

    func byteRange(at index: Int) -> ByteRange? {
        let range = record(at: index).byteRange
        return range == Self.none ? nil : block(of: index).byteRanges[Int(range)]
    }

    /// A segment's text: its URL, followed by its title.
    func text(at index: Int) -> ArraySlice<UInt8> {
        block(of: index).text[Int(record(at: index).textOffset)..<textEnd(at: index)]
    }

    private func block(of index: Int) -> Block {
        let block = index >> Self.blockShift
        return block < blocks.count ? blocks[block].block : open
    }

    private func textEnd(at index: Int) -> Int {
        let block = block(of: index)
        let next = index & (Self.blockSize - 1) + 1
        return next < block.records.count ? Int(block.records[next].textOffset) : block.text.count
    }

    private func string(in index: Int, _ lower: Int, _ upper: Int) -> String {
        String(decoding: block(of: index).text[lower..<upper], as: UTF8.self)
    }

    func keys(of run: Run) -> [EncryptionKey] { run.keys == Self.none ? [] : keySets[Int(run.keys)] }

    func map(of run: Run) -> MediaInitialization? { run.map == Self.none ? nil : maps[Int(run.map)] }

    func parts(at index: Int) -> [PartialSegment] {
        guard record(at: index).flags.contains(.parts) else { return [] }
        var low = 0
        var high = partGroups.count
        while low < high {
            let middle = (low + high) / 2
            if partGroups[middle].segment < index { low = middle + 1 } else { high = middle }
        }
        return low < partGroups.count && partGroups[low].segment == index ? Array(parts[partGroups[low].parts]) : []
    }

}

// MARK: - Building

extension SegmentBlocks {
    /// The length of the pending segment's text.
    var pendingText: Int { open.text.count }

    /// Appends to the pending segment's text.
    @inline(__always)
    mutating func appendText(_ text: some Sequence<UInt8>) { open.text.append(contentsOf: text) }

    /// Appends the pending segment's byte range and returns its index.
    mutating func append(_ range: ByteRange) -> UInt32 {
        open.byteRanges.append(range)
        return UInt32(open.byteRanges.count - 1)
    }

    /// Appends a segment whose text and byte range were appended before.
    @inline(__always)
    mutating func append(_ record: Record, lasting duration: Int64) {
        open.records.append(record)
        end = record.start + duration
        longestDuration = max(longestDuration, duration)
        if open.records.count == Self.blockSize { close() }
    }

    /// Makes the newest block a full one, and reserves space for the next one based on it.
    private mutating func close() {
        var next = Block()
        next.records.reserveCapacity(Self.blockSize)
        next.text.reserveCapacity(open.text.count + open.text.count / 16)
        next.byteRanges.reserveCapacity(open.byteRanges.count)
        swap(&open, &next)
        next.shrink()
        blocks.append(SharedBlock(next))
    }

    /// Changes the records in a range; shared blocks are copied first.
    mutating func update(_ range: Range<Int>, _ change: (Int, inout Record) -> Void) {
        var index = range.lowerBound
        while index < range.upperBound {
            let number = index >> Self.blockShift
            let end = min(range.upperBound, (number + 1) << Self.blockShift)
            if number < blocks.count {
                var block = blocks[number].block
                for place in index..<end { change(place, &block.records[place & (Self.blockSize - 1)]) }
                blocks[number] = SharedBlock(block)
            } else {
                for place in index..<end { change(place, &open.records[place & (Self.blockSize - 1)]) }
            }
            index = end
        }
    }

    /// Gives segments that have no duration one, in nanoseconds; those after them begin later. Beyond the longest timeline they stay without.
    ///
    /// - Parameter undated: their indices, ascending.
    mutating func setDuration(_ duration: Int64, of undated: [Int]) {
        guard !undated.isEmpty else { return }
        var added: Int64 = 0
        var next = 0
        let end = end
        update(0..<count) { index, record in
            record.start += added
            if next < undated.endIndex, undated[next] == index {
                if end + added + duration <= PlaylistBounds.longestTimeline { added += duration }
                next += 1
            }
        }
        self.end += added
        longestDuration = max(longestDuration, duration)
    }

    /// Computes the dates of the segments before the first one with a date backwards from it (RFC 8216bis, 4.4.4.6).
    mutating func dateBack(from firstDated: Int) {
        guard firstDated > 0 else { return }
        let anchor = record(at: firstDated)
        update(0..<firstDated) { _, record in
            let (date, overflow) = anchor.date.subtractingReportingOverflow(anchor.start - record.start)
            if !overflow { record.date = date }
        }
    }

    /// Frees unused array capacity.
    mutating func shrink() {
        open.shrink()
        runs.shrink()
    }

    /// The first segments, sharing their full blocks; data of later segments is dropped.
    func prefix(_ wanted: Int) -> SegmentBlocks {
        guard wanted < count else { return self }
        var result = SegmentBlocks()
        guard wanted > 0 else { return result }
        result.end = record(at: wanted).start
        result.longestDuration = longestDuration
        let full = wanted >> Self.blockShift
        result.blocks = Array(blocks.prefix(full))
        let rest = wanted & (Self.blockSize - 1)
        if rest > 0 {
            let block = block(of: wanted - 1)
            result.open.records = Array(block.records.prefix(rest))
            result.open.text = Array(block.text.prefix(textEnd(at: wanted - 1)))
            let ranges = result.open.records.last { $0.byteRange != Self.none }.map { Int($0.byteRange) + 1 } ?? 0
            result.open.byteRanges = Array(block.byteRanges.prefix(ranges))
        }
        result.runs = Array(runs.prefix(Int(record(at: wanted - 1).run) + 1))
        let keys = result.runs.last { $0.keys != Self.none }.map { Int($0.keys) + 1 } ?? 0
        result.keySets = Array(keySets.prefix(keys))
        let maps = result.runs.last { $0.map != Self.none }.map { Int($0.map) + 1 } ?? 0
        result.maps = Array(self.maps.prefix(maps))
        result.partGroups = partGroups.filter { $0.segment < wanted }
        result.parts = Array(parts.prefix(result.partGroups.last?.parts.upperBound ?? 0))
        return result
    }
}

extension SegmentBlocks.Block {
    fileprivate mutating func shrink() {
        records.shrink()
        text.shrink()
        byteRanges.shrink()
    }
}

extension Array {
    fileprivate mutating func shrink() {
        guard capacity > count + count / 8 + 64 else { return }
        let source = self
        self = Array(unsafeUninitializedCapacity: source.count) { buffer, count in
            count = source.withUnsafeBufferPointer { buffer.initialize(from: $0).index }
        }
    }
}

/// The segments of a media playlist. Each access builds a segment from the compact store in constant time.
package struct MediaSegments: Sendable, RandomAccessCollection {
    let store: SegmentBlocks
    /// The media sequence number of the segment at index 0.
    let firstMediaSequence: Int64
    let firstDiscontinuitySequence: Int64

    package var startIndex: Int { 0 }
    package var endIndex: Int { store.count }

    package subscript(position: Int) -> MediaSegment {
        let record = store.record(at: position)
        let run = store.runs[Int(record.run)]
        let date = record.date == SegmentBlocks.noDate ? nil : WallClockTime(nanosecondsSinceEpoch: record.date)
        let byteRange = store.byteRange(at: position)
        return MediaSegment(
            uri: store.uri(at: position), duration: .nanoseconds(store.duration(at: position)),
            startTime: .nanoseconds(record.start), title: store.title(at: position), byteRange: byteRange,
            mediaSequence: firstMediaSequence &+ Int64(position),
            discontinuitySequence: firstDiscontinuitySequence &+ run.discontinuities,
            isDiscontinuity: record.flags.contains(.discontinuity), isGap: record.flags.contains(.gap), date: date,
            programDateTime: record.flags.contains(.ownDate) ? date : nil,
            bitrate: run.bitrate < 0 || byteRange != nil ? nil : run.bitrate, keys: store.keys(of: run),
            map: store.map(of: run), parts: store.parts(at: position))
    }

    /// The start of the segment at an index, without building the segment.
    package func startTime(at index: Int) -> MediaTime { .nanoseconds(store.record(at: index).start) }

    /// The end of the last segment: the length of the playlist's timeline.
    package var totalDuration: MediaTime { .nanoseconds(store.end) }

    /// The index of the segment that contains a time of the playlist's timeline; nil before the first and after the last.
    package func index(containing time: MediaTime) -> Int? {
        guard time >= .zero, time < totalDuration else { return nil }
        let wanted = time.unitsRoundedDown(of: 1_000_000_000)
        var low = 0
        var high = store.count
        while low < high {
            let middle = (low + high) / 2
            if store.record(at: middle).start <= wanted { low = middle + 1 } else { high = middle }
        }
        return low > 0 ? low - 1 : nil
    }

    /// The index of the segment with a media sequence number; nil when it is not in the list.
    package func index(ofMediaSequence number: Int64) -> Int? {
        let index = number &- firstMediaSequence
        return (0..<Int64(count)).contains(index) ? Int(index) : nil
    }

    /// The date of a time on the playlist's timeline; nil when the segment there has no date.
    package func date(at time: MediaTime) -> WallClockTime? {
        guard let index = index(containing: time), store.record(at: index).date != SegmentBlocks.noDate else { return nil }
        return WallClockTime(nanosecondsSinceEpoch: store.record(at: index).date) + (time - startTime(at: index))
    }
}

/// The dates of a list of segments, for many questions.
package struct SegmentDates {
    private struct Entry {
        var date: Int64
        var start: Int64
        var duration: Int64
    }
    /// Ordered by date.
    private let entries: [Entry]
    /// Segments whose dates overlap, because the dates go back somewhere, are compared; no more than these.
    private static let mostOverlapping = 8

    package init(_ segments: MediaSegments) {
        let store = segments.store
        let found = segments.indices.compactMap { index -> Entry? in
            let record = store.record(at: index)
            guard record.date != SegmentBlocks.noDate else { return nil }
            return Entry(date: record.date, start: record.start, duration: store.duration(at: index))
        }
        entries = found.sorted { ($0.date, $0.start) < ($1.date, $1.start) }
    }

    /// The time of a date on the playlist's timeline: in the segment that contains it; before the first and after the last counted from them; in a gap
    /// between dates the time after it. Nil when there are no dates.
    package func time(of date: WallClockTime) -> MediaTime? {
        guard let first = entries.first, let last = entries.last else { return nil }
        let wanted = date.nanosecondsSinceEpoch
        func counted(from entry: Entry) -> MediaTime {
            .nanoseconds(entry.start) + (date - WallClockTime(nanosecondsSinceEpoch: entry.date))
        }
        let next = entries.partitioningIndex { $0.date > wanted }
        let containing = entries[max(next - Self.mostOverlapping, 0)..<next].filter {
            let (inside, overflow) = wanted.subtractingReportingOverflow($0.date)
            return !overflow && inside < $0.duration
        }
        if let entry = containing.min(by: { $0.start < $1.start }) { return counted(from: entry) }
        if wanted < first.date { return counted(from: first) }
        if wanted >= last.date { return counted(from: last) }
        return .nanoseconds(entries[next].start)
    }
}

/// Discontinuities and dates, found without building the segments: a list may have tens of thousands.
extension MediaSegments {
    /// The times of EXT-X-DISCONTINUITY on the playlist's own timeline, except before the first segment.
    package var discontinuities: [MediaTime] {
        indices.dropFirst().filter { store.record(at: $0).flags.contains(.discontinuity) }.map { startTime(at: $0) }
    }

    /// The dates that do not follow from earlier ones within `tolerance`: together with the first date they determine all dates
    /// of the list.
    package func dateMarks(tolerance: MediaTime = .milliseconds(1)) -> [(time: MediaTime, date: WallClockTime)] {
        let limit = tolerance.nanoseconds
        var marks: [(time: MediaTime, date: WallClockTime)] = []
        var last: (start: Int64, date: Int64)?
        for index in indices {
            let record = store.record(at: index)
            guard record.date != SegmentBlocks.noDate else { continue }
            if let last {
                let counted = last.date &+ (record.start - last.start)
                // Dates centuries apart overflow; then any difference counts as a jump.
                let (difference, isBeyond) = record.date.subtractingReportingOverflow(counted)
                guard isBeyond || difference.magnitude > limit.magnitude else { continue }
            }
            last = (record.start, record.date)
            marks.append((.nanoseconds(record.start), WallClockTime(nanosecondsSinceEpoch: record.date)))
        }
        return marks
    }
}
