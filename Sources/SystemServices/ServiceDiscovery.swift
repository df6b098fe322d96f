import Glibc
import LinuxSupport

/// Browses the local network once for instances of a service: DNS-SD over multicast DNS (RFC 6763, 6762).
///
/// Implemented here and not through a resolver: the image's keeps a port open permanently where it uses multicast, so that it does
/// only where the operator has the page announced. This sends a query from its own port, receives answers there, and closes it.
package struct ServiceDiscovery: Sendable {
    /// A discovered instance.
    package struct Instance: Sendable, Hashable {
        /// Its display name.
        package var name: String
        /// The value of the requested key.
        package var value: String
    }

    /// The address of queries.
    struct Group: Sendable {
        /// IPv4, numeric.
        var address = "224.0.0.251"
        var port: UInt16 = 5353
        /// The addresses of this machine from which to query; nil: those of all links that are up.
        var links: [String]?
    }

    private let service: String
    private let key: String
    private let group: Group

    /// - Parameters:
    ///   - service: the type, e.g. `_marquee-feed._tcp`.
    ///   - key: the key that an instance must have (RFC 6763, 6.3).
    package init(service: String, key: String) { self.init(service: service, key: key, group: Group()) }

    init(service: String, key: String, group: Group) {
        self.service = service
        self.key = key
        self.group = group
    }

    /// How long to wait for answers: longer than the random delay of responders that share a name.
    package static let timeout = Duration.milliseconds(1500)
    private static let mostMessages = 64

    /// Sends a query and collects answers for all of `timeout`; blocks the thread.
    ///
    /// - Returns: the instances with the key, ordered by name; none without a network.
    package func ask() -> [Instance] { ask(timeout: Self.timeout) { _ in false } }

    /// - Parameter isEnough: whether to stop waiting for further answers.
    func ask(timeout: Duration, until isEnough: ([Instance]) -> Bool) -> [Instance] {
        let sockets = (group.links ?? Self.links).compactMap { open(from: $0) }
        guard !sockets.isEmpty else { return [] }
        let name = ServiceMessage.name(service + ".local")
        let id = UInt16.random(in: 1 ... .max)
        for socket in sockets { send(ServiceMessage.question(name, .pointer, id: id), on: socket) }
        var found: [ServiceMessage.Name: String?] = [:]
        var asked: [ServiceMessage.Name] = []
        var instances: [Instance] = []
        let end = Self.now() + timeout
        for _ in 0..<Self.mostMessages {
            guard !isEnough(instances), let (message, socket) = receive(sockets, until: end) else { break }
            guard message.id == id else { continue }
            defer { instances = Self.instances(found) }
            for (service, instance) in message.pointers where ServiceMessage.isSame(service, name) {
                if found[instance] == nil { found[instance] = .some(nil) }
            }
            for instance in found.keys.sorted(by: { $0.lexicographicallyPrecedes($1) { $0.lexicographicallyPrecedes($1) } })
            where found[instance] == .some(nil) {
                if let value = message.value(of: key, for: instance) {
                    found[instance] = value
                } else if !asked.contains(instance) {
                    // Not every responder includes additional records.
                    asked.append(instance)
                    send(ServiceMessage.question(instance, .text, id: id), on: socket)
                }
            }
        }
        return instances
    }

    private static func instances(_ found: [ServiceMessage.Name: String?]) -> [Instance] {
        found.compactMap { instance, value in
            value.map { Instance(name: String(decoding: instance.first ?? [], as: UTF8.self), value: $0) }
        }.sorted { ($0.name, $0.value) < ($1.name, $1.value) }
    }

    // MARK: Sockets

    /// The IPv4 addresses of links that are up and support multicast, without loopback.
    private static var links: [String] {
        var list: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&list) == 0 else { return [] }
        defer { freeifaddrs(list) }
        var found: [String] = []
        var next = list
        while let entry = next?.pointee {
            next = entry.ifa_next
            let wanted = UInt32(IFF_UP) | UInt32(IFF_MULTICAST)
            guard let address = entry.ifa_addr, address.pointee.sa_family == sa_family_t(AF_INET),
                entry.ifa_flags & wanted == wanted, entry.ifa_flags & UInt32(IFF_LOOPBACK) == 0
            else { continue }
            var text = [CChar](repeating: 0, count: 64)
            let length = socklen_t(MemoryLayout<sockaddr_in>.size)
            if getnameinfo(address, length, &text, 64, nil, 0, NI_NUMERICHOST) == 0 {
                found.append(String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self))
            }
        }
        return found
    }

    private func open(from link: String) -> FileDescriptor? {
        let number = Glibc.socket(AF_INET, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
        guard number >= 0 else { return nil }
        let socket = FileDescriptor(adopting: number)
        var own = Self.address(link, port: 0)
        var hops: Int32 = 255
        guard setsockopt(number, Int32(IPPROTO_IP), IP_MULTICAST_IF, &own.sin_addr, socklen_t(MemoryLayout<in_addr>.size)) == 0,
            setsockopt(number, Int32(IPPROTO_IP), IP_MULTICAST_TTL, &hops, 4) == 0,
            Self.withGeneric(&own, { bind(number, $0, $1) }) == 0
        else { return nil }
        return socket
    }

    private func send(_ bytes: [UInt8], on socket: FileDescriptor) {
        var name = Self.address(group.address, port: group.port)
        // A query that cannot be sent is not answered; it is repeated later.
        _ = Self.withGeneric(&name) { sendto(socket.number, bytes, bytes.count, Int32(MSG_NOSIGNAL), $0, $1) }
    }

    private func receive(_ sockets: [FileDescriptor], until end: Duration) -> (ServiceMessage, FileDescriptor)? {
        while true {
            let left = Int32(clamping: (end - Self.now()).wholeNanoseconds / 1_000_000)
            guard left > 0 else { return nil }
            var polls = sockets.map { pollfd(fd: $0.number, events: Int16(POLLIN), revents: 0) }
            guard poll(&polls, nfds_t(polls.count), left) > 0 else { continue }
            for (socket, poll) in zip(sockets, polls) where poll.revents != 0 {
                var bytes = [UInt8](repeating: 0, count: 9000)
                var sender = sockaddr_in()
                let count = Self.withGeneric(&sender) { pointer, length in
                    var length = length
                    return recvfrom(socket.number, &bytes, bytes.count, 0, pointer, &length)
                }
                // Only answers from the responder port are valid (RFC 6762, 11).
                guard count > 0, UInt16(bigEndian: sender.sin_port) == group.port,
                    let message = ServiceMessage(Array(bytes.prefix(count)))
                else { continue }
                return (message, socket)
            }
        }
    }

    /// The network uses real time, also when time is simulated.
    private static func now() -> Duration {
        var value = timespec()
        clock_gettime(CLOCK_MONOTONIC, &value)
        return .seconds(value.tv_sec) + .nanoseconds(value.tv_nsec)
    }

    private static func address(_ text: String, port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        inet_pton(AF_INET, text, &address.sin_addr)
        return address
    }

    private static func withGeneric<Result>(
        _ address: inout sockaddr_in, _ body: (UnsafeMutablePointer<sockaddr>, socklen_t) -> Result
    ) -> Result {
        withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_in>.size)) }
        }
    }
}
