import CCrypto
import FoundationEssentials
import WireFormats

/// Signatures of RFC 8032.
package enum Ed25519 {
    /// The points of the orders 1, 2, 4 and 8 as public keys, in hexadecimal, with the sign of x cleared. Everybody can sign for such a key. The last three have a y
    /// that is not reduced by the prime; libcrypto accepts them, too.
    private static let smallOrders = [
        "0000000000000000000000000000000000000000000000000000000000000000",
        "0100000000000000000000000000000000000000000000000000000000000000",
        "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
        "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
        "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    ]

    /// The public key in a text of Base64; nil for another text, and for a key for which everybody can sign.
    package static func publicKey(base64 text: String) -> [UInt8]? { bytes(32, base64: text).flatMap { isKey($0) ? $0 : nil } }

    /// The signature in a text of Base64; nil for another text.
    package static func signature(base64 text: String) -> [UInt8]? { bytes(64, base64: text) }

    /// Base64 with exactly its padding (RFC 4648, 4). Foundation accepts more.
    private static func bytes(_ count: Int, base64 text: String) -> [UInt8]? {
        guard let data = Data(base64Encoded: text), data.count == count, data.base64EncodedString() == text else { return nil }
        return Array(data)
    }

    private static func isKey(_ publicKey: [UInt8]) -> Bool {
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
