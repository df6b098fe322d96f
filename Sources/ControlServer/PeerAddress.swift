import Glibc
import NIOCore

/// The other end of a connection.
struct PeerAddress: Sendable {
    /// What stands for a machine: its address without the port. A machine has all IPv6 addresses of its network's 64 bits (RFC 8981).
    let host: String
    /// Whether it is this machine's.
    let isLocal: Bool

    init(_ address: SocketAddress) {
        switch address {
        case .v4:
            host = address.ipAddress ?? ""
            isLocal = host.hasPrefix("127.")
        case .v6(let address):
            let bytes = withUnsafeBytes(of: address.address.sin6_addr) { Array($0) }
            host = bytes.prefix(8).map { String($0, radix: 16) }.joined(separator: ":")
            isLocal = bytes.dropLast().allSatisfy { $0 == 0 } && bytes.last == 1
        case .unixDomainSocket:
            host = ""
            isLocal = false
        }
    }
}
