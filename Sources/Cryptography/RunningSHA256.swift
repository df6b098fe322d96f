import CCrypto

/// The SHA-256 of bytes that arrive piece by piece. One owner, one thread at a time.
// Unchecked: it has one owner, which uses it from one thread at a time.
package final class RunningSHA256: @unchecked Sendable {
    private let context: OpaquePointer

    package init() {
        guard let context = EVP_MD_CTX_new() else { fatalError("no memory left for a digest") }
        self.context = context
        let isReady = EVP_DigestInit_ex(context, EVP_sha256(), nil) == 1
        precondition(isReady, "libcrypto has SHA-256")
    }

    deinit { EVP_MD_CTX_free(context) }

    /// Adds the next bytes.
    package func update(_ bytes: [UInt8]) { EVP_DigestUpdate(context, bytes, bytes.count) }

    /// The 32 bytes of the digest. Called once, as the last call.
    package func finish() -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: 32)
        EVP_DigestFinal_ex(context, &digest, nil)
        return digest
    }
}
