import Glibc
import LinuxSupport
import MediaModel
import MediaSources
import TestSupport
import Testing

@testable import Transfer

/// A server with TLS, HTTP/2 and its own certificate, for the duration of a test.
private final class SecureServer {
    let authorities: String
    /// Held while the server exists, so that the port is still free when the server starts to listen.
    private let held: HeldPort
    private let folder: String
    private var child = pid_t()

    var port: Int { held.number }

    static let isPossible = ["nginx", "openssl"].allSatisfy { find($0) != nil }

    /// - Throws: when it cannot be started.
    init() throws {
        var template = Array("/tmp/marquee-tls-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw Failure() }
        folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        authorities = folder + "/cert.pem"
        held = try HeldPort()
        let certificate = try Self.start([
            "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
            "-subj",
            "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", folder + "/key.pem", "-out", authorities,
        ])
        var status: Int32 = 0
        while waitpid(certificate, &status, 0) < 0, errno == EINTR {}
        let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map { "\($0)_temp_path \(folder)/\($0);" }
        let text = """
            daemon off; master_process off; pid \(folder)/pid; error_log /dev/null;
            events { worker_connections 64; }
            http {
                access_log off; \(temporary.joined(separator: " "))
                server {
                    listen 127.0.0.1:\(held.number) ssl http2;
                    ssl_certificate \(authorities); ssl_certificate_key \(folder)/key.pem;
                    location /away { return 302 http://plain.invalid/film.ts; }
                    location / { default_type text/plain; return 200 "$server_protocol $connection"; }
                }
            }
            """
        guard status == 0, let file = fopen(folder + "/nginx.conf", "w") else { throw Failure() }
        fputs(text, file)
        fclose(file)
        child = try Self.start(["nginx", "-p", folder, "-e", "/dev/null", "-c", folder + "/nginx.conf"])
    }

    struct Failure: Error {}

    func stop() {
        kill(child, SIGKILL)
        while waitpid(child, nil, 0) < 0, errno == EINTR {}
        for name in ["key.pem", "cert.pem", "nginx.conf", "pid"] { unlink(folder + "/" + name) }
        for name in ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"] { rmdir(folder + "/" + name) }
        rmdir(folder)
    }

    private static func find(_ name: String) -> String? {
        ((Fixtures.variable("PATH") ?? "") + ":/usr/sbin:/sbin").split(separator: ":").map { "\($0)/\(name)" }
            .first { access($0, X_OK) == 0 }
    }

    private static func start(_ words: [String]) throws -> pid_t {
        guard let path = find(words[0]) else { throw Failure() }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        for number in [Int32(1), 2] { posix_spawn_file_actions_addopen(&actions, number, "/dev/null", O_WRONLY, 0) }
        defer { posix_spawn_file_actions_destroy(&actions) }
        var pointers: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        defer { for pointer in pointers { free(pointer) } }
        var child = pid_t()
        guard posix_spawn(&child, path, &actions, nil, &pointers, environ) == 0 else { throw Failure() }
        return child
    }
}

@Suite("Secure connections", .serialized, .enabled(if: SecureServer.isPossible, "nginx or openssl is absent: run scripts/setup"))
@MainActor
struct SecureTests {
    private func load(_ urls: [String], _ transfer: CurlTransfer, _ loop: MainLoop) -> [Result<ByteResponse, MediaError>] {
        var results: [Int: Result<ByteResponse, MediaError>] = [:]
        for (number, url) in urls.enumerated() { transfer.load(ByteRequest(url: url)) { results[number] = $0 } }
        loop.run(until: { results.count == urls.count })
        return urls.indices.map { results[$0]! }
    }

    /// The server needs a moment until it listens; a minute is more than enough.
    private func waitUntilUp(_ url: String, _ transfer: CurlTransfer, _ loop: MainLoop) {
        for _ in 0..<1200 {
            if case .success = load([url], transfer, loop)[0] { return }
            var isOver = false
            loop.clock.schedule(after: .milliseconds(50)) { isOver = true }
            loop.run(until: { isOver })
        }
    }

    @Test("simultaneous requests share one HTTP/2 connection")
    func multiplexed() throws {
        let server = try SecureServer()
        defer { server.stop() }
        let loop = try MainLoop(time: .real)
        let transfer = CurlTransfer(clock: loop.clock, version: "1", certificateAuthorities: server.authorities)
        let url = "https://127.0.0.1:\(server.port)/"
        waitUntilUp(url, transfer, loop)
        let answers = load((0..<8).map { url + "\($0)" }, transfer, loop).map { result in
            (try? result.get()).map { String(decoding: $0.bytes, as: UTF8.self) } ?? "\(result)"
        }
        #expect(answers.allSatisfy { $0.hasPrefix("HTTP/2.0 ") })
        #expect(Set(answers).count == 1)
    }

    @Test(
        "a redirect of a secure server to plain http is refused before its name is looked up, unless the operator allows that host"
    )
    func downgrade() throws {
        let server = try SecureServer()
        defer { server.stop() }
        let loop = try MainLoop(time: .real)
        let transfer = CurlTransfer(clock: loop.clock, version: "1", certificateAuthorities: server.authorities)
        let url = "https://127.0.0.1:\(server.port)/"
        waitUntilUp(url, transfer, loop)
        guard case .failure(let error) = load([url + "away"], transfer, loop)[0] else { return #expect(Bool(false)) }
        #expect(error.fault == .redirects && error.code == .sourceFormat)
        #expect(
            error.sentence
                == "Loading \(url)away was redirected to http://plain.invalid/film.ts, which is refused: it is plain http, and its host is not in [feed] allow_http; correct the address or the server."
        )
        // Names under .invalid never exist (RFC 6761, 6.4): the redirect was followed.
        let allowing = CurlTransfer(
            clock: loop.clock, version: "1",
            options: TransferOptions(authorities: server.authorities, plainHTTPHosts: ["plain.invalid"]))
        guard case .failure(let failure) = load([url + "away"], allowing, loop)[0] else { return #expect(Bool(false)) }
        #expect(failure.fault == .unresolved || failure.fault == .unreachable)
    }

    @Test("while the date is not trusted, a connection that cannot be made secure is the clock's fault")
    func untrustedDate() throws {
        let server = try SecureServer()
        defer { server.stop() }
        let loop = try MainLoop(time: .real)
        let trusting = CurlTransfer(
            clock: loop.clock, version: "1", certificateAuthorities: server.authorities, isDateTrusted: { false })
        let url = "https://127.0.0.1:\(server.port)/"
        waitUntilUp(url, trusting, loop)
        let wary = CurlTransfer(clock: loop.clock, version: "1", isDateTrusted: { false })
        var failure: MediaError?
        // On a stalled machine a handshake may time out: then try again.
        for _ in 0..<10 where failure == nil || failure?.fault == .unreachable {
            guard case .failure(let error) = load([url], wary, loop)[0] else { return #expect(Bool(false)) }
            failure = error
        }
        #expect(failure?.code == .clockUntrusted && failure?.fault == .insecure)
        #expect(failure?.sentence.contains("date") == true)
    }

    @Test("a server with an untrusted certificate is refused, with that reason")
    func unknownAuthority() throws {
        let server = try SecureServer()
        defer { server.stop() }
        let loop = try MainLoop(time: .real)
        let trusting = CurlTransfer(clock: loop.clock, version: "1", certificateAuthorities: server.authorities)
        let url = "https://127.0.0.1:\(server.port)/"
        waitUntilUp(url, trusting, loop)
        let wary = CurlTransfer(clock: loop.clock, version: "1")
        var fault: LoadFault?
        // On a stalled machine a handshake may time out: then try again.
        for _ in 0..<10 where fault == nil || fault == .unreachable {
            guard case .failure(let error) = load([url], wary, loop)[0] else { return #expect(Bool(false)) }
            fault = error.fault
        }
        #expect(fault == .insecure)
    }
}
