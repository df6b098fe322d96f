import CCrypto

/// AES-128-CBC with PKCS7 padding, as packagers make it.
package enum Enciphered {
    package static func bytes(_ clear: [UInt8], key: [UInt8], vector: [UInt8]) -> [UInt8] {
        let context = EVP_CIPHER_CTX_new()!
        defer { EVP_CIPHER_CTX_free(context) }
        EVP_EncryptInit_ex(context, EVP_aes_128_cbc(), nil, key, vector)
        var result = [UInt8](repeating: 0, count: clear.count + 32)
        var count: Int32 = 0
        var rest: Int32 = 0
        EVP_EncryptUpdate(context, &result, &count, clear, Int32(clear.count))
        result.withUnsafeMutableBufferPointer { _ = EVP_EncryptFinal_ex(context, $0.baseAddress! + Int(count), &rest) }
        return Array(result.prefix(Int(count + rest)))
    }

    /// The IV of a media sequence number.
    package static func vector(_ number: UInt8) -> [UInt8] { [UInt8](repeating: 0, count: 15) + [number] }
}
