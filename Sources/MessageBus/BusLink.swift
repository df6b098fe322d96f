import CGIO
import LinuxSupport

/// A link to a message bus (D-Bus) that comes back when the bus does. Main loop only; nothing waits.
///
/// It uses GDBus, which Pango loads in any case; libsystemd would be a further library at each start, and Debian has none to link
/// statically. GDBus talks with the bus in a thread of its own, and everything here is on the main loop.
@MainActor
package final class BusLink {
    /// What happened to the link.
    package enum Event: Sendable, Equatable {
        /// The bus takes calls. Objects, signals and names that were wanted before are gone: they are asked for now.
        case connected
        /// Calls that were not answered yet have failed.
        case lost
        /// The bus could not be reached, with a sentence. It is tried again.
        case unreachable(String)
    }

    /// What the bus says of a request for a name.
    package enum NameReply: Sendable, Equatable {
        case owned
        /// Another program has it.
        case taken
        case failed(String)
    }

    /// The address of the system's bus: `DBUS_SYSTEM_BUS_ADDRESS`, otherwise that of the D-Bus specification.
    package static var systemAddress: String {
        g_getenv("DBUS_SYSTEM_BUS_ADDRESS").map { String(cString: $0) } ?? "unix:path=/run/dbus/system_bus_socket"
    }

    /// The pause before a try to connect; doubled after each failure.
    private static let pauses = (first: Duration.seconds(1), longest: Duration.seconds(60))

    private let address: String
    private let context: BusContext
    private let clock: any HostClock
    private let onEvent: @MainActor (Event) -> Void
    private var connection: Connection?
    private var isClosed = false
    /// Whether the bus was asked, and has not answered.
    private var isConnecting = false
    /// The next try to connect, after one that failed or a connection that was lost.
    private var retry: ScheduledEvent?
    /// Tries that have failed since the last connection.
    private var failures = 0

    /// Connects to a bus, also after the bus was restarted. Returns at once.
    ///
    /// - Parameters:
    ///   - address: of the bus, as in `DBUS_SESSION_BUS_ADDRESS`.
    ///   - onEvent: never called from inside this call.
    /// - Throws: `SystemError` when the loop cannot watch a descriptor.
    package init(address: String, loop: MainLoop, onEvent: @escaping @MainActor (Event) -> Void) throws(SystemError) {
        self.address = address
        self.onEvent = onEvent
        context = try BusContext(loop: loop)
        clock = loop.clock
        connect()
    }

    package var isConnected: Bool { connection != nil }

    /// Tries now what would be tried later.
    package func hurry() {
        guard !isClosed, !isConnecting, connection == nil else { return }
        retry?.cancel()
        connect()
    }

    /// Leaves the bus. Nothing is called any more.
    package func close() {
        isClosed = true
        retry?.cancel()
        connection = nil
        context.close()
    }

    // MARK: Connecting

    private func connect() {
        retry = nil
        isConnecting = true
        context.start {
            // This object lives until the bus has answered.
            g_dbus_connection_new_for_address(
                address,
                GDBusConnectionFlags(
                    G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT.rawValue
                        | G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION.rawValue),
                nil, nil,
                { _, result, data in
                    var error: UnsafeMutablePointer<GError>?
                    let connection = g_dbus_connection_new_for_address_finish(result, &error).map { Connection($0) }
                    let reason = connection == nil ? BusFault(error).sentence : ""
                    let link = Unmanaged<BusLink>.fromOpaque(data!).takeRetainedValue()
                    // Unchecked: this runs on the main thread, which serves the context.
                    nonisolated(unsafe) let found = connection
                    MainActor.assumeIsolated { link.connected(found, reason) }
                }, Unmanaged.passRetained(self).toOpaque())
        }
    }

    private func connected(_ connection: Connection?, _ reason: String) {
        isConnecting = false
        guard !isClosed else { return }
        guard let connection else {
            tryAgain()
            return onEvent(.unreachable(reason))
        }
        failures = 0
        self.connection = connection
        connection.lossHandler = watch(connection)
        // A bus that ended before the signal was connected does not tell it again.
        guard g_dbus_connection_is_closed(connection.pointer) == 0 else { return lost() }
        onEvent(.connected)
    }

    /// Calls `lost` when the bus closes the connection.
    private func watch(_ connection: Connection) -> gulong {
        let closed: @convention(c) (OpaquePointer?, gboolean, UnsafeMutablePointer<GError>?, UnsafeMutableRawPointer?) -> Void = {
            _, _, _, data in
            let link = Unmanaged<BusLink>.fromOpaque(data!).takeUnretainedValue()
            // It runs on the main thread, which serves the context.
            MainActor.assumeIsolated { link.lost() }
        }
        return g_signal_connect_data(
            UnsafeMutableRawPointer(connection.pointer), "closed", unsafeBitCast(closed, to: GCallback.self),
            Unmanaged.passUnretained(self).toOpaque(), nil, GConnectFlags(rawValue: 0))
    }

    private func lost() {
        guard !isClosed, connection != nil else { return }
        connection = nil
        tryAgain()
        onEvent(.lost)
    }

    private func tryAgain() {
        let pause = min(Self.pauses.first * (1 << min(failures, 6)), Self.pauses.longest)
        failures += 1
        retry = clock.schedule(after: pause) { [weak self] in self?.connect() }
    }

    // MARK: Calls

    /// Calls a method. A service that is not running is not started.
    ///
    /// - Parameters:
    ///   - then: called once with the results, or with why there are none, and never from inside this call; not called when the link was closed.
    ///     There is no limit of time: the caller has one.
    package func call(
        _ service: String, _ path: String, _ interface: String, _ method: String, _ arguments: [BusValue] = [],
        then: @escaping @MainActor (Result<[BusValue], BusFault>) -> Void
    ) {
        guard let connection else {
            clock.schedule(after: .zero) { [weak self] in
                if self?.isClosed == false { then(.failure(BusFault(name: nil, sentence: "There is no connection to the bus."))) }
            }
            return
        }
        let pending = Pending { [weak self] in if self?.isClosed == false { then($0) } }
        context.start {
            g_dbus_connection_call(
                connection.pointer, service, path, interface, method, BusValue.makeTuple(arguments), nil,
                G_DBUS_CALL_FLAGS_NO_AUTO_START, .max, nil,
                { source, result, data in
                    let pending = Unmanaged<Pending>.fromOpaque(data!).takeRetainedValue()
                    var error: UnsafeMutablePointer<GError>?
                    let answer = g_dbus_connection_call_finish(OpaquePointer(source), result, &error)
                    defer { if let answer { g_variant_unref(answer) } }
                    let outcome: Result<[BusValue], BusFault> =
                        answer == nil ? .failure(BusFault(error)) : .success(BusValue.arguments(answer))
                    // It runs on the main thread, which serves the context.
                    MainActor.assumeIsolated { pending.then(outcome) }
                }, Unmanaged.passRetained(pending).toOpaque())
        }
    }

    /// Asks the bus for a name under which others find this program, without a queue.
    package func requestName(_ name: String, then: @escaping @MainActor (NameReply) -> Void) {
        let withoutQueue: UInt32 = 4
        call(
            "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "RequestName",
            [.text(name), .uint32(withoutQueue)]
        ) { outcome in
            switch outcome {
            // DBUS_REQUEST_NAME_REPLY_PRIMARY_OWNER of the D-Bus specification.
            case .success(let values): then(values == [.uint32(1)] ? .owned : .taken)
            case .failure(let fault): then(.failed(fault.sentence))
            }
        }
    }

    // MARK: Objects and signals

    /// Offers an object to other programs, until the link is lost. The object is not kept.
    ///
    /// - Returns: false if the bus refuses it.
    package func register<Object: BusObject>(_ object: Object, at path: String) -> Bool {
        guard let connection, let node = g_dbus_node_info_new_for_xml(Object.interfaces, nil) else { return false }
        defer { g_dbus_node_info_unref(node) }
        let door = ObjectDoor(object)
        connection.doors.append(door)
        let data = Unmanaged.passUnretained(door).toOpaque()
        var interfaces = node.pointee.interfaces
        return context.start {
            while let interface = interfaces?.pointee {
                let id = g_dbus_connection_register_object(
                    connection.pointer, path, interface, &ObjectDoor.table, data, nil, nil)
                guard id != 0 else { return false }
                connection.objects.append(id)
                interfaces = interfaces?.successor()
            }
            return true
        }
    }

    /// Sends a signal. One that cannot be sent has no receiver.
    package func emit(_ interface: String, _ name: String, _ arguments: [BusValue], on path: String) {
        guard let connection else { return }
        g_dbus_connection_emit_signal(connection.pointer, nil, path, interface, name, BusValue.makeTuple(arguments), nil)
    }

    /// Listens to signals of a service, until the link is lost.
    ///
    /// - Parameters:
    ///   - interface: nil for all.
    ///   - first: the first argument, if only signals with it are wanted.
    package func listen(
        to service: String, interface: String? = nil, first: String? = nil,
        _ handler: @escaping @MainActor (BusSignal) -> Void
    ) {
        guard let connection else { return }
        let listener = Listener(handler)
        connection.listeners.append(listener)
        context.start {
            let id = g_dbus_connection_signal_subscribe(
                connection.pointer, service, interface, nil, nil, first, G_DBUS_SIGNAL_FLAGS_NONE,
                { _, _, path, interface, name, arguments, data in
                    let listener = Unmanaged<Listener>.fromOpaque(data!).takeUnretainedValue()
                    let signal = BusSignal(
                        path: String(cString: path!), interface: String(cString: interface!), name: String(cString: name!),
                        arguments: BusValue.arguments(arguments))
                    // It runs on the main thread, which serves the context.
                    MainActor.assumeIsolated { listener.handler(signal) }
                }, Unmanaged.passUnretained(listener).toOpaque(), nil)
            connection.subscriptions.append(id)
        }
    }

    /// What follows a call.
    @MainActor
    private final class Pending {
        let then: @MainActor (Result<[BusValue], BusFault>) -> Void
        init(_ then: @escaping @MainActor (Result<[BusValue], BusFault>) -> Void) { self.then = then }
    }

    @MainActor
    private final class Listener {
        let handler: @MainActor (BusSignal) -> Void
        init(_ handler: @escaping @MainActor (BusSignal) -> Void) { self.handler = handler }
    }

    /// The owner of the connection and of what is registered on it.
    private final class Connection {
        let pointer: OpaquePointer
        var objects: [guint] = []
        var doors: [ObjectDoor] = []
        var subscriptions: [guint] = []
        var listeners: [Listener] = []
        /// The handler of the signal of its end; 0 while there is none.
        var lossHandler: gulong = 0

        init(_ pointer: OpaquePointer) { self.pointer = pointer }

        deinit {
            if lossHandler != 0 { g_signal_handler_disconnect(UnsafeMutableRawPointer(pointer), lossHandler) }
            for id in subscriptions { g_dbus_connection_signal_unsubscribe(pointer, id) }
            for id in objects { g_dbus_connection_unregister_object(pointer, id) }
            // The bus then gives the names to others.
            g_dbus_connection_close(pointer, nil, nil, nil)
            g_object_unref(UnsafeMutableRawPointer(pointer))
        }
    }
}

/// Passes calls of the bus to an object while it exists.
@MainActor
private final class ObjectDoor {
    private weak var object: (any BusObject)?

    init(_ object: any BusObject) { self.object = object }

    private func answer(_ call: BusCall) {
        if let object { object.answer(call) } else { call.fail("org.freedesktop.DBus.Error.UnknownObject", "It is gone.") }
    }

    private func value(of property: String, in interface: String) -> BusValue? {
        object?.value(of: property, in: interface)
    }

    /// Unchecked: it is written once, before any connection exists, and GDBus copies it.
    nonisolated(unsafe) static var table: GDBusInterfaceVTable = {
        var table = GDBusInterfaceVTable()
        table.method_call = { _, sender, _, interface, method, parameters, invocation, data in
            let door = Unmanaged<ObjectDoor>.fromOpaque(data!).takeUnretainedValue()
            let names = (String(cString: interface!), String(cString: method!), sender.map { String(cString: $0) } ?? "")
            // Unchecked: this runs on the main thread, which serves the context.
            nonisolated(unsafe) let (arguments, call) = (parameters, invocation)
            MainActor.assumeIsolated {
                door.answer(
                    BusCall(interface: names.0, method: names.1, sender: names.2, arguments: arguments, invocation: call))
            }
        }
        table.get_property = { _, _, _, interface, name, _, data in
            let door = Unmanaged<ObjectDoor>.fromOpaque(data!).takeUnretainedValue()
            let (interface, name) = (String(cString: interface!), String(cString: name!))
            return MainActor.assumeIsolated { door.value(of: name, in: interface) }?.makeVariant()
        }
        return table
    }()
}
