import Glibc
import LinuxSupport
import Signatures

/// By what a feed is known to be the operator's own: pinned keys, and a revision that does not fall.
struct FeedTrust: Sendable {
    /// The pinned keys.
    var keys: PinnedKeys
    /// Whether a revision lower than one that was in use is taken.
    var allowsRollback = false

    /// Nil where no keys are pinned: then any feed is taken that passes the rules.
    init?(_ texts: [String], allowsRollback: Bool) {
        keys = PinnedKeys(texts)
        self.allowsRollback = allowsRollback
        if texts.isEmpty { return nil }
    }

    /// Where the signature of a feed is: beside it, `.sig` behind its path.
    static func signatureAddress(of address: String) -> String {
        let isURL = address.hasPrefix("http://") || address.hasPrefix("https://")
        guard isURL, let end = address.firstIndex(where: { $0 == "?" || $0 == "#" }) else { return address + ".sig" }
        return address[..<end] + ".sig" + address[end...]
    }

    /// The lowest revision that is taken after one that was in use.
    func floor(_ applied: Int64) -> Int64 { allowsRollback ? 0 : applied }
}

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
