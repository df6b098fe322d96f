import Glibc
import URLReferences

/// An address of IPv4 or IPv6 with a port, as calls of sockets want it.
struct SocketName {
    private(set) var storage = sockaddr_storage()
    private var length: socklen_t

    /// For the answer of a call.
    init() { length = socklen_t(MemoryLayout<sockaddr_storage>.size) }

    /// - Parameters:
    ///   - address: nil for any of IPv4.
    ///   - zone: the number of the interface of a link-local address of IPv6; 0 for none.
    init(_ address: NumericAddress?, port: UInt16, zone: UInt32) {
        if let address, !address.isIPv4 {
            length = socklen_t(MemoryLayout<sockaddr_in6>.size)
            let name = sockaddr_in6(
                sin6_family: sa_family_t(AF_INET6), sin6_port: port.bigEndian, sin6_flowinfo: 0, sin6_addr: address.wide,
                sin6_scope_id: zone)
            withUnsafeMutableBytes(of: &storage) { $0.storeBytes(of: name, as: sockaddr_in6.self) }
        } else {
            length = socklen_t(MemoryLayout<sockaddr_in>.size)
            var name = sockaddr_in()
            name.sin_family = sa_family_t(AF_INET)
            name.sin_port = port.bigEndian
            name.sin_addr = address?.plain ?? in_addr(s_addr: 0)
            withUnsafeMutableBytes(of: &storage) { $0.storeBytes(of: name, as: sockaddr_in.self) }
        }
    }

    mutating func withGeneric<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
        let length = length
        return withUnsafePointer(to: &storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, length) }
        }
    }

    mutating func withGenericForReply(_ body: (UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Int) -> Int {
        var size = length
        defer { length = size }
        return withUnsafeMutablePointer(to: &storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in body(generic, &size) }
        }
    }

    /// Who it is; nil for another family.
    var sender: DatagramSender? {
        withUnsafeBytes(of: storage) { bytes in
            switch Int32(storage.ss_family) {
            case AF_INET:
                let name = bytes.loadUnaligned(as: sockaddr_in.self)
                return DatagramSender(address: NumericAddress(name.sin_addr), port: UInt16(bigEndian: name.sin_port))
            case AF_INET6:
                let name = bytes.loadUnaligned(as: sockaddr_in6.self)
                return DatagramSender(address: NumericAddress(name.sin6_addr), port: UInt16(bigEndian: name.sin6_port))
            default: return nil
            }
        }
    }
}
