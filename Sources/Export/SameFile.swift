import LinuxSupport
import URLReferences

/// Whether two names are of one file.
enum SameFile {
    /// - Parameter source: the address of a source, as the loader reads it.
    static func isSame(_ source: String, _ output: String) -> Bool {
        guard case .file(let path) = Location(source) else { return false }
        guard let first = FileIdentity(path), let second = FileIdentity(output) else { return path == output }
        return first == second
    }
}
