import MediaTime

/// The segments of a playlist in little room: 40 bytes and the URL for each, 16 more where it has a byte range.
///
/// What seldom changes from one segment to the next (keys, initialization, bit rate, discontinuity sequence) is kept once for a run of segments.
struct SegmentStore: Sendable, Equatable {
    struct Record: Sendable, Equatable {
        /// Nanoseconds from the start of the playlist.
        var start: Int64
        /// Nanoseconds since 1970, or `noDate`.
        var date: Int64
        /// Where the URL, and the title after it, begin in `text`.
        var textOffset: UInt32
        /// Bytes of the URL.
        var uriLength: UInt32
        /// Index into `runs`.
        var run: UInt32
        /// Index into `byteRanges`, or `none`.
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

    /// What a stretch of segments has in common.
    struct Run: Sendable, Equatable {
        /// Discontinuities since the start of the playlist.
        var discontinuities: Int64 = 0
        /// Index into `keySets`, or `none`.
        var keys: UInt32 = SegmentStore.none
        /// Index into `maps`, or `none`.
        var map: UInt32 = SegmentStore.none
        /// Kilobits per second, or -1.
        var bitrate: Int64 = -1
        /// Which of the three the text has set so far; what it has not, a delta update takes from the playlist before it.
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

    var records: [Record] = []
    /// The end of the last segment in nanoseconds.
    var end: Int64 = 0
    var text: [UInt8] = []
    var runs: [Run] = []
    var byteRanges: [ByteRange] = []
    var keySets: [[EncryptionKey]] = []
    var maps: [MediaInitialization] = []
    var partGroups: [PartGroup] = []
    var parts: [PartialSegment] = []

    func duration(at index: Int) -> Int64 {
        (index + 1 < records.count ? records[index + 1].start : end) - records[index].start
    }

    func uri(at index: Int) -> String {
        let record = records[index]
        let start = Int(record.textOffset)
        return string(start, start + Int(record.uriLength))
    }

    func title(at index: Int) -> String {
        let record = records[index]
        let start = Int(record.textOffset) + Int(record.uriLength)
        let end = index + 1 < records.count ? Int(records[index + 1].textOffset) : text.count
        return start == end ? "" : string(start, end)
    }

    private func string(_ lower: Int, _ upper: Int) -> String { String(decoding: text[lower..<upper], as: UTF8.self) }

    func keys(of run: Run) -> [EncryptionKey] { run.keys == Self.none ? [] : keySets[Int(run.keys)] }

    func map(of run: Run) -> MediaInitialization? { run.map == Self.none ? nil : maps[Int(run.map)] }

    func parts(at index: Int) -> [PartialSegment] {
        guard records[index].flags.contains(.parts) else { return [] }
        var low = 0
        var high = partGroups.count
        while low < high {
            let middle = (low + high) / 2
            if partGroups[middle].segment < index { low = middle + 1 } else { high = middle }
        }
        return low < partGroups.count && partGroups[low].segment == index ? Array(parts[partGroups[low].parts]) : []
    }

    /// Makes room for a text of which a part has been read, taking the rest to be like it.
    mutating func reserve(for size: Int, asIn read: Int) {
        let share = Double(size) / Double(max(1, read)) * 1.02
        records.reserveCapacity(Int(Double(records.count) * share))
        text.reserveCapacity(min(size, Int(Double(text.count) * share)))
        if !byteRanges.isEmpty { byteRanges.reserveCapacity(Int(Double(byteRanges.count) * share)) }
    }

    /// Makes room for the segments of that many more bytes of text, with some to spare for the next reloads.
    mutating func reserveForGrowth(by bytes: Int) {
        records.reserveForGrowth(by: bytes / 32)
        text.reserveForGrowth(by: bytes)
    }

    /// Gives back what the growth of the arrays reserved and did not use.
    mutating func shrink() {
        records.shrink()
        text.shrink()
        byteRanges.shrink()
        runs.shrink()
    }
}

extension Array {
    fileprivate mutating func reserveForGrowth(by added: Int) {
        guard capacity < count + added else { return }
        reserveCapacity(count + added + count / 16)
    }

    fileprivate mutating func shrink() {
        guard capacity > count + count / 8 + 64 else { return }
        let source = self
        self = Array(unsafeUninitializedCapacity: source.count) { buffer, count in
            count = source.withUnsafeBufferPointer { buffer.initialize(from: $0).index }
        }
    }
}

/// The segments of a media playlist. Any segment is made in constant time from a compact store when it is asked for.
public struct MediaSegments: Sendable, RandomAccessCollection {
    let store: SegmentStore
    /// The media sequence number of the segment at index 0.
    let firstMediaSequence: Int64
    let firstDiscontinuitySequence: Int64

    public var startIndex: Int { 0 }
    public var endIndex: Int { store.records.count }

    public subscript(position: Int) -> MediaSegment {
        let record = store.records[position]
        let run = store.runs[Int(record.run)]
        let date = record.date == SegmentStore.noDate ? nil : WallClockTime(nanosecondsSinceEpoch: record.date)
        let byteRange = record.byteRange == SegmentStore.none ? nil : store.byteRanges[Int(record.byteRange)]
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

    /// Where the segment at an index begins, without making the segment.
    public func startTime(at index: Int) -> MediaTime { .nanoseconds(store.records[index].start) }

    /// The end of the last segment: the length of the playlist's timeline.
    public var totalDuration: MediaTime { .nanoseconds(store.end) }

    /// The index of the segment that a time of the playlist's timeline falls in; nil before the first and after the last.
    public func index(containing time: MediaTime) -> Int? {
        guard time >= .zero, time < totalDuration else { return nil }
        let wanted = time.unitsRoundedDown(of: 1_000_000_000)
        var low = 0
        var high = store.records.count
        while low < high {
            let middle = (low + high) / 2
            if store.records[middle].start <= wanted { low = middle + 1 } else { high = middle }
        }
        return low > 0 ? low - 1 : nil
    }

    /// The index of the segment with a media sequence number; nil where it is not in the list.
    public func index(ofMediaSequence number: Int64) -> Int? {
        let (index, overflow) = number.subtractingReportingOverflow(firstMediaSequence)
        return !overflow && index >= 0 && index < count ? Int(index) : nil
    }

    /// The time on the playlist's timeline of a date, by the dated segments; nil where none of them holds it.
    public func time(of date: WallClockTime) -> MediaTime? {
        for index in store.records.indices {
            let record = store.records[index]
            guard record.date != SegmentStore.noDate, record.date <= date.nanosecondsSinceEpoch else { continue }
            let inside = date.nanosecondsSinceEpoch - record.date
            if inside < store.duration(at: index) { return .nanoseconds(record.start + inside) }
        }
        return nil
    }

    /// The date of a time on the playlist's timeline; nil where no segment there is dated.
    public func date(at time: MediaTime) -> WallClockTime? {
        guard let index = index(containing: time), store.records[index].date != SegmentStore.noDate else { return nil }
        return WallClockTime(nanosecondsSinceEpoch: store.records[index].date) + (time - startTime(at: index))
    }
}
