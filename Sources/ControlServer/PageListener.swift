import Glibc
import LinuxSupport
import NIOCore
import NIOHTTP1
import NIOPosix
import Synchronization
import TransportSecurity

/// Accepts connections and gives each its handlers: TLS, the parser of requests, and who answers them.
///
/// Connections have two threads of their own, on which everything happens that strangers can cause; what asks the box are tasks of the global pool, as many
/// as the limits allow. All of them end with `run`.
final class PageListener: Sendable {
    private struct State {
        var isStopped = false
        /// Those that listen.
        var listening: [any Channel] = []
    }

    private static let threads = 2

    private let port: UInt16
    private let isOpen: Bool
    private let identity: ServerIdentity?
    private let limits: ControlLimits
    private let services: PageServices
    private let works: AsyncStream<PageServices.Work>
    private let register: ConnectionRegister
    private let state = Mutex(State())

    /// - Parameters:
    ///   - isOpen: whether other machines may connect.
    ///   - identity: the certificate for clients that use TLS.
    init(
        port: UInt16, isOpen: Bool, limits: ControlLimits, handler: ControlHandler, events: EventDesk, identity: ServerIdentity?
    ) {
        self.port = port
        self.isOpen = isOpen
        self.identity = identity
        self.limits = limits
        register = ConnectionRegister(limits: limits)
        let (works, continuation) = AsyncStream.makeStream(of: PageServices.Work.self)
        self.works = works
        services = PageServices(limits: limits, handler: handler, events: events, works: continuation)
    }

    /// Listens until `stop`, and again after a socket has failed. It returns when all connections, tasks and threads have ended.
    ///
    /// - Parameters:
    ///   - sockets: bound to the port. They are closed here.
    ///   - ready: called when connections are accepted for the first time.
    func run(on sockets: [Int32], _ ready: @escaping @Sendable () async -> Void) async {
        let loops = MultiThreadedEventLoopGroup(numberOfThreads: Self.threads)
        let register = register
        let pause = TimeAmount.nanoseconds(limits.sweepInterval.wholeNanoseconds)
        loops.next().scheduleRepeatedTask(initialDelay: pause, delay: pause) { _ in register.sweep() }
        await withDiscardingTaskGroup { group in
            group.addTask { [works] in
                await withDiscardingTaskGroup { group in
                    for await work in works { group.addTask(operation: work) }
                }
            }
            var (sockets, ready) = (sockets, Optional(ready))
            while true {
                if await listen(on: sockets, loops, ready) { ready = nil }
                guard !isStopped else { break }
                await RealTime.pause(limits.restartPause)
                sockets = (try? PortReservation(port: port, isOpen: isOpen))?.duplicates() ?? []
            }
        }
        try? await loops.shutdownGracefully()
    }

    private var isStopped: Bool { state.withLock { $0.isStopped } }

    /// Releases the port and ends all connections.
    func stop() {
        let listening = state.withLock { state in
            state.isStopped = true
            return state.listening
        }
        for channel in listening { channel.close(promise: nil) }
        register.close()
        services.works.finish()
    }

    /// Listens until the first of the sockets fails or is closed.
    ///
    /// - Returns: whether connections were accepted.
    private func listen(
        on sockets: [Int32], _ loops: MultiThreadedEventLoopGroup, _ ready: (@Sendable () async -> Void)?
    ) async -> Bool {
        var channels: [any Channel] = []
        for socket in sockets {
            guard let channel = try? await bootstrap(loops).withBoundSocket(socket).get() else { continue }
            channels.append(channel)
        }
        let all = channels
        let isStopped = state.withLock { state in
            state.listening = all
            return state.isStopped
        }
        for channel in all { channel.closeFuture.whenComplete { _ in for other in all { other.close(promise: nil) } } }
        if isStopped { for channel in all { channel.close(promise: nil) } } else if !all.isEmpty { await ready?() }
        for channel in all { try? await channel.closeFuture.get() }
        return !all.isEmpty
    }

    private func bootstrap(_ loops: MultiThreadedEventLoopGroup) -> ServerBootstrap {
        let tcpUserTimeout = NIOBSDSocket.Option(rawValue: TCP_USER_TIMEOUT)
        return ServerBootstrap(group: loops)
            // What the kernel keeps for a client that sends without a pause. Connections have it from here.
            .serverChannelOption(.socketOption(.so_rcvbuf), value: .init(limits.unreadBytes))
            .serverChannelInitializer { [register] channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(ArrivalHandler(register: register))
                }
            }
            .childChannelInitializer { [self] channel in add(channel) }
            .childChannelOption(.autoRead, value: false)
            .childChannelOption(.maxMessagesPerRead, value: 1)
            .childChannelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: limits.partBytes))
            // A client may end its side and still wait for an answer.
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            // What the kernel keeps for a client that takes nothing, and how long, also after the connection was closed here.
            .childChannelOption(.socketOption(.so_sndbuf), value: .init(limits.unsentBytes))
            .childChannelOption(
                .tcpOption(tcpUserTimeout), value: .init(limits.sendTime.wholeNanoseconds / 1_000_000))
    }

    /// Gives a new connection its handlers, if it has not made room for another already.
    private func add(_ channel: any Channel) -> EventLoopFuture<Void> {
        guard let peer = channel.remoteAddress.map(PeerAddress.init), let id = register.id(of: channel) else {
            return channel.eventLoop.makeFailedFuture(ChannelError.ioOnClosedChannel)
        }
        let (register, services, identity) = (register, services, identity)
        return channel.eventLoop.makeCompletedFuture {
            let connection = PageConnection(id: id, peer: peer, register: register)
            let tls = TLSHandler(identity: identity, mayBeginTLS: connection.mayBeginTLS)
            let gate = ReadGate(limits: services.limits, connection: connection)
            var encoding = HTTPResponseEncoder.Configuration()
            // The handler states the lengths, and events have none.
            encoding.automaticallySetFramingHeaders = false
            let decoder = HTTPRequestDecoder(limitConfiguration: RequestAssembly.parserLimits(services.limits))
            try channel.pipeline.syncOperations.addHandlers([
                tls, gate, HTTPResponseEncoder(configuration: encoding), ByteToMessageHandler(decoder),
                HTTPServerPipelineHandler(),
                RequestHandler(connection: connection, services: services, tls: tls, gate: gate),
            ])
        }
    }
}

/// Enters connections in the order in which they were accepted, on the thread that accepts them: two threads serve them, and which one comes
/// first must not decide who makes room.
private final class ArrivalHandler: ChannelInboundHandler {
    typealias InboundIn = any Channel

    private let register: ConnectionRegister

    init(register: ConnectionRegister) { self.register = register }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let channel = Self.unwrapInboundIn(data)
        guard let peer = channel.remoteAddress.map(PeerAddress.init), let id = register.enter(channel, peer: peer) else {
            return channel.close(promise: nil)
        }
        let register = register
        channel.closeFuture.whenComplete { _ in register.leave(id) }
        context.fireChannelRead(data)
    }
}
