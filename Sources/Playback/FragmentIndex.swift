import MediaModel
import MediaTime
import WireFormats

/// The extent of a fragmented MP4 file so far (ISO/IEC 14496-12 section 8.8): its complete bytes, and the asset time at their end.
///
/// A value that `scan` extends: only new bytes are read, and of these only box headers and the fragments' run tables.
struct FragmentIndex: Sendable {
    /// The first byte after the movie box; everything before it is needed to read any fragment.
    private(set) var headerEnd: Int64 = 0
    /// The first byte after the last complete fragment.
    private(set) var completeEnd: Int64 = 0
    /// The end of the newest media by the container's clock; nil before the first fragment.
    private(set) var end: MediaTime?
    /// The duration of the longest fragment.
    private(set) var longestFragment = MediaTime.zero
    /// Whether the file is marked as complete by its random access box.
    private(set) var isFinal = false
    /// Whether it contains something that cannot be followed.
    private(set) var isOdd = false
    /// Whether it is a fragmented file.
    var isFragmented: Bool { headerEnd > 0 && completeEnd > headerEnd && !isOdd }

    private var next: Int64 = 0
    private var timescales: [UInt32: Int32] = [:]
    private var defaultDurations: [UInt32: UInt32] = [:]
    /// The end of a fragment whose media data is not complete yet.
    private var pending: (start: MediaTime, end: MediaTime)?

    private static let longestHeader: Int64 = 16 << 20
    private static let mostBoxes = 100_000

    /// Reads new bytes. Worker threads only: it waits for the disk.
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
                // Media data before the movie box belongs to a file that is not fragmented.
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
        guard let head = try read(stream, at: offset, MP4Box.Header.longest, atLeast: 8), let header = MP4Box.Header(head[...]),
            let size = header.size
        else { return nil }
        return Place(type: header.type, start: offset + Int64(header.length), end: offset + size)
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

    private mutating func takeHeader(_ bytes: [UInt8]) {
        for box in MP4Box.boxes(in: bytes[...]) {
            if box.type == "trak", let header = MP4Box.first(["tkhd"], in: box.body),
                let media = MP4Box.first(["mdia", "mdhd"], in: box.body),
                let id = header.big(4, at: header.first == 1 ? 20 : 12),
                let scale = media.big(4, at: media.first == 1 ? 20 : 12)
            {
                timescales[UInt32(id)] = Int32(clamping: scale)
            }
            guard box.type == "mvex" else { continue }
            for defaults in MP4Box.boxes(in: box.body) where defaults.type == "trex" {
                if let defaults = MP4TrackDefaults(defaults.body) { defaultDurations[defaults.track] = defaults.duration }
            }
        }
    }

    /// The media times in a fragment, from the earliest to the latest of all tracks.
    private func fragment(_ bytes: [UInt8]) -> (start: MediaTime, end: MediaTime)? {
        var range: (start: MediaTime, end: MediaTime)?
        for box in MP4Box.boxes(in: bytes[...]) where box.type == "traf" {
            guard let fragment = MP4TrackFragment(box.body), let scale = timescales[fragment.track], scale > 0,
                let start = fragment.startTime
            else { continue }
            let usual = Int64(fragment.defaultDuration ?? defaultDurations[fragment.track] ?? 0)
            let length = fragment.duration(usual: usual)
            let (first, last) = (MediaTime(Int64(start), scale), MediaTime(Int64(start) + length, scale))
            range = range.map { (min($0.start, first), max($0.end, last)) } ?? (first, last)
        }
        return range
    }
}
