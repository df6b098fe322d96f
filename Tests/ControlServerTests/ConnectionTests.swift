import FlyingSocks
import FoundationEssentials
import Glibc
import Testing

@testable import ControlServer

@MainActor
struct ConnectionTests {
    @Test func idleConnectionsMakeRoomForNewOnes() async throws {
        let running = try await RunningServer(limits: ControlLimits(connections: 4))
        defer { running.server.stop() }
        var idle: [AsyncSocket] = []
        for _ in 0..<12 { idle.append(try await AsyncSocket.connected(to: PortReservation.loopback(running.server.port))) }
        #expect(try await running.send("GET", "/v1/now").status == 200)
        // Thirteen came and four may wait: nine are closed by the server, the last of them perhaps after it has answered. Which they are is the order in which it
        // looked at them, nearly that in which they came.
        func closed() -> Int {
            idle.filter { socket in
                var byte: UInt8 = 0
                return recv(socket.socket.file.rawValue, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT)) == 0
            }.count
        }
        for _ in 0..<12_000 where closed() < 8 { await RealTime.pause(.milliseconds(5)) }
        #expect((8...9).contains(closed()))
        for socket in idle { try socket.close() }
    }

    @Test func aClientThatGoesAwayInTheMiddleEndsNothing() async throws {
        let running = try await RunningServer(
            limits: ControlLimits(longPoll: .milliseconds(20), pictureInterval: .milliseconds(5)))
        defer { running.server.stop() }
        for _ in 0..<20 {
            let socket = try await AsyncSocket.connected(to: PortReservation.loopback(running.server.port))
            try await socket.write(
                Data(
                    "GET /v1/screen?after=1 HTTP/1.1\r\nHost: \(running.host)\r\n\r\nGET / HTTP/1.1\r\nHost: \(running.host)\r\n\r\n"
                        .utf8))
            try socket.close()
        }
        #expect(try await running.send("GET", "/v1/now").status == 200)
    }

    @Test(arguments: [
        "\r\n\r\n", "GET\r\n\r\n", "GET / HTTP/1.1\r\n\r\n", "POST /v1/key HTTP/1.1\r\nContent-Length: -5\r\n\r\n",
        "\u{16}\u{3}\u{1}\u{2}\r\n\r\n",
    ])
    func bytesThatAreNoRequestAreTurnedAwayAndTheServerGoesOn(bytes: String) async throws {
        let running = try await RunningServer()
        defer { running.server.stop() }
        let closed = bytes.replacing("\r\n\r\n", with: "\r\nConnection: close\r\n\r\n")
        let reply = try await running.sendRaw(closed)
        #expect(reply.isEmpty || reply.hasPrefix("HTTP/1.1 4"))
        #expect(try await running.send("GET", "/v1/now").status == 200)
    }
}
