import MediaTime

/// A BIF file ("Base Index Frames", Roku's BIF file specification, version 0), made of JPEG pictures at equal distances.
enum BIFFile {
    /// Readers refuse more: one every two seconds for a day.
    static let mostPictures = 43_200
    private static let magic: [UInt8] = [0x89, 0x42, 0x49, 0x46, 0x0d, 0x0a, 0x1a, 0x0a]
    private static let headerLength = 64

    /// The bytes before the pictures.
    ///
    /// - Parameters:
    ///   - sizes: of each picture, in bytes.
    ///   - interval: between two pictures, in milliseconds.
    /// - Returns: nil if there are too many pictures, or together they are longer than the format's 32 bits can say.
    static func header(sizes: [Int], interval: UInt32) -> [UInt8]? {
        guard sizes.count <= mostPictures else { return nil }
        var bytes = magic + little(0) + little(UInt32(sizes.count)) + little(interval)
        bytes += [UInt8](repeating: 0, count: headerLength - bytes.count)
        var place = headerLength + (sizes.count + 1) * 8
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
