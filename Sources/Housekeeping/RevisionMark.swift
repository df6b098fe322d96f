import Glibc
import LinuxSupport

/// The newest revision of a source that was ever applied, stored on the disk.
struct RevisionMark: Sendable {
    /// The file; nil for none.
    let file: String?
    /// The source's address.
    let source: String

    /// 0 if there is none.
    var newest: Int64 {
        guard let file, let bytes = WholeFile.read(file) else { return 0 }
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
        guard lines.count == 2, lines[0] == source else { return 0 }
        return Int64(lines[1]) ?? 0
    }

    /// Stores an applied revision.
    ///
    /// - Returns: false if it could not be written.
    func note(_ revision: Int64) -> Bool {
        guard let file, revision != newest else { return true }
        if let slash = file.lastIndex(of: "/") { mkdir(String(file[..<slash]), 0o700) }
        return WholeFile.write(Array("\(source)\n\(revision)\n".utf8), to: file)
    }
}
