import Glibc
import LinuxSupport

/// Reserves a port of the loopback interface, or of all, for this process before it listens.
///
/// The HTTP library opens its listening socket later, on its own task. The caller needs to know at once whether the port is
/// available and, for port 0, which one it is. So this binds a socket without listening: Linux lets a second socket of this
/// process bind the same address (both have `SO_REUSEADDR`, see socket(7)) as long as neither listens, and refuses if another
/// program does.
struct PortReservation {
    let port: UInt16
    /// Held for its `deinit`, which releases the address.
    private let socket: FileDescriptor

    /// - Parameters:
    ///   - port: 0 for any free one.
    ///   - isOpen: whether other machines may connect.
    init(port: UInt16, isOpen: Bool = false) throws(ControlServerError) {
        do {
            let socket = FileDescriptor(
                adopting: try systemCall("socket", on: "loopback") {
                    Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
                })
            var yes: Int32 = 1
            try systemCall("setsockopt", on: "loopback") {
                setsockopt(socket.number, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
            }
            var address = isOpen ? Self.everywhere(port) : Self.loopback(port)
            try systemCall("bind", on: "127.0.0.1:\(port)") {
                withUnsafePointer(to: &address) {
                    $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                        bind(socket.number, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
                    }
                }
            }
            var length = socklen_t(MemoryLayout<sockaddr_in>.size)
            try systemCall("getsockname", on: "loopback") {
                withUnsafeMutablePointer(to: &address) {
                    $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(socket.number, $0, &length) }
                }
            }
            self.port = UInt16(bigEndian: address.sin_port)
            self.socket = socket
        } catch {
            switch error.code {
            case EADDRINUSE: throw .portInUse(port)
            case EACCES: throw .portNotPermitted(port)
            default: throw .cannotListen(port: port, reason: error.description)
            }
        }
    }

    /// All IPv4 addresses of this machine with a port, as the kernel needs it.
    static func everywhere(_ port: UInt16) -> sockaddr_in {
        var address = loopback(port)
        address.sin_addr = in_addr(s_addr: UInt32(INADDR_ANY).bigEndian)
        return address
    }

    /// The IPv4 loopback address with a port, as the kernel needs it.
    static func loopback(_ port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr = in_addr(s_addr: UInt32(INADDR_LOOPBACK).bigEndian)
        return address
    }
}
