import CTLS
import Testing

@testable import TransportSecurity

/// Certificates, and sessions with a client of libssl.
struct TransportSecurityTests {
    /// A client that accepts any certificate, with what it sends and receives in memory.
    private final class Client {
        private let context: OpaquePointer
        private let session: OpaquePointer
        private let incoming = BIO_new(BIO_s_mem())!
        private let outgoing = BIO_new(BIO_s_mem())!

        init(version: Int32? = nil, usesTickets: Bool = true) {
            context = SSL_CTX_new(TLS_client_method())
            if let version {
                _ = SSL_CTX_ctrl(context, SSL_CTRL_SET_MAX_PROTO_VERSION, Int(version), nil)
                _ = SSL_CTX_ctrl(context, SSL_CTRL_SET_MIN_PROTO_VERSION, Int(version), nil)
            }
            if !usesTickets { _ = SSL_CTX_set_options(context, UInt64(1) << 14) }  // SSL_OP_NO_TICKET
            session = SSL_new(context)
            SSL_set_bio(session, incoming, outgoing)
            SSL_set_connect_state(session)
        }

        deinit {
            SSL_free(session)
            SSL_CTX_free(context)
        }

        func receive(_ bytes: [UInt8]) { if !bytes.isEmpty { _ = BIO_write(incoming, bytes, Int32(bytes.count)) } }
        func takeOutgoing() -> [UInt8] { take(outgoing) }
        func shakeHands() -> Bool { SSL_do_handshake(session) == 1 }
        func write(_ text: String) { _ = SSL_write(session, text, Int32(text.utf8.count)) }
        func end() { _ = SSL_shutdown(session) }

        func read() -> [UInt8] {
            var bytes = [UInt8](repeating: 0, count: 1 << 16)
            var all: [UInt8] = []
            while case let count = SSL_read(session, &bytes, Int32(bytes.count)), count > 0 { all += bytes.prefix(Int(count)) }
            return all
        }
    }

    private func makeIdentity() throws -> ServerIdentity {
        let made = try SelfSignedCertificate(name: "room-7")
        return try ServerIdentity(certificates: made.certificate, key: made.key)
    }

    /// Passes bytes on until the client is connected.
    private func connect(_ client: Client, _ server: TLSSession) throws -> Bool {
        for _ in 0..<8 {
            let isConnected = client.shakeHands()
            server.receive(client.takeOutgoing())
            defer { client.receive(server.takeOutgoing()) }
            guard case .needsMore = try server.read(atMost: 100) else { return false }
            if isConnected { return true }
        }
        return false
    }

    @Test func certificatesOfATextAreListed() throws {
        let first = try SelfSignedCertificate(name: "first", lastSecond: "20301231235959Z").certificate
        let second = try SelfSignedCertificate(name: "second", lastSecond: "20401231235959Z").certificate
        let both = try CertificateFacts.list(first + Array("# between\n".utf8) + second)
        #expect(both.map { "\($0.lastDay)" } == ["2030-12-31", "2040-12-31"])
        #expect(try CertificateFacts.list(Array("no certificate".utf8)).isEmpty)
        #expect(try CertificateFacts.list([]).isEmpty)
        #expect(try CertificateFacts.list(Array(first.dropLast(60)) + second).count <= 1, "a damaged one ends the list")
    }

    @Test(arguments: [TLS1_2_VERSION, TLS1_3_VERSION])
    func bytesGoBothWays(version: Int32) throws {
        let (client, server) = (Client(version: version), try TLSSession(makeIdentity()))
        try #require(try connect(client, server))
        client.write("GET / HTTP/1.1")
        server.receive(client.takeOutgoing())
        guard case .bytes(let first) = try server.read(atMost: 4), case .bytes(let rest) = try server.read(atMost: 100) else {
            Issue.record("no bytes"); return
        }
        #expect(first == Array("GET ".utf8) && rest == Array("/ HTTP/1.1".utf8))
        let picture = [UInt8](repeating: 7, count: 300_000)
        try server.write(picture)
        client.receive(server.takeOutgoing())
        #expect(client.read() == picture)
        client.end()
        server.receive(client.takeOutgoing())
        guard case .ended = try server.read(atMost: 4) else { Issue.record("not ended"); return }
    }

    /// A client that keeps no ticket would otherwise leave a session behind with every connection.
    @Test func nothingIsKeptOfAClientThatHasGone() throws {
        let identity = try makeIdentity()
        for _ in 0..<3 {
            let (client, server) = (Client(version: TLS1_2_VERSION, usesTickets: false), try TLSSession(identity))
            try #require(try connect(client, server))
            // A session that was not ended properly would not be kept in any case.
            server.end()
        }
        #expect(SSL_CTX_ctrl(identity.context, SSL_CTRL_SESS_NUMBER, 0, nil) == 0)
    }

    @Test(arguments: [TLS1_VERSION, TLS1_1_VERSION])
    func olderVersionsAreRefused(version: Int32) throws {
        let (client, server) = (Client(version: version), try TLSSession(makeIdentity()))
        #expect((try? connect(client, server)) != true)
    }

    @Test func aClientThatDoesNotSpeakTLSIsRefused() throws {
        let server = try TLSSession(makeIdentity())
        server.receive(Array("\u{16}GET / HTTP/1.1\r\n\r\n".utf8))
        #expect(throws: TransportSecurityError.self) { try server.read(atMost: 100) }
    }

    @Test func damagedBytesEndTheExchange() throws {
        let (client, server) = (Client(), try TLSSession(makeIdentity()))
        try #require(try connect(client, server))
        client.write("secret")
        var bytes = client.takeOutgoing()
        bytes[bytes.count - 1] ^= 1
        server.receive(bytes)
        #expect(throws: TransportSecurityError.self) { try server.read(atMost: 100) }
    }

    @Test func aFingerprintIsOfTheCertificate() throws {
        let made = try SelfSignedCertificate(name: "room-7")
        let one = try ServerIdentity(certificates: made.certificate, key: made.key)
        let again = try ServerIdentity(certificates: made.certificate + made.certificate, key: made.key)
        #expect(one.certificate == again.certificate, "the first certificate is the server's, the others are its chain")
        #expect(one.certificate.fingerprint.wholeMatch(of: /([0-9A-F]{2}:){31}[0-9A-F]{2}/) != nil)
        #expect(try makeIdentity().certificate.fingerprint != one.certificate.fingerprint)
    }

    @Test func whatIsNotACertificateWithItsKeyIsRefused() throws {
        let (one, other) = (try SelfSignedCertificate(name: "a"), try SelfSignedCertificate(name: "b"))
        func operation(_ certificates: [UInt8], _ key: [UInt8]) -> TransportSecurityError.Operation? {
            do throws(TransportSecurityError) {
                _ = try ServerIdentity(certificates: certificates, key: key)
                return nil
            } catch {
                return error.operation
            }
        }
        #expect(operation(one.certificate, other.key) == .matchKey)
        #expect(operation([], one.key) == .readCertificate)
        #expect(operation(one.certificate, []) == .readKey)
        #expect(operation(one.key, one.certificate) == .readCertificate)
        #expect(operation(one.certificate.dropLast(40), one.key) == .readCertificate)
    }
}
