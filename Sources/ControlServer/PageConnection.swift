import FlyingSocks
import FoundationEssentials
import Glibc
import TransportSecurity

/// The bytes of one connection. The first byte of the client decides whether they are under TLS: a TLS record begins with 22, a
/// request with a letter. One task.
final class PageConnection {
    private enum Layer {
        case undecided
        case clear
        case secure(TLSSession)
    }

    private let socket: AsyncSocket
    /// Without it TLS is not understood.
    private let identity: ServerIdentity?
    private let mayBeginTLS: () -> Bool
    private var layer = Layer.undecided
    private static let firstByteOfTLS: UInt8 = 22
    /// The most bytes of the network that are taken at once: about one record.
    private static let mostBytes = 16_384

    /// - Parameter mayBeginTLS: asked once, when the client begins TLS; if not, the connection ends.
    init(_ socket: AsyncSocket, identity: ServerIdentity?, mayBeginTLS: @escaping () -> Bool) {
        self.socket = socket
        self.identity = identity
        self.mayBeginTLS = mayBeginTLS
    }

    /// Whether what was read came under TLS.
    var isSecure: Bool { if case .secure = layer { true } else { false } }

    /// The next bytes, at least one.
    ///
    /// - Throws: at the end of the connection, or if the client does not keep to TLS.
    func read(atMost count: Int) async throws -> [UInt8] {
        while true {
            switch layer {
            case .clear: return try await socket.read(atMost: count)
            case .secure(let session):
                let reading = Result { try session.read(atMost: count) }
                // Also if it failed: the client is told why.
                try await flush(session)
                switch try reading.get() {
                case .bytes(let bytes): return bytes
                case .ended: throw SocketError.disconnected
                case .needsMore: session.receive(try await socket.read(atMost: Self.mostBytes))
                }
            case .undecided:
                let bytes = try await socket.read(atMost: count)
                guard let identity, bytes.first == Self.firstByteOfTLS else {
                    layer = .clear
                    return bytes
                }
                guard mayBeginTLS() else { throw SocketError.disconnected }
                let session = try TLSSession(identity)
                session.receive(bytes)
                layer = .secure(session)
            }
        }
    }

    func write(_ data: Data) async throws {
        guard case .secure(let session) = layer else { return try await socket.write(data) }
        try session.write(Array(data))
        try await flush(session)
    }

    /// Nothing follows. The client may still send.
    func end() async throws {
        if case .secure(let session) = layer {
            session.end()
            try await flush(session)
        }
        shutdown(socket.socket.file.rawValue, Int32(SHUT_WR))
    }

    private func flush(_ session: TLSSession) async throws {
        let bytes = session.takeOutgoing()
        if !bytes.isEmpty { try await socket.write(Data(bytes)) }
    }
}
