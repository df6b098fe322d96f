import Glibc

/// Writes whole small files; `WholeFile` reads them.
package enum TextFile {
    /// Makes a folder for files, unless it is there.
    ///
    /// - Throws: `CommandFault` with the path.
    package static func makeFolder(_ path: String) throws(CommandFault) {
        guard mkdir(path, 0o755) != 0 else { return }
        // Not by the error of mkdir(2): that of `.` or of a folder on a read-only disk is another one.
        guard access(path + "/", W_OK | X_OK) != 0 else { return }
        throw CommandFault("The folder \(path) could not be made: \(String(cString: strerror(errno))).")
    }

    /// Writes a file.
    ///
    /// - Throws: `CommandFault` with the path.
    package static func write(_ bytes: [UInt8], to path: String) throws(CommandFault) {
        guard let file = fopen(path, "wb") else {
            throw CommandFault("\(path) could not be written: \(String(cString: strerror(errno))).")
        }
        let count = fwrite(bytes, 1, bytes.count, file)
        guard fclose(file) == 0, count == bytes.count else {
            throw CommandFault("\(path) could not be written: \(String(cString: strerror(errno))).")
        }
    }
}
