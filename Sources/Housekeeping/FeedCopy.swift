import Glibc
import LinuxSupport

/// The last good feed on the disk: its bytes, where they came from, and what had been asked for.
struct FeedCopy: Sendable {
    /// Where it is kept.
    let folder: String
    /// What had been asked for.
    let address: String

    private var bytesFile: String { folder + "/feed.json" }
    private var signatureFile: String { folder + "/feed.json.sig" }
    private var sourceFile: String { folder + "/source" }

    /// What is kept; nil where nothing is, or what is belongs to another address.
    func read() -> (bytes: [UInt8], signature: [UInt8], url: String)? {
        guard let source = WholeFile.read(sourceFile), let bytes = WholeFile.read(bytesFile) else { return nil }
        let lines = String(decoding: source, as: UTF8.self).split(separator: "\n").map(String.init)
        guard lines.count == 3, lines[0] == address, lines[2] == Self.mark(bytes) else { return nil }
        return (bytes, WholeFile.read(signatureFile) ?? [], lines[1])
    }

    /// Keeps a feed. A power cut leaves the old one, the new one, or none that is taken for whole.
    ///
    /// - Parameter signature: nil for what is never signed.
    func write(_ bytes: [UInt8], signature: [UInt8]?, url: String) -> Bool {
        guard mkdir(folder, 0o700) == 0 || errno == EEXIST else { return false }
        // Between two of these no one is taken for whole: the mark is of the bytes, and the signature is too.
        return WholeFile.write(bytes, to: bytesFile)
            && (signature.map { WholeFile.write($0, to: signatureFile) } ?? true)
            && WholeFile.write(Array("\(address)\n\(url)\n\(Self.mark(bytes))\n".utf8), to: sourceFile)
    }

    /// Tells whole bytes from others (FNV-1a).
    private static func mark(_ bytes: [UInt8]) -> String {
        String(bytes.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }, radix: 16)
    }
}
