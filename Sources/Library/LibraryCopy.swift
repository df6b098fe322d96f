import GRDB
import Glibc
import LinuxSupport

/// The second copy of the library's file, for a disk that damages the first: `library.sqlite.copy`. Any thread; all functions block on the disk.
///
/// It is written whole beside the file, from a file that SQLite finds sound, and is never open. What may be lost is what happened since it was made.
enum LibraryCopy {
    /// How a damaged or lost file was replaced.
    enum Recovery: Equatable, Sendable {
        /// From the copy.
        case copied
        /// By an empty one: there is no sound copy.
        case lost
    }

    private static func place(of path: String) -> String { path + ".copy" }

    /// Makes the copy, unless it is up to date.
    ///
    /// - Throws: `DatabaseError`, `LibrarySnapshot.Failure`; the earlier copy stays.
    static func make(of path: String, _ database: DatabaseQueue) throws {
        try check(database)
        try LibrarySnapshot.settle(database)
        guard let bytes = WholeFile.read(path) else {
            throw LibrarySnapshot.Failure(description: "\(path) could not be read: \(String(cString: strerror(errno)))")
        }
        let copy = place(of: path)
        if WholeFile.read(copy) == bytes { return }
        guard WholeFile.write(bytes, to: copy, mode: 0o600) else {
            throw LibrarySnapshot.Failure(description: "\(copy) could not be written: \(String(cString: strerror(errno)))")
        }
    }

    /// Puts the copy in the place of a file that is gone.
    ///
    /// - Returns: whether there was one.
    static func putBack(_ path: String) -> Bool {
        guard let bytes = WholeFile.read(place(of: path)), !bytes.isEmpty else { return false }
        return WholeFile.write(bytes, to: path, mode: 0o600)
    }

    /// SQLite's check of the whole file: its pages, tables and indexes.
    ///
    /// - Throws: `DatabaseError` with `SQLITE_CORRUPT` if it is damaged.
    static func check(_ database: DatabaseQueue) throws {
        let answer = try database.read { try String.fetchOne($0, sql: "PRAGMA integrity_check(1)") }
        guard answer == "ok" else {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: answer ?? "the file could not be checked")
        }
    }
}
