import CCrypto

/// Decrypts one resource in AES-128-CBC with PKCS7 padding, piece by piece as the bytes arrive. One owner, one thread at a time.
// Unchecked: it has one owner, which uses it from one thread at a time.
package final class CBCDecryption: @unchecked Sendable {
    private let context: OpaquePointer
    /// Bytes of an incomplete block.
    private var pending: [UInt8] = []
    /// The last decrypted block: it holds the padding, if it is the last one.
    private var heldBack: [UInt8] = []
    private static let blockSize = 16

    /// - Parameters:
    ///   - key: 16 bytes.
    ///   - initializationVector: 16 bytes.
    ///
    /// Nil when either has another length.
    package init?(key: [UInt8], initializationVector: [UInt8]) {
        guard key.count == Self.blockSize, initializationVector.count == Self.blockSize else { return nil }
        guard let context = EVP_CIPHER_CTX_new() else { fatalError("no memory left for a cipher") }
        self.context = context
        let isReady = EVP_DecryptInit_ex(context, EVP_aes_128_cbc(), nil, key, initializationVector) == 1
        precondition(isReady, "libcrypto has AES-128-CBC")
        // The padding is removed here: a packager's error in it must not cost the last picture.
        EVP_CIPHER_CTX_set_padding(context, 0)
    }

    deinit { EVP_CIPHER_CTX_free(context) }

    /// Decrypts the next piece, as far as possible.
    package func decrypt(_ bytes: [UInt8]) -> [UInt8] {
        pending += bytes
        let count = pending.count / Self.blockSize * Self.blockSize
        guard count > 0 else { return [] }
        var clear = [UInt8](repeating: 0, count: count + Self.blockSize)
        var written: Int32 = 0
        EVP_DecryptUpdate(context, &clear, &written, pending, Int32(count))
        pending.removeFirst(count)
        clear.removeLast(clear.count - Int(written))
        let result = heldBack + clear
        heldBack = Array(result.suffix(Self.blockSize))
        return Array(result.dropLast(heldBack.count))
    }

    /// The rest of the resource without its padding. Invalid padding is treated as media.
    package func finish() -> [UInt8] {
        defer { heldBack = [] }
        guard let count = heldBack.last, count >= 1, count <= Self.blockSize, heldBack.count == Self.blockSize,
            heldBack.suffix(Int(count)).allSatisfy({ $0 == count })
        else { return heldBack }
        return Array(heldBack.dropLast(Int(count)))
    }

    /// Decrypts a whole resource.
    package static func decrypt(_ bytes: [UInt8], key: [UInt8], initializationVector: [UInt8]) -> [UInt8]? {
        guard let cipher = CBCDecryption(key: key, initializationVector: initializationVector) else { return nil }
        return cipher.decrypt(bytes) + cipher.finish()
    }
}
