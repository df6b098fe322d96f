import MediaTime

/// The index of a BIF file ("Base Index Frames", Roku's BIF file specification, version 0): when each picture is shown, and where its JPEG lies.
package struct BIFIndex: Sendable, Hashable {
    /// One picture.
    package struct Entry: Sendable, Hashable {
        /// Asset time from which it is shown.
        package var time: MediaTime
        /// Its bytes in the file.
        package var range: Range<Int64>
    }

    /// What a BIF file begins with.
    package static let magic: [UInt8] = [0x89, 0x42, 0x49, 0x46, 0x0d, 0x0a, 0x1a, 0x0a]
    /// Bytes before the first entry.
    package static let headerLength = 64
    /// More pictures than a day has at one in two seconds are refused.
    package static let mostPictures = 43200

    /// The pictures, in rising order of time.
    package let entries: [Entry]

    /// How many bytes of a file its index takes, by its first 64; nil when they are not those of a BIF file of version 0.
    package static func length(header: [UInt8]) -> Int? {
        guard header.count >= headerLength, header.starts(with: magic), word(header, 8) == 0 else { return nil }
        let count = Int(word(header, 12))
        return count <= mostPictures ? headerLength + (count + 1) * 8 : nil
    }

    /// Reads an index; nil when it is damaged: not a BIF file, cut off, or with places that do not rise.
    ///
    /// - Parameter bytes: the file from its beginning, at least as far as the index goes.
    package init?(_ bytes: [UInt8]) {
        guard let length = Self.length(header: bytes), bytes.count >= length else { return nil }
        let count = Int(Self.word(bytes, 12))
        let unit = Int64(Self.word(bytes, 16))
        var entries: [Entry] = []
        entries.reserveCapacity(count)
        for index in 0..<count {
            let place = Self.headerLength + index * 8
            let start = Int64(Self.word(bytes, place + 4)), end = Int64(Self.word(bytes, place + 12))
            // A separation of 0 stands for 1000 milliseconds.
            let time = MediaTime(Int64(Self.word(bytes, place)) * (unit == 0 ? 1000 : unit), 1000)
            guard end > start, entries.last.map({ $0.time < time }) ?? true else { return nil }
            entries.append(Entry(time: time, range: start..<end))
        }
        guard Self.word(bytes, Self.headerLength + count * 8) == .max else { return nil }
        self.entries = entries
    }

    /// The last picture at or before a time.
    package func entry(at time: MediaTime) -> Entry? { entries.last { $0.time <= time } }

    private static func word(_ bytes: [UInt8], _ place: Int) -> UInt32 {
        (0..<4).reduce(0) { $0 | UInt32(bytes[place + $1]) << (8 * UInt32($1)) }
    }
}
