import CTLS

/// A certificate with its key, as a server shows it to its clients.
///
/// It is `@unchecked Sendable` because libssl counts references to a context under its own lock, and nothing changes this one after
/// `init`.
package final class ServerIdentity: @unchecked Sendable {
    package let certificate: CertificateFacts
    let context: OpaquePointer

    /// - Parameters:
    ///   - certificates: the server's certificate and those of its authorities after it, in PEM.
    ///   - key: its key in PEM, without a password.
    package init(certificates: [UInt8], key: [UInt8]) throws(TransportSecurityError) {
        ERR_clear_error()
        guard let context = SSL_CTX_new(TLS_server_method()) else { throw TransportSecurityError(.exchange) }
        do throws(TransportSecurityError) {
            _ = SSL_CTX_ctrl(context, SSL_CTRL_SET_MIN_PROTO_VERSION, Int(TLS1_2_VERSION), nil)
            _ = SSL_CTX_ctrl(context, SSL_CTRL_MODE, Int(SSL_MODE_RELEASE_BUFFERS), nil)
            // Sessions are resumed by tickets, which the clients keep. A cache would grow with every client that wants none.
            _ = SSL_CTX_ctrl(context, SSL_CTRL_SET_SESS_CACHE_MODE, Int(SSL_SESS_CACHE_OFF), nil)
            _ = SSL_CTX_set_options(context, ctls_options)
            certificate = try Self.use(certificates, in: context)
            try Self.use(key: key, in: context)
        } catch {
            SSL_CTX_free(context)
            throw error
        }
        self.context = context
    }

    deinit { SSL_CTX_free(context) }

    /// Gives a context a certificate and its chain.
    ///
    /// - Returns: what the server's certificate says.
    private static func use(_ certificates: [UInt8], in context: OpaquePointer) throws(TransportSecurityError) -> CertificateFacts
    {
        let text = MemoryText(certificates)
        guard let leaf = PEM_read_bio_X509(text.bio, nil, refusePassword, nil) else {
            throw TransportSecurityError(.readCertificate)
        }
        defer { X509_free(leaf) }
        guard SSL_CTX_use_certificate(context, leaf) == 1 else { throw TransportSecurityError(.readCertificate) }
        while let authority = PEM_read_bio_X509(text.bio, nil, refusePassword, nil) {
            // The context owns it from here on.
            guard SSL_CTX_ctrl(context, SSL_CTRL_CHAIN_CERT, 0, UnsafeMutableRawPointer(authority)) == 1 else {
                X509_free(authority)
                throw TransportSecurityError(.readCertificate)
            }
        }
        // The end of the text is an error for the reader.
        ERR_clear_error()
        return try CertificateFacts(leaf)
    }

    private static func use(key: [UInt8], in context: OpaquePointer) throws(TransportSecurityError) {
        let text = MemoryText(key)
        guard let key = PEM_read_bio_PrivateKey(text.bio, nil, refusePassword, nil) else {
            throw TransportSecurityError(.readKey)
        }
        defer { EVP_PKEY_free(key) }
        guard SSL_CTX_use_PrivateKey(context, key) == 1, SSL_CTX_check_private_key(context) == 1 else {
            throw TransportSecurityError(.matchKey)
        }
    }
}

/// A key with a password is refused; without this, OpenSSL would ask for it on the terminal.
func refusePassword(
    _ buffer: UnsafeMutablePointer<CChar>?, _ size: Int32, _ isWriting: Int32, _ context: UnsafeMutableRawPointer?
) -> Int32 { -1 }

/// A text that OpenSSL reads or writes.
final class MemoryText {
    let bio: OpaquePointer

    /// An empty one.
    init() { bio = BIO_new(BIO_s_mem()) }

    /// - Parameter bytes: copied.
    convenience init(_ bytes: [UInt8]) {
        self.init()
        if !bytes.isEmpty { _ = BIO_write(bio, bytes, Int32(clamping: bytes.count)) }
    }

    deinit { BIO_free(bio) }

    /// Everything that was written and not read.
    var bytes: [UInt8] { take(bio) }
}

/// Reads everything that a memory BIO has.
func take(_ bio: OpaquePointer) -> [UInt8] {
    let count = BIO_ctrl_pending(bio)
    guard count > 0 else { return [] }
    var bytes = [UInt8](repeating: 0, count: count)
    let read = BIO_read(bio, &bytes, Int32(clamping: count))
    return Array(bytes.prefix(max(0, Int(read))))
}
