import Glibc

/// Writes whole small files; `WholeFile` reads them.
package enum TextFile {
    /// Writes a file.
    ///
    /// - Throws: `CommandFault` with the path.
    package static func write(_ bytes: [UInt8], to path: String) throws {
        guard let file = fopen(path, "wb") else {
            throw CommandFault("\(path) could not be written: \(String(cString: strerror(errno))).")
        }
        let count = fwrite(bytes, 1, bytes.count, file)
        guard fclose(file) == 0, count == bytes.count else {
            throw CommandFault("\(path) could not be written: \(String(cString: strerror(errno))).")
        }
    }
}
