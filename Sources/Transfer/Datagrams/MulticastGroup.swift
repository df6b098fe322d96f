import Glibc
import LinuxSupport
import URLReferences

/// A group of receivers, and how a socket joins it: by the calls that are the same for IPv4 and IPv6 (RFC 3678, 5).
///
/// The kernel leaves the group when the socket is closed.
struct MulticastGroup {
    private let address: DatagramAddress
    private let group: NumericAddress

    /// Nil for an address that is no group.
    init?(_ address: DatagramAddress) {
        guard let host = address.host, host.isMulticast else { return nil }
        self.address = address
        group = host
    }

    /// Joins on the interface that the address names, else on the one to which the routes lead, else on every one that is up.
    func join(_ socket: FileDescriptor) throws(SystemError) {
        let named = try namedInterface()
        do throws(SystemError) { try join(socket, on: named ?? 0) } catch {
            guard named == nil, error.code == ENODEV || error.code == EADDRNOTAVAIL else { throw error }
            var isMember = false
            for index in Self.interfaces { if (try? join(socket, on: index)) != nil { isMember = true } }
            if !isMember { throw error }
        }
    }

    private func namedInterface() throws(SystemError) -> UInt32? {
        let name = address.zone ?? address.localAddress.flatMap(Self.interface)
        guard let name else {
            guard let local = address.localAddress else { return nil }
            throw SystemError(call: "finding the interface of \(local)", object: "\(address)", code: EADDRNOTAVAIL)
        }
        let index = if_nametoindex(name)
        guard index > 0 else { throw SystemError(call: "finding the interface \(name)", object: "\(address)", code: ENODEV) }
        return index
    }

    private func join(_ socket: FileDescriptor, on index: UInt32) throws(SystemError) {
        let level = Int32(group.isIPv4 ? IPPROTO_IP : IPPROTO_IPV6)
        let name = SocketName(group, port: 0, zone: 0).storage
        if address.senders.isEmpty {
            var request = group_req(gr_interface: index, gr_group: name)
            try systemCall("joining the group", on: "\(address)") {
                setsockopt(socket.number, level, MCAST_JOIN_GROUP, &request, socklen_t(MemoryLayout<group_req>.size))
            }
        }
        for sender in address.senders {
            var request = group_source_req(
                gsr_interface: index, gsr_group: name, gsr_source: SocketName(sender, port: 0, zone: 0).storage)
            try systemCall("joining the group", on: "\(address)") {
                setsockopt(
                    socket.number, level, MCAST_JOIN_SOURCE_GROUP, &request, socklen_t(MemoryLayout<group_source_req>.size))
            }
        }
    }

    /// Those that are up and support multicast, without loopback.
    private static var interfaces: [UInt32] {
        var found: [UInt32] = []
        forEachAddress { entry, name in
            let wanted = UInt32(IFF_UP) | UInt32(IFF_MULTICAST)
            let index = if_nametoindex(name)
            guard entry.ifa_flags & wanted == wanted, entry.ifa_flags & UInt32(IFF_LOOPBACK) == 0, !found.contains(index) else {
                return
            }
            found.append(index)
        }
        return found
    }

    /// The name of the interface that has an address.
    private static func interface(of address: NumericAddress) -> String? {
        var found: String?
        forEachAddress { entry, name in
            guard let generic = entry.ifa_addr else { return }
            let own: NumericAddress
            switch Int32(generic.pointee.sa_family) {
            case AF_INET: own = NumericAddress(UnsafeRawPointer(generic).loadUnaligned(as: sockaddr_in.self).sin_addr)
            case AF_INET6: own = NumericAddress(UnsafeRawPointer(generic).loadUnaligned(as: sockaddr_in6.self).sin6_addr)
            default: return
            }
            if own == address { found = name }
        }
        return found
    }

    private static func forEachAddress(_ body: (ifaddrs, String) -> Void) {
        var list: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&list) == 0 else { return }
        defer { freeifaddrs(list) }
        var next = list
        while let entry = next?.pointee {
            next = entry.ifa_next
            body(entry, String(cString: entry.ifa_name))
        }
    }
}
