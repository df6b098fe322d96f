import Glibc

/// Small files, read in one step.
package enum WholeFile {
    /// No file that the box keeps is longer: a guide may have as much.
    package static let longest = 64 << 20

    /// The bytes of a file; nil with errno set when it cannot be read, `EFBIG` when it is longer than `most` bytes. Any thread; blocks on
    /// the disk.
    ///
    /// - Parameter mayBePipe: whether anything may be read, as far as it goes: what a user names may be a pipe. Otherwise what is no file is refused with
    ///   `EINVAL`, since reading it could wait for ever.
    package static func read(_ path: String, most: Int = longest, mayBePipe: Bool = false) -> [UInt8]? {
        let number = open(path, O_RDONLY | O_CLOEXEC | (mayBePipe ? 0 : O_NONBLOCK))
        guard number >= 0 else { return nil }
        guard mayBePipe || isFile(number), let file = fdopen(number, "rb") else {
            close(number)
            errno = EINVAL
            return nil
        }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = fread(&buffer, 1, buffer.count, file)
            if count == 0 { return ferror(file) == 0 ? bytes : nil }
            guard bytes.count + count <= most else {
                errno = EFBIG
                return nil
            }
            bytes += buffer.prefix(count)
        }
    }

    /// Replaces or creates a file: the bytes are written to `PATH.new`, which is then renamed. Readers see the old file or the new one,
    /// never a part. Any thread; blocks on the disk.
    ///
    /// - Parameters:
    ///   - mode: of the new file.
    ///   - group: the group of the new file, where the file system has groups; nil leaves that of the process.
    ///   - isSynced: whether a power cut, too, leaves the old file or the new one: the new one is on the disk before it is renamed.
    /// - Returns: false with errno set when the file could not be written.
    @discardableResult
    package static func write(
        _ bytes: [UInt8], to path: String, mode: mode_t = 0o644, group: gid_t? = nil, isSynced: Bool = true
    ) -> Bool {
        let draft = path + ".new"
        // Without waiting for the reader of a pipe that somebody has left there.
        let number = open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, mode)
        guard number >= 0 else { return false }
        var isWritten = put(bytes, on: number)
        // FAT has neither owners nor modes; on other file systems they protect secrets.
        if let group {
            isWritten = isWritten && (fchown(number, uid_t.max, group) == 0 || errno == EPERM) && fchmod(number, mode) == 0
        }
        isWritten = isWritten && (!isSynced || fsync(number) == 0)
        let code = errno
        close(number)
        guard isWritten else {
            unlink(draft)
            errno = code
            return false
        }
        guard rename(draft, path) == 0 else { return false }
        if isSynced { syncFolder(of: path) }
        return true
    }

    /// Overwrites a file in place and writes it to the disk, so that nothing of its contents stays on the medium. Blocks on the disk.
    ///
    /// - Parameter number: a descriptor that is open for writing.
    package static func erase(_ number: Int32) {
        var status = stat()
        guard fstat(number, &status) == 0, status.st_size > 0 else { return }
        _ = put([UInt8](repeating: 0, count: Int(status.st_size)), on: number)
        fsync(number)
    }

    private static func isFile(_ number: Int32) -> Bool {
        var status = stat()
        return fstat(number, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }

    private static func put(_ bytes: [UInt8], on number: Int32) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(number, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    /// Writes the folder of a file to the disk, so that the file's name is still there after a power cut. Blocks on the disk.
    package static func syncFolder(of path: String) {
        let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
        let number = open(folder.isEmpty ? "/" : folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard number >= 0 else { return }
        fsync(number)
        close(number)
    }
}
