import CCrypto
import WireFormats

/// SHA-256 (FIPS 180-4).
package enum SHA256 {
    /// The 32 bytes of the digest. Any thread.
    package static func digest(_ bytes: [UInt8]) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: 32)
        let isMade = EVP_Digest(bytes, bytes.count, &digest, nil, EVP_sha256(), nil) == 1
        precondition(isMade, "libcrypto has SHA-256")
        return digest
    }

    /// The digest of a text in UTF-8, in lowercase hexadecimal digits. Any thread.
    package static func hexadecimal(of text: String) -> String { digest(Array(text.utf8)).hexadecimal }
}
