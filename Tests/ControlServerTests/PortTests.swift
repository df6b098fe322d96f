import Foundation
import LinuxSupport
import MediaModel
import Testing

@testable import ControlServer

@MainActor
struct PortTests {
    private func makeServer(port: UInt16) throws -> ControlServer {
        let box = FakeBox()
        return try ControlServer(
            port: port, door: box, status: box, clock: try MainLoop(time: .simulated).clock, support: .empty
        ) { _ in nil }
    }

    @Test func portZeroIsAnyFreePortAndTheAddressNamesIt() async throws {
        let running = try await RunningServer()
        defer { running.server.stop() }
        #expect(running.server.port != 0)
        #expect(running.server.address == "http://127.0.0.1:\(running.server.port)/")
    }

    @Test func twoServersGetTwoPorts() throws {
        let first = try makeServer(port: 0)
        let second = try makeServer(port: 0)
        #expect(first.port != second.port)
    }

    @Test func aPortInUseIsReportedInOneSentence() async throws {
        let running = try await RunningServer()
        defer { running.server.stop() }
        let port = running.server.port
        #expect(throws: ControlServerError.portInUse(port)) { try makeServer(port: port) }
        let sentence = ControlServerError.portInUse(port).description
        #expect(sentence.contains("port \(port)") && sentence.contains("--port 0"))
        #expect(sentence.hasSuffix(".") && !sentence.contains("\n"))
    }

    @Test func aStoppedServerReleasesItsPort() async throws {
        let running = try await RunningServer()
        let port = running.server.port
        running.server.stop()
        // The sockets are closed on their own thread; each iteration gives it time.
        var again: ControlServer?
        for _ in 0..<12_000 where again == nil {
            await RealTime.pause(.milliseconds(5))
            again = try? makeServer(port: port)
        }
        #expect(again?.port == port)
    }

    @Test func aStoppedServerEndsItsConnectionsAndItsThreads() async throws {
        let before = threads()
        let running = try await RunningServer()
        let socket = try ClientSocket(to: PortReservation.loopback(running.server.port))
        try socket.write("GET /v1/events HTTP/1.1\r\nHost: \(running.host)\r\n\r\n")
        _ = await socket.read { !$0.isEmpty }
        #expect(threads().count { !before.contains($0) } == 2)
        running.server.stop()
        // It returns when the connection has ended.
        _ = await socket.read()
        for _ in 0..<12_000 where !threads().isSubset(of: before) { await RealTime.pause(.milliseconds(5)) }
        #expect(threads().isSubset(of: before))
    }

    /// The threads of event loops in this process, by number.
    private func threads() -> Set<String> {
        let folder = "/proc/self/task"
        let all = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return Set(
            all.filter { FileManager.default.contents(atPath: "\(folder)/\($0)/comm")?.starts(with: Data("NIO-".utf8)) == true })
    }

    @Test func theServerListensOnlyOnLoopback() async throws {
        let running = try await RunningServer()
        defer { running.server.stop() }
        // The other addresses of 127/8 are the same machine but not the same address: a socket bound to all addresses would
        // answer there too.
        #expect(!canConnect(to: 0x7F00_0002, port: running.server.port))
        #expect(canConnect(to: 0x7F00_0001, port: running.server.port))
    }
}
