import Glibc
import LinuxSupport
import MediaModel
import Synchronization
import URLReferences

/// A socket of UDP, and its thread. IGMPv3 and MLDv2 are the kernel's: it asks routers for the group while the socket is open.
package final class DatagramSocket: DatagramSource {
    private struct State {
        /// Ends the waiting of the thread.
        var bell: FileDescriptor?
        var isClosed = false
    }
    private let address: DatagramAddress
    private let state = Mutex(State())

    /// The longest payload of a datagram is shorter.
    private static let longest = 64 << 10
    /// In milliseconds.
    private static let restInterval: Int32 = 1000
    /// What the kernel keeps while the thread does not run; it gives less if its own limit (`net.core.rmem_max`) is lower.
    private static let kernelBuffer: Int32 = 2 << 20

    package init(_ address: DatagramAddress) { self.address = address }

    deinit { close() }

    package func open(_ receiver: DatagramReceiver) throws(MediaError) {
        let socket: FileDescriptor
        let bell: FileDescriptor
        let allowed: NumericAddress?
        do throws(SystemError) {
            (socket, allowed) = try Self.bound(to: address)
            try MulticastGroup(address)?.join(socket)
            bell = try FileDescriptor.event()
        } catch {
            throw Self.failure(error, address)
        }
        let isClosed = state.withLock { state in
            state.bell = bell
            return state.isClosed
        }
        if isClosed { return }
        let thread = WorkerThread(name: "datagrams")
        thread.perform { Self.receive(socket, until: bell, onlyFrom: allowed, receiver) }
        thread.retire()
    }

    package func close() {
        state.withLock { state in
            state.isClosed = true
            state.bell?.ring()
        }
    }

    // MARK: - Opening

    /// - Returns: the socket, and whose datagrams are taken where the address is that of a sender and not of this machine.
    private static func bound(to address: DatagramAddress) throws(SystemError) -> (FileDescriptor, NumericAddress?) {
        let isWide = address.host.map { !$0.isIPv4 } ?? false
        let kind = Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let socket = FileDescriptor(
            adopting: try systemCall("socket", on: "\(address)") { Glibc.socket(isWide ? AF_INET6 : AF_INET, kind, 0) })
        // The channel may be opened again before its last socket is closed, and two may show it.
        try set(socket, SOL_SOCKET, SO_REUSEADDR, 1, address)
        _ = try? set(socket, SOL_SOCKET, SO_RCVBUF, kernelBuffer, address)
        if isWide { try set(socket, Int32(IPPROTO_IPV6), IPV6_V6ONLY, 1, address) }
        if address.isMulticast {
            try set(socket, Int32(isWide ? IPPROTO_IPV6 : IPPROTO_IP), isWide ? IPV6_MULTICAST_ALL : IP_MULTICAST_ALL, 0, address)
        }
        let index = address.zone.map { if_nametoindex($0) } ?? 0
        // Bound to the group, the socket gets nothing of other groups with this port.
        do throws(SystemError) {
            var name = SocketName(address.host, port: address.port, zone: index)
            try systemCall("bind", on: "\(address)") { name.withGeneric { bind(socket.number, $0, $1) } }
            return (socket, nil)
        } catch {
            guard error.code == EADDRNOTAVAIL, !address.isMulticast, let sender = address.host else { throw error }
            var any = SocketName(isWide ? NumericAddress("::") : nil, port: address.port, zone: 0)
            try systemCall("bind", on: "\(address)") { any.withGeneric { bind(socket.number, $0, $1) } }
            return (socket, sender)
        }
    }

    private static func set(
        _ socket: FileDescriptor, _ level: Int32, _ option: Int32, _ value: Int32, _ address: DatagramAddress
    ) throws(SystemError) {
        var value = value
        try systemCall("setsockopt", on: "\(address)") {
            setsockopt(socket.number, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
        }
    }

    private static func failure(_ error: SystemError, _ address: DatagramAddress) -> MediaError {
        let reason = String(cString: strerror(error.code))
        return MediaError(
            .networkDown,
            "Receiving \(address) failed: \(error.call): \(reason); check the network of this box and the address.",
            fault: .unreachable)
    }

    // MARK: - Receiving

    private static func receive(
        _ socket: FileDescriptor, until bell: FileDescriptor, onlyFrom allowed: NumericAddress?, _ receiver: DatagramReceiver
    ) {
        let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: longest, alignment: 8)
        defer { bytes.deallocate() }
        while true {
            var polls = [socket, bell].map { pollfd(fd: $0.number, events: Int16(POLLIN), revents: 0) }
            let ready = poll(&polls, nfds_t(polls.count), restInterval)
            if polls[1].revents != 0 { return }
            guard ready > 0 else {
                if ready == 0 { receiver.rest() }
                continue
            }
            // The bell is looked at again after so many: a flood must not keep it from being heard.
            for _ in 0..<256 {
                var name = SocketName()
                let count = name.withGenericForReply { pointer, length in
                    recvfrom(socket.number, bytes.baseAddress, bytes.count, 0, pointer, length)
                }
                if count < 0 {
                    // An answer of ICMP to nothing that was sent is no end.
                    if [EAGAIN, EWOULDBLOCK].contains(errno) { break }
                    if [EINTR, ECONNREFUSED, ENETDOWN, EHOSTUNREACH].contains(errno) { continue }
                    receiver.fail(
                        MediaError(
                            .networkDown,
                            "Receiving datagrams failed: \(String(cString: strerror(errno))); check the network of this box.",
                            fault: .broken))
                    return
                }
                guard let sender = name.sender, allowed == nil || sender.address == allowed else { continue }
                receiver.take(UnsafeRawBufferPointer(rebasing: bytes[..<count]), sender)
            }
        }
    }
}
