/// How a file, such as a film, is stored: in pieces of one length, each a resource, so that it can be played while it is being
/// downloaded, and continued after any piece.
package enum FilePieces {
    /// The length of each piece except the last.
    package static let length: Int64 = 4 << 20

    /// The piece with a byte. Its range is that of the request; the body of the last piece ends with the file.
    ///
    /// - Parameter offset: at least 0.
    package static func key(_ name: String, at offset: Int64) -> ResourceKey {
        let start = offset / length * length
        return ResourceKey(name: name, range: start..<start + length)
    }

    /// All pieces of a file.
    ///
    /// - Parameter total: the length of the file, as the first response stated it (`ResourceVersion.length`).
    package static func keys(_ name: String, total: Int64) -> [ResourceKey] {
        stride(from: 0, to: max(total, 1), by: Int(length)).map { key(name, at: $0) }
    }
}
