import Glibc
import LinuxSupport

/// Reserves a port of the loopback interface, or of all, for this process before it listens: for IPv4, and for IPv6 where the machine has that.
///
/// The caller needs to know at once whether the port is available and, for port 0, which one it is, before anybody can connect.
struct PortReservation {
    let port: UInt16
    /// Whether the port is reserved for IPv6 too.
    let hasIPv6: Bool
    /// Held for their `deinit`, which releases the addresses.
    private let sockets: [FileDescriptor]

    /// How many free ports are tried until one is free for both families.
    private static let tries = 16

    /// - Parameters:
    ///   - port: 0 for any free one.
    ///   - isOpen: whether other machines may connect.
    init(port: UInt16, isOpen: Bool = false) throws(ControlServerError) {
        var left = port == 0 ? Self.tries : 1
        while true {
            left -= 1
            do throws(SystemError) {
                self = try Self(reserving: port, isOpen: isOpen)
                return
            } catch {
                switch error.code {
                case EADDRINUSE where left > 0: continue
                case EADDRINUSE: throw .portInUse(port)
                case EACCES: throw .portNotPermitted(port)
                default: throw .cannotListen(port: port, reason: error.description)
                }
            }
        }
    }

    private init(reserving wanted: UInt16, isOpen: Bool) throws(SystemError) {
        let first = try Self.reserve(isOpen ? Self.everywhere(wanted) : Self.loopback(wanted), AF_INET)
        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        try systemCall("getsockname", on: "the port of the page") {
            withUnsafeMutablePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(first.number, $0, &length) }
            }
        }
        port = UInt16(bigEndian: address.sin_port)
        let second = try Self.reserveIPv6(port, isOpen: isOpen)
        hasIPv6 = second != nil
        sockets = [first] + (second.map { [$0] } ?? [])
    }

    /// - Returns: nil on a machine without IPv6.
    private static func reserveIPv6(_ port: UInt16, isOpen: Bool) throws(SystemError) -> FileDescriptor? {
        do {
            return try reserve(isOpen ? everywhereIPv6(port) : loopbackIPv6(port), AF_INET6)
        } catch {
            // The kernel has no IPv6, or it is switched off.
            guard [EAFNOSUPPORT, EADDRNOTAVAIL].contains(error.code) else { throw error }
            return nil
        }
    }

    private static func reserve<Address>(_ address: Address, _ family: Int32) throws(SystemError) -> FileDescriptor {
        let socket = FileDescriptor(
            adopting: try systemCall("socket", on: "the port of the page") {
                Glibc.socket(family, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
            })
        var yes: Int32 = 1
        try systemCall("setsockopt", on: "the port of the page") {
            setsockopt(socket.number, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
        }
        if family == AF_INET6 {
            try systemCall("setsockopt", on: "the port of the page") { separate(socket.number) }
        }
        try systemCall("bind", on: "the port of the page") {
            withUnsafeBytes(of: address) {
                bind(socket.number, $0.baseAddress!.assumingMemoryBound(to: sockaddr.self), socklen_t($0.count))
            }
        }
        return socket
    }

    /// Its sockets for who listens on them and closes them. They share the address with those that are held here.
    func duplicates() -> [Int32] { sockets.map { fcntl($0.number, F_DUPFD_CLOEXEC, 0) }.filter { $0 >= 0 } }

    /// A socket of IPv6 takes no connections of IPv4, which have a socket of their own.
    @discardableResult
    static func separate(_ descriptor: Int32) -> Int32 {
        var yes: Int32 = 1
        return setsockopt(descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY, &yes, socklen_t(MemoryLayout<Int32>.size))
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

    /// All IPv6 addresses of this machine with a port.
    static func everywhereIPv6(_ port: UInt16) -> sockaddr_in6 {
        var address = sockaddr_in6()
        address.sin6_family = sa_family_t(AF_INET6)
        address.sin6_port = port.bigEndian
        return address
    }

    /// The IPv6 loopback address with a port.
    static func loopbackIPv6(_ port: UInt16) -> sockaddr_in6 {
        var address = everywhereIPv6(port)
        withUnsafeMutableBytes(of: &address.sin6_addr) { $0[15] = 1 }
        return address
    }
}
