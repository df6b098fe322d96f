import Glibc
import LinuxSupport
import Synchronization

/// The newest revision of a feed that was ever applied, stored on the disk: one for each address from which a box was given its feeds, whatever brought
/// them there. A feed of a stick is one of the configured address. Any thread; blocks on the disk.
struct RevisionMark: Sendable {
    /// The file; nil for none. It has a line with an address and one with its revision for each, the newest last. One pair is the form of older versions.
    let file: String?
    /// The source's address.
    let source: String
    /// The file of an older version that kept another mark for disks; its revision counts too.
    var earlier: String?

    /// A box that is moved back and forth finds its marks again. The oldest beyond these are forgotten.
    private static let mostSources = 64
    /// Both threads that apply feeds change the file.
    private static let changing = Mutex(())

    /// 0 if there is none.
    var newest: Int64 {
        let own = marks.last { $0.source == source }?.revision ?? 0
        return max(own, earlier.flatMap { Self.read($0).last?.revision } ?? 0)
    }

    private var marks: [(source: String, revision: Int64)] { file.map(Self.read) ?? [] }

    private static func read(_ file: String) -> [(source: String, revision: Int64)] {
        guard let bytes = WholeFile.read(file, most: 1 << 20) else { return [] }
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
        return stride(from: 0, to: lines.count - 1, by: 2).compactMap { index in
            Int64(lines[index + 1]).map { (source: lines[index], revision: $0) }
        }
    }

    /// Stores an applied revision.
    ///
    /// - Returns: false if it could not be written.
    func note(_ revision: Int64) -> Bool {
        guard let file else { return true }
        return Self.changing.withLock { _ in
            var marks = self.marks
            if let last = marks.last, last == (source, revision) { return true }
            marks.removeAll { $0.source == source }
            marks = Array(marks.suffix(Self.mostSources - 1))
            marks.append((source: source, revision: revision))
            if let slash = file.lastIndex(of: "/") { mkdir(String(file[..<slash]), 0o700) }
            let text = marks.map { "\($0.source)\n\($0.revision)\n" }.joined()
            return WholeFile.write(Array(text.utf8), to: file)
        }
    }
}
