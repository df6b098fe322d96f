import Glibc
import LinuxSupport
import MediaModel

/// A folder that is being written under a temporary name. Used by one worker thread, which waits for the disk.
package protocol OutputFolderDraft: AnyObject {
    /// Its final name.
    var name: String { get }
    /// Adds a file.
    ///
    /// - Throws: `storage` when it cannot be stored.
    func put(_ bytes: [UInt8], as file: String) throws(MediaError)
    /// Gives the folder its final name.
    ///
    /// - Throws: `storage`, also when something of that name has come in the meantime.
    func commit() throws(MediaError)
    /// Removes it with its files. After `commit` it does nothing.
    func discard()
}

/// A folder on a disk, under the name `.NAME.partial` until it is complete. A lock keeps two exports from writing the same one; what a killed export left is removed.
final class PartialFolder: OutputFolderDraft {
    let name: String
    private let draft: String
    private let lock: FileDescriptor
    private var isDone = false

    init(_ path: String) throws(MediaError) {
        let trimmed = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
        name = trimmed
        let slash = trimmed.lastIndex(of: "/")
        let (folder, file) = (
            slash.map { trimmed[...$0] } ?? "", slash.map { trimmed[trimmed.index(after: $0)...] } ?? trimmed[...]
        )
        guard !file.isEmpty, file != ".", file != ".." else { throw Self.refusal(path, "it is no new name; give one") }
        draft = "\(folder).\(file).partial"
        var status = stat()
        guard lstat(trimmed, &status) != 0 else {
            throw Self.refusal(path, "it exists already, and a folder is never replaced; remove it, or use another name")
        }
        do throws(SystemError) {
            if mkdir(draft, 0o755) != 0, errno != EEXIST { throw SystemError(call: "mkdir", object: draft, code: errno) }
            let lock = try FileDescriptor(opening: draft, flags: O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
            self.lock = lock
            try systemCall("flock", on: draft) { flock(lock.number, LOCK_EX | LOCK_NB) }
            // Another export may have given the folder its final name between the opening and the lock.
            guard lock.isNamed(draft) else { throw SystemError(call: "flock", object: draft, code: EWOULDBLOCK) }
        } catch {
            // The draft may be another's.
            isDone = true
            if error.code == EWOULDBLOCK { throw Self.refusal(path, "another export is writing it; wait for that") }
            throw Self.refusal(path, "\(error); check the folder and its rights")
        }
        for left in Folder.names(draft) { unlink("\(draft)/\(left)") }
    }

    deinit { discard() }

    func put(_ bytes: [UInt8], as file: String) throws(MediaError) {
        guard !WholeFile.write(bytes, to: "\(draft)/\(file)") else { return }
        let code = errno
        let remedy = code == ENOSPC || code == EDQUOT ? "free some space" : "check the disk"
        throw Self.refusal(name, "\(SystemError(call: "write", object: file, code: code)); \(remedy)")
    }

    func commit() throws(MediaError) {
        // An empty folder of that name would be replaced; it is not ours.
        guard access(name, F_OK) != 0 else {
            throw Self.refusal(name, "something of this name has come meanwhile; remove it, or use another name")
        }
        do throws(SystemError) {
            try systemCall("rename", on: name) { rename(draft, name) }
        } catch {
            throw Self.refusal(name, "\(error); check the disk")
        }
        isDone = true
        let parent = name.lastIndex(of: "/").map { String(name[...$0]) } ?? "."
        if let folder = try? FileDescriptor(opening: parent, flags: O_RDONLY | O_DIRECTORY) { fsync(folder.number) }
    }

    func discard() {
        guard !isDone else { return }
        isDone = true
        Folder.remove(draft)
    }

    private static func refusal(_ path: String, _ reason: String) -> MediaError {
        MediaError(.storage, "Writing \(path) failed: \(reason).")
    }
}
