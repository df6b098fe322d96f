import CCrypto
import WireFormats

/// Signatures of RFC 8032.
package enum Ed25519 {
    /// What the public keys have without the sign of their x that are points of a small order: anybody can sign for them, without a private key. The last three
    /// are not reduced by the prime, which libcrypto accepts too.
    private static let smallOrders = [
        "0000000000000000000000000000000000000000000000000000000000000000",
        "0100000000000000000000000000000000000000000000000000000000000000",
        "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
        "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
        "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    ]

    /// Whether 32 bytes can be the public part of a key that somebody has: such a key is no point of a small order.
    package static func isKey(_ publicKey: [UInt8]) -> Bool {
        guard publicKey.count == 32 else { return false }
        var point = publicKey
        point[31] &= 0x7F
        return !smallOrders.contains(point.hexadecimal)
    }

    /// Whether a signature of 64 bytes was made for these bytes with the key whose public part is given in 32 bytes. Any thread.
    package static func isValid(_ signature: [UInt8], for bytes: [UInt8], publicKey: [UInt8]) -> Bool {
        guard isKey(publicKey), let key = EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, nil, publicKey, publicKey.count) else {
            return false
        }
        defer { EVP_PKEY_free(key) }
        guard let context = EVP_MD_CTX_new() else { return false }
        defer { EVP_MD_CTX_free(context) }
        return EVP_DigestVerifyInit(context, nil, nil, nil, key) == 1
            && EVP_DigestVerify(context, signature, signature.count, bytes, bytes.count) == 1
    }
}
