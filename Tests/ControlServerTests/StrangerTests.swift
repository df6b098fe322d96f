import Testing

@testable import ControlServer

/// Strangers on sockets of this machine that take all the room, and the operator beside them.
@MainActor
struct StrangerTests {
    @Test(.enabled(if: !machineAddresses.isEmpty, "this machine has no address except loopback"))
    func idleStrangersKeepNobodyOut() async throws {
        // No stranger leaves by itself.
        let limits = ControlLimits(requestTime: .seconds(600))
        let running = try await RunningServer(limits: limits, admits: { $0 == "open sesame" ? .steer : nil })
        defer { running.server.stop() }
        let address = try #require(machineAddresses.first)
        func connect() throws -> ClientSocket {
            var target = PortReservation.loopback(running.server.port)
            target.sin_addr.s_addr = address.bigEndian
            return try ClientSocket(to: target)
        }
        let request = "GET /v1/now HTTP/1.1\r\nHost: \(running.host)\r\nAuthorization: Bearer open sesame\r\n\r\n"
        func status(_ socket: ClientSocket) async throws -> Int? {
            try socket.write(request)
            return RunningServer.Answer(await socket.read { RunningServer.Answer($0) != nil })?.status
        }
        // The operator's browser on another machine, which keeps its connection.
        let browser = try connect()
        #expect(try await status(browser) == 200)

        // One more than there is room for, and as many again. Half of them begin a request and do not end it.
        let strangers = try (0..<2 * limits.connections).map { number in
            let socket = try connect()
            if number % 2 == 0 { try socket.write("GET /v1/no") }
            return socket
        }
        func ended() -> Int { strangers.count(where: \.isEnded) }
        let surplus = strangers.count - limits.strangers
        for _ in 0..<12_000 where ended() < surplus { await RealTime.pause(.milliseconds(5)) }
        #expect(ended() == surplus)

        #expect(try await status(browser) == 200, "its connection was not the one that made room")
        #expect(try await running.send("GET", "/v1/now").status == 200, "this machine is let in")
        let again = try connect()
        #expect(try await status(again) == 200, "so is the operator from elsewhere, whose token is not known before it is sent")
        #expect(try await running.send("GET", "/v1/now", from: address).status == 401, "and a stranger that asks is answered")
        #expect(try await status(browser) == 200)
        #expect((surplus + 1...surplus + 4).contains(ended()), "only strangers made room")
    }

    @Test(.enabled(if: !machineAddresses.isEmpty, "this machine has no address except loopback"))
    func requestsOfStrangersInOnePartWaitForTheirTurnAndNotThoseOfTheOperator() async throws {
        // The allowance never comes back: what is answered is counted.
        let rates = StrangerAllowance.Rates(machine: .init(burst: 8, perSecond: 0), everyone: .init(burst: 12, perSecond: 0))
        let limits = ControlLimits(strangerRequests: rates, queuePause: .milliseconds(5), requestTime: .seconds(600))
        let running = try await RunningServer(limits: limits, admits: { $0 == "open sesame" ? .steer : nil })
        defer { running.server.stop() }
        let address = try #require(machineAddresses.first)
        var target = PortReservation.loopback(running.server.port)
        target.sin_addr.s_addr = address.bigEndian
        let stranger = try ClientSocket(to: target)
        try stranger.write(String(repeating: "GET / HTTP/1.1\r\nHost: \(running.host)\r\n\r\n", count: 100))
        @Sendable func refusals(_ bytes: [UInt8]) -> Int {
            String(decoding: bytes, as: UTF8.self).split(separator: "HTTP/1.1 401").count
        }
        let first = refusals(await stranger.read { refusals($0) >= 8 })
        let operatorSocket = try ClientSocket(to: target)
        for _ in 0..<50 {
            try operatorSocket.write(
                "GET /v1/now HTTP/1.1\r\nHost: \(running.host)\r\nAuthorization: Bearer open sesame\r\n\r\n")
            #expect(RunningServer.Answer(await operatorSocket.read { RunningServer.Answer($0) != nil })?.status == 200)
        }
        #expect(try await running.send("GET", "/v1/now").status == 200)
        running.server.stop()
        // What was cut off at the end of the first part counts with it.
        let rest = String(decoding: await stranger.read(), as: UTF8.self)
        #expect(first == 8 && !rest.contains("HTTP/1.1"), "as many as one machine may have")
    }
}
