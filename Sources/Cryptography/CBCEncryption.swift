import CCrypto

/// Encrypts whole resources in AES-128-CBC with PKCS7 padding, as packagers do.
package enum CBCEncryption {
    /// - Parameters:
    ///   - key: 16 bytes.
    ///   - initializationVector: 16 bytes.
    /// - Returns: nil when either has another length.
    package static func encrypt(_ bytes: [UInt8], key: [UInt8], initializationVector: [UInt8]) -> [UInt8]? {
        guard key.count == 16, initializationVector.count == 16 else { return nil }
        guard let context = EVP_CIPHER_CTX_new() else { fatalError("no memory left for a cipher") }
        defer { EVP_CIPHER_CTX_free(context) }
        EVP_EncryptInit_ex(context, EVP_aes_128_cbc(), nil, key, initializationVector)
        return [UInt8](unsafeUninitializedCapacity: bytes.count + 16) { buffer, filled in
            var count: Int32 = 0
            EVP_EncryptUpdate(context, buffer.baseAddress, &count, bytes, Int32(bytes.count))
            filled = Int(count)
            EVP_EncryptFinal_ex(context, buffer.baseAddress! + filled, &count)
            filled += Int(count)
        }
    }
}
