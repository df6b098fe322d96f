import CLinux
import Glibc

/// The only owner of an open descriptor, closed in `deinit`.
package final class FileDescriptor: Sendable {
    /// The number of the descriptor, for calls made while this object is alive.
    package let number: Int32

    /// Takes ownership of an open descriptor.
    package init(adopting number: Int32) { self.number = number }

    /// open(2), always with `O_CLOEXEC`.
    ///
    /// - Throws: `SystemError` with the path.
    package convenience init(opening path: String, flags: Int32, mode: UInt32 = 0o644) throws(SystemError) {
        self.init(adopting: try systemCall("open", on: path) { marquee_open(path, flags | O_CLOEXEC, mode) })
    }

    /// eventfd(2): a descriptor that becomes readable when it is rung.
    package static func event() throws(SystemError) -> FileDescriptor {
        FileDescriptor(adopting: try systemCall("eventfd", on: "a new event") { eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK)) })
    }

    /// Makes an event descriptor readable.
    package func ring() {
        var one: UInt64 = 1
        _ = write(number, &one, 8)
    }

    /// Makes an event descriptor unreadable again.
    package func clear() {
        var count: UInt64 = 0
        _ = read(number, &count, 8)
    }

    deinit { close(number) }
}
