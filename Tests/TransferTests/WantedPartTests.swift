import LinuxSupport
import MediaModel
import MediaSources
import TestSupport
import Testing

@testable import Transfer

@Suite("What is asked of a server, and what it answers", .serialized)
@MainActor
struct WantedPartTests {
    private nonisolated static let body: [UInt8] = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 >> 8) }

    private func load(_ request: ByteRequest) throws -> Result<ByteResponse, MediaError> {
        let loop = try MainLoop(time: .real)
        let transfer = CurlTransfer(clock: loop.clock, version: "1")
        var result: Result<ByteResponse, MediaError>?
        transfer.load(request) { result = $0 }
        loop.run(until: { result != nil })
        return try #require(result)
    }

    /// Reads a stream to its end on a thread of its own, with its length and the titles that it names.
    ///
    /// - Parameter little: whether it is asked for in small parts.
    private func read(_ url: String, little: Bool = false) throws -> (
        bytes: Result<[UInt8], MediaError>, length: Int64?, titles: [String]
    ) {
        let loop = try MainLoop(time: .real)
        let transfer = CurlTransfer(clock: loop.clock, version: "1")
        let worker = WorkerThread(name: "reader", clock: loop.clock)
        defer { worker.stop() }
        let stream = transfer.stream(url)
        if little { stream.recorded?.readLittle() }
        var result: (Result<[UInt8], MediaError>, Int64?, [String])?
        loop.clock.compute(on: worker, rank: .media) { () -> (Result<[UInt8], MediaError>, Int64?, [String]) in
            var (bytes, titles): ([UInt8], [String]) = ([], [])
            do throws(MediaError) {
                while true {
                    if let title = stream.titled?.currentTitle, titles.last != title { titles.append(title) }
                    let part = try stream.read(count: 100)
                    if part.isEmpty { return (.success(bytes), stream.length, titles) }
                    bytes += part
                }
            } catch { return (.failure(error), stream.length, titles) }
        } then: {
            result = $0
        }
        loop.run(until: { result != nil })
        let (bytes, length, titles) = try #require(result)
        return (bytes, length, titles)
    }

    private nonisolated static func part(_ range: Range<Int>, of total: String, more: String = "") -> LoopbackServer.Response {
        let head =
            "HTTP/1.1 206 Partial Content\r\nContent-Length: \(range.count)\r\nContent-Range: bytes \(range.lowerBound)-\(range.upperBound - 1)/\(total)\r\n\(more)\r\n"
        return .exact(Array(head.utf8) + body[range])
    }

    // MARK: Short answers

    @Test("an answer that is shorter than its range is continued until the range is there, for bodies and for streams")
    func shortAnswers() throws {
        let server = try LoopbackServer { request in
            guard let range = request.range else { return .wholeBody(Self.body) }
            let last = min(range.last ?? .max, Self.body.count - 1, range.first + 19_999)
            return Self.part(range.first..<last + 1, of: "\(Self.body.count)")
        }
        defer { server.stop() }
        let part = try load(ByteRequest(url: server.url("/a"), range: 1000..<101_000)).get()
        #expect(part.bytes == Array(Self.body[1000..<101_000]) && part.version.length == Int64(Self.body.count))
        #expect(server.requests.map { $0.range?.first } == [1000, 21_000, 41_000, 61_000, 81_000])
        let whole = try read(server.url("/a"))
        #expect(try whole.bytes.get() == Self.body && whole.length == Int64(Self.body.count))
    }

    @Test("an answer that brings nothing more, or brings it byte by byte, is a failure")
    func stingyServers() throws {
        let server = try LoopbackServer { request in
            guard let first = request.range?.first, request.path == "/drops" || first == 0 else {
                return .raw("HTTP/1.1 206 Part\r\nContent-Length: 0\r\nContent-Range: bytes 5-9/300000\r\n\r\n")
            }
            return Self.part(first..<first + 5, of: "\(Self.body.count)")
        }
        defer { server.stop() }
        for path in ["/nothing", "/drops"] {
            guard case .failure(let error) = try load(ByteRequest(url: server.url(path), range: 0..<10_000)) else {
                Issue.record("it was taken as complete")
                return
            }
            #expect(error.fault == .wrongLength || error.fault == .rangeIgnored, "\(error)")
        }
        #expect(server.requests.count < 100)
    }

    @Test(
        "a stream whose server has no more of it, although its length says so, fails after a few requests",
        arguments: [true, false])
    func nothingMore(little: Bool) throws {
        let server = try LoopbackServer { request in
            request.range?.first == 0
                ? Self.part(0..<1000, of: "\(Self.body.count)") : .raw("HTTP/1.1 206 Part\r\nContent-Length: 0\r\n\r\n")
        }
        defer { server.stop() }
        let end = try read(server.url("/a"), little: little)
        #expect(end.length == Int64(Self.body.count) && server.requests.count < 10)
        guard case .failure(let error) = end.bytes else {
            Issue.record("it was taken as complete")
            return
        }
        #expect(error.fault == .wrongLength, "\(error)")
    }

    // MARK: Servers without ranges

    @Test("a whole answer that is as long as the range that was asked for is that range")
    func rangeAsWhole() throws {
        let server = try LoopbackServer { request in
            guard let range = request.range, let last = range.last else { return .wholeBody(Self.body) }
            return .wholeBody(Array(Self.body[range.first...last]))
        }
        defer { server.stop() }
        for range in [0..<1000, 1000..<1500, 1000..<200_000, 299_000..<300_000] as [Range<Int64>] {
            let part = try load(ByteRequest(url: server.url("/a"), range: range)).get()
            #expect(part.bytes == Array(Self.body[Int(range.lowerBound)..<Int(range.upperBound)]) && part.status == 206)
        }
        #expect(server.requests.count == 4)
    }

    @Test("a 206 that begins before the range is cut, and one that ends before it is refused")
    func earlierPart() throws {
        let server = try LoopbackServer { request in
            let first = request.range?.first ?? 0
            return switch request.path {
            case "/all": Self.part(0..<Self.body.count, of: "\(Self.body.count)")
            case "/blocks":
                Self.part(first / 4096 * 4096..<min(first / 4096 * 4096 + 8192, Self.body.count), of: "\(Self.body.count)")
            default: Self.part(0..<1000, of: "\(Self.body.count)")
            }
        }
        defer { server.stop() }
        for path in ["/all", "/blocks"] {
            for range in [0..<1000, 1000..<1500, 5000..<50_000, 299_000..<300_000] as [Range<Int64>] {
                let part = try load(ByteRequest(url: server.url(path), range: range)).get()
                #expect(part.bytes == Array(Self.body[Int(range.lowerBound)..<Int(range.upperBound)]), "\(path) \(range)")
            }
            #expect(try read(server.url(path)).bytes.get() == Self.body)
        }
        guard case .failure(let error) = try load(ByteRequest(url: server.url("/start"), range: 1000..<2000)) else {
            Issue.record("another part was taken")
            return
        }
        #expect(error.fault == .rangeIgnored)
    }

    @Test("a range that is too far behind the start of a whole body is refused at once; so is a body that ends before it")
    func refusedAtOnce() throws {
        let server = try LoopbackServer { request in
            request.path == "/long"
                ? .raw("HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\n" + String(repeating: "a", count: 1000))
                : .wholeBody(Self.body)
        }
        defer { server.stop() }
        for range in [WantedPart.mostSkipped + 1..<WantedPart.mostSkipped + 9, 400_000..<400_100] {
            let path = range.lowerBound > 1_000_000 ? "/long" : "/short"
            guard case .failure(let error) = try load(ByteRequest(url: server.url(path), range: range)) else {
                Issue.record("\(range) was answered")
                return
            }
            #expect(error.fault == .rangeIgnored)
        }
        var uncut = ByteRequest(url: server.url("/short"), range: 0..<100)
        uncut.mayCutRange = false
        guard case .failure(let error) = try load(uncut) else { Issue.record("it was cut"); return }
        #expect(error.fault == .rangeIgnored && server.requests.count == 3)
    }

    @Test("a server that refuses any range is asked once more without one", arguments: [406, 416, 501])
    func refusedRange(status: Int) throws {
        let server = try LoopbackServer { $0.range == nil ? .wholeBody(Self.body) : .status(status) }
        defer { server.stop() }
        let whole = try read(server.url("/a"))
        #expect(try whole.bytes.get() == Self.body && whole.length == nil && server.requests.count == 2)
        #expect(try load(ByteRequest(url: server.url("/a"), range: 5..<10)).get().bytes == Array(Self.body[5..<10]))
    }

    @Test("a range of a resource whose length its server does not know is read to its end")
    func unknownLength() throws {
        let server = try LoopbackServer { request in
            guard let range = request.range, range.first < Self.body.count else { return .status(416) }
            let last = min(range.last ?? .max, Self.body.count - 1, range.first + 199_999)
            return Self.part(range.first..<last + 1, of: "*")
        }
        defer { server.stop() }
        let whole = try read(server.url("/a"))
        #expect(try whole.bytes.get() == Self.body && whole.length == nil)
    }

    // MARK: Packed bodies

    /// "hello hello hello" as gzip has it.
    private nonisolated static let packed: [UInt8] = [
        31, 139, 8, 0, 0, 0, 0, 0, 2, 3, 203, 72, 205, 201, 201, 87, 200, 64, 144, 0, 128, 136, 249, 229, 17, 0, 0, 0,
    ]

    @Test("what is packed without being asked for is unpacked, whatever its name is, and a range is cut out of it")
    func packedUnasked() throws {
        let server = try LoopbackServer { request in
            let lines = "Content-Encoding: gzip\r\nContent-Length: \(Self.packed.count)\r\n"
            let isPart = request.path == "/part.ts" && request.range != nil
            let status = isPart ? "206 Part\r\nContent-Range: bytes 2-3/28" : "200 OK"
            return .exact(Array("HTTP/1.1 \(status)\r\n\(lines)\r\n".utf8) + Self.packed)
        }
        defer { server.stop() }
        let text = Array("hello hello hello".utf8)
        #expect(try load(ByteRequest(url: server.url("/a.ts"))).get().bytes == text)
        #expect(try read(server.url("/a.mp4")).bytes.get() == text)
        #expect(try load(ByteRequest(url: server.url("/a.ts"), range: 2..<4)).get().bytes == Array(text[2..<4]))
        #expect(try load(ByteRequest(url: server.url("/part.ts"), range: 2..<4)).get().bytes == Array(text[2..<4]))
    }

    @Test("compression is asked for by what a body is, not by its name", arguments: BodyKind.allCases)
    func asked(kind: BodyKind) throws {
        let server = try LoopbackServer { _ in .body([1]) }
        defer { server.stop() }
        _ = try load(ByteRequest(url: server.url("/list.json"), kind: kind))
        let line = server.requests.first?.headers.first { $0.lowercased().hasPrefix("accept-encoding:") }
        #expect(line?.contains("gzip") == kind.isText)
    }

    @Test("a body that is not packed as its server says is taken as it is", arguments: ["gzip", "utf-8", "aws-chunked"])
    func wrongLabel(label: String) throws {
        let server = try LoopbackServer { _ in
            .body([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12], type: "a/b\r\nContent-Encoding: \(label)")
        }
        defer { server.stop() }
        #expect(try load(ByteRequest(url: server.url("/list"), kind: .playlist)).get().bytes == Array(1...12))
    }

    // MARK: Radio

    @Test("a station that answers ICY plays, and its titles come at their place")
    func radio() throws {
        func block(_ text: String) -> [UInt8] {
            let length = (text.utf8.count + 15) / 16
            return [UInt8(length)] + text.utf8 + [UInt8](repeating: 0, count: length * 16 - text.utf8.count)
        }
        let sound = Array(Self.body.prefix(3000))
        let blocks = [block("StreamTitle='It's a song';StreamUrl='';"), [0], block("StreamTitle='Älter';")]
        var bytes = Array("ICY 200 OK\r\nicy-metaint: 1000\r\nContent-Type: audio/mpeg\r\n\r\n".utf8)
        for (index, block) in blocks.enumerated() { bytes += sound[index * 1000..<index * 1000 + 1000] + block }
        let answer = bytes
        let server = try LoopbackServer { _ in .exact(answer) }
        defer { server.stop() }
        let heard = try read(server.url("/radio"))
        #expect(try heard.bytes.get() == sound && heard.length == nil && heard.titles == ["It's a song", "Älter"])
        #expect(server.requests.first?.headers.contains("Icy-MetaData: 1") == true)
        #expect(RadioTitles.title(in: Array("StreamTitle='".utf8) + [0xC4] + Array("';".utf8)) == [0xC4])
        #expect(RadioTitles.title(in: Array("StreamUrl='x';".utf8)) == nil)
    }

    @Test("titles are read in the encoding that their station writes")
    func titles() {
        var radio = RadioTitles(interval: 1)
        func title(_ bytes: [UInt8]) -> String? {
            let text = Array("StreamTitle='".utf8) + bytes + Array("';StreamUrl='';".utf8)
            let block = text + [UInt8](repeating: 0, count: (16 - text.count % 16) % 16)
            var found: String?
            ([0, UInt8(block.count / 16)] + block).withUnsafeBytes { bytes in
                radio.take(bytes, sound: { _ in }, title: { found = $0 })
            }
            return found
        }
        // ISO 8859-1, and Shift JIS, whose second bytes are ASCII.
        #expect(title([0x42, 0x65, 0x79, 0x6F, 0x6E, 0x63, 0xE9]) == "Beyoncé")
        radio = RadioTitles(interval: 1)
        let song: [UInt8] = [
            0x89, 0x46, 0x91, 0xBD, 0x93, 0x63, 0x83, 0x71, 0x83, 0x4A, 0x83, 0x8B, 0x20, 0x2D, 0x20, 0x8F, 0x89, 0x97, 0xF6,
        ]
        #expect(title(song) == "宇多田ヒカル - 初恋")
        radio = RadioTitles(interval: 1)
        // Windows-1251.
        #expect(title([0xC3, 0xF0, 0xF3, 0xEF, 0xEF, 0xE0, 0x20, 0xEA, 0xF0, 0xEE, 0xE2, 0xE8]) == "Группа крови")
        #expect(title([0xCA, 0xE8, 0xED, 0xEE]) == "Кино")
    }

    // MARK: Addresses

    @Test("an address is sent escaped, and so is one to which a server redirects")
    func escaped() throws {
        let server = try LoopbackServer { request in
            request.path.hasPrefix("/to")
                ? .raw("HTTP/1.1 302 Found\r\nLocation: /an den/é?x=y z\r\nContent-Length: 0\r\n\r\n") : .body([1])
        }
        defer { server.stop() }
        let response = try load(ByteRequest(url: server.url("/my clip　%20 100%.ts?a=[1] b"))).get()
        #expect(server.requests.last?.path == "/my%20clip%E3%80%80%20%20100%25.ts?a=[1]%20b" && response.status == 200)
        _ = try load(ByteRequest(url: server.url("/to"))).get()
        #expect(server.requests.last?.path == "/an%20den/%C3%A9?x=y%20z")
    }

    @Test("the address to ask again is that behind the permanent redirects, before the first temporary one")
    func lastingAddress() throws {
        let server = try LoopbackServer { request in
            let targets = ["/a": (301, "/b"), "/b": (308, "/c"), "/c": (302, "/d"), "/d": (301, "/e"), "/f": (307, "/e")]
            guard let (status, target) = targets[request.path] else { return .body([1]) }
            return .raw("HTTP/1.1 \(status) Moved\r\nLocation: \(target)\r\nContent-Length: 0\r\n\r\n")
        }
        defer { server.stop() }
        for (path, lasting) in [("/a", "/c"), ("/b", "/c"), ("/c", "/c"), ("/d", "/e"), ("/f", "/f"), ("/e", "/e")] {
            let response = try load(ByteRequest(url: server.url(path))).get()
            #expect(response.url == server.url("/e") && response.lastingURL == server.url(lasting), "\(path)")
        }
    }

    @Test("Content-Range is read in its forms, and nothing else")
    func contentRange() {
        func words(_ text: String) -> String? {
            ContentRange(text).map { "\($0.first ?? -1) \($0.last ?? -1) \($0.total ?? -1)" }
        }
        #expect(words("bytes 0-99/1234") == "0 99 1234" && words("Bytes 5-9/*") == "5 9 -1" && words("bytes */7") == "-1 -1 7")
        #expect(words("bytes=0-1/2") == "0 1 2")
        for text in ["", "bytes", "items 0-1/2", "bytes 5-4/9", "bytes -1/2", "bytes 0-1", "bytes 0-9223372036854775807/9"] {
            #expect(words(text) == nil, "\(text)")
        }
    }
}
