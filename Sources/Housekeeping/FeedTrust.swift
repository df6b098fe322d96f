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
