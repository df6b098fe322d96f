import Glibc

/// The room of the file system that a folder is on, in bytes (statvfs(3)).
package struct FileSystemRoom: Sendable {
    package var total: Int64
    /// What a program without privileges may still fill.
    package var free: Int64

    /// nil where there is no such folder.
    package init?(at folder: String) {
        var facts = statvfs()
        guard statvfs(folder, &facts) == 0 else { return nil }
        total = Int64(facts.f_blocks) * Int64(facts.f_frsize)
        free = Int64(facts.f_bavail) * Int64(facts.f_frsize)
    }
}
