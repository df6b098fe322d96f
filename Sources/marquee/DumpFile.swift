import Appliance
import CommandSupport
import Glibc
import LinuxSupport

/// The file of `--dump`. Each line is written at once, so that the file can be followed and has the last lines before a crash.
@MainActor
final class DumpFile {
    private let file: UnsafeMutablePointer<FILE>

    init(_ path: String) throws {
        guard let file = fopen(path, "wb") else {
            throw CommandFault("The dump \(path) could not be written: \(String(cString: strerror(errno))).")
        }
        setvbuf(file, nil, _IOLBF, 0)
        self.file = file
    }

    func write(_ line: DumpLine) { fputs("\(line)\n", file) }

    isolated deinit { fclose(file) }
}
