import MediaTime
import WireFormats

/// The index of a BIF file ("Base Index Frames", Roku's BIF file specification, version 0): the time and the byte range of each JPEG picture.
package struct BIFIndex: Sendable, Hashable {
    /// One picture.
    package struct Entry: Sendable, Hashable {
        /// The asset time from which it is shown.
        package var time: MediaTime
        /// Its byte range in the file.
        package var range: Range<Int64>
    }

    /// Longer units of time between pictures are refused: a day, in milliseconds.
    private static let longestUnit: Int64 = 86_400_000

    /// The pictures, in ascending order of time.
    package let entries: [Entry]

    /// The size of a file's index, from its first 64 bytes; nil if they are not the header of a BIF file of version 0.
    package static func length(header: [UInt8]) -> Int? {
        guard header.count >= BIFFormat.headerLength, header.starts(with: BIFFormat.magic), word(header, 8) == 0 else {
            return nil
        }
        let count = Int(word(header, 12))
        return count <= BIFFormat.mostPictures ? BIFFormat.indexLength(pictures: count) : nil
    }

    /// Parses an index; nil if it is invalid: not a BIF file, truncated, with offsets that do not ascend, or with times beyond reason.
    ///
    /// - Parameter bytes: the file from its start, at least to the end of the index.
    package init?(_ bytes: [UInt8]) {
        guard let length = Self.length(header: bytes), bytes.count >= length else { return nil }
        let count = Int(Self.word(bytes, 12))
        let unit = Int64(Self.word(bytes, 16))
        guard unit <= Self.longestUnit else { return nil }
        var entries: [Entry] = []
        entries.reserveCapacity(count)
        for index in 0..<count {
            let place = BIFFormat.headerLength + index * 8
            let start = Int64(Self.word(bytes, place + 4)), end = Int64(Self.word(bytes, place + 12))
            // A separation of 0 means 1000 milliseconds.
            let time = MediaTime(Int64(Self.word(bytes, place)) * (unit == 0 ? 1000 : unit), 1000)
            guard end > start, entries.last.map({ $0.time < time }) ?? true else { return nil }
            entries.append(Entry(time: time, range: start..<end))
        }
        guard Self.word(bytes, BIFFormat.headerLength + count * 8) == .max else { return nil }
        self.entries = entries
    }

    /// The last picture at or before a time.
    package func entry(at time: MediaTime) -> Entry? { entries.last { $0.time <= time } }

    private static func word(_ bytes: [UInt8], _ place: Int) -> UInt32 {
        (0..<4).reduce(0) { $0 | UInt32(bytes[place + $1]) << (8 * UInt32($1)) }
    }
}
