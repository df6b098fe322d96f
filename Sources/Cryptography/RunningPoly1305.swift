import CCrypto

/// Poly1305 (RFC 8439, 2.5) of bytes that arrive piece by piece. One owner, one thread at a time.
// Unchecked: it has one owner, which uses it from one thread at a time.
package final class RunningPoly1305: @unchecked Sendable {
    package static let keyLength = 32
    private let context: OpaquePointer

    /// - Parameter key: 32 bytes.
    package init(key: [UInt8]) {
        precondition(key.count == Self.keyLength, "a key of Poly1305 has 32 bytes")
        guard let algorithm = EVP_MAC_fetch(nil, "POLY1305", nil) else { fatalError("libcrypto has no Poly1305") }
        defer { EVP_MAC_free(algorithm) }
        guard let context = EVP_MAC_CTX_new(algorithm) else { fatalError("no memory left for a checksum") }
        self.context = context
        let isReady = EVP_MAC_init(context, key, key.count, nil) == 1
        precondition(isReady, "libcrypto takes the key")
    }

    deinit { EVP_MAC_CTX_free(context) }

    /// Adds the next bytes.
    package func update(_ bytes: [UInt8]) { EVP_MAC_update(context, bytes, bytes.count) }

    /// The 16 bytes of the tag. Called once, as the last call.
    package func finish() -> [UInt8] {
        var tag = [UInt8](repeating: 0, count: 16)
        EVP_MAC_final(context, &tag, nil, tag.count)
        return tag
    }
}
