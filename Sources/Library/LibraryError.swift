/// Why the library could not be opened.
package struct LibraryError: Error, Equatable, CustomStringConvertible {
    /// The file.
    package let path: String
    /// SQLite's or the system's words.
    package let reason: String

    package var description: String {
        "The library \(path) could not be opened: \(reason); places are remembered until the box is turned off, make its folder writable."
    }
}
