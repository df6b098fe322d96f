import Glibc

/// What the kernel tells files apart by. A file with several names has one (stat(2)).
package struct FileIdentity: Sendable, Equatable {
    private let device: dev_t
    private let number: ino_t

    private init?(_ ask: (UnsafeMutablePointer<stat>) -> Int32) {
        var status = stat()
        guard ask(&status) == 0 else { return nil }
        (device, number) = (status.st_dev, status.st_ino)
    }

    /// Of the file that a name leads to; nil if there is none.
    package init?(_ path: String) { self.init { stat(path, $0) } }

    /// Of what a name is itself, also if it is a link; nil if there is nothing.
    package init?(link path: String) { self.init { lstat(path, $0) } }

    /// Of an open file; nil if the kernel does not say it.
    package init?(_ descriptor: FileDescriptor) { self.init { fstat(descriptor.number, $0) } }
}
