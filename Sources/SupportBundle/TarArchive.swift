/// An archive in the ustar format (POSIX.1-1988, pax(1)): plain files with short names, readable by every `tar`.
///
/// Our own few lines, because libarchive would bring libxml2 and ICU, which are larger than the whole player, into the image.
struct TarArchive {
    private var bytes: [UInt8] = []
    private let seconds: Int64
    private static let block = 512

    /// - Parameter date: of every file, in nanoseconds since the start of 1970, UTC; nil stands for that start.
    init(date: Int64?) { seconds = max(0, (date ?? 0) / 1_000_000_000) }

    /// Adds a file.
    ///
    /// - Precondition: the name has at most 99 bytes, and the file is shorter than 8 GiB: the fields of the header end there.
    mutating func add(_ name: String, _ content: [UInt8]) {
        precondition(name.utf8.count < 100 && content.count < 1 << 33)
        bytes += header(name, size: content.count)
        bytes += content
        bytes += [UInt8](repeating: 0, count: (Self.block - content.count % Self.block) % Self.block)
    }

    /// The archive: the files and two blocks of zeros.
    var whole: [UInt8] { bytes + [UInt8](repeating: 0, count: 2 * Self.block) }

    private func header(_ name: String, size: Int) -> [UInt8] {
        var header = [UInt8](repeating: 0, count: Self.block)
        func put(_ text: String, at offset: Int) { header.replaceSubrange(offset..<offset + text.utf8.count, with: text.utf8) }
        func put(octal value: Int64, digits: Int, at offset: Int) {
            let text = String(value, radix: 8)
            put(String(repeating: "0", count: max(0, digits - text.count)) + text, at: offset)
        }
        put(name, at: 0)
        put(octal: 0o644, digits: 7, at: 100)  // mode
        put(octal: 0, digits: 7, at: 108)  // uid
        put(octal: 0, digits: 7, at: 116)  // gid
        put(octal: Int64(size), digits: 11, at: 124)
        put(octal: min(seconds, 1 << 33 - 1), digits: 11, at: 136)  // mtime
        put("        ", at: 148)  // The checksum counts itself as spaces.
        put("0", at: 156)  // a regular file
        put("ustar", at: 257)
        put("00", at: 263)
        put(octal: header.reduce(0) { $0 + Int64($1) }, digits: 6, at: 148)
        header[154] = 0
        return header
    }
}
