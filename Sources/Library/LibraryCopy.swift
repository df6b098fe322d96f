import Glibc
import LinuxSupport
import SQLite

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
    static func make(of path: String, _ connection: Connection) throws {
        try connection.checkIntegrity()
        let bytes = try connection.completedFile(most: WholeFile.longest)
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
}
