import WireFormats

/// A BIF file ("Base Index Frames", Roku's BIF file specification, version 0), made of JPEG pictures at equal distances.
enum BIFFile {
    /// The bytes before the pictures.
    ///
    /// - Parameters:
    ///   - sizes: of each picture, in bytes.
    ///   - interval: between two pictures, in milliseconds.
    /// - Returns: nil if there are too many pictures, or together they are longer than the format's 32 bits can say.
    static func header(sizes: [Int], interval: UInt32) -> [UInt8]? {
        guard sizes.count <= BIFFormat.mostPictures else { return nil }
        var bytes = BIFFormat.magic + little(0) + little(UInt32(sizes.count)) + little(interval)
        bytes += [UInt8](repeating: 0, count: BIFFormat.headerLength - bytes.count)
        var place = BIFFormat.indexLength(pictures: sizes.count)
        for (index, size) in sizes.enumerated() {
            guard let start = UInt32(exactly: place) else { return nil }
            bytes += little(UInt32(index)) + little(start)
            place += size
        }
        guard let end = UInt32(exactly: place) else { return nil }
        return bytes + little(.max) + little(end)
    }

    private static func little(_ value: UInt32) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * UInt32($0))) }
    }
}
