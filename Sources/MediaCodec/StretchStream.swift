import MediaModel
import WireFormats

/// A stretch of a transport stream in which the tables stay the same.
struct TransportStretch {
    /// Where it ends, and the ends of its packets of elementary streams, which come behind that.
    struct End {
        let place: Int64
        let rest: [UInt8]
    }
    /// The packets with its tables, as far as they are not in it.
    let prefix: [UInt8]
    /// Where it begins in the whole stream.
    let start: Int64
    /// Nil as long as it is not known that the tables change.
    var end: End?
    /// Reads it from its start.
    let reader: ProgramTableReader
}

/// A stretch as a stream of its own, for a demuxer that knows one set of tables. It ends where the tables change.
// Unchecked: all mutable state is used by one reading thread at a time; `cancel` only reaches the other stream.
final class StretchStream: ByteStream, @unchecked Sendable {
    private let whole: ReturningStream
    /// With the end that was found.
    private(set) var stretch: TransportStretch
    /// What follows the end that was found.
    private(set) var next: TransportStretch?
    /// A place that was reached by a jump, up to which other tables hold: the stretch ended somewhere before it.
    private(set) var stray: Int64?
    private var watch: TableWatch
    private var position: Int64 = 0
    /// Up to here, in the whole stream, everything has been read: these tables hold.
    private var knownEnd: Int64
    /// The places, in the whole stream, behind the first and the newest table that was as expected.
    private var places: [Int64] = []
    /// Whether nothing is read any more until the next jump, because other tables hold.
    private var isAstray = false

    private static let mostPlaces = 4096

    init(_ stretch: TransportStretch, of whole: ReturningStream, _ packets: TransportPackets) {
        self.stretch = stretch
        self.whole = whole
        watch = TableWatch(stretch.reader, packets)
        knownEnd = stretch.start
    }

    var name: String { whole.name }

    var length: Int64? {
        guard let length = whole.length else { return nil }
        let prefix = Int64(stretch.prefix.count) - stretch.start
        return stretch.end.map { prefix + $0.place + Int64($0.rest.count) } ?? prefix + length
    }

    func cancel() { whole.cancel() }

    /// Whether the tables at the place that was read last are known to be these.
    var isSure: Bool { watch.isSure }

    /// Its tables, as far as they are known.
    var tables: ProgramTables { watch.reader.tables }

    /// Makes `stray` nil, when what has been found of it is known.
    func forgetStray() { stray = nil }

    /// The last place before another one where these tables are known to hold.
    func lastKnown(before place: Int64) -> Int64 {
        max(places.last { $0 <= place } ?? stretch.start, min(knownEnd, place))
    }

    func seek(to offset: Int64) throws(MediaError) {
        guard offset != position || isAstray else { return }
        position = offset
        isAstray = false
        let place = offset - Int64(stretch.prefix.count) + stretch.start
        watch.jump(isSure: place <= knownEnd)
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(MediaError) -> Int {
        let prefix = Int64(stretch.prefix.count)
        guard !isAstray, !buffer.isEmpty else { return 0 }
        if position < prefix { return copy(stretch.prefix.dropFirst(Int(position)), into: buffer) }
        let place = position - prefix + stretch.start
        guard let end = stretch.end else { return try readWhole(at: place, into: buffer) }
        if place < end.place {
            let count = Int(min(Int64(buffer.count), end.place - place))
            return try readWhole(at: place, into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<count]))
        }
        return place - end.place < Int64(end.rest.count) ? copy(end.rest.dropFirst(Int(place - end.place)), into: buffer) : 0
    }

    private func copy(_ bytes: ArraySlice<UInt8>, into buffer: UnsafeMutableRawBufferPointer) -> Int {
        let count = min(bytes.count, buffer.count)
        buffer.copyBytes(from: bytes.prefix(count))
        position += Int64(count)
        return count
    }

    private func readWhole(at place: Int64, into buffer: UnsafeMutableRawBufferPointer) throws(MediaError) -> Int {
        try whole.seek(to: place)
        let count = try whole.read(into: buffer)
        let bytes = UnsafeRawBufferPointer(rebasing: buffer[..<count])
        let change = watch.take(bytes) { note(place + Int64($0)) }
        var taken = count
        if let change {
            whole.giveBack(bytes[change.packet.upperBound...])
            let after = place + Int64(change.packet.upperBound)
            guard change.isExact else {
                goAstray(at: after)
                return 0
            }
            // The demuxer of this stretch does not see the table of the next one.
            taken = change.packet.lowerBound
            end(with: change, at: place + Int64(taken), next: after)
        } else if count > watch.packets.length {
            // Whole packets only, so that one that completes a table can be left out.
            let rest = watch.returnCarry()
            whole.giveBack(bytes[(count - rest)...])
            taken -= rest
        }
        position += Int64(taken)
        if place <= knownEnd { knownEnd = max(knownEnd, place + Int64(taken)) }
        // Nothing would be the end.
        return taken > 0 || count == 0 ? taken : try read(into: buffer)
    }

    private func note(_ place: Int64) {
        guard places.count < Self.mostPlaces else { return }
        let index = places.firstIndex { $0 >= place } ?? places.endIndex
        if index == places.endIndex || places[index] != place { places.insert(place, at: index) }
    }

    private func goAstray(at place: Int64) {
        isAstray = true
        stray = min(stray ?? place, place)
    }

    private func end(with change: TableWatch.Change, at place: Int64, next start: Int64) {
        let (old, new) = (watch.reader.tables.pids, change.next.tables.pids)
        let packets = watch.packets
        var (looking, seen): (TableWatch, [UInt8]) = (watch, [])
        let rest = looking.rest(of: old.intersection(new), and: old.subtracting(new)) {
            // A failure comes again when what follows is read.
            let record = (try? whole.read(count: packets.length)) ?? []
            seen += record
            return record
        }
        whole.giveBack(seen)
        stretch.end = TransportStretch.End(place: place, rest: rest)
        let prefix = stride(from: 0, to: change.next.packets.count, by: TransportPackets.packetLength).flatMap {
            packets.framed(change.next.packets[$0..<$0 + TransportPackets.packetLength])
        }
        next = TransportStretch(prefix: prefix, start: start, end: nil, reader: change.next)
    }

    // MARK: - Ends that are not read up to

    /// Reads on to the end of the stretch, or of the whole stream; of one without a length only as much as may be without a sample.
    func skip() throws(MediaError) {
        var count = 0
        while whole.length != nil || count < StreamReader.mostFruitless {
            let bytes = try read(count: Self.step)
            if bytes.isEmpty { break }
            count += bytes.count
        }
    }

    /// Finds an end of the stretch before a stray place.
    ///
    /// - Returns: false if there is none.
    func findEnd(before stray: Int64) throws(MediaError) -> Bool {
        var low = lastKnown(before: stray)
        var high = stray
        while high - low > Int64(Self.step) {
            let middle = low + (high - low) / 2
            if let place = try placeOfTable(from: middle, before: high) { low = place } else { high = middle }
        }
        position = low - stretch.start + Int64(stretch.prefix.count)
        isAstray = false
        watch.jump(isSure: true)
        while next == nil, position - Int64(stretch.prefix.count) + stretch.start <= stray + Int64(Self.step) {
            if try read(count: Self.step).isEmpty { break }
        }
        return next != nil
    }

    /// The place behind the next table, if it is as expected; nil for another one, or none.
    private func placeOfTable(from place: Int64, before end: Int64) throws(MediaError) -> Int64? {
        var probe = watch
        probe.jump(isSure: false)
        try whole.seek(to: place)
        var place = place
        while place < end {
            let bytes = try whole.read(count: Int(min(Int64(Self.step), end - place)))
            if bytes.isEmpty { return nil }
            var same: Int64?
            let change = bytes.withUnsafeBytes { bytes in probe.take(bytes) { same = same ?? place + Int64($0) } }
            if let same { return same }
            if change != nil { return nil }
            place += Int64(bytes.count)
        }
        return nil
    }

    /// Looks at the end of the whole stream, whose tables may be other ones.
    func lookAtEnd() throws(MediaError) {
        guard let length = whole.length, stretch.end == nil else { return }
        let start = max(length - Int64(Self.longestTail), stretch.start)
        position = start - stretch.start + Int64(stretch.prefix.count)
        isAstray = false
        watch.jump(isSure: start <= knownEnd)
        try skip()
    }

    /// Reads up to the first tables, and goes back to the start.
    func learn() throws(MediaError) {
        var seen: [UInt8] = []
        while !watch.reader.isComplete, seen.count < Self.longestTail {
            let bytes = try read(count: Self.headStep)
            if bytes.isEmpty { break }
            seen += bytes
        }
        whole.giveBack(seen)
        try seek(to: 0)
    }

    private static let step = 256 << 10
    private static let headStep = 4 << 10
    /// Tables come ten times a second.
    private static let longestTail = 512 << 10
}
