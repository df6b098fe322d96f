import Glibc

/// The free space and the size of a folder's file system, in bytes (statvfs(3)).
package struct FileSystemRoom: Sendable {
    package var total: Int64
    /// The space available to a program without privileges.
    package var free: Int64

    /// nil if there is no such folder.
    package init?(at folder: String) {
        var facts = statvfs()
        guard statvfs(folder, &facts) == 0 else { return nil }
        total = Int64(facts.f_blocks) * Int64(facts.f_frsize)
        free = Int64(facts.f_bavail) * Int64(facts.f_frsize)
    }
}
