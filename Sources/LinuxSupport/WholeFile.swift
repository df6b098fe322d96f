import Glibc

/// Small files, read in one step.
package enum WholeFile {
    /// The bytes of a file; nil with errno set when it cannot be read. Any thread; blocks on the disk.
    package static func read(_ path: String) -> [UInt8]? {
        guard let file = fopen(path, "rb") else { return nil }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = fread(&buffer, 1, buffer.count, file)
            if count == 0 { return ferror(file) == 0 ? bytes : nil }
            bytes += buffer.prefix(count)
        }
    }
}
