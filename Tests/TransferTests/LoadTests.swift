import Glibc
import LinuxSupport
import MediaModel
import MediaSources
import TestSupport
import Testing
import URLReferences

@testable import Transfer

@Suite("Loading whole bodies", .serialized)
@MainActor
struct LoadTests {
    private let body: [UInt8] = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }

    /// Loads one resource on a separate loop.
    private func load(
        _ request: ByteRequest, time: MainLoop.Time = .real
    ) throws -> Result<ByteResponse, MediaError> {
        let loop = try MainLoop(time: time)
        let transfer = CurlTransfer(clock: loop.clock, version: "1.2")
        var result: Result<ByteResponse, MediaError>?
        transfer.load(request) { result = $0 }
        loop.run(until: { result != nil })
        return result!
    }

    private func load(
        _ response: LoopbackServer.Response, firstByte: Duration = .seconds(10), stall: Duration = .seconds(5)
    ) throws -> Result<ByteResponse, MediaError> {
        let server = try LoopbackServer { _ in response }
        defer { server.stop() }
        return try load(ByteRequest(url: server.url("/thing.ts?token=secret"), firstByteTimeout: firstByte, stallTimeout: stall))
    }

    private func failure(_ result: Result<ByteResponse, MediaError>) throws -> MediaError {
        switch result {
        case .success(let response): throw Unexpected(status: response.status, count: response.bytes.count)
        case .failure(let error): return error
        }
    }
    private struct Unexpected: Error { let status: Int, count: Int }

    @Test("a body arrives whole, with its type, under our user agent")
    func whole() throws {
        let body = body
        let server = try LoopbackServer { _ in .body(body, type: "video/mp2t") }
        defer { server.stop() }
        let response = try load(ByteRequest(url: server.url("/a.ts"), headers: ["X-Test: yes"])).get()
        #expect(response.bytes == body)
        #expect(response.status == 200 && response.contentType == "video/mp2t")
        #expect(response.timeToFirstByte > .zero && response.timeToFirstByte <= response.transferDuration)
        #expect(server.requests.first?.headers.contains("User-Agent: Marquee/1.2") == true)
        #expect(server.requests.first?.headers.contains("X-Test: yes") == true)
        #expect(server.requests.first?.headers.contains("Accept-Encoding: identity") == true)
    }

    @Test(
        "what a server says to a refusal is a failure without its words, or an answer like others where that is wanted",
        arguments: [false, true])
    func refusal(isTaken: Bool) throws {
        let words = #"{"error":"Not now."}"#
        let server = try LoopbackServer { _ in
            .raw("HTTP/1.1 409 Conflict\r\nContent-Type: application/json\r\nContent-Length: \(words.utf8.count)\r\n\r\n\(words)")
        }
        defer { server.stop() }
        let loop = try MainLoop(time: .real)
        let transfer = CurlTransfer(clock: loop.clock, version: "1", options: TransferOptions(takesRefusals: isTaken))
        var result: Result<ByteResponse, MediaError>?
        transfer.load(ByteRequest(url: server.url("/v1/command"), kind: .document)) { result = $0 }
        loop.run(until: { result != nil })
        let response = try? result?.get()
        #expect(response?.status == (isTaken ? 409 : nil))
        #expect(response?.bytes == (isTaken ? Array(words.utf8) : nil))
    }

    @Test("a transfer that is held takes no bytes, however long, and then arrives whole")
    func held() throws {
        let long = (0..<8 << 20).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let server = try LoopbackServer { _ in .body(long) }
        defer { server.stop() }
        let loop = try MainLoop(time: .real)
        let transfer = CurlTransfer(clock: loop.clock, version: "1.2")
        var received: [UInt8] = []
        var result: Result<ByteResponse, MediaError>?
        let request = ByteRequest(url: server.url("/a.ts"), stallTimeout: .milliseconds(300))
        let task = FollowingTask()
        task.setHeld(true)
        task.follow(
            transfer.load(request) {
                received += $0.bytes
            } _: {
                result = $0
            })
        // Longer than a server may stall.
        var isOver = false
        loop.clock.schedule(after: .milliseconds(900)) { isOver = true }
        loop.run(until: { isOver || result != nil })
        #expect(received.isEmpty && result == nil)
        task.setHeld(false)
        loop.run(until: { result != nil })
        #expect(try result?.get().status == 200 && received == long)
    }

    @Test("a server that sets another cookie with each answer fills neither the memory nor its own requests")
    func manyCookies() throws {
        let server = try LoopbackServer { request in
            .raw(
                "HTTP/1.1 200 OK\r\nSet-Cookie: c\(request.path.dropFirst())=\(String(repeating: "x", count: 30))\r\nContent-Length: 1\r\n\r\na"
            )
        }
        defer { server.stop() }
        let loop = try MainLoop(time: .real)
        let transfer = CurlTransfer(clock: loop.clock, version: "1.2")
        for number in 0..<120 {
            var isOver = false
            transfer.load(ByteRequest(url: server.url("/\(number)"))) { _ in isOver = true }
            loop.run(until: { isOver })
        }
        let sent = try #require(server.requests.last?.headers.first { $0.hasPrefix("Cookie:") })
        #expect(sent.split(separator: ";").count == 50 && sent.contains("c118=x"))
    }

    @Test("the first bytes of a film that was asked for as a playlist are handed over before its length refuses it")
    func filmInsteadOfPlaylist() throws {
        let film = (0..<9 << 20).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let server = try LoopbackServer { _ in .body(film) }
        defer { server.stop() }
        let loop = try MainLoop(time: .real)
        let transfer = CurlTransfer(clock: loop.clock, version: "1.2")
        var head: [UInt8] = []
        var result: Result<ByteResponse, MediaError>?
        let task = transfer.load(ByteRequest(url: server.url("/film"), kind: .playlist)) {
            head += $0.bytes
        } _: {
            result = $0
        }
        loop.run(until: { result != nil })
        task.cancel()
        #expect(head.count >= 64 && head.count < 1 << 20 && head == Array(film.prefix(head.count)))
        guard case .failure(let error)? = result else {
            Issue.record("it was taken for a playlist")
            return
        }
        #expect(error.fault == .tooLong)
    }

    @Test("a range is requested and received, and cut out of the body of a server that ignores it")
    func range() throws {
        let body = body
        let server = try LoopbackServer { $0.path == "/whole" ? .wholeBody(body) : .body(body) }
        defer { server.stop() }
        let response = try load(ByteRequest(url: server.url("/part"), range: 100..<300)).get()
        #expect(response.bytes == Array(body[100..<300]) && response.status == 206)
        let cut = try load(ByteRequest(url: server.url("/whole"), range: 100..<300)).get()
        #expect(cut.bytes == Array(body[100..<300]) && cut.status == 206 && cut.version.length == Int64(body.count))
    }

    @Test(
        "the version of a resource is its strong ETag or its date, and its length",
        arguments: [
            (["ETag: \"a\"", "Last-Modified: Tue, 02 Jun 2026 12:00:50 GMT"], "\"a\""),
            (["ETag: W/\"a\"", "Last-Modified: Tue, 02 Jun 2026 12:00:50 GMT"], "Tue, 02 Jun 2026 12:00:50 GMT"),
            (["ETag: W/\"a\""], nil),
        ] as [([String], String?)])
    func version(headers: [String], validator: String?) throws {
        let lines = headers.joined(separator: "\r\n") + "\r\nContent-Length: 5\r\nConnection: close"
        let whole = try load(.raw("HTTP/1.1 200 OK\r\n\(lines)\r\n\r\nabcde")).get()
        #expect(whole.version == ResourceVersion(validator: validator, length: 5))
        #expect(whole.entityTag == String(headers[0].dropFirst("ETag: ".count)))
        let server = try LoopbackServer { _ in
            .raw("HTTP/1.1 206 Partial\r\nContent-Range: bytes 5-9/12\r\n\(lines)\r\n\r\nabcde")
        }
        defer { server.stop() }
        let part = try load(ByteRequest(url: server.url("/a"), range: 5..<10)).get()
        #expect(part.version == ResourceVersion(validator: validator, length: 12))
    }

    @Test("an answer that a body has not changed has no body, and is no failure")
    func notModified() throws {
        let server = try LoopbackServer {
            $0.headers.contains("If-None-Match: W/\"a\"")
                ? .raw("HTTP/1.1 304 Not Modified\r\nETag: W/\"a\"\r\nCache-Control: max-age=60\r\n\r\n")
                : .status(500)
        }
        defer { server.stop() }
        let response = try load(ByteRequest(url: server.url("/feed"), headers: ["If-None-Match: W/\"a\""])).get()
        #expect(response.status == 304 && response.bytes.isEmpty && response.entityTag == "W/\"a\"")
        #expect(response.cacheControl?.maximumAge == .seconds(60))
    }

    @Test(
        "HTTP statuses become the errors on which the player acts",
        arguments: [
            (404, ErrorCode.sourceMissing), (410, .sourceMissing), (401, .sourceRefused), (403, .sourceRefused),
            (500, .sourceFailed), (503, .sourceFailed), (429, .sourceFailed), (400, .sourceFailed),
            (504, .sourceTimeout),
        ])
    func status(status: Int, code: ErrorCode) throws {
        let error = try failure(load(.status(status)))
        #expect(error.code == code)
        #expect(
            error.sentence.contains("HTTP \(status)") && error.sentence.contains("/thing.ts")
                && !error.sentence.contains("secret"))
    }

    @Test("redirects are followed, but with a limit and not to other schemes")
    func redirects() throws {
        let server = try LoopbackServer { request in
            switch request.path {
            case "/start": .redirect("/end")
            case "/end": .body([1, 2, 3])
            case "/away": .redirect("file:///etc/passwd")
            default: .redirect("/loop")
            }
        }
        defer { server.stop() }
        let response = try load(ByteRequest(url: server.url("/start"))).get()
        #expect(response.bytes == [1, 2, 3] && response.url == server.url("/end"))
        #expect(try failure(load(ByteRequest(url: server.url("/loop")))).sentence.contains("redirected more than 5 times"))
        #expect(try failure(load(ByteRequest(url: server.url("/away")))).code == .sourceFormat)
        #expect(server.requests.filter { $0.path == "/loop" }.count == 6)
    }

    @Test("a server's cookie is sent with every later request")
    func cookies() throws {
        let server = try LoopbackServer { _ in
            .raw("HTTP/1.1 200 OK\r\nContent-Length: 1\r\nSet-Cookie: session=abc; Path=/\r\n\r\nx")
        }
        defer { server.stop() }
        let loop = try MainLoop(time: .real)
        let transfer = CurlTransfer(clock: loop.clock, version: "1")
        for number in 0..<3 {
            var result: Result<ByteResponse, MediaError>?
            transfer.load(ByteRequest(url: server.url("/\(number).ts"))) { result = $0 }
            loop.run(until: { result != nil })
            #expect((try? result?.get())?.bytes == Array("x".utf8))
        }
        let cookies = server.requests.map { $0.headers.contains("Cookie: session=abc") }
        #expect(cookies == [false, true, true])
    }

    @Test("a transfer that exceeds its total time limit fails, however steadily it progresses")
    func total() throws {
        let server = try LoopbackServer { _ in .stalled([UInt8](repeating: 1, count: 1000), at: 500) }
        defer { server.stop() }
        let result = try load(ByteRequest(url: server.url("/thing.ts"), stallTimeout: .seconds(60), totalTimeout: .seconds(1)))
        #expect(try failure(result).fault == .overdue)
    }

    @Test("a TLS handshake that stalls times out, and is not reported as a refusal")
    func silentHandshake() throws {
        let server = try LoopbackServer { _ in .silent }
        defer { server.stop() }
        let url = server.url("/thing.ts").replacing("http:", with: "https:")
        let fault = try failure(try load(ByteRequest(url: url, firstByteTimeout: .seconds(1)))).fault
        #expect(fault == .unreachable || fault == .noFirstByte)
    }

    @Test("a body that ends early, stalls or never starts fails in time with the right error")
    func faults() throws {
        let cut = try failure(load(.truncated(body, at: 5000)))
        #expect(cut.code == .sourceFormat && cut.sentence.contains("ended after 5000 bytes"))
        let stalled = try failure(load(.stalled(body, at: 5000), stall: .milliseconds(300)))
        #expect(stalled.code == .sourceTimeout && stalled.sentence.contains("no byte for 0.3 s after 5000"))
        // The same limit applies to connecting, which takes no time here unless the machine stalls: then try once more.
        var silent = try failure(load(.silent, firstByte: .seconds(3)))
        for _ in 0..<10 where silent.fault == .unreachable { silent = try failure(load(.silent, firstByte: .seconds(3))) }
        #expect(silent.code == .sourceTimeout && silent.sentence.contains("first byte within 3.0 s"))
        let nonsense = try failure(load(.raw("hello")))
        #expect([.sourceFormat, .networkDown].contains(nonsense.code))
    }

    @Test("a transfer that takes longer than the stall limit succeeds while bytes keep coming")
    func steady() throws {
        let result = try load(.steady(body, parts: 8, milliseconds: 250), stall: .seconds(1))
        #expect(try result.get().bytes == body)
        #expect(try result.get().transferDuration > .seconds(1.5))
    }

    @Test("a body that is longer than its kind allows is refused at its first bytes", arguments: [true, false])
    func limits(isLengthStated: Bool) throws {
        // A key of 65 bytes, and one whose length is known only from its end.
        let bytes = String(repeating: "k", count: 65)
        let head = isLengthStated ? "Content-Length: 4000000000\r\n" : ""
        let server = try LoopbackServer { _ in .raw("HTTP/1.1 200 OK\r\n\(head)\r\n\(bytes)") }
        defer { server.stop() }
        let error = try failure(load(ByteRequest(url: server.url("/key"), kind: .key)))
        #expect(error.fault == .tooLong && error.sentence.contains("longer than 64 bytes"))
        let whole = try LoopbackServer { _ in .body(Array(bytes.utf8.prefix(64))) }
        defer { whole.stop() }
        #expect(try load(ByteRequest(url: whole.url("/key"), kind: .key)).get().bytes.count == 64)
    }

    /// Zeros, packed with gzip (RFC 1951 section 3.2.6: one literal, then copies of the longest length), without an end.
    private func packedZeros(_ count: Int) -> [UInt8] {
        // The last block, with the fixed codes; the literal 0.
        var bits = [true, true, false] + [false, false, true, true, false, false, false, false]
        let copy = [true, true, false, false, false, true, false, true, false, false, false, false, false]
        for _ in 0..<count / 258 { bits += copy }
        var bytes: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3]
        for start in stride(from: 0, to: bits.count, by: 8) {
            bytes.append(bits[start...].prefix(8).enumerated().reduce(0) { $0 | ($1.element ? 1 << $1.offset : 0) })
        }
        return bytes
    }

    @Test("the limit of a packed body is that of its bytes when they are unpacked")
    func packed() throws {
        let packed = packedZeros(16 << 20)
        #expect(packed.count < 200_000)
        let server = try LoopbackServer { _ in
            // The type is the last header, so that another one can follow it.
            .body(packed, type: "text/vtt\r\nContent-Encoding: gzip")
        }
        defer { server.stop() }
        #expect(try failure(load(ByteRequest(url: server.url("/a.vtt"), kind: .captions))).fault == .tooLong)
        #expect(try failure(load(ByteRequest(url: server.url("/key"), kind: .key))).fault == .tooLong)
    }

    /// Two lines of a playlist, by gzip.
    private static let packedPlaylist: [UInt8] = [
        31, 139, 8, 0, 0, 0, 0, 0, 2, 3, 83, 118, 141, 8, 241, 53, 14, 229, 82, 6, 210, 186, 17, 186, 33, 142, 65, 238, 174, 33,
        46, 161,
        65, 142, 33, 158, 254, 126, 86, 38, 92, 0, 171, 180, 248, 156, 32, 0, 0, 0,
    ]

    @Test(
        "a text that is gzip without a label is unpacked, whole or in pieces, from a server or a file; other bodies and parts are left alone"
    )
    func unlabelled() throws {
        let (packed, text) = (Self.packedPlaylist, "#EXTM3U\n#EXT-X-TARGETDURATION:4\n")
        let server = try LoopbackServer { request in
            request.path == "/cut"
                ? .body(Array(packed.dropLast(12))) : .body(packed, type: "text/plain")
        }
        defer { server.stop() }
        var template = Array("/tmp/marquee-gzip-XXXXXX".utf8CString)
        let folder = template.withUnsafeMutableBufferPointer { String(cString: mkdtemp($0.baseAddress!)) }
        let file = folder + "/a.m3u8"
        defer {
            unlink(file)
            rmdir(folder)
        }
        try #require(WholeFile.write(Self.packedPlaylist, to: file))
        for kind in [BodyKind.playlist, .captions, .feed, .document] {
            for address in [server.url("/a.m3u8"), file] {
                #expect(try load(ByteRequest(url: address, kind: kind)).get().bytes == Array(text.utf8), "\(kind) \(address)")
            }
        }
        for request in [
            ByteRequest(url: server.url("/a"), kind: .media), ByteRequest(url: server.url("/a"), kind: .guide),
            ByteRequest(url: file, kind: .guide),
        ] {
            #expect(try load(request).get().bytes == Self.packedPlaylist)
        }
        #expect(
            try load(ByteRequest(url: file, kind: .captions, range: 0..<9)).get().bytes == Array(Self.packedPlaylist.prefix(9)))
        let error = try failure(load(ByteRequest(url: server.url("/cut"), kind: .captions)))
        #expect(error.sentence.contains("the gzip file is incomplete"), "\(error.sentence)")
        // The limit is that of the text.
        let bomb = packedZeros(16 << 20)
        let large = try LoopbackServer { _ in .body(bomb) }
        defer { large.stop() }
        #expect(try failure(load(ByteRequest(url: large.url("/a.vtt"), kind: .captions))).fault == .tooLong)
        // In pieces, as a playlist is loaded that may be a film.
        let loop = try MainLoop(time: .real)
        let transfer = CurlTransfer(clock: loop.clock, version: "1")
        var pieces: [UInt8] = []
        var result: Result<ByteResponse, MediaError>?
        transfer.load(ByteRequest(url: server.url("/a.m3u8"), kind: .playlist), progress: { pieces += $0.pieces.joined }) {
            result = $0
        }
        loop.run(until: { result != nil })
        #expect(try result?.get().bytes == [] && pieces == Array(text.utf8))
    }

    @Test("a 206 that is longer than its range is cut at the end of the range, and one for another range is refused")
    func longRange() throws {
        let server = try LoopbackServer { request in
            let first = request.path == "/other" ? 7 : 3
            return .raw(
                "HTTP/1.1 206 Part\r\nContent-Length: 20\r\nContent-Range: bytes \(first)-22/100\r\n\r\n01234567890123456789")
        }
        defer { server.stop() }
        #expect(try load(ByteRequest(url: server.url("/long"), range: 3..<8)).get().bytes == Array("01234".utf8))
        #expect(try failure(load(ByteRequest(url: server.url("/other"), range: 3..<8))).fault == .rangeIgnored)
    }

    @Test("the feed's headers do not follow a redirect to another server")
    func headersStay() throws {
        let other = try LoopbackServer { _ in .body([1]) }
        defer { other.stop() }
        let server = try LoopbackServer { [url = other.url("/there")] request in
            switch request.path {
            case "/away": .redirect(url)
            case "/near": .redirect("/end")
            default: .body([1])
            }
        }
        defer { server.stop() }
        let headers = ["X-Box-Key: secret", "Accept: text/plain"]
        _ = try load(ByteRequest(url: server.url("/near"), headers: headers)).get()
        _ = try load(ByteRequest(url: server.url("/away"), headers: headers)).get()
        #expect(server.requests.allSatisfy { $0.headers.contains("X-Box-Key: secret") } && server.requests.count == 3)
        #expect(other.requests.map { $0.headers.contains { $0.contains("secret") } } == [false])
        #expect(other.requests.first?.headers.contains("Accept: text/plain") == true)
    }

    @Test("a port without a listener is reported as a network failure")
    func refused() throws {
        // The port is held, because another server may get a released port at once.
        let port = try HeldPort()
        defer { withExtendedLifetime(port) {} }
        #expect(try failure(load(ByteRequest(url: "http://127.0.0.1:\(port.number)/x"))).code == .networkDown)
    }

    /// A name of this machine that does not say so, as a server elsewhere could give it to its own name; nil if there is none.
    private nonisolated static let alias: String? = {
        for line in String(decoding: WholeFile.read("/etc/hosts") ?? [], as: UTF8.self).split(separator: "\n") {
            let words = line.prefix { $0 != "#" }.split(whereSeparator: \.isWhitespace)
            guard let address = words.first, address.hasPrefix("127.") else { continue }
            if let name = words.dropFirst().first(where: { !URLReference("http://\($0)/").isThisMachine }) { return String(name) }
        }
        return nil
    }()

    @Test("a server whose name leads to this machine is refused before it is asked", .enabled(if: alias != nil))
    func rebinding() throws {
        let server = try LoopbackServer { _ in .body([1]) }
        defer { server.stop() }
        #expect(try load(ByteRequest(url: server.url("/x"))).get().bytes == [1])
        let url = server.url("/x").replacing("127.0.0.1", with: try #require(Self.alias))
        let error = try failure(load(ByteRequest(url: url)))
        #expect(error.code == .sourceFormat && error.fault == .refused && error.sentence.contains("leads to this box"))
    }

    @Test("files are loaded by path and URL, whole and in part, and other schemes are refused by name")
    func files() throws {
        let path = Fixtures.root + "/Package.swift"
        let bytes = try #require(fileBytes(path))
        #expect(try load(ByteRequest(url: path)).get().bytes == bytes)
        #expect(try load(ByteRequest(url: "file://" + path, range: 3..<20)).get().bytes == Array(bytes[3..<20]))
        let missing = try failure(load(ByteRequest(url: "/absent/file.ts")))
        #expect(missing.code == .sourceMissing && missing.sentence.contains("/absent/file.ts"))
        #expect(try failure(load(ByteRequest(url: Fixtures.root))).sentence.contains("a folder"))
        #expect(try failure(load(ByteRequest(url: path, range: 0..<Int64(bytes.count) + 1))).code == .sourceFormat)
        #expect(try failure(load(ByteRequest(url: "gopher://host/x"))).code == .sourceFormat)
    }

    @Test("a cancelled transfer reports nothing more and does not disturb the others")
    func cancel() throws {
        let body = body
        let server = try LoopbackServer { $0.path == "/slow" ? .stalled(body, at: 10) : .body(body) }
        defer { server.stop() }
        let loop = try MainLoop(time: .real)
        let transfer = CurlTransfer(clock: loop.clock, version: "1")
        var heard: [String] = []
        let slow = transfer.load(ByteRequest(url: server.url("/slow"))) { _ in heard.append("slow") }
        for index in 0..<8 { transfer.load(ByteRequest(url: server.url("/\(index)"))) { _ in heard.append("\(index)") } }
        slow.cancel()
        loop.run(until: { heard.count == 8 })
        #expect(Set(heard) == Set((0..<8).map(String.init)))
    }

    @Test("in simulated time transfers take no time, and complete in the order of their requests")
    func simulated() throws {
        let body = body
        let server = try LoopbackServer { _ in .body(body) }
        defer { server.stop() }
        for _ in 0..<5 {
            let loop = try MainLoop(time: .simulated)
            let transfer = CurlTransfer(clock: loop.clock, version: "1")
            var heard: [String] = []
            loop.clock.schedule(after: .milliseconds(1)) { heard.append("timer") }
            for index in 0..<6 {
                transfer.load(ByteRequest(url: index % 2 == 0 ? server.url("/\(index)") : Fixtures.root + "/Package.swift")) {
                    result in
                    let isInstant = (try? result.get().transferDuration) == .zero
                    heard.append("\(index)@\(loop.clock.now.nanoseconds)\(isInstant ? "" : "?")")
                }
            }
            loop.run(until: { heard.count == 7 })
            #expect(heard == (0..<6).map { "\($0)@0" } + ["timer"])
        }
    }
}
