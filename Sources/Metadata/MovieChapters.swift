import Languages
import MediaTime
import WireFormats

/// The chapters of an MP4 or QuickTime file in referenced tracks (`tref`/`chap`): a text track for each language, and optionally
/// a track of pictures.
struct MovieChapters {
    private(set) var groups: [TimedMetadataGroup] = []
    private static let title = MetadataIdentifier(.quickTimeUserData, "\u{A9}nam")
    private static let picture = MetadataIdentifier(.common, "artwork")

    init(_ walker: BoxWalker, movie: BoxExtent) throws {
        let tracks = try walker.children(of: movie).filter { $0.type == "trak" }
        let timescale = try walker.first(["mvhd"], in: movie).flatMap { try walker.contents($0, most: 256) }
            .flatMap { ChapterTrack.timescale(ofHeader: $0) }
        var wanted: [UInt64] = []
        var byNumber: [UInt64: BoxExtent] = [:]
        for track in tracks {
            if let header = try walker.first(["tkhd"], in: track).flatMap({ try walker.contents($0, most: 256) }) {
                var cursor = ByteCursor(header)
                let isLong = cursor.byte() == 1
                _ = cursor.take(isLong ? 19 : 11)
                if let number = cursor.big(4) { byNumber[number] = track }
            }
            if let references = try walker.first(["tref", "chap"], in: track).flatMap({ try walker.contents($0, most: 4096) }) {
                var cursor = ByteCursor(references)
                while let number = cursor.big(4) { if !wanted.contains(number) { wanted.append(number) } }
            }
        }
        for number in wanted {
            guard let track = byNumber[number] else { continue }
            try add(ChapterTrack(walker, track: track, movieTimescale: timescale), walker)
        }
        groups.sort { $0.timeRange.start < $1.timeRange.start }
    }

    private mutating func add(_ track: ChapterTrack, _ walker: BoxWalker) throws {
        for sample in track.samples.prefix(MediaMetadata.mostChapters) {
            guard let bytes = try walker.reader.read(sample.offset, sample.size) else { return }
            let item: MetadataItem
            if track.isPicture {
                guard let type = ImageType.of(bytes) else { continue }
                item = MetadataItem(Self.picture, .data(bytes), dataType: type)
            } else {
                var cursor = ByteCursor(bytes)
                guard let length = cursor.big(2), let text = cursor.take(min(Int(length), cursor.count)) else { continue }
                item = MetadataItem(Self.title, .text(Text.utf8OrMarked(text)), extendedLanguageTag: track.languageTag)
            }
            // Tracks in other languages have the same starts; the first track decides a chapter's duration.
            if let index = groups.firstIndex(where: { $0.timeRange.start == sample.range.start }) {
                groups[index].items.append(item)
            } else if !track.isPicture {
                groups.append(TimedMetadataGroup(timeRange: sample.range, items: [item]))
            }
        }
    }

    /// A Nero chapter list: version, flags, four more bytes in version 1, a count, then starts in units of 100 ns with titles.
    static func nero(_ bytes: [UInt8]) -> [TimedMetadataGroup] {
        var cursor = ByteCursor(bytes)
        guard let version = cursor.byte(), cursor.take(3) != nil, version == 0 || cursor.take(4) != nil, let count = cursor.byte()
        else { return [] }
        var starts: [(MediaTime, String)] = []
        for _ in 0..<count {
            guard let start = cursor.big(8), start < 1 << 60, let length = cursor.byte(), let text = cursor.take(Int(length))
            else { break }
            starts.append((MediaTime(Int64(start), 10_000_000), Text.utf8(text)))
        }
        return starts.enumerated().map { index, chapter in
            // The last one ends with the film, whose duration is not known here.
            let end = index + 1 < starts.count ? max(starts[index + 1].0, chapter.0) : chapter.0
            return TimedMetadataGroup(
                timeRange: TimeRange(start: chapter.0, end: end), items: [MetadataItem(title, .text(chapter.1))])
        }
    }
}

/// The samples of one chapter track: position and time range (ISO/IEC 14496-12 sections 8.6.1, 8.6.6, 8.7).
private struct ChapterTrack {
    struct Sample {
        var offset: Int64
        var size: Int
        var range: TimeRange
    }
    var samples: [Sample] = []
    var languageTag: String?
    var isPicture = false
    private static let mostSamples = 4096
    private static let mostTable: Int64 = 1 << 20

    /// - Parameter movieTimescale: the unit of durations in edit lists; nil if it is unknown.
    init(_ walker: BoxWalker, track: BoxExtent, movieTimescale: Int32?) throws {
        func contents(_ path: [String]) throws -> ByteCursor? {
            try walker.first(path, in: track).flatMap { try walker.contents($0, most: Self.mostTable) }.map { ByteCursor($0) }
        }
        guard var header = try contents(["mdia", "mdhd"]) else { return }
        let isLong = header.byte() == 1
        _ = header.take(isLong ? 19 : 11)
        guard let scale = header.big(4), let timescale = Int32(exactly: scale), timescale > 0, header.take(isLong ? 8 : 4) != nil,
            let language = header.big(2)
        else { return }
        languageTag = MovieMetadata.packedLanguage(UInt16(language))
        // `elng` holds the full tag when three letters are not enough.
        if var extended = try contents(["mdia", "elng"]), extended.take(4) != nil {
            languageTag = Text.trimmed(Text.utf8(extended.rest))
        }
        if var handler = try contents(["mdia", "hdlr"]), handler.take(8) != nil {
            isPicture = handler.fourCharacters() == "vide"
        }
        let table = ["mdia", "minf", "stbl"]
        guard let sizes = try contents(table + ["stsz"]), let times = try contents(table + ["stts"]),
            let chunks = try contents(table + ["stsc"])
        else { return }
        let short = try contents(table + ["stco"])
        guard let offsets = try short ?? contents(table + ["co64"]) else { return }
        let places = Self.places(
            Self.sizes(sizes), Self.runs(chunks), Self.offsets(offsets, width: short == nil ? 8 : 4))
        var start = try movieTimescale.map { Self.lead(try contents(["edts", "elst"]), $0) } ?? .zero
        for (place, length) in zip(places, Self.durations(times)) {
            let end = start + MediaTime(Int64(length), timescale)
            samples.append(Sample(offset: place.offset, size: place.size, range: TimeRange(start: start, end: end)))
            start = end
        }
    }

    /// The unit of a movie header, or of that of media.
    static func timescale(ofHeader bytes: [UInt8]) -> Int32? {
        var header = ByteCursor(bytes)
        let isLong = header.byte() == 1
        _ = header.take(isLong ? 19 : 11)
        return header.big(4).flatMap { Int32(exactly: $0) }.flatMap { $0 > 0 ? $0 : nil }
    }

    /// How long nothing is presented before the first sample: the empty edits at the beginning of an edit list.
    private static func lead(_ edits: ByteCursor?, _ timescale: Int32) -> MediaTime {
        guard var cursor = edits, let version = cursor.byte(), cursor.take(3) != nil, let count = cursor.big(4) else {
            return .zero
        }
        let (size, empty) = version == 1 ? (8, UInt64.max) : (4, UInt64(UInt32.max))
        var lead = MediaTime.zero
        for _ in 0..<min(count, UInt64(mostSamples)) {
            guard let length = cursor.big(size), length < 1 << 60, let media = cursor.big(size), cursor.take(4) != nil,
                media == empty
            else { break }
            lead += MediaTime(Int64(length), timescale)
        }
        return lead
    }

    private static func sizes(_ cursor: ByteCursor) -> [Int] {
        var cursor = cursor
        guard cursor.take(4) != nil, let size = cursor.big(4), let count = cursor.big(4) else { return [] }
        let limit = min(Int(count), mostSamples)
        if size > 0 { return Array(repeating: Int(size), count: limit) }
        return (0..<limit).compactMap { _ in cursor.big(4).map(Int.init) }
    }

    private static func durations(_ cursor: ByteCursor) -> [UInt64] {
        var cursor = cursor
        guard cursor.take(4) != nil, let entries = cursor.big(4) else { return [] }
        var result: [UInt64] = []
        for _ in 0..<min(entries, UInt64(mostTable)) {
            guard result.count < mostSamples, let count = cursor.big(4), let length = cursor.big(4) else { break }
            result += Array(repeating: length, count: min(Int(count), mostSamples - result.count))
        }
        return result
    }

    private static func runs(_ cursor: ByteCursor) -> [(first: Int, samples: Int)] {
        var cursor = cursor
        guard cursor.take(4) != nil, let entries = cursor.big(4) else { return [] }
        var result: [(first: Int, samples: Int)] = []
        for _ in 0..<min(Int(entries), mostSamples) {
            guard let first = cursor.big(4), let samples = cursor.big(4), cursor.take(4) != nil else { break }
            result.append((Int(first), Int(samples)))
        }
        return result
    }

    private static func offsets(_ cursor: ByteCursor, width: Int) -> [Int64] {
        var cursor = cursor
        guard cursor.take(4) != nil, let count = cursor.big(4) else { return [] }
        return (0..<min(Int(count), mostSamples)).compactMap { _ in cursor.big(width).flatMap { $0 < 1 << 60 ? Int64($0) : nil } }
    }

    private static func places(
        _ sizes: [Int], _ runs: [(first: Int, samples: Int)], _ offsets: [Int64]
    ) -> [(offset: Int64, size: Int)] {
        var result: [(offset: Int64, size: Int)] = []
        for (index, offset) in offsets.enumerated() {
            guard let run = runs.last(where: { $0.first <= index + 1 }) else { break }
            var place = offset
            for _ in 0..<min(run.samples, mostSamples) {
                guard result.count < sizes.count else { return result }
                let size = sizes[result.count]
                result.append((place, size))
                place += Int64(size)
            }
        }
        return result
    }
}
