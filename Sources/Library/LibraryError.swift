/// Why the library could not be opened.
package struct LibraryError: Error, Equatable, CustomStringConvertible {
    package let path: String
    /// The message of SQLite or of the system.
    package let reason: String

    package var description: String {
        "The library \(path) could not be opened: \(reason); places are kept only until the box is turned off; make its folder writable."
    }
}
