/// Why the library could not be opened.
public struct LibraryError: Error, Equatable, CustomStringConvertible {
    /// The file.
    public let path: String
    /// SQLite's or the system's words.
    public let reason: String

    public var description: String {
        "The library \(path) could not be opened: \(reason); places are remembered until the box is turned off, make its folder writable."
    }
}
