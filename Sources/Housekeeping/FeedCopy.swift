import Glibc
import LinuxSupport

/// The last good feed on the disk: its bytes, the URL from which they came, and the requested address.
struct FeedCopy: Sendable {
    /// Where it is stored.
    let folder: String
    /// The requested address.
    let address: String

    private var bytesFile: String { folder + "/feed.json" }
    private var signatureFile: String { folder + "/feed.json.sig" }
    private var sourceFile: String { folder + "/source" }

    /// The stored feed; nil if there is none, or one of another address.
    func read() -> (bytes: [UInt8], signature: [UInt8], url: String)? {
        guard let source = WholeFile.read(sourceFile), let bytes = WholeFile.read(bytesFile) else { return nil }
        let lines = String(decoding: source, as: UTF8.self).split(separator: "\n").map(String.init)
        guard lines.count == 3, lines[0] == address, lines[2] == Self.mark(bytes) else { return nil }
        return (bytes, WholeFile.read(signatureFile) ?? [], lines[1])
    }

    /// Stores a feed. After a power cut there is the old one, the new one, or none that counts as complete.
    ///
    /// - Parameter signature: nil for a feed that is not signed.
    func write(_ bytes: [UInt8], signature: [UInt8]?, url: String) -> Bool {
        guard mkdir(folder, 0o700) == 0 || errno == EEXIST else { return false }
        // Between two of these writes no copy counts as complete, because the checksum covers the bytes, and so does the signature.
        return WholeFile.write(bytes, to: bytesFile)
            && (signature.map { WholeFile.write($0, to: signatureFile) } ?? true)
            && WholeFile.write(Array("\(address)\n\(url)\n\(Self.mark(bytes))\n".utf8), to: sourceFile)
    }

    /// A checksum that detects incomplete bytes (FNV-1a).
    private static func mark(_ bytes: [UInt8]) -> String {
        String(bytes.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }, radix: 16)
    }
}
