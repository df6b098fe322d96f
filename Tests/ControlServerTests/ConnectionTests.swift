import Testing

@testable import ControlServer

@MainActor
struct ConnectionTests {
    @Test func idleConnectionsMakeRoomForNewOnes() async throws {
        let running = try await RunningServer(limits: ControlLimits(connections: 4))
        defer { running.server.stop() }
        let idle = try (0..<12).map { _ in try ClientSocket(to: PortReservation.loopback(running.server.port)) }
        func closed() -> Int { idle.filter(\.isEnded).count }
        // Twelve connected, and four may wait. Only when the server has processed all of them is the next one certain to be the newest.
        for _ in 0..<12_000 where closed() < 8 { await RealTime.pause(.milliseconds(5)) }
        #expect(closed() == 8)
        #expect(try await running.send("GET", "/v1/now").status == 200)
        // The ninth is closed when the server was waiting for its request or for a later one.
        #expect((8...9).contains(closed()))
    }

    @Test func aClientThatDisconnectsDuringAnAnswerEndsNothing() async throws {
        let running = try await RunningServer(
            limits: ControlLimits(longPoll: .milliseconds(20), pictureInterval: .milliseconds(5)))
        defer { running.server.stop() }
        for _ in 0..<20 {
            // It is closed at the end of this turn.
            let socket = try ClientSocket(to: PortReservation.loopback(running.server.port))
            try socket.write(
                "GET /v1/screen?after=1 HTTP/1.1\r\nHost: \(running.host)\r\n\r\nGET / HTTP/1.1\r\nHost: \(running.host)\r\n\r\n"
            )
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
