import CCrypto

/// Signatures of RFC 8032.
package enum Ed25519 {
    /// Whether a signature of 64 bytes was made for these bytes with the key whose public part is given in 32 bytes. Any thread.
    package static func isValid(_ signature: [UInt8], for bytes: [UInt8], publicKey: [UInt8]) -> Bool {
        guard let key = EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, nil, publicKey, publicKey.count) else { return false }
        defer { EVP_PKEY_free(key) }
        guard let context = EVP_MD_CTX_new() else { return false }
        defer { EVP_MD_CTX_free(context) }
        return EVP_DigestVerifyInit(context, nil, nil, nil, key) == 1
            && EVP_DigestVerify(context, signature, signature.count, bytes, bytes.count) == 1
    }
}
