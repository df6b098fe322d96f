import Cryptography
import FoundationEssentials
import LinuxSupport

/// A box's own key, with which it signs the plays that it tells (`docs/plays.md`). The box makes it, and it never leaves it. Any thread.
package struct PlaySigner: Sendable, Equatable {
    /// The name of the box, which is in all that is signed.
    package let box: String
    private let key: Ed25519PrivateKey
    /// The 32 bytes of the public key in Base64.
    package let publicKey: String

    init(box: String, key: Ed25519PrivateKey) {
        (self.box, self.key) = (box, key)
        publicKey = Data(key.publicKey).base64EncodedString()
    }

    /// The signature of these bytes in Base64.
    func signature(of text: String) -> String { Data(key.sign(Array(text.utf8))).base64EncodedString() }

    package static func == (left: Self, right: Self) -> Bool { left.box == right.box && left.publicKey == right.publicKey }
}

/// Where a box keeps the key, in two copies, and the name under which it signs. Any thread; every call blocks on the disk.
struct PlaySignerFile: Sendable {
    private let folder: String
    private var places: [String] { [folder + "/signing.pem", folder + "/signing.pem.copy"] }
    private var namePath: String { folder + "/signing-box" }
    private static let longest = 4096

    /// - Parameter folder: that of the plays.
    init(in folder: String) { self.folder = folder }

    /// The name under which the box signs; nil if it does not.
    var name: String? {
        get { WholeFile.read(namePath, most: Self.longest).map { String(decoding: $0.prefix { $0 != 0x0A }, as: UTF8.self) } }
        nonmutating set {
            guard newValue != name else { return }
            Folder.make(folder)
            WholeFile.write(Array(((newValue ?? "") + "\n").utf8), to: namePath, mode: 0o600)
        }
    }

    /// The key, which is made if there is none. A copy that is damaged or lost is written again.
    ///
    /// - Returns: nil with errno set if it could not be kept: nothing may be signed with a key that is gone after a power cut.
    func key() -> Ed25519PrivateKey? {
        let copies = places.map { WholeFile.read($0, most: Self.longest) }
        let standing = copies.lazy.compactMap { $0 }.compactMap { Ed25519PrivateKey(pem: $0) }.first
        guard let key = standing ?? Ed25519PrivateKey() else { return nil }
        Folder.make(folder)
        for (place, copy) in zip(places, copies) where copy != key.pem {
            guard WholeFile.write(key.pem, to: place, mode: 0o600) || standing != nil else { return nil }
        }
        return key
    }
}
