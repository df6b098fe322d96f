import Glibc
import LinuxSupport
import URLReferences

/// Whether two names are of one file.
enum SameFile {
    /// What the kernel tells files apart by.
    struct Identity: Equatable {
        private let device: dev_t
        private let number: ino_t

        fileprivate init(_ status: stat) {
            device = status.st_dev
            number = status.st_ino
        }
    }

    /// - Parameter source: the address of a source, as the loader reads it.
    static func isSame(_ source: String, _ output: String) -> Bool {
        guard case .file(let path) = Location(source) else { return false }
        guard let first = identity(path), let second = identity(output) else { return path == output }
        return first == second
    }

    /// Of an open file; nil if the kernel does not say it.
    static func identity(_ descriptor: FileDescriptor) -> Identity? {
        var status = stat()
        return fstat(descriptor.number, &status) == 0 ? Identity(status) : nil
    }

    /// Of what a name is itself, also if it is a link; nil if there is nothing.
    static func identity(link path: String) -> Identity? {
        var status = stat()
        return lstat(path, &status) == 0 ? Identity(status) : nil
    }

    private static func identity(_ path: String) -> Identity? {
        var status = stat()
        return stat(path, &status) == 0 ? Identity(status) : nil
    }
}
