import Glibc

/// The file of a private key.
package enum KeyFile {
    /// Creates a file that only its owner may read, and writes it to the disk. Blocks on the disk.
    ///
    /// An existing file, also a link, is never replaced: a lost key cannot be made again.
    ///
    /// - Returns: false with errno set when the file could not be created; EEXIST when there is one.
    package static func create(_ bytes: [UInt8], at path: String) -> Bool {
        let number = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard number >= 0 else { return false }
        var rest = bytes[...]
        var isWritten = true
        while isWritten, !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(number, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            isWritten = count > 0
            rest = rest.dropFirst(max(0, count))
        }
        isWritten = isWritten && fsync(number) == 0
        let code = errno
        close(number)
        guard isWritten else {
            unlink(path)
            errno = code
            return false
        }
        return true
    }
}
