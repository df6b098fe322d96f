import Glibc

/// Moves an unreadable database aside and keeps it for diagnosis.
enum DamagedFile {
    /// Renames the file and the files that belong to it.
    ///
    /// - Returns: whether a new database can be created.
    static func putAside(_ path: String) -> Bool {
        for suffix in ["-wal", "-shm"] { unlink(path + suffix) }
        return rename(path, path + ".damaged") == 0
    }
}
