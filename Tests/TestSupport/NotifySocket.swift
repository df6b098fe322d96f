import Glibc
import LinuxSupport

/// The service manager's end of a notification socket (sd_notify(3)).
package final class NotifySocket {
    package let path: String
    private let descriptor: FileDescriptor

    /// - Parameter path: with a leading `@` for the abstract name space.
    package init(_ path: String) throws {
        self.path = path
        descriptor = FileDescriptor(
            adopting: try systemCall("socket", on: path) {
                socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue), 0)
            })
        var name = sockaddr_un()
        name.sun_family = sa_family_t(AF_UNIX)
        var bytes = Array(path.utf8)
        let isAbstract = bytes.first == UInt8(ascii: "@")
        if isAbstract { bytes[0] = 0 }
        withUnsafeMutableBytes(of: &name.sun_path) { $0.copyBytes(from: bytes) }
        // The length of the address is that of an abstract name; a path also has its terminating zero.
        let length = socklen_t(MemoryLayout<sa_family_t>.size + bytes.count + (isAbstract ? 0 : 1))
        try withUnsafePointer(to: &name) {
            _ = try $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                try systemCall("bind", on: path) { bind(descriptor.number, address, length) }
            }
        }
    }

    deinit {
        if path.hasPrefix("/") { unlink(path) }
    }

    /// The datagrams that have arrived since the last call.
    package func heard() -> [String] {
        var all: [String] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = recv(descriptor.number, &buffer, buffer.count, 0)
            guard count > 0 else { return all }
            all.append(String(decoding: buffer.prefix(count), as: UTF8.self))
        }
    }
}
