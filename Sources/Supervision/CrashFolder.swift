import CCrash
import Glibc
import LinuxSupport

/// The folder of crash records. It keeps at most eight.
package struct CrashFolder: Sendable {
    package let path: String
    /// The number of records to keep; the oldest are deleted first.
    package static let most = 8

    package init(_ path: String) { self.path = path }

    /// Creates the folder, and makes a record from the previous process's recorder if that process ended without one. Called before
    /// `FlightRecorder.open`.
    ///
    /// - Parameter recorder: the recorder file of the previous process.
    /// - Throws: `SupervisionError` if the folder cannot be created.
    package func prepare(recorder: String?) throws(SupervisionError) {
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else {
            throw SupervisionError(
                description: "Crashes cannot be recorded: \(path) could not be made: \(String(cString: strerror(errno))).")
        }
        if let recorder, let left = Self.leftover(recorder) { write(left) }
        let files = self.files
        for old in files.dropLast(Self.most) { unlink(old) }
    }

    /// The records, oldest first. Unreadable ones are ignored.
    package var records: [CrashRecord] {
        files.compactMap { file in Self.text(of: file).flatMap { CrashRecord($0) } }
    }

    /// Deletes all records, because the viewer wants the box to try again.
    package func clear() { for file in files { unlink(file) } }

    /// Paths of the records, oldest first.
    private var files: [String] {
        var found: [(time: timespec, path: String)] = []
        for name in Folder.names(path) {
            var status = stat()
            guard name.hasSuffix(".crash"), stat("\(path)/\(name)", &status) == 0 else { continue }
            found.append((status.st_mtim, "\(path)/\(name)"))
        }
        return found.sorted { ($0.time.tv_sec, $0.time.tv_nsec, $0.path) < ($1.time.tv_sec, $1.time.tv_nsec, $1.path) }.map(
            \.path)
    }

    private static func leftover(_ recorder: String) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: Int(MARQUEE_LEFTOVER_SIZE))
        let count = bytes.withUnsafeMutableBytes { marquee_flight_leftover(recorder, $0.bindMemory(to: CChar.self).baseAddress) }
        return count == 0 ? nil : Array(bytes.prefix(count))
    }

    private func write(_ bytes: [UInt8]) {
        let record = CrashRecord(String(decoding: bytes, as: UTF8.self))
        WholeFile.write(bytes, to: "\(path)/crash-\(record?.pid ?? 0).crash", isSynced: false)
    }

    private static func text(of path: String) -> String? {
        guard let file = fopen(path, "rb") else { return nil }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 256 << 10)
        let count = fread(&bytes, 1, bytes.count, file)
        return String(decoding: bytes.prefix(count), as: UTF8.self)
    }
}
