import Cryptography
import Glibc
import LinuxSupport

/// The key with which a box seals its store: 32 bytes in a file that only its owner can read. Blocks on the disk.
enum BoxKey {
    /// Reads the key, or makes it at the first start.
    ///
    /// - Throws: `noKey` when the file cannot be read, has another length, or cannot be made. A new key is made only where there is no
    ///   file, because it makes everything that was sealed with another one useless.
    static func load(_ path: String) throws(StoreError) -> [UInt8] {
        if let bytes = WholeFile.read(path) {
            guard bytes.count == AESGCM.keyLength else {
                throw StoreError(
                    .noKey,
                    "The key \(path) has \(bytes.count) bytes and not \(AESGCM.keyLength); remove it to start with a new one.")
            }
            return bytes
        }
        guard errno == ENOENT else { throw failure("read", path) }
        let key = AESGCM.makeKey()
        guard WholeFile.write(key, to: path, mode: 0o600) else { throw failure("made", path) }
        return key
    }

    private static func failure(_ verb: String, _ path: String) -> StoreError {
        StoreError(
            .noKey, "The key \(path) could not be \(verb): \(String(cString: strerror(errno))); check the folder and its rights.")
    }
}
