import Glibc
import LinuxSupport
import MediaModel
import MediaSources
import Synchronization
import TestSupport
import Testing

@testable import Transfer

@Suite("The operator's network settings", .serialized)
@MainActor
struct OperatorTests {
    private func load(_ url: String, _ options: TransferOptions) throws -> Result<ByteResponse, MediaError> {
        let loop = try MainLoop(time: .real)
        let transfer = CurlTransfer(clock: loop.clock, version: "1.2", options: options)
        var result: Result<ByteResponse, MediaError>?
        transfer.load(ByteRequest(url: url)) { result = $0 }
        loop.run(until: { result != nil })
        return result!
    }

    @Test("a proxy is used for other machines and never for this one")
    func proxy() throws {
        let server = try LoopbackServer { request in .body(Array(request.path.utf8)) }
        defer { server.stop() }
        let options = TransferOptions(proxy: "http://127.0.0.1:\(server.port)")
        let far = try load("http://cdn.example/a.ts", options).get()
        #expect(String(decoding: far.bytes, as: UTF8.self) == "http://cdn.example/a.ts")
        let near = try load(server.url("/b.ts"), options).get()
        #expect(String(decoding: near.bytes, as: UTF8.self) == "/b.ts")
    }

    @Test(
        "a server with a certificate of the operator's authority is trusted only with that authority, for media too",
        .enabled(if: SecureServer.isPresent, "the openssl program is absent"))
    func authorities() throws {
        let server = try SecureServer()
        defer { server.stop() }
        let bundle = server.folder + "/bundle.pem"
        #expect(OperatorAuthorities.write(adding: server.folder + "/cert.pem", to: bundle, system: "/absent") == nil)
        #expect(throws: MediaError.self) { try load(server.url("hello.txt"), TransferOptions()).get() }
        // The program needs a moment until it listens; a minute is more than enough.
        var result = try load(server.url("hello.txt"), TransferOptions(authorities: bundle))
        for _ in 0..<600 where (try? result.get()) == nil {
            poll(nil, 0, 100)
            result = try load(server.url("hello.txt"), TransferOptions(authorities: bundle))
        }
        #expect(String(decoding: try result.get().bytes, as: UTF8.self) == "hello")
        var fault: LoadFault?, code: ErrorCode?
        // On a stalled machine a handshake may time out: then try again.
        for _ in 0..<10 where fault == nil || fault == .unreachable {
            guard case .failure(let error) = try load(server.url("hello.txt"), TransferOptions()) else {
                Issue.record("a server with an untrusted certificate was trusted")
                return
            }
            (fault, code) = (error.fault, error.code)
        }
        #expect(fault == .insecure && code == .sourceFailed)
    }

    @Test("the operator's certificates are added to the system's; an invalid file is refused in one sentence")
    func bundle() throws {
        var template = Array("/tmp/marquee-pem-XXXXXX".utf8CString)
        let folder = template.withUnsafeMutableBufferPointer { String(cString: mkdtemp($0.baseAddress!)) }
        let files = ["own.pem", "system.crt", "out.pem"].map { "\(folder)/\($0)" }
        defer {
            files.forEach { unlink($0) }
            rmdir(folder)
        }
        func put(_ text: String, _ path: String) {
            guard let file = fopen(path, "wb") else { return }
            fputs(text, file)
            fclose(file)
        }
        let block = "-----BEGIN CERTIFICATE-----\nMIIBszCCAVmgAwIBAgIUd0Rk\n-----END CERTIFICATE-----\n"
        put("system\n", files[1])
        put(block + block, files[0])
        #expect(OperatorAuthorities.write(adding: files[0], to: files[2], system: files[1]) == nil)
        #expect(try FileByteStream.contents(files[2], .media, nil) == Array(("system\n\n" + block + block).utf8))
        for wrong in [
            "", "hello", "-----BEGIN PRIVATE KEY-----\nMIIB\n-----END PRIVATE KEY-----\n",
            block.replacing("MIIBszCC", with: "MIIB!zCC"), String(block.dropLast(30)), block + "-----BEGIN CERTIFICATE-----\n",
        ] {
            put(wrong, files[0])
            #expect(
                OperatorAuthorities.write(adding: files[0], to: files[2], system: files[1])?.contains("is not a PEM certificate")
                    == true)
        }
        #expect(OperatorAuthorities.write(adding: folder + "/absent", to: files[2])?.contains("could not be read") == true)
    }

    @Test("on a metered network nothing is loaded if that is not allowed, except local files")
    func metered() throws {
        let server = try LoopbackServer { _ in .body([1, 2, 3]) }
        defer { server.stop() }
        let loop = try MainLoop(time: .real)
        let gate = MeteredLoading(CurlTransfer(clock: loop.clock, version: "1"), clock: loop.clock)
        func outcome(_ url: String) -> Result<ByteResponse, MediaError> {
            var result: Result<ByteResponse, MediaError>?
            gate.load(ByteRequest(url: url)) { result = $0 }
            #expect(result == nil, "the completion handler is not called before the call returns")
            loop.run(until: { result != nil })
            return result!
        }
        #expect(try outcome(server.url("/a.ts?token=x")).get().bytes == [1, 2, 3])
        gate.shut(true)
        #expect(throws: MediaError.self) { try outcome(server.url("/a.ts?token=x")).get() }
        if case .failure(let error) = outcome(server.url("/a.ts?token=x")) {
            #expect(error.code == .networkMetered && !error.sentence.contains("token"))
        }
        #expect(server.requests.count == 1)
        var bytes = [UInt8](repeating: 0, count: 8)
        let stream = gate.stream(server.url("/b.mp4"))
        #expect(throws: MediaError.self) { try bytes.withUnsafeMutableBytes { try stream.read(into: $0) } }
        #expect(try outcome(Fixtures.path + "/README.md").get().bytes.isEmpty == false)
        gate.shut(false)
        #expect(try outcome(server.url("/a.ts")).get().bytes == [1, 2, 3])
    }
}

/// A server with an untrusted certificate, by the openssl program.
private final class SecureServer {
    static let isPresent = access("/usr/bin/openssl", X_OK) == 0
    let folder: String
    /// Held while the server exists, so that the port is still free when the server starts to listen.
    private let port: HeldPort
    private var process = pid_t()

    init() throws {
        var template = Array("/tmp/marquee-tls-XXXXXX".utf8CString)
        folder = template.withUnsafeMutableBufferPointer { String(cString: mkdtemp($0.baseAddress!)) }
        port = try HeldPort()
        var made = try Self.start(
            [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2", "-subj",
                "/CN=operator", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", folder + "/key.pem", "-out",
                folder + "/cert.pem",
            ], in: folder)
        var status: Int32 = 0
        while waitpid(made, &status, 0) < 0, errno == EINTR {}
        made = 0
        guard let file = fopen(folder + "/hello.txt", "wb") else { return }
        fputs("hello", file)
        fclose(file)
        process = try Self.start(
            [
                "s_server", "-accept", "127.0.0.1:\(port.number)", "-cert", folder + "/cert.pem", "-key", folder + "/key.pem",
                "-WWW", "-quiet",
            ],
            in: folder)
    }

    func url(_ name: String) -> String { "https://127.0.0.1:\(port.number)/\(name)" }

    func stop() {
        kill(process, SIGKILL)
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        for name in ["key.pem", "cert.pem", "hello.txt", "bundle.pem"] { unlink("\(folder)/\(name)") }
        rmdir(folder)
    }

    private static func start(_ arguments: [String], in folder: String) throws -> pid_t {
        var words: [UnsafeMutablePointer<CChar>?] =
            (["sh", "-c", "cd \"$0\" && exec /usr/bin/openssl \"$@\"", folder] + arguments).map { strdup($0) } + [nil]
        defer { words.forEach { free($0) } }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for number in Int32(1)...2 { posix_spawn_file_actions_addopen(&actions, number, "/dev/null", O_WRONLY, 0) }
        var process = pid_t()
        let code = posix_spawn(&process, "/bin/sh", &actions, nil, &words, environ)
        guard code == 0 else { throw SystemError(call: "posix_spawn", object: "openssl", code: code) }
        return process
    }
}
