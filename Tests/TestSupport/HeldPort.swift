import Glibc
import LinuxSupport

/// A free port of 127.0.0.1 that is reserved for the lifetime of this object.
///
/// Nothing listens on it, so connections are refused. A program that is given its number can still listen on it with
/// `SO_REUSEADDR`, as servers do (socket(7)).
package final class HeldPort: Sendable {
    package let number: Int
    /// The socket that is bound to it.
    let descriptor: FileDescriptor

    /// Binds a socket to a port that the kernel chooses.
    package init() throws {
        let descriptor = FileDescriptor(
            adopting: try systemCall("socket", on: "127.0.0.1") {
                socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
            })
        var yes: Int32 = 1
        try systemCall("setsockopt", on: "127.0.0.1") {
            setsockopt(descriptor.number, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
        }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        try withUnsafeMutablePointer(to: &address) { pointer in
            try pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                try systemCall("bind", on: "127.0.0.1") { bind(descriptor.number, address, length) }
                try systemCall("getsockname", on: "127.0.0.1") { getsockname(descriptor.number, address, &length) }
            }
        }
        number = Int(UInt16(bigEndian: address.sin_port))
        self.descriptor = descriptor
    }
}
