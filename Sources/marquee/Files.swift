import Appliance
import Glibc
import LinuxSupport

/// Writes whole small files; `WholeFile` reads them.
enum TextFile {
    /// Writes a file.
    ///
    /// - Throws: `CommandFailure` with the path.
    static func write(_ bytes: [UInt8], to path: String) throws {
        guard let file = fopen(path, "wb") else {
            throw CommandFailure("\(path) could not be written: \(String(cString: strerror(errno))).")
        }
        let count = fwrite(bytes, 1, bytes.count, file)
        guard fclose(file) == 0, count == bytes.count else {
            throw CommandFailure("\(path) could not be written: \(String(cString: strerror(errno))).")
        }
    }
}

/// The file of `--dump`. Each line is written at once, so that the file can be followed and has the last lines before a crash.
@MainActor
final class DumpFile {
    private let file: UnsafeMutablePointer<FILE>

    init(_ path: String) throws {
        guard let file = fopen(path, "wb") else {
            throw CommandFailure("The dump \(path) could not be written: \(String(cString: strerror(errno))).")
        }
        setvbuf(file, nil, _IOLBF, 0)
        self.file = file
    }

    func write(_ line: DumpLine) { fputs("\(line)\n", file) }

    isolated deinit { fclose(file) }
}
