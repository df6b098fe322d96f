import LinuxSupport
import NIOCore
import NIOEmbedded
import NIOHTTP1
import Testing

@testable import ControlServer

/// What one client can make the server hold, and whose connection ends when there are too many.
@MainActor
struct BoundTests {
    // MARK: On the wire

    @Test(arguments: [
        "GET /" + String(repeating: "a", count: 9000), "GET /" + String(repeating: "a", count: 9000) + " HTTP/1.1\r\n\r\n",
        "GET / HTTP/1.1\r\nX: " + String(repeating: "a", count: 9000),
        "GET / HTTP/1.1\r\n" + String(repeating: "A: b\r\n", count: 2000),
    ])
    func aHeadThatIsTooLongIsRefusedBeforeItsEnd(bytes: String) async throws {
        let running = try await RunningServer()
        defer { running.server.stop() }
        #expect(try await running.sendRaw(bytes).hasPrefix("HTTP/1.1 431"))
        #expect(try await running.send("GET", "/v1/now").status == 200)
    }

    @Test func aRequestThatTricklesEnds() async throws {
        let running = try await RunningServer(
            limits: ControlLimits(requestTime: .milliseconds(50), sweepInterval: .milliseconds(10)))
        defer { running.server.stop() }
        let socket = try ClientSocket(to: PortReservation.loopback(running.server.port))
        try socket.write("GET / HT")
        // It returns when the server has ended the connection.
        #expect(await socket.read().isEmpty)
    }

    @Test func requestsInOnePartAreAnsweredInOrder() async throws {
        let running = try await RunningServer()
        defer { running.server.stop() }
        let replies = try await running.sendRaw(
            "GET /none HTTP/1.1\r\nHost: \(running.host)\r\n\r\nGET /v1/now HTTP/1.1\r\nHost: \(running.host)\r\nConnection: close\r\n\r\n"
        )
        #expect(replies.split(separator: "HTTP/1.1 ").map { $0.prefix(3) } == ["404", "200"])
    }

    // MARK: One request

    /// What the parser and the assembly make of bytes that come in these parts.
    private func reading(_ parts: [String]) throws -> [String] {
        let decoder = HTTPRequestDecoder(limitConfiguration: RequestAssembly.parserLimits(ControlLimits()))
        let channel = EmbeddedChannel(handler: ByteToMessageHandler(decoder))
        var assembly = RequestAssembly(limits: ControlLimits())
        var heard: [String] = []
        for part in parts {
            var failure: (any Error)?
            do { try channel.writeInbound(ByteBuffer(string: part)) } catch { failure = error }
            while let part = try channel.readInbound(as: HTTPServerRequestPart.self) {
                switch assembly.take(part) {
                case .incomplete: break
                case .request(let request, let isLast): heard.append("\(request.method) \(request.path) \(isLast)")
                case .refused(let response): return heard + ["\(response.status.code)"]
                }
            }
            if let failure { return heard + ["\(assembly.refusal(of: failure).status.code)"] }
        }
        return heard
    }

    @Test(arguments: [
        ("GET /a HTTP/1.1\r\n\r\n", ["GET /a false"]), ("\r\n\r\nGET /a HTTP/1.1\r\nConnection: close\r\n\r\n", ["GET /a true"]),
        ("GET /a HTTP/1.0\r\n\r\n", ["GET /a true"]), ("GET /%61?%62 HTTP/1.1\r\n\r\n", ["GET /a false"]),
        // Asked for another protocol, the parser takes no further request.
        ("GET /a HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n", ["GET /a true"]),
        ("CONNECT /a HTTP/1.1\r\n\r\n", ["CONNECT /a true"]), ("GET http://a/b HTTP/1.1\r\n\r\n", ["400"]),
        ("BREW /a HTTP/1.1\r\n\r\n", ["400"]), (String(repeating: "a", count: 9000), ["400"]),
        ("GET /a HTTP/1.1\nHost: x\n\n", ["505"]), ("GET /a HTTP/1.1\r\nA: b\r\n c\r\n\r\n", ["400"]),
        ("GET /a HTTP/1.1\r\nHost: x\r\nhost: y\r\n\r\n", ["400"]),
        ("GET /a HTTP/1.1\r\nOrigin: x\r\nOrigin: y\r\n\r\n", ["400"]),
        ("POST /a HTTP/1.1\r\nContent-Length: 4097\r\n\r\n", ["413"]),
        ("POST /a HTTP/1.1\r\nContent-Length: 4\r\n\r\nbodyGET /b HTTP/1.1\r\n\r\n", ["POST /a false", "GET /b false"]),
        ("GET a HTTP/1.1\r\n\r\n", ["400"]), ("GET /a HTTP/2\r\n\r\n", ["505"]), ("GET /a\r\n\r\n", ["505"]),
        ("GET /a HTTP/1.1\r\n folded\r\n\r\n", ["400"]), ("GET /a HTTP/1.1\r\nContent-Length: +4\r\n\r\n", ["400"]),
        ("GET /a HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", ["400"]),
        ("GET /a HTTP/1.1\r\nContent-Length: 99999999999999999999\r\n\r\n", ["400"]),
        ("GET /a HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n", ["413"]),
    ])
    func aRequestIsTheSameInAnyParts(bytes: String, heard: [String]) throws {
        #expect(try reading([bytes]) == heard)
        #expect(try reading(bytes.unicodeScalars.map { String($0) }) == heard)
    }

    // MARK: The table

    private func ids(_ table: inout ConnectionTable, _ peers: [String], known: Bool = false, from first: UInt64 = 1) -> [UInt64] {
        peers.enumerated().compactMap { offset, peer in
            table.enter(first + UInt64(offset), peer: peer, isKnown: known, at: .zero).evicted
        }
    }

    @Test func strangersMakeRoomForOneAnotherAndNeverTheOperator() {
        var table = ConnectionTable(limits: ControlLimits(connections: 64))
        _ = table.enter(1000, peer: "10.0.0.7", isKnown: false, at: .zero)
        table.recognize(1000)
        _ = table.enter(1001, peer: "127.0.0.1", isKnown: true, at: .zero)
        let evicted = ids(&table, (0..<500).map { "10.0.1.\($0 % 5)" })
        // 48 places are for strangers, and 2 are taken by those who are known.
        #expect(table.count == 50 && evicted.count == 452)
        #expect(!evicted.contains(1000) && !evicted.contains(1001))
        // A new connection of the operator has not sent the token yet: the machine that has most makes room.
        #expect(table.enter(2000, peer: "10.0.0.7", isKnown: false, at: .zero).isAdmitted)
        #expect(!ids(&table, (0..<500).map { _ in "10.0.1.1" }, from: 3000).contains(2000))
    }

    @Test func strangersWhoTakeNothingMakeRoomAndHaveNotAllPlaces() {
        let limits = ControlLimits()
        var table = ConnectionTable(limits: limits)
        for id in 0..<UInt64(200) {
            _ = table.enter(id, peer: "10.0.1.\(id % 5)", isKnown: false, at: .zero)
            table.set(.sending, of: id, at: .zero)
        }
        #expect(table.count == limits.strangers)
        for id in 200..<UInt64(200 + limits.connections - limits.strangers) {
            let entered = table.enter(id, peer: "127.0.0.1", isKnown: true, at: .zero)
            #expect(entered.isAdmitted && entered.evicted == nil, "a place was kept for this machine")
            table.set(.sending, of: id, at: .zero)
        }
        // The operator elsewhere, whose token is not known before it is sent, and this machine when all places are taken.
        for (id, peer) in [(1000, "10.0.0.7"), (1001, "127.0.0.1")] as [(UInt64, String)] {
            let entered = table.enter(id, peer: peer, isKnown: id == 1001, at: .zero)
            #expect(entered.isAdmitted && entered.evicted.map { $0 < 200 } == true)
            if id == 1000 { table.recognize(id) }
        }
        // An answer to somebody with a right is not lost to a stranger.
        let evicted = ids(&table, (0..<500).map { "10.0.1.\($0 % 5)" }, from: 3000)
        #expect(!evicted.contains { (200...1001).contains($0) })
    }

    @Test func aStrangersRequestThatWaitsForItsTurnMakesRoomAndEnds() {
        var table = ConnectionTable(limits: ControlLimits(connections: 4, strangers: 2))
        for id in [1, 2] as [UInt64] {
            _ = table.enter(id, peer: "10.0.0.\(id)", isKnown: false, at: .zero)
            table.set(.queued, of: id, at: .zero)
        }
        #expect(table.enter(3, peer: "10.0.0.3", isKnown: false, at: .zero).evicted == 1)
        table.set(.queued, of: 2, at: HostTime.zero + .seconds(9))
        #expect(table.expire(at: HostTime.zero + .seconds(11)) == [2, 3], "asking again does not extend its time")
        #expect(!table.holds(2))
    }

    @Test func anAnswerUnderWayIsNotLost() {
        var table = ConnectionTable(limits: ControlLimits(connections: 2))
        for id in [1, 2] as [UInt64] {
            _ = table.enter(id, peer: "127.0.0.1", isKnown: true, at: .zero)
            table.set(.answering, of: id, at: .zero)
        }
        #expect(!table.enter(3, peer: "127.0.0.1", isKnown: true, at: .zero).isAdmitted)
        table.set(.idle, of: 2, at: .zero)
        #expect(table.enter(3, peer: "127.0.0.1", isKnown: true, at: .zero).evicted == 2)
        #expect(!table.enter(4, peer: "10.0.0.1", isKnown: false, at: .zero).isAdmitted, "a stranger evicts no known connection")
    }

    @Test func everyPhaseHasALimitExceptTheBoxItself() {
        let limits = ControlLimits()
        var table = ConnectionTable(limits: limits)
        for id in 1...5 as ClosedRange<UInt64> { _ = table.enter(id, peer: "\(id)", isKnown: id == 2, at: .zero) }
        table.set(.reading, of: 3, at: .zero)
        table.set(.sending, of: 4, at: .zero)
        table.set(.answering, of: 5, at: .zero)
        // A byte now and then does not extend the time of a request.
        table.set(.reading, of: 3, at: HostTime.zero + .seconds(9))
        #expect(table.expire(at: HostTime.zero + .seconds(10)) == [])
        #expect(table.expire(at: HostTime.zero + .seconds(11)) == [1, 3])
        #expect(table.expire(at: HostTime.zero + .seconds(31)) == [4])
        #expect(table.expire(at: HostTime.zero + .seconds(61)) == [2])
        #expect(table.expire(at: HostTime.zero + .seconds(86_400)) == [] && table.count == 1)
    }
}
