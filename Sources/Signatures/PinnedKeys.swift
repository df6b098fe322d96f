import Cryptography

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
            case .unknownKey(let name): "its signature names the key “\(name)”, which is not pinned"
            case .wrong(let name): "its signature by the key “\(name)” does not match its content"
            }
        }
    }

    /// Parses keys from the settings, `NAME:BASE64`; invalid ones are ignored.
    package init(_ texts: [String]) {
        var keys: [String: [UInt8]] = [:]
        for text in texts {
            let parts = text.split(separator: ":", maxSplits: 1).map(String.init)
            guard parts.count == 2, let key = Ed25519.publicKey(base64: parts[1]) else { continue }
            keys[parts[0]] = key
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
        guard lines.count == 2, let mark = Ed25519.signature(base64: lines[1]) else { throw .unreadable }
        guard let key = keys[lines[0]] else { throw .unknownKey(String(lines[0].prefix(64))) }
        guard Ed25519.isValid(mark, for: bytes, publicKey: key) else { throw .wrong(lines[0]) }
    }
}
