import MediaTime
import WireFormats

/// The index of an MP4 file (`moov`) with edit lists.
enum MovieIndex {
    /// Writes the edit lists of the tracks into an index that has none, and the durations that follow from them.
    ///
    /// - Parameters:
    ///   - moov: the whole box.
    ///   - edits: those of each track, in the order of the file; a track without edits keeps its own times.
    ///   - isFragmented: whether the samples follow in fragments: the index itself then has no durations.
    /// - Returns: the new box, or nil if the index is not one.
    static func adding(_ edits: [[MovieEdit]], to moov: [UInt8], isFragmented: Bool) -> [UInt8]? {
        guard let box = MP4Box.boxes(in: moov[...]).first, box.type == "moov" else { return nil }
        let scale = movieTimescale(edits)
        let lengths = edits.map { $0.reduce(MediaTime.zero) { $0 + $1.duration } }
        var track = 0
        var body: [UInt8] = []
        for child in MP4Box.boxes(in: box.body) {
            switch child.type {
            case "mvhd":
                let length = isFragmented ? nil : lengths.max().map { $0.units(of: scale) }
                body += made("mvhd", header(Array(child.body), timescale: scale, duration: length, at: 12))
            case "trak":
                guard track < edits.count, let one = self.track(child.body, edits[track], scale, isFragmented) else { return nil }
                body += made("trak", one)
                track += 1
            default: body += made(child.type, Array(child.body))
            }
        }
        return track == edits.count ? made("moov", body) : nil
    }

    /// A unit in which all durations are whole, if they then fit 32 bits; else one in which they fit.
    private static func movieTimescale(_ edits: [[MovieEdit]]) -> Int32 {
        let all = edits.joined().map(\.duration)
        let longest = edits.map { $0.reduce(MediaTime.zero) { $0 + $1.duration } }.max() ?? .zero
        var common: Int64 = 1
        for duration in all where common <= Int64(Int32.max) {
            let scale = Int64(duration.timescale)
            common = common / greatestCommonDivisor(common, scale) * scale
        }
        for scale in [common, 90_000, 1000] {
            guard let scale = Int32(exactly: scale) else { continue }
            if longest.units(of: scale) < Int64(Int32.max) { return scale < 1000 ? roundUp(scale) : scale }
        }
        return 1
    }

    /// Players expect at least milliseconds.
    private static func roundUp(_ scale: Int32) -> Int32 { scale * (1 + 999 / scale) }

    private static func greatestCommonDivisor(_ first: Int64, _ second: Int64) -> Int64 {
        var (first, second) = (first, second)
        while second != 0 { (first, second) = (second, first % second) }
        return first
    }

    private static func track(
        _ body: ArraySlice<UInt8>, _ edits: [MovieEdit], _ scale: Int32, _ isFragmented: Bool
    ) -> [UInt8]? {
        let children = MP4Box.boxes(in: body)
        guard let media = MP4Box.first(["mdia", "mdhd"], in: body), let version = media.first,
            let mediaScale = media.big(4, at: version == 1 ? 20 : 12).flatMap({ Int32(exactly: $0) }), mediaScale > 0
        else { return nil }
        var result: [UInt8] = []
        for child in children where child.type != "edts" {
            guard child.type == "tkhd", !edits.isEmpty else {
                result += made(child.type, Array(child.body))
                continue
            }
            let length = edits.reduce(MediaTime.zero) { $0 + $1.duration }
            let duration = isFragmented ? nil : length.units(of: scale)
            result += made("tkhd", header(Array(child.body), timescale: nil, duration: duration, at: 16))
            result += made("edts", made("elst", list(edits, scale, mediaScale)))
        }
        return result
    }

    /// Sets the duration of `mvhd` or `tkhd`, and the timescale of `mvhd`, which is before it.
    ///
    /// - Parameter place: where the four bytes before the duration are in version 0: those of the timescale, or reserved.
    private static func header(_ bytes: [UInt8], timescale: Int32?, duration: Int64?, at place: Int) -> [UInt8] {
        var bytes = bytes
        let isLong = bytes.first == 1
        let start = isLong ? place + 8 : place
        guard bytes.count >= start + 4 + (isLong ? 8 : 4) else { return bytes }
        // In `mvhd` the timescale is directly before the duration, in `tkhd` a reserved word.
        if let timescale { put(UInt64(timescale), 4, at: start, in: &bytes) }
        if let duration {
            let value = UInt64(max(duration, 0))
            put(isLong ? value : min(value, UInt64(UInt32.max) - 1), isLong ? 8 : 4, at: start + 4, in: &bytes)
        }
        return bytes
    }

    private static func list(_ edits: [MovieEdit], _ scale: Int32, _ mediaScale: Int32) -> [UInt8] {
        // Cumulative, so that rounding does not add up.
        var entries: [(duration: Int64, media: Int64)] = []
        var (end, written) = (MediaTime.zero, Int64(0))
        for edit in edits {
            end += edit.duration
            let duration = max(end.units(of: scale) - written, 0)
            written += duration
            entries.append((duration, edit.mediaTime.map { max($0.units(of: mediaScale), 0) } ?? -1))
        }
        let isLong = entries.contains { $0.duration > Int64(UInt32.max) || $0.media > Int64(Int32.max) }
        let size = isLong ? 8 : 4
        var bytes: [UInt8] = [isLong ? 1 : 0, 0, 0, 0] + big(UInt64(entries.count), 4)
        for entry in entries {
            bytes += big(UInt64(entry.duration), size) + big(UInt64(bitPattern: entry.media), size)
            bytes += [0, 1, 0, 0]  // the speed, 1.0
        }
        return bytes
    }

    private static func made(_ type: String, _ body: [UInt8]) -> [UInt8] {
        big(UInt64(body.count + 8), 4) + type.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) } + body
    }

    private static func big(_ value: UInt64, _ count: Int) -> [UInt8] {
        (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * UInt64($0))) }
    }

    private static func put(_ value: UInt64, _ count: Int, at place: Int, in bytes: inout [UInt8]) {
        bytes.replaceSubrange(place..<place + count, with: big(value, count))
    }
}
