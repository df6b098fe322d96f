import CMosquitto
import Glibc
import LinuxSupport
import MediaModel
import Synchronization

/// A client of a broker through libmosquitto, over MQTT 5.0.
///
/// Its network runs on a thread of its own; events come to the main loop by a doorbell.
@MainActor
package final class MosquittoLink: BrokerLink {
    /// How a broker is reached and what it is told.
    package struct Options: Sendable {
        package var host: String
        package var port: UInt16
        /// Whether TLS protects the connection.
        package var isSecure: Bool
        /// The same for each connection: the broker keeps what is meant for a box that is off.
        package var client: String
        package var user: String?
        package var password: String?
        /// Files in PEM; authorities: nil for those of the system.
        package var authorities: String?
        package var certificate: String?
        package var key: String?
        /// What the broker publishes when the box is gone.
        package var will: BrokerPublication
        /// How long the broker keeps messages for a box that is off.
        package var sessionLength = Duration.seconds(7 * 86_400)

        package init(host: String, port: UInt16, isSecure: Bool, client: String, will: BrokerPublication) {
            (self.host, self.port, self.isSecure) = (host, port, isSecure)
            self.client = client
            self.will = will
        }
    }

    package var onEvent: (@MainActor (BrokerEvent) -> Void)?

    private let client: MosquittoClient
    private let thread: WorkerThread
    private var isClosed = false
    /// Publications that are not assured and have not left.
    private var waiting: Set<Int32> = []

    /// A broker that reads nothing would have them wait in memory.
    private static let mostWaiting = 16

    /// - Throws: `internal` when libmosquitto refuses what it is told, for example a file that cannot be read.
    package init(_ options: Options, clock: any HostClock) throws(MediaError) {
        client = try MosquittoClient(options)
        thread = WorkerThread(name: "mqtt")
        let inbox = client.inbox
        inbox.connect(
            clock.makeDoorbell(rank: .timer) { [weak self] in
                for event in inbox.take() { self?.take(event) }
            })
    }

    deinit { if !isClosed { client.close(); thread.retire() } }

    package func connect() {
        guard !isClosed else { return }
        thread.perform { [client] in client.serve() }
    }

    package func subscribe(_ topics: [String]) { for topic in topics { client.subscribe(topic) } }

    @discardableResult
    package func publish(_ publication: BrokerPublication) -> Bool {
        if publication.isAssured { return deliver(publication) != nil }
        guard waiting.count < Self.mostWaiting, let id = deliver(publication) else { return false }
        waiting.insert(id)
        return true
    }

    package func deliver(_ publication: BrokerPublication) -> Int32? { isClosed ? nil : client.deliver(publication) }

    private func take(_ event: BrokerEvent) {
        switch event {
        case .delivered(let id, _): waiting.remove(id)
        case .ended: waiting = []
        case .connected, .message, .dropped: break
        }
        onEvent?(event)
    }

    package func close() {
        guard !isClosed else { return }
        isClosed = true
        onEvent = nil
        client.close()
        // It may be in a call that waits for a name server or for a connection.
        thread.retire()
    }
}

/// Events on their way from the network's thread to the main loop. Any thread.
private final class Inbox: Sendable {
    private struct State {
        var events: [BrokerEvent] = []
        var messages = 0
        var dropped = 0
        var bell: Doorbell?
    }

    /// A broker that floods the box costs no more memory than these.
    private static let mostMessages = 32
    private let state = Mutex(State())

    func connect(_ bell: Doorbell) { state.withLock { $0.bell = bell } }

    func put(_ event: BrokerEvent) {
        state.withLock { state in
            if case .message = event {
                guard state.messages < Self.mostMessages else {
                    state.dropped += 1
                    return
                }
                state.messages += 1
            }
            state.events.append(event)
            state.bell?.ring()
        }
    }

    func take() -> [BrokerEvent] {
        state.withLock { state in
            defer { (state.events, state.messages, state.dropped) = ([], 0, 0) }
            return state.events + (state.dropped > 0 ? [.dropped(state.dropped)] : [])
        }
    }
}

/// The owner of libmosquitto's client.
// Unchecked: `handle` is only read after `init`, and libmosquitto locks what its functions share (`mosquitto_threaded_set`); all other state is atomic.
private final class MosquittoClient: @unchecked Sendable {
    let inbox = Inbox()
    private let handle: OpaquePointer
    /// Wakes the thread: something is to be sent, or it is the end.
    private let bell: FileDescriptor
    private let options: MosquittoLink.Options
    private let isClosed = Atomic(false)

    private static let keepAlive: Int32 = 60
    /// The broker sends nothing longer (MQTT 5.0, 3.1.2.11.4).
    private static let longestPacket: UInt32 = 128 << 10
    /// Messages that the broker sends before the first of them is confirmed (3.1.2.11.3).
    private static let mostUnconfirmed: UInt16 = 16
    /// The longest wait for the network; a publication and the end interrupt it. With it the broker, which waits for one and a half times `keepAlive`, hears of
    /// the box in time.
    private static let turn: Int32 = 20_000
    /// So long, in milliseconds, what is said last waits for a network that takes nothing, and each piece of what is still coming then.
    private static let lastTurn: Int32 = 1000
    private static let mostDrained = 100
    private static let isReady: Bool = {
        // libssl writes with write(2): a connection that the broker has closed must not end the process.
        signal(SIGPIPE, SIG_IGN)
        return mosquitto_lib_init() == 0
    }()

    init(_ options: MosquittoLink.Options) throws(MediaError) {
        self.options = options
        guard Self.isReady, let handle = mosquitto_new(options.client, false, Unmanaged.passUnretained(inbox).toOpaque()) else {
            throw MediaError(.internal, "There is no memory for the connection to the broker.")
        }
        self.handle = handle
        do throws(SystemError) {
            bell = try FileDescriptor.event()
        } catch {
            mosquitto_destroy(handle)
            throw MediaError(.internal, "The connection to the broker has no descriptor: \(error).")
        }
        mosquitto_threaded_set(handle, true)
        try check(mosquitto_int_option(handle, MOSQ_OPT_PROTOCOL_VERSION, MQTT_PROTOCOL_V5), "its version of the protocol")
        if options.user != nil || options.password != nil {
            try check(mosquitto_username_pw_set(handle, options.user, options.password), "the user and the password")
        }
        if options.isSecure {
            let system = options.authorities == nil ? "/etc/ssl/certs" : nil
            try check(
                mosquitto_tls_set(handle, options.authorities, system, options.certificate, options.key, nil),
                "its certificates (\([options.authorities ?? system, options.certificate, options.key].compactMap { $0 }.joined(separator: ", ")))"
            )
        }
        let will = options.will
        try check(
            mosquitto_will_set_v5(
                handle, will.topic, Int32(will.payload.count), will.payload, will.isAssured ? 1 : 0, will.isRetained, nil),
            "its last will")
        setCallbacks()
    }

    deinit { mosquitto_destroy(handle) }

    private func check(_ code: Int32, _ what: String) throws(MediaError) {
        guard code != MOSQ_ERR_SUCCESS.rawValue else { return }
        throw MediaError(.internal, "The broker's client does not take \(what): \(Self.words(code)).")
    }

    private static func words(_ code: Int32) -> String {
        // These two say only where the reason is.
        code == MOSQ_ERR_ERRNO.rawValue ? String(cString: strerror(errno)) : String(cString: mosquitto_strerror(code))
    }

    private func setCallbacks() {
        mosquitto_connect_v5_callback_set(handle) { _, inbox, code, _, _ in
            guard code == 0 else { return }
            MosquittoClient.inbox(inbox).put(.connected)
        }
        mosquitto_message_v5_callback_set(handle) { _, inbox, message, properties in
            guard let message, let topic = message.pointee.topic else { return }
            let payload = UnsafeRawBufferPointer(start: message.pointee.payload, count: Int(max(message.pointee.payloadlen, 0)))
            var delivered = BrokerMessage(topic: String(cString: topic), payload: Array(payload))
            delivered.responseTopic = MosquittoClient.text(MQTT_PROP_RESPONSE_TOPIC, in: properties)
            delivered.correlation = MosquittoClient.bytes(MQTT_PROP_CORRELATION_DATA, in: properties)
            MosquittoClient.inbox(inbox).put(.message(delivered))
        }
        mosquitto_publish_v5_callback_set(handle) { _, inbox, id, reason, _ in
            // Success; 16 is "no matching subscribers", from 128 on it is a refusal. What is not assured has been written to the connection.
            MosquittoClient.inbox(inbox).put(.delivered(id: id, isTaken: reason == 0))
        }
    }

    private static func inbox(_ pointer: UnsafeMutableRawPointer?) -> Inbox {
        Unmanaged<Inbox>.fromOpaque(pointer!).takeUnretainedValue()
    }

    private static func text(_ property: mqtt5_property, in properties: OpaquePointer?) -> String? {
        var value: UnsafeMutablePointer<CChar>?
        guard mosquitto_property_read_string(properties, Int32(property.rawValue), &value, false) != nil, let value else {
            return nil
        }
        defer { free(value) }
        return String(cString: value)
    }

    private static func bytes(_ property: mqtt5_property, in properties: OpaquePointer?) -> [UInt8]? {
        var (value, count) = (UnsafeMutableRawPointer?.none, UInt16(0))
        guard mosquitto_property_read_binary(properties, Int32(property.rawValue), &value, &count, false) != nil, let value else {
            return nil
        }
        defer { free(value) }
        return Array(UnsafeRawBufferPointer(start: value, count: Int(count)))
    }

    /// Connects, and serves the connection until it ends. On the thread.
    func serve() {
        guard !isClosed.load(ordering: .acquiring) else { return }
        var properties: OpaquePointer?
        defer { mosquitto_property_free_all(&properties) }
        let length = UInt32(clamping: options.sessionLength.components.seconds)
        mosquitto_property_add_int32(&properties, Int32(MQTT_PROP_SESSION_EXPIRY_INTERVAL.rawValue), length)
        mosquitto_property_add_int32(&properties, Int32(MQTT_PROP_MAXIMUM_PACKET_SIZE.rawValue), Self.longestPacket)
        mosquitto_property_add_int16(&properties, Int32(MQTT_PROP_RECEIVE_MAXIMUM.rawValue), Self.mostUnconfirmed)
        var code = mosquitto_connect_bind_v5(handle, options.host, Int32(options.port), Self.keepAlive, nil, properties)
        while code == MOSQ_ERR_SUCCESS.rawValue {
            if isClosed.load(ordering: .acquiring) { return sendTheLast() }
            code = serveOnce(most: Self.turn)
        }
        inbox.put(.ended(reason: Self.words(code)))
    }

    /// Waits until the network or another thread has something, and serves it.
    private func serveOnce(most: Int32) -> Int32 {
        let wanted = mosquitto_want_write(handle) ? POLLIN | POLLOUT : POLLIN
        var polled = [
            pollfd(fd: mosquitto_socket(handle), events: Int16(wanted), revents: 0),
            pollfd(fd: bell.number, events: Int16(POLLIN), revents: 0),
        ]
        if poll(&polled, 2, most) < 0, errno != EINTR { return MOSQ_ERR_ERRNO.rawValue }
        if polled[1].revents != 0 { bell.clear() }
        let found = Int32(polled[0].revents)
        if found & ~POLLOUT != 0 {
            let code = mosquitto_loop_read(handle, 1)
            guard code == MOSQ_ERR_SUCCESS.rawValue else { return code }
        }
        if found & POLLOUT != 0 {
            let code = mosquitto_loop_write(handle, 1)
            guard code == MOSQ_ERR_SUCCESS.rawValue else { return code }
        }
        return mosquitto_loop_misc(handle)
    }

    /// Sends what was published before `close`, and the end. Nothing is read meanwhile: once it has been told of the end, libmosquitto takes a message for an
    /// error, and closes the connection before it has sent anything.
    private func sendTheLast() {
        // libmosquitto also closes its socket as soon as the end is sent. If messages are in the socket's buffer then, the kernel resets the connection, and the
        // broker discards what it has not read yet (RFC 1122, 4.2.2.13). A second descriptor keeps the connection until the broker has closed it.
        let number = fcntl(mosquitto_socket(handle), F_DUPFD_CLOEXEC, 0)
        guard number >= 0 else { return }
        let socket = FileDescriptor(adopting: number)
        send(to: socket)
        mosquitto_disconnect_v5(handle, 0, nil)
        send(to: socket)
        shutdown(socket.number, Int32(SHUT_WR))
        var bytes = [UInt8](repeating: 0, count: 64 << 10)
        for _ in 0..<Self.mostDrained {
            guard isReady(socket, for: POLLIN), read(socket.number, &bytes, bytes.count) > 0 else { return }
        }
    }

    /// Sends what waits, as long as the network takes it.
    private func send(to socket: FileDescriptor) {
        while mosquitto_want_write(handle), isReady(socket, for: POLLOUT),
            mosquitto_loop_write(handle, 1) == MOSQ_ERR_SUCCESS.rawValue
        {}
    }

    private func isReady(_ socket: FileDescriptor, for event: Int32) -> Bool {
        var polled = pollfd(fd: socket.number, events: Int16(event), revents: 0)
        return poll(&polled, 1, Self.lastTurn) > 0 && Int32(polled.revents) & event != 0
    }

    func subscribe(_ topic: String) {
        mosquitto_subscribe_v5(handle, nil, topic, 1, Int32(MQTT_SUB_OPT_SEND_RETAIN_NEVER.rawValue), nil)
        bell.ring()
    }

    func deliver(_ publication: BrokerPublication) -> Int32? {
        var id: Int32 = 0
        var properties: OpaquePointer?
        defer { mosquitto_property_free_all(&properties) }
        if let correlation = publication.correlation {
            mosquitto_property_add_binary(
                &properties, Int32(MQTT_PROP_CORRELATION_DATA.rawValue), correlation, UInt16(clamping: correlation.count))
        }
        let code = mosquitto_publish_v5(
            handle, &id, publication.topic, Int32(publication.payload.count), publication.payload, publication.isAssured ? 1 : 0,
            publication.isRetained, properties)
        bell.ring()
        return code == MOSQ_ERR_SUCCESS.rawValue ? id : nil
    }

    /// Ends the connection in words after all that was published, so that the broker publishes no last will. Any thread.
    func close() {
        isClosed.store(true, ordering: .releasing)
        bell.ring()
    }
}
