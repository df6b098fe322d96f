import CGIO
import Glibc
import LinuxSupport
import MediaModel

/// The player on a session bus, as MPRIS 2.2 has it (`org.mpris.MediaPlayer2`): media keys and panels of a desktop steer it and show what
/// plays. Its methods are the remote's commands; one that fails is answered by an error with the reason, e.g. `failed(linear)`.
///
/// It uses GDBus, which Pango loads in any case; libsystemd would be a further library at each start, and Debian has none to link
/// statically. GDBus talks with the bus in a thread of its own, and everything here is on the main loop.
@MainActor
package final class MediaPlayerService {
    /// The name that other programs look for.
    package static let name = "org.mpris.MediaPlayer2.marquee"
    private static let path = "/org/mpris/MediaPlayer2"
    private static let playerInterface = "org.mpris.MediaPlayer2.Player"
    private static let failure = "org.freedesktop.DBus.Error.Failed"

    private let address: String
    private let context: BusContext
    private let clock: any HostClock
    private let door: any CommandDoor
    private let status: any StatusPublishing
    private let note: @MainActor (String) -> Void
    private var connection: Connection?
    private var changes: Subscription?
    private var properties: PlayerProperties
    /// Whether other programs find it.
    private(set) var isOwner = false
    private var isClosed = false
    /// The next try to connect, after one that failed or a connection that was lost.
    private var retry: ScheduledEvent?
    /// Tries that have failed since the last connection.
    private var failures = 0

    /// The pause before a try to connect; doubled after each failure.
    private static let pauses = (first: Duration.seconds(1), longest: Duration.seconds(60))

    /// Connects to a bus and answers there, also after the bus was restarted. Returns at once.
    ///
    /// - Parameters:
    ///   - address: of the bus, as in `DBUS_SESSION_BUS_ADDRESS`.
    ///   - note: receives sentences about a bus that cannot be used; the box does without it meanwhile.
    /// - Throws: `SystemError` when the loop cannot watch a descriptor.
    package init(
        address: String, loop: MainLoop, door: any CommandDoor, status: any StatusPublishing,
        note: @escaping @MainActor (String) -> Void
    ) throws(SystemError) {
        self.address = address
        context = try BusContext(loop: loop)
        clock = loop.clock
        self.door = door
        self.status = status
        self.note = note
        properties = PlayerProperties(status.nowPlaying)
        connect()
    }

    private func connect() {
        retry = nil
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
                    let reason = MediaPlayerService.words(error)
                    let service = Unmanaged<MediaPlayerService>.fromOpaque(data!).takeRetainedValue()
                    // Unchecked: this runs on the main thread, which serves the context.
                    nonisolated(unsafe) let found = connection
                    MainActor.assumeIsolated { service.connected(found, reason) }
                }, Unmanaged.passRetained(self).toOpaque())
        }
    }

    /// Leaves the bus.
    package func close() {
        isClosed = true
        retry?.cancel()
        leave()
        context.close()
    }

    /// Gives up the connection and what depends on it.
    private func leave() {
        isOwner = false
        changes?.cancel()
        changes = nil
        connection = nil
    }

    private nonisolated static func words(_ error: UnsafeMutablePointer<GError>?) -> String {
        guard let error else { return "no reason given" }
        defer { g_error_free(error) }
        return String(cString: error.pointee.message)
    }

    // MARK: On the bus

    private func connected(_ connection: Connection?, _ reason: String) {
        guard !isClosed else { return }
        guard let connection else {
            // One sentence until it is there again.
            if failures == 0 { note("session bus: \(reason)") }
            return tryAgain()
        }
        if failures > 0 { note("session bus: connected") }
        failures = 0
        self.connection = connection
        connection.lossHandler = watch(connection)
        // A bus that ended before the signal was connected does not tell it again.
        guard g_dbus_connection_is_closed(connection.pointer) == 0 else { return lost() }
        context.start {
            guard register(connection) else { return note("session bus: the player could not be registered") }
            requestName(connection)
        }
    }

    /// Calls `lost` when the bus closes the connection.
    private func watch(_ connection: Connection) -> gulong {
        let closed: @convention(c) (OpaquePointer?, gboolean, UnsafeMutablePointer<GError>?, UnsafeMutableRawPointer?) -> Void = {
            _, _, _, data in
            let service = Unmanaged<MediaPlayerService>.fromOpaque(data!).takeUnretainedValue()
            // It runs on the main thread, which serves the context.
            MainActor.assumeIsolated { service.lost() }
        }
        return g_signal_connect_data(
            UnsafeMutableRawPointer(connection.pointer), "closed", unsafeBitCast(closed, to: GCallback.self),
            Unmanaged.passUnretained(self).toOpaque(), nil, GConnectFlags(rawValue: 0))
    }

    private func lost() {
        guard !isClosed else { return }
        note("session bus: the connection was lost")
        leave()
        tryAgain()
    }

    private func tryAgain() {
        let pause = min(Self.pauses.first * (1 << min(failures, 6)), Self.pauses.longest)
        failures += 1
        retry = clock.schedule(after: pause) { [weak self] in self?.connect() }
    }

    private func register(_ connection: Connection) -> Bool {
        guard let node = g_dbus_node_info_new_for_xml(Self.interfaces, nil) else { return false }
        defer { g_dbus_node_info_unref(node) }
        var table = GDBusInterfaceVTable()
        table.method_call = { _, _, _, _, method, parameters, invocation, data in
            let service = Unmanaged<MediaPlayerService>.fromOpaque(data!).takeUnretainedValue()
            let name = String(cString: method!)
            // Unchecked: this runs on the main thread, which serves the context.
            nonisolated(unsafe) let (arguments, call) = (parameters, invocation)
            MainActor.assumeIsolated { service.answer(name, arguments, call) }
        }
        table.get_property = { _, _, _, interface, name, _, data in
            let service = Unmanaged<MediaPlayerService>.fromOpaque(data!).takeUnretainedValue()
            let (interface, name) = (String(cString: interface!), String(cString: name!))
            return MainActor.assumeIsolated { service.value(of: name, in: interface) }?.makeVariant()
        }
        let data = Unmanaged.passUnretained(self).toOpaque()
        return ["org.mpris.MediaPlayer2", Self.playerInterface].allSatisfy { interface in
            let id = g_dbus_connection_register_object(
                connection.pointer, Self.path, g_dbus_node_info_lookup_interface(node, interface), &table, data, nil, nil)
            if id != 0 { connection.objects.append(id) }
            return id != 0
        }
    }

    private func requestName(_ connection: Connection) {
        // Without a queue: the second player of a session is not found, and says so.
        let flags: UInt32 = 4
        let arguments: [OpaquePointer?] = [g_variant_new_string(Self.name), g_variant_new_uint32(flags)]
        g_dbus_connection_call(
            connection.pointer, "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "RequestName",
            g_variant_new_tuple(arguments, gsize(arguments.count)), nil, G_DBUS_CALL_FLAGS_NONE, .max, nil,
            { source, result, data in
                let service = Unmanaged<MediaPlayerService>.fromOpaque(data!).takeRetainedValue()
                var error: UnsafeMutablePointer<GError>?
                var reply = NameReply.taken
                if let answer = g_dbus_connection_call_finish(OpaquePointer(source), result, &error) {
                    let child = g_variant_get_child_value(answer, 0)
                    // DBUS_REQUEST_NAME_REPLY_PRIMARY_OWNER of the D-Bus specification.
                    if g_variant_get_uint32(child) == 1 { reply = .owned }
                    g_variant_unref(child)
                    g_variant_unref(answer)
                } else {
                    reply = .failed(MediaPlayerService.words(error))
                }
                let answered = reply
                // Unchecked: this runs on the main thread, which serves the context.
                nonisolated(unsafe) let asked = OpaquePointer(source)
                MainActor.assumeIsolated { service.named(answered, on: asked) }
            }, Unmanaged.passRetained(self).toOpaque())
    }

    /// What the bus says of the request for the name.
    private enum NameReply: Sendable {
        case owned
        /// Another program has it.
        case taken
        case failed(String)
    }

    private func named(_ reply: NameReply, on asked: OpaquePointer?) {
        // The answer of a connection that was lost says nothing about the next one.
        guard !isClosed, let connection, connection.pointer == asked else { return }
        switch reply {
        case .owned: isOwner = true
        case .taken: return note("session bus: another player has the name \(Self.name)")
        // Of a connection that ends meanwhile, `lost` tells.
        case .failed(let reason):
            if g_dbus_connection_is_closed(connection.pointer) == 0 { note("session bus: the name was refused: \(reason)") }
            return
        }
        changes = status.statusEvents.listen { [weak self] event in
            if event == .nowPlaying { self?.announceChanges() }
        }
        announceChanges()
    }

    // MARK: Calls and properties

    private func answer(_ method: String, _ parameters: OpaquePointer?, _ invocation: OpaquePointer?) {
        switch MediaPlayerCall(method, parameters, trackID: PlayerProperties(status.nowPlaying).trackID) {
        case .ignored: g_dbus_method_invocation_return_value(invocation, nil)
        case .refused(let sentence): g_dbus_method_invocation_return_dbus_error(invocation, Self.failure, sentence)
        case .command(let command):
            switch door.perform(command, from: "mpris") {
            case .success: g_dbus_method_invocation_return_value(invocation, nil)
            case .failed(let reason):
                g_dbus_method_invocation_return_dbus_error(
                    invocation, Self.failure, CommandResult.failed(reason).description)
            }
        }
    }

    private func value(of name: String, in interface: String) -> BusValue? {
        if interface == Self.playerInterface {
            return PlayerProperties(status.nowPlaying).value(of: name, at: clock.now)
        }
        switch name {
        case "Identity": return .text("Marquee")
        case "SupportedUriSchemes", "SupportedMimeTypes": return .texts([])
        default: return .flag(false)
        }
    }

    private func announceChanges() {
        let old = properties
        properties = PlayerProperties(status.nowPlaying)
        let before = old.announced
        let changed = properties.announced.filter { before[$0.key] != $0.value }
        if !changed.isEmpty {
            connection?.emit(
                "org.freedesktop.DBus.Properties", "PropertiesChanged",
                [.text(Self.playerInterface), .table(changed), .texts([])], on: Self.path)
        }
        if properties.hasJumped(since: old) {
            connection?.emit(
                Self.playerInterface, "Seeked", [.microseconds(properties.position(at: clock.now))], on: Self.path)
        }
    }

    /// Introspection data of the interfaces: GDBus holds callers to it.
    static let interfaces = """
        <node>
          <interface name="org.mpris.MediaPlayer2">
            <method name="Raise"/><method name="Quit"/>
            <property name="CanQuit" type="b" access="read"/><property name="CanRaise" type="b" access="read"/>
            <property name="HasTrackList" type="b" access="read"/><property name="Identity" type="s" access="read"/>
            <property name="SupportedUriSchemes" type="as" access="read"/>
            <property name="SupportedMimeTypes" type="as" access="read"/>
          </interface>
          <interface name="org.mpris.MediaPlayer2.Player">
            <method name="Next"/><method name="Previous"/><method name="Pause"/><method name="PlayPause"/>
            <method name="Stop"/><method name="Play"/>
            <method name="Seek"><arg name="Offset" type="x" direction="in"/></method>
            <method name="SetPosition">
              <arg name="TrackId" type="o" direction="in"/><arg name="Position" type="x" direction="in"/>
            </method>
            <method name="OpenUri"><arg name="Uri" type="s" direction="in"/></method>
            <signal name="Seeked"><arg name="Position" type="x"/></signal>
            <property name="PlaybackStatus" type="s" access="read"/><property name="Rate" type="d" access="read"/>
            <property name="Metadata" type="a{sv}" access="read"/><property name="Volume" type="d" access="read"/>
            <property name="Position" type="x" access="read">
              <annotation name="org.freedesktop.DBus.Property.EmitsChangedSignal" value="false"/>
            </property>
            <property name="MinimumRate" type="d" access="read"/><property name="MaximumRate" type="d" access="read"/>
            <property name="CanGoNext" type="b" access="read"/><property name="CanGoPrevious" type="b" access="read"/>
            <property name="CanPlay" type="b" access="read"/><property name="CanPause" type="b" access="read"/>
            <property name="CanSeek" type="b" access="read"/><property name="CanControl" type="b" access="read"/>
          </interface>
        </node>
        """

    /// The owner of the connection and of what is registered on it.
    private final class Connection {
        let pointer: OpaquePointer
        var objects: [guint] = []
        /// The handler of the signal of its end; 0 while there is none.
        var lossHandler: gulong = 0

        init(_ pointer: OpaquePointer) { self.pointer = pointer }

        deinit {
            if lossHandler != 0 { g_signal_handler_disconnect(UnsafeMutableRawPointer(pointer), lossHandler) }
            for id in objects { g_dbus_connection_unregister_object(pointer, id) }
            // The bus then gives the name to others.
            g_dbus_connection_close(pointer, nil, nil, nil)
            g_object_unref(UnsafeMutableRawPointer(pointer))
        }

        /// A signal that cannot be sent has no receiver.
        func emit(_ interface: String, _ name: String, _ arguments: [BusValue], on path: String) {
            g_dbus_connection_emit_signal(pointer, nil, path, interface, name, BusValue.makeTuple(arguments), nil)
        }
    }
}
