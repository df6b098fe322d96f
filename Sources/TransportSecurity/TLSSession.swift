import CTLS

/// The server's side of one TLS connection (1.2 or 1.3), without a socket: bytes of the network go in and come out, and so does
/// what they mean. One task at a time.
package final class TLSSession {
    /// What the client has sent.
    package enum Reading {
        case bytes([UInt8])
        /// Bytes of the network are missing.
        case needsMore
        /// The client has ended its side.
        case ended
    }

    private let session: OpaquePointer
    /// Bytes from and for the network. The session owns both.
    private let incoming: OpaquePointer
    private let outgoing: OpaquePointer

    /// Nothing is sent before the client has begun.
    package init(_ identity: ServerIdentity) throws(TransportSecurityError) {
        ERR_clear_error()
        guard let session = SSL_new(identity.context), let incoming = BIO_new(BIO_s_mem()), let outgoing = BIO_new(BIO_s_mem())
        else { throw TransportSecurityError(.exchange) }
        SSL_set_bio(session, incoming, outgoing)
        SSL_set_accept_state(session)
        (self.session, self.incoming, self.outgoing) = (session, incoming, outgoing)
    }

    deinit { SSL_free(session) }

    /// Takes bytes of the network.
    package func receive(_ bytes: [UInt8]) {
        if !bytes.isEmpty { _ = BIO_write(incoming, bytes, Int32(clamping: bytes.count)) }
    }

    /// The bytes for the network. There may be some after each call of the other functions, also after one that threw.
    package func takeOutgoing() -> [UInt8] { take(outgoing) }

    /// What the client has sent; the handshake goes on in here.
    ///
    /// - Throws: if the client does not keep to TLS, or offers nothing that is safe.
    package func read(atMost count: Int) throws(TransportSecurityError) -> Reading {
        ERR_clear_error()
        var bytes = [UInt8](repeating: 0, count: max(1, count))
        let result = SSL_read(session, &bytes, Int32(clamping: bytes.count))
        if result > 0 { return .bytes(Array(bytes.prefix(Int(result)))) }
        switch SSL_get_error(session, result) {
        case SSL_ERROR_WANT_READ: return .needsMore
        case SSL_ERROR_ZERO_RETURN: return .ended
        default: throw TransportSecurityError(.exchange)
        }
    }

    /// Sends bytes to the client, after the handshake.
    package func write(_ bytes: [UInt8]) throws(TransportSecurityError) {
        guard !bytes.isEmpty else { return }
        ERR_clear_error()
        // Memory takes everything at once.
        guard SSL_write(session, bytes, Int32(clamping: bytes.count)) == bytes.count else {
            throw TransportSecurityError(.exchange)
        }
    }

    /// Tells the client that nothing follows.
    package func end() {
        ERR_clear_error()
        _ = SSL_shutdown(session)
    }
}
