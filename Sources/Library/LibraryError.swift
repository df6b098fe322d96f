/// Why the library could not be opened.
package struct LibraryError: Error, Equatable, CustomStringConvertible {
    package let path: String
    /// The message of SQLite or of the system.
    package let reason: String
    /// Whether what is stored could be read all the same.
    package let isRead: Bool

    package var description: String {
        let stored = isRead ? "what is stored was read" : "what is stored could not be read"
        return
            "The library \(path) could not be opened: \(reason); \(stored), and changes are kept in memory until it can be written, which is tried again."
    }
}
