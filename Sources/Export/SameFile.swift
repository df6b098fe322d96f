import Glibc
import URLReferences

/// Whether two names are of one file.
enum SameFile {
    static func isSame(_ source: String, _ output: String) -> Bool {
        guard let path = path(source) else { return false }
        var (first, second) = (stat(), stat())
        guard stat(path, &first) == 0, stat(output, &second) == 0 else { return path == output }
        return first.st_dev == second.st_dev && first.st_ino == second.st_ino
    }

    /// The path of a local source; nil for one on a server.
    private static func path(_ source: String) -> String? {
        guard source.lowercased().hasPrefix("file:") else { return source.contains("://") ? nil : source }
        var rest = source.dropFirst(5)
        if rest.hasPrefix("//") { rest = rest.dropFirst(2).drop { $0 != "/" } }
        return URLReference.percentDecoded(rest)
    }
}
