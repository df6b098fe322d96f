import CCrypto

/// A private key of Ed25519 (RFC 8032), in the forms that OpenSSL reads and writes. Any thread.
// Unchecked: libcrypto only reads the key after it is made.
package final class Ed25519PrivateKey: @unchecked Sendable {
    private let key: OpaquePointer

    /// A new key from libcrypto's random numbers. Nil when it has none.
    package init?() {
        guard let context = EVP_PKEY_CTX_new_id(EVP_PKEY_ED25519, nil) else { return nil }
        defer { EVP_PKEY_CTX_free(context) }
        var key: OpaquePointer?
        guard EVP_PKEY_keygen_init(context) == 1, EVP_PKEY_keygen(context, &key) == 1, let key else { return nil }
        self.key = key
    }

    /// Reads PKCS#8 in PEM (`-----BEGIN PRIVATE KEY-----`). Nil when it is none, has a pass phrase, or is a key of another algorithm.
    package init?(pem: [UInt8]) {
        // The bytes are copied: BIO_new_mem_buf would keep the address of an array that may be gone. BIO_free overwrites the copy.
        guard let memory = BIO_new(BIO_s_mem()) else { return nil }
        defer { BIO_free(memory) }
        guard let count = Int32(exactly: pem.count), BIO_write(memory, pem, count) == count else { return nil }
        // A pass phrase is never asked for: the command may run without a terminal.
        guard let key = PEM_read_bio_PrivateKey(memory, nil, { _, _, _, _ in -1 }, nil) else { return nil }
        guard EVP_PKEY_get_id(key) == EVP_PKEY_ED25519 else {
            EVP_PKEY_free(key)
            return nil
        }
        self.key = key
    }

    deinit { EVP_PKEY_free(key) }

    /// The key as PKCS#8 in PEM, without a pass phrase.
    package var pem: [UInt8] {
        guard let memory = BIO_new(BIO_s_mem()) else { fatalError("no memory left for a key") }
        defer { BIO_free(memory) }
        let isWritten = PEM_write_bio_PKCS8PrivateKey(memory, key, nil, nil, 0, nil, nil) == 1
        precondition(isWritten, "a key that was made can be written")
        var bytes = [UInt8](repeating: 0, count: 1024)
        let count = BIO_read(memory, &bytes, Int32(bytes.count))
        return Array(bytes.prefix(Int(max(0, count))))
    }

    /// The 32 bytes of the public key.
    package var publicKey: [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 32)
        var count = bytes.count
        let isRead = EVP_PKEY_get_raw_public_key(key, &bytes, &count) == 1 && count == 32
        precondition(isRead, "an Ed25519 key has 32 public bytes")
        return bytes
    }

    /// The signature of these bytes, in 64 bytes.
    package func sign(_ bytes: [UInt8]) -> [UInt8] {
        guard let context = EVP_MD_CTX_new() else { fatalError("no memory left for a signature") }
        defer { EVP_MD_CTX_free(context) }
        var signature = [UInt8](repeating: 0, count: 64)
        var count = signature.count
        let isSigned =
            EVP_DigestSignInit(context, nil, nil, nil, key) == 1
            && EVP_DigestSign(context, &signature, &count, bytes, bytes.count) == 1 && count == 64
        precondition(isSigned, "an Ed25519 key signs any bytes")
        return signature
    }
}
