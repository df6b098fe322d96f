import Cryptography
import FoundationEssentials
import WireFormats

/// An operator's key with the name under which boxes pin it: makes the signatures that `PinnedKeys` accepts.
package struct SigningKey: Sendable {
    /// Why there is no key.
    package enum Fault: Error, Sendable, Hashable, CustomStringConvertible {
        case badName(String)
        case unreadable
        case notMade

        package var description: String {
            switch self {
            case .badName(let name):
                "“\(name)” is not a name for a key: use 1 to 64 of A-Z a-z 0-9 . _ -"
            case .unreadable: "it is not an Ed25519 private key in PEM (PKCS#8) without a pass phrase"
            case .notMade: "libcrypto made no key: it has no random numbers"
            }
        }
    }

    /// The first line of its signatures.
    package let name: String
    private let key: Ed25519PrivateKey

    /// A new key.
    package init(name: String) throws(Fault) {
        self.name = try Self.checked(name)
        guard let key = Ed25519PrivateKey() else { throw .notMade }
        self.key = key
    }

    /// The key in a PEM file.
    package init(name: String, pem: [UInt8]) throws(Fault) {
        self.name = try Self.checked(name)
        guard let key = Ed25519PrivateKey(pem: pem) else { throw .unreadable }
        self.key = key
    }

    private static func checked(_ name: String) throws(Fault) -> String {
        guard PlainName.isOne(name) else { throw .badName(String(name.prefix(64))) }
        return name
    }

    /// The private key for a file: PKCS#8 in PEM.
    package var pem: [UInt8] { key.pem }

    /// The public key as `public_keys` of marquee.toml has it: `NAME:BASE64`.
    package var pinned: String { name + ":" + Data(key.publicKey).base64EncodedString() }

    /// The text beside data: line 1 the key's name, line 2 the signature in Base64.
    package func signature(of bytes: [UInt8]) -> [UInt8] {
        Array((name + "\n" + Data(key.sign(bytes)).base64EncodedString() + "\n").utf8)
    }
}
