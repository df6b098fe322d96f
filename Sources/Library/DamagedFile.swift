import Glibc

/// A database that cannot be read is kept for whoever wants to know why, out of the way.
enum DamagedFile {
    /// Renames the file and what belongs to it.
    ///
    /// - Returns: whether the way is free.
    static func putAside(_ path: String) -> Bool {
        for suffix in ["-wal", "-shm"] { unlink(path + suffix) }
        return rename(path, path + ".damaged") == 0
    }
}
