import LinuxSupport
import MediaModel
import MediaSources
import TestSupport
import Testing

@testable import Transfer

/// Servers that send too much, or too slowly, over sockets of this machine.
@Suite("Servers without measure", .serialized)
@MainActor
struct HostileServerTests {
    /// Loads one resource, and measures how long that took.
    private func load(
        _ response: LoopbackServer.Response, _ kind: BodyKind, path: String = "/thing", range: Range<Int64>? = nil,
        firstByte: Duration = .seconds(10), total: Duration? = nil
    ) throws -> (result: Result<ByteResponse, MediaError>, length: Duration) {
        let server = try LoopbackServer { _ in response }
        defer { server.stop() }
        let loop = try MainLoop(time: .real)
        let transfer = CurlTransfer(clock: loop.clock, version: "1")
        var result: Result<ByteResponse, MediaError>?
        let request = ByteRequest(
            url: server.url(path), kind: kind, range: range, firstByteTimeout: firstByte, totalTimeout: total)
        let started = loop.clock.now
        transfer.load(request) { result = $0 }
        loop.run(until: { result != nil })
        return (try #require(result), loop.clock.now - started)
    }

    private func failure(_ result: Result<ByteResponse, MediaError>) throws -> MediaError {
        guard case .failure(let error) = result else { throw Unexpected() }
        return error
    }
    private struct Unexpected: Error {}

    // MARK: Too much

    @Test(
        "a playlist, a feed and a picture have their limits, to the byte; beyond it the sentence names the limit",
        arguments: [(BodyKind.playlist, "8 MiB", 8 << 20), (.feed, "16 MiB", 16 << 20), (.artwork, "8 MiB", 8 << 20)])
    func bodies(kind: BodyKind, limit: String, longest: Int) throws {
        let longestBody = String(repeating: "a", count: longest)
        // The end of the connection is the end of these bodies: their lengths are not stated.
        let head = "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n"
        #expect(try load(.raw(head + longestBody), kind).result.get().bytes.count == longest)
        let unstated = try failure(load(.raw(head + longestBody + "a"), kind).result)
        let stated = try failure(load(.body([UInt8](repeating: 0x61, count: longest + 1)), kind).result)
        for error in [unstated, stated] {
            #expect(error.code == .sourceFormat && error.fault == .tooLong)
            #expect(
                error.sentence.hasSuffix("/thing failed: it is longer than \(limit); check that it is what the address says."))
        }
    }

    @Test(
        "a head without measure is refused in one sentence: one line without an end, many lines, and with a request for a range")
    func heads() throws {
        let endless = "HTTP/1.1 200 OK\r\nX-Word: " + String(repeating: "a", count: 1 << 20)
        let line = "X-Word: \(String(repeating: "a", count: 1000))\r\n"
        let many = "HTTP/1.1 200 OK\r\n\(String(repeating: line, count: 4000))Content-Length: 1\r\n\r\na"
        for (head, range) in [(endless, nil), (many, nil), (endless, 0..<1), (many, 0..<1)] as [(String, Range<Int64>?)] {
            let error = try failure(load(.raw(head), .media, path: "/a.ts", range: range).result)
            #expect(error.code == .sourceFormat && error.fault == .tooLong)
            #expect(
                error.sentence.hasSuffix(
                    "/a.ts failed: the head of its server's answer is too long; correct the address or the server."))
        }
        // As long as signed cookies make it.
        let usual = "HTTP/1.1 200 OK\r\n\(String(repeating: line, count: 60))Content-Length: 1\r\n\r\na"
        #expect(try load(.raw(usual), .media).result.get().bytes == [0x61])
    }

    // MARK: Too slowly

    @Test("a head that drips never ends, and is given up after the time for the first byte")
    func drippingHead() throws {
        let (result, length) = try load(
            .dripping("HTTP/1.1 200 OK\r\nX-Word: " + String(repeating: "a", count: 200), milliseconds: 50), .playlist,
            firstByte: .milliseconds(600))
        let error = try failure(result)
        #expect(
            error.code == .sourceTimeout && error.fault == .noFirstByte && error.sentence.contains("no first byte within 0.6 s"))
        #expect(length < .seconds(5))
    }

    @Test("a body that drips never stalls, and is given up after the time for the whole")
    func drippingBody() throws {
        let head = "HTTP/1.1 200 OK\r\nContent-Length: 200\r\n\r\n"
        // The head in one piece, the body a tenth of a second apart.
        let body = [UInt8](repeating: 0x61, count: 200)
        let (result, length) = try load(.steady(body, parts: 200, milliseconds: 100), .playlist, total: .milliseconds(700))
        let error = try failure(result)
        #expect(error.code == .sourceTimeout && error.fault == .overdue && error.sentence.contains("took longer than 0.7 s"))
        #expect(length < .seconds(5))
        // In time it is whole.
        #expect(
            try load(.raw(head + String(repeating: "a", count: 200)), .playlist, total: .seconds(30)).result.get().bytes == body)
    }

    @Test("every kind of body has a longest time, except media, which have a slowest rate")
    func kinds() {
        for kind in BodyKind.allCases {
            let request = ByteRequest(url: "http://127.0.0.1/", kind: kind)
            #expect(request.totalTimeout != nil || kind == .media && request.slowestRate > 0)
        }
    }
}
