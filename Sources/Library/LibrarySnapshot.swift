import Glibc
import LinuxSupport
import SQLite

/// Copies of the library's file from before it was changed for a newer version. Any thread; all functions block on the disk.
///
/// `library.sqlite.before-NAME` is the file before the change NAME and those that were made together with it. It is kept until a version that does not know NAME
/// has opened the file in its own form.
enum LibrarySnapshot {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// Makes the copy, unless there is one: then the changes began before a power cut, and the file may have some of them.
    ///
    /// - Parameter connection: to the file.
    static func take(of path: String, in connection: Connection, before newest: String) throws {
        let copy = path + infix + newest
        guard access(copy, F_OK) != 0 else { return }
        guard WholeFile.write(try connection.completedFile(most: WholeFile.longest), to: copy, mode: 0o600) else {
            throw Failure(description: "no copy could be made at \(copy): \(String(cString: strerror(errno)))")
        }
    }

    /// Puts the copy that `isUsable` accepts in the place of a file that is not usable, or nothing, if there is none. That file stays as `library.sqlite.newer`.
    ///
    /// - Precondition: the file has no write-ahead log, and no connection.
    static func restore(_ path: String, isUsable: (_ copy: String) -> Bool) throws(Failure) {
        let aside = path + ".newer"
        unlink(aside)
        guard link(path, aside) == 0 else {
            throw Failure(description: "\(path) could not be kept as \(aside): \(String(cString: strerror(errno)))")
        }
        for copy in copies(of: path) where isUsable(copy) {
            guard let bytes = WholeFile.read(copy), WholeFile.write(bytes, to: path) else {
                throw Failure(description: "\(copy) could not be put back: \(String(cString: strerror(errno)))")
            }
            return
        }
        unlink(path)
    }

    /// Removes the copies that belong to changes of newer versions.
    static func tidy(_ path: String, newest: String) {
        for copy in copies(of: path) where copy != path + infix + newest { unlink(copy) }
    }

    private static let infix = ".before-"

    private static func copies(of path: String) -> [String] {
        guard let slash = path.lastIndex(of: "/") else { return [] }
        let name = path[path.index(after: slash)...] + infix
        return Folder.names(String(path[..<slash])).filter { $0.hasPrefix(name) && !$0.hasSuffix(".new") }
            .map { String(path[...slash]) + $0 }
    }
}
