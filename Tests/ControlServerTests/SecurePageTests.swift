import Foundation
import Testing
import TransportSecurity

@testable import ControlServer

/// The page under TLS, with curl as the client.
@MainActor
struct SecurePageTests {
    private nonisolated static let isTestable =
        !machineAddresses.isEmpty && FileManager.default.isExecutableFile(atPath: "/usr/bin/curl")

    private func makeServer(limits: ControlLimits = ControlLimits()) async throws -> RunningServer {
        let made = try SelfSignedCertificate(name: "room-7")
        let identity = try ServerIdentity(certificates: made.certificate, key: made.key)
        return try await RunningServer(limits: limits, admits: { $0 == "sesame" ? .steer : nil }, identity: identity)
    }

    /// Status, headers and body as curl prints them.
    private func curl(_ arguments: String...) async throws -> String { try await curl(arguments) }

    private func curl(_ arguments: [String]) async throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/curl")
        process.arguments =
            ["--silent", "--show-error", "--insecure", "--include", "--noproxy", "*", "--max-time", "300"] + arguments
        let output = Pipe()
        (process.standardOutput, process.standardError) = (output, output)
        return try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                do {
                    try process.run()
                    let bytes = output.fileHandleForReading.readDataToEndOfFile()
                    process.waitUntilExit()
                    continuation.resume(returning: String(decoding: bytes, as: UTF8.self))
                } catch {
                    continuation.resume(throwing: error)
                }
            }
        }
    }

    private func host(_ running: RunningServer) throws -> String {
        let address = try #require(machineAddresses.first)
        return [24, 16, 8, 0].map { "\(address >> $0 & 255)" }.joined(separator: ".") + ":\(running.server.port)"
    }

    @Test(.enabled(if: isTestable, "this machine has no address except loopback, or no curl"))
    func otherMachinesUseTLS() async throws {
        let running = try await makeServer()
        defer { running.server.stop() }
        let host = try host(running)
        let answer = try await curl("https://\(host)/v1/now", "-H", "Authorization: Bearer sesame")
        #expect(answer.hasPrefix("HTTP/1.1 200") && answer.contains(#""state":"home""#), "\(answer)")
        #expect(try await curl("https://\(host)/v1/now").hasPrefix("HTTP/1.1 401"))
        let order = try await curl(
            "https://\(host)/v1/key", "-H", "Authorization: Bearer sesame", "-d", #"{"key":"ok"}"#)
        #expect(order.hasPrefix("HTTP/1.1 200"))
        #expect(running.box.keys == ["ok press", "ok release"])
        // This file is larger than one record.
        let document = String(decoding: PackageResources.openapi_json, as: UTF8.self)
        #expect(try await curl("https://\(host)/v1/openapi.json", "-u", "any:sesame").hasSuffix(document))
    }

    @Test(.enabled(if: isTestable, "this machine has no address except loopback, or no curl"))
    func inClearABrowserIsLedToTLSAndATokenIsWorthNothing() async throws {
        let running = try await makeServer()
        defer { running.server.stop() }
        let host = try host(running)
        let page = try await curl("http://\(host)/")
        #expect(page.hasPrefix("HTTP/1.1 307") && page.contains("Location: https://\(host)/\r\n"), "\(page)")
        let program = try await curl("http://\(host)/v1/now", "-H", "Authorization: Bearer sesame")
        #expect(program.hasPrefix("HTTP/1.1 403") && program.contains("use https"))
    }

    @Test(.enabled(if: isTestable, "this machine has no address except loopback, or no curl"))
    func aMachineWithoutATokenBeginsTLSOnlySoOften() async throws {
        var limits = ControlLimits()
        // However slow this machine is, its handshakes come faster than that.
        limits.handshakes.machine.perSecond = 1
        let running = try await makeServer(limits: limits)
        defer { running.server.stop() }
        let host = try host(running)
        var refused = 0
        for _ in 0..<8 {
            // Each of these opens a connection of its own.
            let addresses = (0..<16).map { _ in "https://\(host)/v1/now" }
            let answers = try await curl(["--header", "Connection: close", "--write-out", "%{http_code}\n"] + addresses)
            refused += answers.split(separator: "\n").count { $0 == "000" }
        }
        #expect(refused > 0, "128 handshakes of a stranger")
        // This machine is not kept from the box by a stranger with its address, once it has been let in.
        var answer = ""
        for _ in 0..<600 where !answer.hasPrefix("HTTP/1.1 200") {
            answer = try await curl("https://\(host)/v1/now", "-H", "Authorization: Bearer sesame")
        }
        for _ in 0..<40 {
            let answer = try await curl("https://\(host)/v1/now", "-H", "Authorization: Bearer sesame")
            #expect(answer.hasPrefix("HTTP/1.1 200"), "\(answer)")
        }
    }

    @Test func thisMachineMayUseBoth() async throws {
        let running = try await makeServer()
        defer { running.server.stop() }
        #expect(try await running.send("GET", "/v1/now").status == 200)
        guard Self.isTestable else { return }
        #expect(try await curl("https://\(running.host)/v1/now").hasPrefix("HTTP/1.1 200"))
    }

    @Test func aConnectionThatBreaksTLSEndsAndOthersGoOn() async throws {
        let running = try await makeServer()
        defer { running.server.stop() }
        for bytes in ["\u{16}", "\u{16}\u{03}\u{01}", "\u{16}GET / HTTP/1.1\r\n\r\n" + String(repeating: "a", count: 20_000)] {
            let socket = try ClientSocket(to: PortReservation.loopback(running.server.port))
            try socket.write(bytes)
            if bytes.count > 10 { _ = await socket.read() }
        }
        #expect(try await running.send("GET", "/v1/now").status == 200)
    }

    @Test func aHandshakeThatIsNotContinuedEnds() async throws {
        let made = try SelfSignedCertificate(name: "room-7")
        let running = try await RunningServer(
            limits: ControlLimits(idleTime: .milliseconds(50), sweepInterval: .milliseconds(10)),
            identity: try ServerIdentity(certificates: made.certificate, key: made.key))
        defer { running.server.stop() }
        // Most of a record of 512 bytes.
        let sockets = try (0..<40).map { _ in try ClientSocket(to: PortReservation.loopback(running.server.port)) }
        for socket in sockets { try socket.write("\u{16}\u{03}\u{01}\u{02}\u{00}\u{01}" + String(repeating: "a", count: 400)) }
        // It returns when the server has ended the connection.
        for socket in sockets { #expect(await socket.read().isEmpty) }
    }

    @Test func halfHandshakesMakeRoomForTheOperator() async throws {
        let made = try SelfSignedCertificate(name: "room-7")
        let running = try await RunningServer(
            limits: ControlLimits(connections: 4), identity: try ServerIdentity(certificates: made.certificate, key: made.key))
        defer { running.server.stop() }
        var sockets: [ClientSocket] = []
        for _ in 0..<200 {
            let socket = try ClientSocket(to: PortReservation.loopback(running.server.port))
            try? socket.write("\u{16}\u{03}\u{01}")
            sockets.append(socket)
        }
        #expect(try await running.send("GET", "/v1/now").status == 200)
        withExtendedLifetime(sockets) {}
    }

    @Test func withoutACertificateTLSIsNotUnderstood() async throws {
        let running = try await RunningServer()
        defer { running.server.stop() }
        #expect(try await running.sendRaw("\u{16}\u{03}\u{01}\r\n\r\n").hasPrefix("HTTP/1.1 400"))
    }
}
