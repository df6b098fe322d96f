import CGIO

/// An object of this program that other programs on the bus call.
@MainActor
package protocol BusObject: AnyObject {
    /// Introspection data of its interfaces, in XML: callers are held to it.
    static var interfaces: String { get }
    /// Answers a call, at once or later.
    func answer(_ call: BusCall)
    /// The value of a property.
    func value(of property: String, in interface: String) -> BusValue?
}

/// A call of a method by another program. It is answered exactly once: a call that was released without an answer fails.
@MainActor
package final class BusCall {
    package let interface: String
    package let method: String
    /// Of the types that the interface states.
    package let arguments: [BusValue]
    /// The unique name of the caller.
    package let sender: String
    private let invocation: Invocation

    /// Takes the invocation over.
    init(interface: String, method: String, sender: String, arguments: OpaquePointer?, invocation: OpaquePointer?) {
        self.interface = interface
        self.method = method
        self.sender = sender
        self.arguments = BusValue.arguments(arguments)
        self.invocation = Invocation(invocation)
    }

    /// Answers with values.
    package func reply(_ values: BusValue...) {
        if let call = invocation.take() { g_dbus_method_invocation_return_value(call, BusValue.makeTuple(values)) }
    }

    /// Answers with an error.
    package func fail(_ name: String, _ sentence: String) {
        if let call = invocation.take() { g_dbus_method_invocation_return_dbus_error(call, name, sentence) }
    }

    /// The owner of the invocation, until it is answered.
    private final class Invocation {
        private var pointer: OpaquePointer?

        init(_ pointer: OpaquePointer?) { self.pointer = pointer }

        deinit {
            guard let call = take() else { return }
            g_dbus_method_invocation_return_dbus_error(call, "org.freedesktop.DBus.Error.Failed", "The call was not answered.")
        }

        /// GDBus takes back what is answered.
        func take() -> OpaquePointer? {
            defer { pointer = nil }
            return pointer
        }
    }
}

/// Why a call of another program's method failed.
package struct BusFault: Error, Sendable, Equatable, CustomStringConvertible {
    /// The name of the error on the bus, such as `net.connman.iwd.Busy`; nil if the bus itself failed.
    package let name: String?
    /// The sentence that came with it.
    package let sentence: String

    package var description: String { name.map { "\($0): \(sentence)" } ?? sentence }

    init(name: String?, sentence: String) {
        self.name = name
        self.sentence = sentence
    }

    /// Takes the error over.
    init(_ error: UnsafeMutablePointer<GError>?) {
        guard let error else {
            self.init(name: nil, sentence: "no reason given")
            return
        }
        defer { g_error_free(error) }
        let remote = g_dbus_error_get_remote_error(error)
        defer { g_free(remote) }
        _ = g_dbus_error_strip_remote_error(error)
        self.init(name: remote.map { String(cString: $0) }, sentence: String(cString: error.pointee.message))
    }
}

/// A signal of another program.
package struct BusSignal: Sendable {
    package let path: String
    package let interface: String
    package let name: String
    package let arguments: [BusValue]
}
