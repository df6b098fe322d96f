import Cryptography
import WireFormats

/// A PIN or token of which only a digest is stored.
///
/// The operator's settings have the SHA-256 in lowercase hexadecimal digits. A PIN that a viewer has set is stored as `SALT:DIGEST`: 16 random bytes,
/// and the SHA-256 of those bytes and the digits, both in hexadecimal digits. Four digits are soon guessed by someone who can read the disk; the salt keeps
/// equal PINs of different boxes from looking alike.
package enum PINDigest {
    private static let saltLength = 16

    /// Whether a text has this digest. The time taken does not depend on the text. Any thread.
    package static func matches(_ text: String, digest: String) -> Bool {
        let parts = digest.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return ConstantTime.areEqual(SHA256.hexadecimal(of: text), digest) }
        guard let salt = [UInt8](hexadecimal: parts[0]), salt.count == saltLength else { return false }
        return ConstantTime.areEqual(self.digest(of: text, salt: salt), String(parts[1]))
    }

    /// The digest of a new PIN, with a salt of its own.
    package static func salted(_ text: String) -> String {
        let salt = (0..<saltLength).map { _ in UInt8.random(in: .min ... .max) }
        return salt.hexadecimal + ":" + digest(of: text, salt: salt)
    }

    private static func digest(of text: String, salt: [UInt8]) -> String { SHA256.digest(salt + Array(text.utf8)).hexadecimal }
}
