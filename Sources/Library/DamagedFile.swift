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

    /// Whether there is nothing at the place of the file, or nothing in it, as after a power cut on a file system without a journal.
    static func isLost(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 ? status.st_mode & S_IFMT == S_IFREG && status.st_size == 0 : errno == ENOENT
    }
}
