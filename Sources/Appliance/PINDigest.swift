import Cryptography

/// A PIN or token of which the settings store only the SHA-256, in lowercase hexadecimal digits.
package enum PINDigest {
    /// Whether a text has this digest. The time taken does not depend on the text. Any thread.
    package static func matches(_ text: String, digest: String) -> Bool {
        ConstantTime.areEqual(SHA256.hexadecimal(of: text), digest)
    }
}
