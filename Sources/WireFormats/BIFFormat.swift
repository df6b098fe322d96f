/// What readers and writers of BIF files ("Base Index Frames", Roku's BIF file specification, version 0) agree on.
package enum BIFFormat {
    /// The signature of a file.
    package static let magic: [UInt8] = [0x89, 0x42, 0x49, 0x46, 0x0d, 0x0a, 0x1a, 0x0a]
    /// Bytes before the first entry of the index.
    package static let headerLength = 64
    /// Files with more pictures are refused, and not written: one every two seconds for a day.
    package static let mostPictures = 43_200

    /// The bytes of the header and of the index, in which the entry after the last picture ends it.
    package static func indexLength(pictures: Int) -> Int { headerLength + (pictures + 1) * 8 }
}
