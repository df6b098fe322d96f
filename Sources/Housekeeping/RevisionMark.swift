import Glibc
import LinuxSupport

/// The newest revision of a source that was ever in use, over power cuts.
struct RevisionMark: Sendable {
    /// Where it is written; nil: nowhere.
    let file: String?
    /// Of which source.
    let source: String

    /// 0 where none was.
    var newest: Int64 {
        guard let file, let bytes = WholeFile.read(file) else { return 0 }
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
        guard lines.count == 2, lines[0] == source else { return 0 }
        return Int64(lines[1]) ?? 0
    }

    /// Notes a revision that is in use from now on.
    ///
    /// - Returns: false when it could not be written.
    func note(_ revision: Int64) -> Bool {
        guard let file, revision != newest else { return true }
        if let slash = file.lastIndex(of: "/") { mkdir(String(file[..<slash]), 0o700) }
        return WholeFile.write(Array("\(source)\n\(revision)\n".utf8), to: file)
    }
}
