import Glibc
import LinuxSupport
import MediaModel

/// A file that is being written under a temporary name. Used by one worker thread, which waits for the disk.
package protocol OutputFile: ByteOutput {
    /// Bytes that were written before.
    func read(_ range: Range<Int64>) throws(MediaError) -> [UInt8]
    /// The length so far.
    var length: Int64 { get }
    /// Gives the file its final name, once all of it is on the disk.
    ///
    /// - Throws: `storage`, also when a file of that name has come in the meantime and is not to be replaced; nothing is left under the final name then that was not
    ///   there before.
    func commit() throws(MediaError)
    /// Removes it. After `commit` it does nothing.
    func discard()
}

/// Where exports are written: the disk, or a fake with faults.
package protocol OutputFolder: Sendable {
    /// Begins a file.
    ///
    /// - Parameters:
    ///   - path: its final name.
    ///   - replaces: whether a file that exists is replaced.
    /// - Throws: `storage` with the reason.
    func makeFile(_ path: String, replaces: Bool) throws(MediaError) -> any OutputFile
    /// Begins a folder. One that exists is never replaced.
    ///
    /// - Throws: `storage` with the reason.
    func makeFolder(_ path: String) throws(MediaError) -> any OutputFolderDraft
}

/// The disk.
package struct DiskFolder: OutputFolder {
    package init() {}

    package func makeFile(_ path: String, replaces: Bool) throws(MediaError) -> any OutputFile {
        try PartialFile(path, replaces: replaces)
    }

    package func makeFolder(_ path: String) throws(MediaError) -> any OutputFolderDraft { try PartialFolder(path) }
}

/// A file on a disk, under the name `.NAME.partial` until it is complete. A lock keeps two exports from writing the same one; what a killed export left is written over.
final class PartialFile: OutputFile {
    private let place: DraftName
    private let replaces: Bool
    private let descriptor: FileDescriptor
    private var position: Int64 = 0
    private(set) var length: Int64 = 0
    private var isDone = false

    init(_ path: String, replaces: Bool) throws(MediaError) {
        let place = DraftName(path)
        self.place = place
        self.replaces = replaces
        guard !place.file.isEmpty else { throw place.refusal("it is the name of a folder; add a file name") }
        var status = stat()
        if stat(path, &status) == 0 {
            if status.st_mode & S_IFMT == S_IFDIR { throw place.refusal("it is a folder; add a file name") }
            // A device or a pipe would be replaced by a file.
            if status.st_mode & S_IFMT != S_IFREG { throw place.refusal("it is not a regular file; use another name") }
            if !replaces { throw place.refusal("it exists already; remove it, or export with --force") }
        }
        do throws(SystemError) {
            let descriptor = try FileDescriptor(opening: place.draft, flags: O_RDWR | O_CREAT | O_NOFOLLOW)
            self.descriptor = descriptor
            try place.lock(descriptor)
            try systemCall("ftruncate", on: place.draft) { ftruncate(descriptor.number, 0) }
        } catch {
            // The draft may be another's.
            isDone = true
            throw place.refusal(error)
        }
    }

    var name: String { place.final }

    deinit { discard() }

    func write(_ bytes: UnsafeRawBufferPointer) throws(MediaError) {
        var rest = bytes
        while !rest.isEmpty {
            let offset = position
            let count = try disk("pwrite") { pwrite(descriptor.number, rest.baseAddress, rest.count, off_t(offset)) }
            // A device that takes nothing and states no error is full.
            guard count > 0 else { throw place.refusal("the disk takes no more; free some space") }
            rest = UnsafeRawBufferPointer(rebasing: rest[count...])
            position += Int64(count)
            length = max(length, position)
        }
    }

    func seek(to offset: Int64) throws(MediaError) { position = max(offset, 0) }

    func read(_ range: Range<Int64>) throws(MediaError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: range.count)
        var filled = 0
        while filled < bytes.count {
            let count = try disk("pread") {
                bytes.withUnsafeMutableBytes {
                    pread(descriptor.number, $0.baseAddress! + filled, $0.count - filled, off_t(range.lowerBound) + off_t(filled))
                }
            }
            guard count > 0 else { throw place.refusal("what was written cannot be read back; check the disk") }
            filled += count
        }
        return bytes
    }

    func commit() throws(MediaError) {
        try disk("fsync") { fsync(descriptor.number) }
        if replaces {
            try disk("rename") { rename(place.draft, name) }
        } else if link(place.draft, name) == 0 {
            unlink(place.draft)
        } else {
            let code = errno
            if code == EEXIST {
                throw place.refusal("a file of this name has come meanwhile; remove it, or export with --force")
            }
            // A file system without links, such as FAT: nothing there makes the check and the renaming one step.
            guard access(name, F_OK) != 0 else {
                throw place.refusal("a file of this name has come meanwhile; remove it, or export with --force")
            }
            try disk("rename") { rename(place.draft, name) }
        }
        isDone = true
        WholeFile.syncFolder(of: name)
    }

    func discard() {
        guard !isDone else { return }
        isDone = true
        unlink(place.draft)
    }

    @discardableResult
    private func disk<Result: SignedInteger>(_ call: String, _ body: () -> Result) throws(MediaError) -> Result {
        do throws(SystemError) {
            return try systemCall(call, on: name, body)
        } catch {
            throw place.failure(error)
        }
    }
}
