import Glibc
import URLReferences

/// Decides to which addresses a request may connect. A name that leads to this machine, although it does not say so, is refused (DNS rebinding): the
/// rules about what a document of another machine may name (`URLReference.mayName`) see only names, so that such a name would lead its playlists and
/// redirects to the box's own servers.
enum PeerRule {
    /// - Parameters:
    ///   - url: the address of the request.
    ///   - peer: an address of its server, as the resolver found it.
    static func allows(_ peer: UnsafePointer<sockaddr>, for url: String) -> Bool {
        let isThisMachine =
            switch Int32(peer.pointee.sa_family) {
            case AF_INET:
                UnsafeRawPointer(peer).loadUnaligned(as: sockaddr_in.self).sin_addr.isLoopback
            case AF_INET6:
                UnsafeRawPointer(peer).loadUnaligned(as: sockaddr_in6.self).sin6_addr.isLoopback
            default: false
            }
        return !isThisMachine || URLReference(url).isThisMachine
    }
}

extension in_addr {
    fileprivate var isLoopback: Bool { URLReference.isThisMachine(self) }
}

extension in6_addr {
    fileprivate var isLoopback: Bool { URLReference.isThisMachine(self) }
}
