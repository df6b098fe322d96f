import CGIO
import Foundation

/// A bus for one test, and what programs do on it.
final class PrivateBus: Sendable {
    static let program = "/usr/bin/dbus-daemon"
    static let isPresent = FileManager.default.isExecutableFile(atPath: program)

    let address: String
    private let process: Int32

    /// Returns when the bus accepts connections.
    ///
    /// - Parameter place: the address on which it listens; nil: any.
    init(at place: String? = nil) throws {
        let daemon = Process()
        daemon.executableURL = URL(fileURLWithPath: Self.program)
        daemon.arguments =
            ["--session", "--nofork", "--nopidfile", "--print-address=1"] + (place.map { ["--address=\($0)"] } ?? [])
        let output = Pipe()
        daemon.standardOutput = output
        // A program that inherited the output of the tests would keep it open.
        daemon.standardInput = FileHandle.nullDevice
        daemon.standardError = FileHandle.nullDevice
        try daemon.run()
        process = daemon.processIdentifier
        // It prints the address when it listens.
        var line: [UInt8] = []
        while let byte = try output.fileHandleForReading.read(upToCount: 1)?.first, byte != UInt8(ascii: "\n") {
            line.append(byte)
        }
        address = String(decoding: line, as: UTF8.self)
        guard !line.isEmpty else { throw NoBus(place: place ?? "any address") }
    }

    /// The daemon ended before it listened.
    struct NoBus: Error { let place: String }

    /// Ends the bus. Each test calls it. Its address is free on return: the kernel closes the connections of a process that was
    /// killed in any order, so that clients may see their end while the address is still in use.
    func end() {
        kill(process, SIGKILL)
        // Foundation reaps the process; when it was faster, there is no such process any more (ECHILD).
        var information = siginfo_t()
        while waitid(P_PID, id_t(process), &information, WEXITED | WNOWAIT) == -1, errno == EINTR {}
    }

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
