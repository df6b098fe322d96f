import CGIO
import Foundation
import TestSupport

extension PrivateBus {
    /// Runs a program's part on another thread, with a connection that only it has.
    func client(_ body: @escaping @Sendable (BusClient) -> Void, then: @escaping @Sendable () -> Void) {
        let address = address
        Thread.detachNewThread {
            body(BusClient(address))
            then()
        }
    }
}

/// A connection to a bus. One thread.
final class BusClient {
    private let connection: OpaquePointer?
    private let context = g_main_context_new()

    init(_ address: String) {
        g_main_context_push_thread_default(context)
        connection = g_dbus_connection_new_for_address_sync(
            address,
            GDBusConnectionFlags(
                G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT.rawValue
                    | G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION.rawValue), nil, nil, nil)
    }

    deinit {
        if let connection { g_object_unref(UnsafeMutableRawPointer(connection)) }
        g_main_context_pop_thread_default(context)
        g_main_context_unref(context)
    }

    /// The answer of a method in GVariant's text format, or the message of the error.
    ///
    /// - Parameter arguments: a tuple in that format.
    func call(_ interface: String, _ method: String, _ arguments: String = "()") -> String {
        var error: UnsafeMutablePointer<GError>?
        let answer = g_dbus_connection_call_sync(
            connection, "org.mpris.MediaPlayer2.marquee", "/org/mpris/MediaPlayer2", interface, method,
            g_variant_parse(nil, arguments, nil, nil, nil), nil, G_DBUS_CALL_FLAGS_NONE, .max, nil, &error)
        guard let answer else {
            defer { g_error_free(error) }
            return error.map { String(cString: $0.pointee.message) } ?? "no connection"
        }
        defer { g_variant_unref(answer) }
        return Self.text(answer)
    }

    func property(_ interface: String, _ name: String) -> String {
        call("org.freedesktop.DBus.Properties", "Get", "('\(interface)', '\(name)')")
    }

    /// The arguments of the next signals of the player, once `start` has been called, until one has this text.
    func signals(until text: String, _ start: () -> Void) -> [String] {
        final class Seen { var texts: [String] = [] }
        let seen = Seen()
        let id = g_dbus_connection_signal_subscribe(
            connection, nil, nil, nil, "/org/mpris/MediaPlayer2", nil, G_DBUS_SIGNAL_FLAGS_NONE,
            { _, _, _, _, name, arguments, data in
                let seen = Unmanaged<Seen>.fromOpaque(data!).takeUnretainedValue()
                seen.texts.append("\(String(cString: name!)) \(BusClient.text(arguments))")
            }, Unmanaged.passUnretained(seen).toOpaque(), nil)
        // The bus takes the subscription before what follows it.
        _ = property("org.mpris.MediaPlayer2", "Identity")
        start()
        while seen.texts.last?.contains(text) != true { g_main_context_iteration(context, 1) }
        g_dbus_connection_signal_unsubscribe(connection, id)
        return seen.texts
    }

    private static func text(_ value: OpaquePointer?) -> String {
        let text = g_variant_print(value, 0)
        defer { g_free(text) }
        return String(cString: text!)
    }
}
