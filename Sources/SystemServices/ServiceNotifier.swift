import Glibc
import LinuxSupport

/// Tells the service manager how the program is: the protocol of sd_notify(3), a datagram of `NAME=value` lines to the socket that
/// `NOTIFY_SOCKET` names.
///
/// Spoken here and not by libsystemd: the manual describes the protocol as stable and meant to be spoken without it, it is one sendto(2),
/// and the library would
/// bring six others into the player. Without a manager (a desk, a test) every call does nothing. Any thread; never waits.
package final class ServiceNotifier: Sendable {
    /// How often the manager wants to hear `WATCHDOG=1` at the least; nil: it does not watch this process.
    package let watchdog: Duration?
    private let socket: FileDescriptor?
    private let address: [UInt8]

    /// The manager that started this process, by its environment.
    package static func fromEnvironment() -> ServiceNotifier {
        func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
        var watchdog: Duration?
        if let text = variable("WATCHDOG_USEC"), let microseconds = Int64(text), microseconds > 0 {
            // The variable may have come down from a parent that it was meant for.
            let isOurs = variable("WATCHDOG_PID").map { $0 == String(getpid()) } ?? true
            if isOurs { watchdog = .microseconds(microseconds) }
        }
        return ServiceNotifier(path: variable("NOTIFY_SOCKET"), watchdog: watchdog)
    }

    /// A manager that listens at a path, or with a leading `@` in the abstract name space; nil: none.
    package init(path: String?, watchdog: Duration? = nil) {
        var address = Array((path ?? "").utf8)
        let isNamed = address.first == UInt8(ascii: "/") || address.first == UInt8(ascii: "@")
        // 108 is the size of sun_path; a path in the file system also ends with a zero.
        guard isNamed, (2..<108).contains(address.count) else {
            (socket, self.address, self.watchdog) = (nil, [], nil)
            return
        }
        if address[0] == UInt8(ascii: "@") { address[0] = 0 }
        let number = Glibc.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
        socket = number < 0 ? nil : FileDescriptor(adopting: number)
        self.address = address
        self.watchdog = socket == nil ? nil : watchdog
    }

    /// Whether somebody listens.
    package var hasManager: Bool { socket != nil }

    /// The program is ready: what waits for it may start.
    package func ready() { send("READY=1") }

    /// One line for people who ask the manager.
    package func status(_ words: String) { send("STATUS=" + words.replacing("\n", with: " ")) }

    /// The program does what it is for.
    package func feedWatchdog() { send("WATCHDOG=1") }

    /// The program ends in order.
    package func stopping() { send("STOPPING=1") }

    private func send(_ text: String) {
        guard let socket else { return }
        var name = sockaddr_un()
        name.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &name.sun_path) { $0.copyBytes(from: address) }
        let length = socklen_t(MemoryLayout<sa_family_t>.size + address.count + (address[0] == 0 ? 0 : 1))
        let bytes = Array(text.utf8)
        // A manager that does not read for a moment is told the next time; there is nobody to complain to.
        _ = withUnsafePointer(to: &name) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                sendto(socket.number, bytes, bytes.count, Int32(MSG_NOSIGNAL), generic, length)
            }
        }
    }
}
