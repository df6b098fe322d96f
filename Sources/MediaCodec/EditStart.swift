import MediaTime
import WireFormats

/// An edit list of MP4 or QuickTime that begins in the middle of a sample (ISO/IEC 14496-12, 8.6.6).
///
/// That sample is presented from the start of the edit to that of the next one. libavformat hides it, and moves its track so that the next one is presented in
/// its place.
struct EditStart: Equatable {
    /// By how much the track was moved: how long the sample is presented.
    let shift: MediaTime
    /// The stamp that libavformat gives to the sample.
    let stamp: Int64
}

/// The boxes of a track that say where its edit list begins. A value.
struct EditBoxes {
    /// The contents of `mdhd`, `elst`, and of `stts` and `ctts`, of which the beginning is enough.
    var header: [UInt8] = []
    var list: [UInt8] = []
    var times: [UInt8] = []
    var offsets: [UInt8] = []

    /// Longer lists of times are read so far.
    static let longest: Int64 = 1 << 20
    /// So many are looked at: two days of pictures. The lists of a damaged file may be endless.
    private static let mostSamples = 1 << 22
    /// What is presented for less time is not there: times are rounded.
    private static let leastShown = MediaTime(1, 2000)

    /// The units of a second, of `mvhd` or `mdhd`.
    static func scale(_ header: [UInt8]) -> Int64? {
        guard let scale = header[...].big(4, at: header.first == 1 ? 20 : 12), scale > 0, scale <= Int32.max else { return nil }
        return Int64(scale)
    }

    /// Whether the edit list begins behind the beginning of the media.
    var isCut: Bool { first.map { $0.media > 0 } ?? false }

    /// What is presented first: the place in the media in its units, and the empty time before it in units of the movie. Nil: there is no such list.
    private var first: (media: Int64, empty: Int64)? {
        let (isLong, bytes) = (list.first == 1, list[...])
        guard let count = bytes.big(4, at: 4) else { return nil }
        let length = isLong ? 20 : 12
        var empty: Int64 = 0
        for number in 0..<min(Int(count), max(list.count - 8, 0) / length) {
            let place = 8 + number * length
            guard let span = bytes.big(isLong ? 8 : 4, at: place),
                let start = bytes.big(isLong ? 8 : 4, at: place + (isLong ? 8 : 4)),
                let rate = bytes.big(4, at: place + length - 4)
            else { return nil }
            let media = isLong ? Int64(bitPattern: start) : Int64(Int32(truncatingIfNeeded: start))
            if media >= 0 { return rate == 1 << 16 && media < 1 << 48 ? (media, empty) : nil }
            guard span < 1 << 32 else { return nil }
            empty += Int64(span)
        }
        return nil
    }

    /// - Parameter movieScale: the units of a second in edit lists.
    /// - Returns: nil if the edit list begins where a sample does, or before all of them.
    func start(movieScale: Int64) -> EditStart? {
        guard let scale = Self.scale(header), let first, first.media > 0, first.empty < 1 << 32,
            let (last, next) = samples(around: first.media)
        else { return nil }
        let shown = MediaTime(next - first.media, Int32(scale))
        guard shown >= Self.leastShown else { return nil }
        return EditStart(shift: shown, stamp: (first.empty * scale + movieScale / 2) / movieScale - (next - last))
    }

    /// The times of the sample that is presented at a place, but not from there on, and of the one that follows it.
    private func samples(around place: Int64) -> (Int64, Int64)? {
        var (last, next): (Int64?, Int64?)
        var offsets = Runs(self.offsets)
        let earliest = offsets.least
        var decode: Int64 = 0
        var times = Runs(self.times)
        for _ in 0..<Self.mostSamples {
            // The rest of the lists may not have been read.
            guard let length = times.next(), length >= 0, let offset = self.offsets.isEmpty ? 0 : offsets.next() else {
                return nil
            }
            let time = decode + offset
            if time < place { last = max(last ?? time, time) } else { next = min(next ?? time, time) }
            decode += length
            if let next, decode + earliest >= next { break }
        }
        guard let last, let next, next > place else { return nil }
        return (last, next)
    }

    /// The numbers of `stts` or `ctts`: each is that of a number of samples.
    private struct Runs {
        private let bytes: [UInt8]
        private var place = 8
        private var rest: UInt64 = 0
        private var value: Int64 = 0

        init(_ bytes: [UInt8]) { self.bytes = bytes }

        /// The least of them all, and of zero.
        var least: Int64 {
            stride(from: 12, to: max(bytes.count - 3, 12), by: 8).reduce(0) { min($0, number(at: $1)) }
        }

        private func number(at place: Int) -> Int64 { Int64(Int32(truncatingIfNeeded: bytes[...].big(4, at: place) ?? 0)) }

        mutating func next() -> Int64? {
            while rest == 0 {
                guard let count = bytes[...].big(4, at: place), place + 8 <= bytes.count else { return nil }
                (rest, value) = (count, number(at: place + 4))
                place += 8
            }
            rest -= 1
            return value
        }
    }
}
