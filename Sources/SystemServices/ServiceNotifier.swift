import Glibc
import LinuxSupport

/// Reports the program's state to the service manager with the protocol of sd_notify(3): a datagram of `NAME=value` lines to the
/// socket in `NOTIFY_SOCKET`.
///
/// Implemented here and not with libsystemd: the manual calls the protocol stable and allows independent implementations, it is
/// one sendto(2), and the library would add six others to the player. Without a manager (a development machine, a test) every
/// call does nothing. Any thread; never waits.
package final class ServiceNotifier: Sendable {
    /// How often the manager expects `WATCHDOG=1`; nil: it does not watch this process.
    package let watchdog: Duration?
    private let socket: FileDescriptor?
    private let address: [UInt8]

    /// The manager that started this process, from its environment.
    package static func fromEnvironment() -> ServiceNotifier {
        func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
        var watchdog: Duration?
        if let text = variable("WATCHDOG_USEC"), let microseconds = Int64(text), microseconds > 0 {
            // The variable may be inherited from a parent process.
            let isOurs = variable("WATCHDOG_PID").map { $0 == String(getpid()) } ?? true
            if isOurs { watchdog = .microseconds(microseconds) }
        }
        return ServiceNotifier(path: variable("NOTIFY_SOCKET"), watchdog: watchdog)
    }

    /// A manager at a path, or with a leading `@` in the abstract namespace; nil: none.
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

    package var hasManager: Bool { socket != nil }

    /// The program is ready: services that wait for it may start.
    package func ready() { send("READY=1") }

    /// The start goes on: the manager waits at least so long for the next message, also past `TimeoutStartSec`.
    package func extendStart(by time: Duration) {
        send("EXTEND_TIMEOUT_USEC=\(time.components.seconds * 1_000_000)")
    }

    /// A status line for `systemctl status`.
    package func status(_ words: String) { send("STATUS=" + words.replacing("\n", with: " ")) }

    /// The program is working.
    package func feedWatchdog() { send("WATCHDOG=1") }

    /// The program ends properly.
    package func stopping() { send("STOPPING=1") }

    private func send(_ text: String) {
        guard let socket else { return }
        var name = sockaddr_un()
        name.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &name.sun_path) { $0.copyBytes(from: address) }
        let length = socklen_t(MemoryLayout<sa_family_t>.size + address.count + (address[0] == 0 ? 0 : 1))
        let bytes = Array(text.utf8)
        // If the manager cannot receive now, the next message will do; the error cannot be reported to anyone.
        _ = withUnsafePointer(to: &name) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                sendto(socket.number, bytes, bytes.count, Int32(MSG_NOSIGNAL), generic, length)
            }
        }
    }
}
