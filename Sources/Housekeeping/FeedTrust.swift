import Glibc
import LinuxSupport
import Signatures

/// How the operator's feeds are recognised: by pinned keys, a revision that does not decrease, and the groups that it names.
package struct FeedTrust: Sendable {
    var keys: PinnedKeys
    /// Whether a lower revision than the applied one is accepted.
    var allowsRollback = false
    /// The group of the box, for feeds that say for which groups they are; nil is none that could be compared.
    var group: String?

    /// Nil without pinned keys: then any valid feed is accepted.
    init?(_ texts: [String], allowsRollback: Bool, group: String? = nil) {
        self.group = group
        keys = PinnedKeys(texts)
        self.allowsRollback = allowsRollback
        if texts.isEmpty { return nil }
    }

    /// The location of a feed's signature: the same path with `.sig` appended.
    package static func signatureAddress(of address: String) -> String {
        let isURL = address.hasPrefix("http://") || address.hasPrefix("https://")
        guard isURL, let end = address.firstIndex(where: { $0 == "?" || $0 == "#" }) else { return address + ".sig" }
        return address[..<end] + ".sig" + address[end...]
    }

    /// The lowest revision that is accepted after an applied one.
    func floor(_ applied: Int64) -> Int64 { allowsRollback ? 0 : applied }
}
