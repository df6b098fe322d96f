import Glibc
import LinuxSupport
import MediaModel
import Synchronization
import TestSupport
import Testing
import URLReferences

@testable import Transfer

@Suite("Byte streams", .serialized)
@MainActor
struct StreamTests {
    private let body: [UInt8] = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 >> 8) }

    /// Runs a reader on a worker thread, like a demuxer, and waits for it.
    private func onWorker<Result: Sendable>(
        _ time: MainLoop.Time = .real, _ url: String, _ read: @escaping @Sendable (any ByteStream) -> Result
    ) throws -> Result {
        let loop = try MainLoop(time: time)
        let transfer = CurlTransfer(clock: loop.clock, version: "1")
        let worker = WorkerThread(name: "reader", clock: loop.clock)
        var result: Result?
        let stream = transfer.stream(url)
        loop.clock.compute(on: worker, rank: .media) {
            read(stream)
        } then: {
            result = $0
        }
        loop.run(until: { result != nil })
        worker.stop()
        return result!
    }

    private nonisolated static func readAll(_ stream: any ByteStream, most: Int = .max) -> Result<[UInt8], MediaError> {
        var bytes: [UInt8] = []
        var block = [UInt8](repeating: 0, count: 50_000)
        do throws(MediaError) {
            while bytes.count < most {
                let count = block.count
                let read: Result<Int, MediaError> = block.withUnsafeMutableBytes { buffer in
                    let part = UnsafeMutableRawBufferPointer(rebasing: buffer[..<min(count, most - bytes.count)])
                    do throws(MediaError) { return .success(try stream.read(into: part)) } catch { return .failure(error) }
                }
                let got = try read.get()
                if got == 0 { break }
                bytes += block[..<got]
            }
            return .success(bytes)
        } catch {
            return .failure(error)
        }
    }

    @Test("a file whose name is not UTF-8 is found by its name as text, damaged or decoded")
    func foreignName() throws {
        let folder = ScratchFolder("foreign")
        // "café noël.bin" in ISO 8859-1.
        let name: [UInt8] = [0x63, 0x61, 0x66, 0xE9, 0x20, 0x6E, 0x6F, 0xEB, 0x6C, 0x2E, 0x62, 0x69, 0x6E]
        let raw = (Array(folder.path.utf8) + [0x2F] + name).map { CChar(bitPattern: $0) } + [0]
        let file = FileDescriptor(adopting: Glibc.open(raw, O_CREAT | O_WRONLY, 0o600))
        #expect(write(file.number, body, 5000) == 5000)
        defer { unlink(raw) }
        let damaged = folder.path + "/" + String(decoding: name, as: UTF8.self)
        #expect(FileNames.readable(damaged) == folder.path + "/café noël.bin" && FileNames.readable("/x/a.mp4") == "/x/a.mp4")
        for text in [damaged, folder.path + "/café noël.bin", "file://" + folder.path + "/caf%E9%20no%EBl.bin"] {
            #expect(
                try Self.readAll(FileByteStream(text.hasPrefix("file:") ? Self.path(of: text) : text)).get()
                    == Array(body.prefix(5000)))
        }
        #expect(throws: MediaError.self) { try Self.readAll(FileByteStream(folder.path + "/café.bin")).get() }
    }

    private static func path(of url: String) -> String {
        guard case .file(let path) = Location(url) else { return url }
        return path
    }

    @Test("a resource is read to its end in real and simulated time", arguments: [MainLoop.Time.real, .simulated])
    func whole(time: MainLoop.Time) throws {
        let body = body
        let server = try LoopbackServer { _ in .body(body) }
        defer { server.stop() }
        let (bytes, length) = try onWorker(time, server.url("/film.mp4")) { (Self.readAll($0), $0.length) }
        #expect(try bytes.get() == body)
        #expect(length == Int64(body.count))
        #expect(server.requests.count == 1)
    }

    @Test(
        "each request of a stream is recorded with its bytes and its server, in parts that add up, and none of a server that does not answer"
    )
    func recorded() throws {
        let body = body
        let server = try LoopbackServer { $0.path == "/absent" ? .status(404) : .body(body) }
        defer { server.stop() }
        let url = server.url("/film.mp4")
        let told = try onWorker(.simulated, url) { stream -> [[TransferRecord.Progress]] in
            let record = (stream as? HTTPByteStream)?.record
            _ = Self.readAll(stream, most: 100_000)
            let first = record?.take() ?? []
            try? stream.seek(to: 2_900_000)
            _ = Self.readAll(stream)
            return [first, record?.take() ?? [], record?.take() ?? []]
        }
        let all = told.joined()
        #expect(all.filter(\.isNew).count == server.requests.count && told[0].first?.isNew == true)
        #expect(all.filter(\.isOver).count == server.requests.count && told[2].isEmpty)
        let ended = all.filter(\.isOver)
        #expect(all.reduce(0) { $0 + $1.newBytes } == ended.reduce(0) { $0 + $1.request.byteCount })
        #expect(ended.last?.request.byteCount == 100_000 || server.requests.count == 1)
        #expect(all.allSatisfy { $0.request.url == url && $0.request.serverAddress == "127.0.0.1" && $0.newBytes >= 0 })
        let absent = try onWorker(.simulated, server.url("/absent")) { stream -> [TransferRecord.Progress] in
            _ = Self.readAll(stream)
            return (stream as? HTTPByteStream)?.record.take() ?? []
        }
        #expect(absent.isEmpty)
    }

    @Test("seeks are correct everywhere, and short ones make no new request")
    func seeks() throws {
        let body = body
        let server = try LoopbackServer { _ in .body(body) }
        defer { server.stop() }
        let places: [Int64] = [100, 5000, 5100, 2_900_000, 0, 700_000, 2_999_999]
        let parts = try onWorker(.real, server.url("/film.mp4")) { stream -> [Result<[UInt8], MediaError>] in
            _ = Self.readAll(stream, most: 10)
            return places.map { place in
                do throws(MediaError) { try stream.seek(to: place) } catch { return .failure(error) }
                return Self.readAll(stream, most: 64)
            }
        }
        for (place, part) in zip(places, parts) { #expect(try part.get() == Array(body[Int(place)...].prefix(64))) }
        #expect(server.requests.count < places.count)
    }

    @Test("a seek within what is buffered continues at that byte, without a new request, and so does the next one")
    func bufferedSeeks() throws {
        // So little arrives at once.
        let body = Array(body.prefix(8000))
        let server = try LoopbackServer { _ in .body(body) }
        defer { server.stop() }
        let places: [Int64] = [1, 65, 130, 4096, 4161, 7990, 8000]
        let parts = try onWorker(.real, server.url("/film.mp4")) { stream -> [Result<[UInt8], MediaError>] in
            _ = Self.readAll(stream, most: 1)
            return places.map { place in
                do throws(MediaError) { try stream.seek(to: place) } catch { return .failure(error) }
                return Self.readAll(stream, most: 64)
            }
        }
        for (place, part) in zip(places, parts) { #expect(try part.get() == Array(body[Int(place)...].prefix(64))) }
        #expect(server.requests.count == 1)
    }

    @Test("read-ahead is bounded, and continues with the reader")
    func bounded() throws {
        let body = [UInt8](repeating: 7, count: 3 * HTTPByteStream.mostAhead)
        let server = try LoopbackServer { _ in .body(body) }
        defer { server.stop() }
        let count = try onWorker(.simulated, server.url("/film.mp4")) { (try? Self.readAll($0).get().count) ?? 0 }
        #expect(count == body.count)
    }

    @Test("a broken connection is resumed where it broke")
    func broken() throws {
        let body = body
        let server = try LoopbackServer { request in
            guard let range = request.range, range.first < 2_000_000 else { return .body(body) }
            let part = Array(body[range.first...])
            let head =
                "HTTP/1.1 206 Test\r\nContent-Length: \(part.count)\r\nContent-Range: bytes \(range.first)-\(body.count - 1)/\(body.count)\r\n\r\n"
            return .raw(head + String(repeating: "x", count: 1_000_000))
        }
        defer { server.stop() }
        let bytes = try onWorker(.real, server.url("/film.mp4")) { Self.readAll($0) }.get()
        #expect(bytes.count == body.count)
        #expect(bytes[2_000_000...].elementsEqual(body[2_000_000...]))
        #expect(server.requests.map { $0.range?.first } == [0, 1_000_000, 2_000_000])
    }

    @Test("a server without ranges can only be read forward, an empty resource is empty, and a missing one fails")
    func odd() throws {
        let body = body
        let server = try LoopbackServer { request in
            switch request.path {
            case "/whole": .wholeBody(body)
            case "/empty": .body([])
            default: .status(404)
            }
        }
        defer { server.stop() }
        let (bytes, length) = try onWorker(.real, server.url("/whole")) { (Self.readAll($0), $0.length) }
        #expect(try bytes.get() == body && length == nil)
        #expect(try onWorker(.real, server.url("/empty")) { Self.readAll($0) }.get().isEmpty)
        let absent = try onWorker(.real, server.url("/absent")) { Self.readAll($0) }
        #expect(throws: MediaError.self) { try absent.get() }
        let scheme = try onWorker(.real, "ftp://host/x") { Self.readAll($0) }
        #expect(throws: MediaError.self) { try scheme.get() }
    }

    @Test("cancelling unblocks a waiting reader")
    func cancel() throws {
        let server = try LoopbackServer { _ in .stalled([1, 2, 3], at: 2) }
        defer { server.stop() }
        let loop = try MainLoop(time: .real)
        let transfer = CurlTransfer(clock: loop.clock, version: "1")
        let worker = WorkerThread(name: "reader", clock: loop.clock)
        let stream = transfer.stream(server.url("/film.mp4"))
        var result: [Int]?
        // The reader waits for more after the available bytes, and is unblocked well before a stall is detected.
        let bell = loop.clock.makeDoorbell(rank: .media) {
            loop.clock.schedule(after: .milliseconds(20)) { stream.cancel() }
        }
        loop.clock.compute(on: worker, rank: .media) { () -> [Int] in
            let first = Self.readAll(stream, most: 2)
            bell.ring()
            return [first, Self.readAll(stream)].map { (try? $0.get().count) ?? -1 }
        } then: {
            result = $0
        }
        loop.run(until: { result != nil })
        #expect(result == [2, 0])
        worker.stop()
    }

    @Test("files are read and sought in, and a missing one fails at the first read")
    func files() throws {
        let path = Fixtures.root + "/Package.swift"
        let bytes = try #require(fileBytes(path))
        let (all, part, length) = try onWorker(.real, path) { stream in
            let all = Self.readAll(stream)
            try? stream.seek(to: 10)
            return (all, Self.readAll(stream, most: 5), stream.length)
        }
        #expect(try all.get() == bytes && part.get() == Array(bytes[10..<15]))
        #expect(length == Int64(bytes.count))
        let missing = try onWorker(.real, "/absent/x.mp4") { Self.readAll($0) }
        #expect(throws: MediaError(.sourceMissing, "Reading /absent/x.mp4 failed: there is no such file; check the path.")) {
            try missing.get()
        }
    }
}
