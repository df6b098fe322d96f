import FlyingFox
import FlyingSocks
import FoundationEssentials
import Glibc
import LinuxSupport
import TransportSecurity

/// Accepts connections, reads their requests within the limits, and sends the answers of the handler.
///
/// FlyingFox's own server reads the head of a request without a limit and knows no other bounds, so only its requests and answers
/// are used here, and the sockets below them. Everything runs on tasks of the global pool.
struct PageListener: Sendable {
    let port: UInt16
    /// Whether other machines may connect.
    let isOpen: Bool
    let hasIPv6: Bool
    let limits: ControlLimits
    let handler: ControlHandler
    let events: EventDesk
    /// The certificate for clients that use TLS.
    let identity: ServerIdentity?
    private let register: ConnectionRegister

    init(
        port: UInt16, isOpen: Bool, hasIPv6: Bool, limits: ControlLimits, handler: ControlHandler, events: EventDesk,
        identity: ServerIdentity?
    ) {
        self.port = port
        self.isOpen = isOpen
        self.hasIPv6 = hasIPv6
        self.limits = limits
        self.handler = handler
        self.events = events
        self.identity = identity
        register = ConnectionRegister(limits: limits)
    }

    /// Listens until the task is cancelled or the socket fails.
    ///
    /// - Parameter ready: called when connections are accepted.
    func run(_ ready: @Sendable () async -> Void) async {
        let pool = SettlingSocketPool()
        guard (try? await pool.prepare()) != nil,
            let socket = listen(on: isOpen ? PortReservation.everywhere(port) : PortReservation.loopback(port), AF_INET)
        else { return }
        let second =
            hasIPv6
            ? listen(on: isOpen ? PortReservation.everywhereIPv6(port) : PortReservation.loopbackIPv6(port), AF_INET6) : nil
        await ready()
        await withTaskGroup(of: Void.self) { group in
            group.addTask { try? await pool.run() }
            group.addTask { await sweep() }
            group.addTask { await accept(on: socket, pool) }
            if let second { group.addTask { await accept(on: second, pool) } }
            await group.next()
            group.cancelAll()
        }
        try? socket.close()
        try? second?.close()
    }

    private func listen(on address: some SocketAddress, _ family: Int32) -> Socket? {
        guard let socket = try? Socket(domain: family) else { return nil }
        do {
            if family == AF_INET6 { PortReservation.separate(socket.file.rawValue) }
            _ = fcntl(socket.file.rawValue, F_SETFD, FD_CLOEXEC)
            try socket.setValue(true, for: .localAddressReuse)
            try socket.bind(to: address)
        } catch {
            try? socket.close()
            return nil
        }
        // It closes the socket when it fails.
        return (try? socket.listen()).map { socket }
    }

    private func sweep() async {
        while !Task.isCancelled {
            register.sweep()
            await RealTime.pause(limits.sweepInterval)
        }
    }

    private func accept(on socket: Socket, _ pool: SettlingSocketPool) async {
        guard let listener = try? AsyncSocket(socket: socket, pool: pool) else { return }
        await withDiscardingTaskGroup { group in
            while !Task.isCancelled {
                guard let connection = try? await listener.accept() else {
                    // No descriptor is left, or the client has gone already.
                    await RealTime.pause(limits.restartPause)
                    continue
                }
                _ = fcntl(connection.socket.file.rawValue, F_SETFD, FD_CLOEXEC)
                group.addTask { await serve(connection) }
            }
        }
    }

    // MARK: - One connection

    private func serve(_ socket: AsyncSocket) async {
        defer { try? socket.close() }
        guard let peer = try? socket.socket.remotePeer() else { return }
        bound(socket.socket.file.rawValue)
        let address = HTTPRequest.Address.make(from: peer)
        guard let id = register.enter(socket.socket, peer: address.host, isKnown: address.isLocal) else { return }
        defer { register.leave(id) }
        let connection = PageConnection(
            socket, identity: identity, mayBeginTLS: { address.isLocal || register.mayBeginTLS(address.host) })
        // An error is the end of the connection: the client has gone, or it was shut down.
        try? await exchange(connection, id, address)
    }

    /// Limits what the kernel keeps for a client that takes nothing, and how long it keeps it, also after the connection was closed here.
    private func bound(_ descriptor: Int32) {
        var size = Int32(limits.unsentBytes)
        setsockopt(descriptor, SOL_SOCKET, SO_SNDBUF, &size, socklen_t(MemoryLayout<Int32>.size))
        var time = UInt32(limits.sendTime.wholeNanoseconds / 1_000_000)
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_USER_TIMEOUT, &time, socklen_t(MemoryLayout<UInt32>.size))
    }

    private func exchange(_ connection: PageConnection, _ id: ConnectionRegister.ID, _ address: HTTPRequest.Address) async throws
    {
        var reader = RequestReader(limits: limits, address: address)
        while !Task.isCancelled {
            switch reader.next() {
            case .incomplete:
                register.set(reader.hasBegun ? .reading : .idle, of: id)
                reader.take(try await connection.read(atMost: reader.capacity))
            case .request(let request, let isLast):
                if handler.visitor(of: request, isSecure: connection.isSecure) != .stranger {
                    register.recognize(id, peer: address.host)
                } else {
                    try await awaitTurn(id, address)
                }
                register.set(.answering, of: id)
                switch await handler.answer(request, isSecure: connection.isSecure) {
                case .response(let response):
                    try await send(response, to: connection, id, isLast: isLast, hasBody: request.method != .HEAD)
                case .events(let subscription) where request.method == .HEAD:
                    await events.leave(subscription.id)
                    return try await connection.write(HTTPResponse.eventStreamHead)
                case .events(let subscription): return await stream(subscription, to: connection, id)
                }
                if isLast { return }
                register.set(.idle, of: id)
                // One connection that asks without a pause leaves room for the others.
                await Task.yield()
            case .refused(let response):
                if !address.isLocal { try await awaitTurn(id, address) }
                try await send(response, to: connection, id, isLast: true, hasBody: true)
                return try await drain(connection)
            }
        }
    }

    /// Waits until a request of a stranger may be answered.
    ///
    /// - Throws: if the connection has been ended.
    private func awaitTurn(_ id: ConnectionRegister.ID, _ address: HTTPRequest.Address) async throws {
        while !Task.isCancelled {
            switch register.turn(of: id, peer: address.host) {
            case .now: return
            case .later: await RealTime.pause(limits.queuePause)
            case .never: throw SocketError.disconnected
            }
        }
        throw CancellationError()
    }

    private func send(
        _ response: HTTPResponse, to connection: PageConnection, _ id: ConnectionRegister.ID, isLast: Bool, hasBody: Bool
    ) async throws {
        register.set(.sending, of: id)
        try await connection.write(try await response.encoded(isLast: isLast, hasBody: hasBody))
    }

    /// Sends events until the client has gone, is too slow, or the server ends. A client that takes nothing is ended by the limit of
    /// sending, like that of any answer.
    private func stream(_ subscription: EventSubscription, to connection: PageConnection, _ id: ConnectionRegister.ID) async {
        do {
            register.set(.sending, of: id)
            try await connection.write(HTTPResponse.eventStreamHead + Data(subscription.opening.utf8))
            var cursor = subscription.cursor
            while !Task.isCancelled {
                register.set(.answering, of: id)
                guard let batch = await events.next(subscription.id, after: cursor) else { break }
                cursor = batch.cursor
                let text = batch.text(of: subscription.kinds)
                guard !text.isEmpty else { continue }
                register.set(.sending, of: id)
                try await connection.write(Data(text.utf8))
            }
        } catch {
            // The client has gone, or the connection was ended.
        }
        await events.leave(subscription.id)
    }

    /// Reads on for a while after the last answer: closing a socket with unread bytes would reset the connection, and the client
    /// might lose the answer. The time of sending includes this.
    private func drain(_ connection: PageConnection) async throws {
        try await connection.end()
        var count = 0
        while count < limits.discardedBytes { count += try await connection.read(atMost: 4096).count }
    }
}

extension HTTPRequest.Address {
    /// What stands for a machine: its address without the port. A machine has all IPv6 addresses of its network's 64 bits (RFC 8981).
    var host: String {
        switch self {
        case .ip4(let host, _), .unix(let host): return host
        case .ip6(let host, _):
            var bytes = in6_addr()
            guard inet_pton(AF_INET6, host, &bytes) == 1 else { return host }
            return withUnsafeBytes(of: bytes) { $0.prefix(8).map { String($0, radix: 16) }.joined(separator: ":") }
        }
    }

    /// Whether it is this machine's.
    var isLocal: Bool {
        switch self {
        case .ip4(let host, _): host.hasPrefix("127.")
        case .ip6(let host, _): host == "::1"
        case .unix: false
        }
    }
}
