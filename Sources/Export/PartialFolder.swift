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
    private let place: DraftName
    private let lock: FileDescriptor
    private var isDone = false

    init(_ path: String) throws(MediaError) {
        let place = DraftName(path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path)
        self.place = place
        guard !place.file.isEmpty, place.file != ".", place.file != ".." else {
            throw place.refusal("it is no new name; give one")
        }
        guard FileIdentity(link: place.final) == nil else {
            throw place.refusal("it exists already, and a folder is never replaced; remove it, or use another name")
        }
        do throws(SystemError) {
            if mkdir(place.draft, 0o755) != 0, errno != EEXIST {
                throw SystemError(call: "mkdir", object: place.draft, code: errno)
            }
            let lock = try FileDescriptor(opening: place.draft, flags: O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
            self.lock = lock
            try place.lock(lock)
        } catch {
            // The draft may be another's.
            isDone = true
            throw place.refusal(error)
        }
        for left in Folder.names(place.draft) { unlink("\(place.draft)/\(left)") }
    }

    deinit { discard() }

    var name: String { place.final }

    func put(_ bytes: [UInt8], as file: String) throws(MediaError) {
        guard !WholeFile.write(bytes, to: "\(place.draft)/\(file)") else { return }
        throw place.failure(SystemError(call: "write", object: file, code: errno))
    }

    func commit() throws(MediaError) {
        // An empty folder of that name would be replaced; it is not ours.
        guard access(name, F_OK) != 0 else {
            throw place.refusal("something of this name has come meanwhile; remove it, or use another name")
        }
        do throws(SystemError) {
            try systemCall("rename", on: name) { rename(place.draft, name) }
        } catch {
            throw place.refusal("\(error); check the disk")
        }
        isDone = true
        WholeFile.syncFolder(of: name)
    }

    func discard() {
        guard !isDone else { return }
        isDone = true
        Folder.remove(place.draft)
    }
}
