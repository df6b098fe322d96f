import Glibc
import LinuxSupport
import MediaModel

/// The temporary name of what is being written, `.NAME.partial` beside its final one, and the sentences about it. A lock keeps two exports from writing the
/// same one.
struct DraftName {
    /// The final name.
    let final: String
    let draft: String
    /// The last part of the final name; empty if that ends with a slash.
    let file: Substring

    init(_ path: String) {
        final = path
        let slash = path.lastIndex(of: "/")
        file = slash.map { path[path.index(after: $0)...] } ?? path[...]
        draft = "\(slash.map { path[...$0] } ?? "").\(file).partial"
    }

    /// Locks the draft, which is open.
    ///
    /// - Throws: the error of the call; `EWOULDBLOCK` when another export has it.
    func lock(_ descriptor: FileDescriptor) throws(SystemError) {
        try systemCall("flock", on: draft) { flock(descriptor.number, LOCK_EX | LOCK_NB) }
        // Another export may have given it its final name between the opening and the lock.
        guard let mine = FileIdentity(descriptor), mine == FileIdentity(link: draft) else {
            throw SystemError(call: "flock", object: draft, code: EWOULDBLOCK)
        }
    }

    /// Why a draft could not be begun.
    func refusal(_ error: SystemError) -> MediaError {
        refusal(
            error.code == EWOULDBLOCK
                ? "another export is writing it; wait for that" : "\(error); check the folder and its rights")
    }

    /// Why something could not be written.
    func failure(_ error: SystemError) -> MediaError {
        refusal("\(error); \(error.code == ENOSPC || error.code == EDQUOT ? "free some space" : "check the disk")")
    }

    func refusal(_ reason: String) -> MediaError { MediaError(.storage, "Writing \(final) failed: \(reason).") }
}
