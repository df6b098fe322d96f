import Glibc
import LinuxSupport

/// The calls to the file system that the store makes, so that tests can cut the power between any two of them.
///
/// All functions block; they are called on the store's threads only. Paths are absolute. A write is on the disk after `sync` of its
/// file, a new name after `syncFolder`; what is not, may be lost or torn by a power cut.
package protocol StoreDisk: Sendable {
    /// Makes a folder and those above it; one that exists stays.
    func makeFolder(_ path: String) throws(SystemError)
    /// The files of a folder with their lengths.
    func files(in folder: String) throws(SystemError) -> [(name: String, length: Int64)]
    /// Opens a file for reading.
    func openForReading(_ path: String) throws(SystemError) -> any StoreFile
    /// Opens a file for reading and writing; makes it, with mode 0600, if there is none.
    func openForWriting(_ path: String) throws(SystemError) -> any StoreFile
    func rename(_ path: String, to newPath: String) throws(SystemError)
    /// Removes a file; one that does not exist counts as removed.
    func remove(_ path: String) throws(SystemError)
    /// Makes the names in a folder durable.
    func syncFolder(_ path: String) throws(SystemError)
    /// Keeps other processes, and other stores of this one, from the folder until the result is released.
    ///
    /// - Throws: EWOULDBLOCK while another has it.
    func lock(_ folder: String) throws(SystemError) -> any FolderLock
    /// The bytes that this program may still write.
    func freeBytes(_ path: String) throws(SystemError) -> Int64
}

/// A folder that no other process uses. Released in `deinit`; the kernel releases it when the process ends.
package protocol FolderLock: AnyObject, Sendable {}

/// An open file of a `StoreDisk`, closed in `deinit`.
package protocol StoreFile: AnyObject, Sendable {
    /// Reads until the buffer is full or the file ends.
    ///
    /// - Returns: how many bytes were read.
    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(SystemError) -> Int
    /// Writes all bytes.
    func write(_ bytes: [UInt8], at offset: Int64) throws(SystemError)
    func truncate(to length: Int64) throws(SystemError)
    /// Makes the contents durable (fdatasync(2)).
    func sync() throws(SystemError)
    func length() throws(SystemError) -> Int64
}

extension StoreFile {
    /// Reads at most `count` bytes; fewer at the end.
    func read(_ count: Int, at offset: Int64) throws(SystemError) -> [UInt8] {
        var failure: SystemError?
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            do throws(SystemError) {
                filled = try read(into: UnsafeMutableRawBufferPointer(buffer), at: offset)
            } catch { failure = error }
        }
        if let failure { throw failure }
        return bytes
    }
}

/// The file system of this machine.
package struct MachineDisk: StoreDisk {
    package init() {}

    package func makeFolder(_ path: String) throws(SystemError) {
        Folder.make(path)
        var status = stat()
        try systemCall("stat", on: path) { stat(path, &status) }
    }

    package func files(in folder: String) throws(SystemError) -> [(name: String, length: Int64)] {
        // Folder.names answers an unreadable folder with no names, which must not be taken for an empty one.
        let number = try FileDescriptor(opening: folder, flags: O_RDONLY | O_DIRECTORY)
        return Folder.names(folder).compactMap { name in
            var status = stat()
            guard fstatat(number.number, name, &status, AT_SYMLINK_NOFOLLOW) == 0, status.st_mode & S_IFMT == S_IFREG else {
                return nil
            }
            return (name, Int64(status.st_size))
        }
    }

    package func openForReading(_ path: String) throws(SystemError) -> any StoreFile {
        MachineFile(try FileDescriptor(opening: path, flags: O_RDONLY | O_NOFOLLOW), path)
    }

    package func openForWriting(_ path: String) throws(SystemError) -> any StoreFile {
        MachineFile(try FileDescriptor(opening: path, flags: O_RDWR | O_CREAT | O_NOFOLLOW, mode: 0o600), path)
    }

    package func rename(_ path: String, to newPath: String) throws(SystemError) {
        try systemCall("rename", on: path) { Glibc.rename(path, newPath) }
    }

    package func remove(_ path: String) throws(SystemError) {
        do throws(SystemError) {
            try systemCall("unlink", on: path) { unlink(path) }
        } catch {
            if error.code != ENOENT { throw error }
        }
    }

    package func syncFolder(_ path: String) throws(SystemError) {
        let folder = try FileDescriptor(opening: path, flags: O_RDONLY | O_DIRECTORY)
        try systemCall("fsync", on: path) { fsync(folder.number) }
    }

    package func lock(_ folder: String) throws(SystemError) -> any FolderLock { try MachineLock(folder) }

    package func freeBytes(_ path: String) throws(SystemError) -> Int64 {
        var facts = statvfs()
        try systemCall("statvfs", on: path) { statvfs(path, &facts) }
        return Int64(facts.f_bavail) * Int64(facts.f_frsize)
    }
}

/// flock(2) on the folder itself, which works on a read-only file system too.
private final class MachineLock: FolderLock {
    private let descriptor: FileDescriptor

    init(_ folder: String) throws(SystemError) {
        descriptor = try FileDescriptor(opening: folder, flags: O_RDONLY | O_DIRECTORY)
        try systemCall("flock", on: folder) { flock(descriptor.number, LOCK_EX | LOCK_NB) }
    }
}

private final class MachineFile: StoreFile {
    private let descriptor: FileDescriptor
    private let path: String

    init(_ descriptor: FileDescriptor, _ path: String) {
        self.descriptor = descriptor
        self.path = path
    }

    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(SystemError) -> Int {
        var done = 0
        while done < buffer.count {
            let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[done...])
            let count = try systemCall("pread", on: path) {
                pread(descriptor.number, rest.baseAddress, rest.count, off_t(offset) + off_t(done))
            }
            if count == 0 { break }
            done += count
        }
        return done
    }

    func write(_ bytes: [UInt8], at offset: Int64) throws(SystemError) {
        var done = 0
        while done < bytes.count {
            done += try systemCall("pwrite", on: path) {
                bytes.withUnsafeBytes {
                    pwrite(descriptor.number, $0.baseAddress! + done, $0.count - done, off_t(offset) + off_t(done))
                }
            }
        }
    }

    func truncate(to length: Int64) throws(SystemError) {
        try systemCall("ftruncate", on: path) { ftruncate(descriptor.number, off_t(length)) }
    }

    func sync() throws(SystemError) { try systemCall("fdatasync", on: path) { fdatasync(descriptor.number) } }

    func length() throws(SystemError) -> Int64 {
        var status = stat()
        try systemCall("fstat", on: path) { fstat(descriptor.number, &status) }
        return Int64(status.st_size)
    }
}
