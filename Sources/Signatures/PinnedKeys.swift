import CCrypto

/// The public keys pinned by an operator: data signed with one of them is the operator's own.
package struct PinnedKeys: Sendable, Hashable {
    /// Ed25519 keys of 32 bytes (RFC 8032), by the name used in signatures.
    private let keys: [String: [UInt8]]

    /// Why data is not accepted as the operator's own.
    package enum Fault: Error, Sendable, Hashable, CustomStringConvertible {
        /// The signature is not two lines: key id and Base64.
        case unreadable
        /// It was made with a key that is not pinned.
        case unknownKey(String)
        /// It was made for other bytes, or with another key of that name.
        case wrong(String)

        package var description: String {
            switch self {
            case .unreadable: "its signature is not two lines, a key's name and 64 bytes in Base64"
            case .unknownKey(let name): "its signature names the key “\(name)”, which is not in [feed] public_keys"
            case .wrong(let name): "its signature by the key “\(name)” does not match its content"
            }
        }
    }

    /// Parses keys from the settings, `NAME:BASE64`; invalid ones are ignored.
    package init(_ texts: [String]) {
        var keys: [String: [UInt8]] = [:]
        for text in texts {
            let parts = text.split(separator: ":", maxSplits: 1).map(String.init)
            guard parts.count == 2, let bytes = Base64.decode(parts[1]), bytes.count == 32 else { continue }
            keys[parts[0]] = bytes
        }
        self.keys = keys
    }

    package var isEmpty: Bool { keys.isEmpty }

    /// Checks a signature.
    ///
    /// - Parameters:
    ///   - bytes: the signed data as received.
    ///   - signature: the accompanying text: line 1 the key's name, line 2 the signature in Base64.
    /// - Throws: `Fault` when it is not the operator's.
    package func verify(_ bytes: [UInt8], signature: [UInt8]) throws(Fault) {
        let lines = String(decoding: signature, as: UTF8.self).split(whereSeparator: \.isNewline).map(String.init)
        guard lines.count == 2, let mark = Base64.decode(lines[1]), mark.count == 64 else { throw .unreadable }
        guard let key = keys[lines[0]] else { throw .unknownKey(String(lines[0].prefix(64))) }
        guard Self.isRight(mark, bytes, key) else { throw .wrong(lines[0]) }
    }

    private static func isRight(_ mark: [UInt8], _ bytes: [UInt8], _ key: [UInt8]) -> Bool {
        guard let handle = EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, nil, key, key.count) else { return false }
        defer { EVP_PKEY_free(handle) }
        guard let context = EVP_MD_CTX_new() else { return false }
        defer { EVP_MD_CTX_free(context) }
        return EVP_DigestVerifyInit(context, nil, nil, nil, handle) == 1
            && EVP_DigestVerify(context, mark, mark.count, bytes, bytes.count) == 1
    }
}

/// Base64 (RFC 4648, 4), with its padding and nothing else.
enum Base64 {
    static func decode(_ text: String) -> [UInt8]? {
        let letters = Array(text.utf8)
        guard letters.count % 4 == 0, !letters.isEmpty else { return nil }
        let padding = letters.reversed().prefix { $0 == UInt8(ascii: "=") }.count
        guard padding <= 2 else { return nil }
        var bytes: [UInt8] = []
        var bits: UInt32 = 0
        for (index, letter) in letters.dropLast(padding).enumerated() {
            guard let value = value(of: letter) else { return nil }
            bits = bits << 6 | value
            if index % 4 == 3 {
                bytes += [UInt8(bits >> 16 & 255), UInt8(bits >> 8 & 255), UInt8(bits & 255)]
                bits = 0
            }
        }
        switch padding {
        case 1: bytes += [UInt8(bits >> 10 & 255), UInt8(bits >> 2 & 255)]
        case 2: bytes.append(UInt8(bits >> 4 & 255))
        default: break
        }
        return bytes
    }

    private static func value(of letter: UInt8) -> UInt32? {
        switch letter {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(letter - UInt8(ascii: "A"))
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(letter - UInt8(ascii: "a")) + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(letter - UInt8(ascii: "0")) + 52
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        default: nil
        }
    }
}
