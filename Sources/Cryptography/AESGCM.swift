import CCrypto

/// Authenticated encryption with AES-256-GCM (NIST SP 800-38D). Any thread.
package enum AESGCM {
    package static let keyLength = 32
    /// How many bytes longer sealed bytes are: 12 of a nonce in front, 16 of a tag behind.
    package static let overhead = nonceLength + tagLength
    private static let nonceLength = 12
    private static let tagLength = 16

    /// Encrypts bytes under a random nonce, of which one key may have 2^32.
    ///
    /// - Parameters:
    ///   - key: 32 bytes.
    ///   - context: bytes that are authenticated and not encrypted; `open` must be given the same.
    package static func seal(_ bytes: [UInt8], key: [UInt8], context: [UInt8] = []) -> [UInt8] {
        precondition(key.count == keyLength, "a key of AES-256 has 32 bytes")
        let cipher = Cipher()
        var random = SystemRandomNumberGenerator()
        let nonce = (0..<nonceLength).map { _ in UInt8.random(in: 0...255, using: &random) }
        var isSealed = EVP_EncryptInit_ex(cipher.context, EVP_aes_256_gcm(), nil, key, nonce) == 1
        var count: Int32 = 0
        if !context.isEmpty {
            isSealed = isSealed && EVP_EncryptUpdate(cipher.context, nil, &count, context, Int32(context.count)) == 1
        }
        var out = [UInt8](repeating: 0, count: nonceLength + bytes.count + tagLength)
        out.withUnsafeMutableBufferPointer { out in
            let place = out.baseAddress!
            for (index, byte) in nonce.enumerated() { place[index] = byte }
            isSealed =
                isSealed && EVP_EncryptUpdate(cipher.context, place + nonceLength, &count, bytes, Int32(bytes.count)) == 1
                && EVP_EncryptFinal_ex(cipher.context, place + nonceLength + bytes.count, &count) == 1
                && EVP_CIPHER_CTX_ctrl(
                    cipher.context, EVP_CTRL_AEAD_GET_TAG, Int32(tagLength), place + nonceLength + bytes.count) == 1
        }
        precondition(isSealed, "libcrypto has AES-256-GCM")
        return out
    }

    /// Decrypts sealed bytes.
    ///
    /// - Returns: nil if they were sealed with another key or context, or were changed since.
    package static func open(_ sealed: ArraySlice<UInt8>, key: [UInt8], context: [UInt8] = []) -> [UInt8]? {
        precondition(key.count == keyLength, "a key of AES-256 has 32 bytes")
        guard sealed.count >= overhead else { return nil }
        let cipher = Cipher()
        let nonce = Array(sealed.prefix(nonceLength))
        let body = Array(sealed.dropFirst(nonceLength).dropLast(tagLength))
        var tag = Array(sealed.suffix(tagLength))
        var clear = [UInt8](repeating: 0, count: body.count)
        var count: Int32 = 0
        guard EVP_DecryptInit_ex(cipher.context, EVP_aes_256_gcm(), nil, key, nonce) == 1,
            context.isEmpty || EVP_DecryptUpdate(cipher.context, nil, &count, context, Int32(context.count)) == 1,
            EVP_DecryptUpdate(cipher.context, &clear, &count, body, Int32(body.count)) == 1,
            EVP_CIPHER_CTX_ctrl(cipher.context, EVP_CTRL_AEAD_SET_TAG, Int32(tagLength), &tag) == 1
        else { return nil }
        var rest = [UInt8](repeating: 0, count: 16)
        return EVP_DecryptFinal_ex(cipher.context, &rest, &count) == 1 ? clear : nil
    }

    /// A random key.
    package static func makeKey() -> [UInt8] {
        var random = SystemRandomNumberGenerator()
        return (0..<keyLength).map { _ in UInt8.random(in: 0...255, using: &random) }
    }
}

/// The only owner of a cipher's context.
private struct Cipher: ~Copyable {
    let context: OpaquePointer

    init() {
        guard let context = EVP_CIPHER_CTX_new() else { fatalError("no memory left for a cipher") }
        self.context = context
    }

    deinit { EVP_CIPHER_CTX_free(context) }
}
