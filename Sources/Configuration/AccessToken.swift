/// A token with which other machines use the page and its API.
package struct AccessToken: Sendable, Hashable {
    /// What it allows.
    package enum Right: String, Sendable, CaseIterable {
        /// To read.
        case look
        /// To press keys and send commands as well.
        case steer
        /// Everything.
        case configure
    }

    /// What the operator calls it.
    package let name: String
    package let right: Right
    /// SHA-256 in lower-case hexadecimal digits.
    package let digest: String

    package init(name: String, right: Right, digest: String) {
        self.name = name
        self.right = right
        self.digest = digest.lowercased()
    }

    /// Reads `look:SHA256`; nil for anything else.
    init?(name: String, _ text: String) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, let right = Right(rawValue: parts[0]), isDigest(parts[1]) else { return nil }
        self.init(name: name, right: right, digest: parts[1])
    }
}
