import Glibc
import LinuxSupport
import Synchronization

/// A small HTTP/1.1 server on a free port of 127.0.0.1 with faults for tests. Each connection has a thread; all end with the
/// server.
package final class LoopbackServer: Sendable {
    /// A request from a client.
    package struct Request: Sendable {
        /// Including the query.
        package let path: String
        /// The first and last requested byte; the last is nil for an open range.
        package let range: (first: Int, last: Int?)?
        /// All header lines.
        package let headers: [String]
    }

    /// The response to a client.
    package enum Response: Sendable {
        /// A body; ranges are supported.
        case body([UInt8], type: String = "application/octet-stream")
        /// The same with a body that was modified this many seconds ago.
        case changed([UInt8], secondsAgo: Int)
        /// A body without support for ranges.
        case wholeBody([UInt8])
        /// A status with a short page.
        case status(Int)
        /// A redirect to another address.
        case redirect(String)
        /// The connection ends after this many bytes of the body.
        case truncated([UInt8], at: Int)
        /// The body stalls after this many bytes; the connection stays open.
        case stalled([UInt8], at: Int)
        /// The body comes in this many equal parts, so many milliseconds apart.
        case steady([UInt8], parts: Int, milliseconds: Int)
        /// Not even a header is sent.
        case silent
        /// These exact bytes, then the connection ends.
        case raw(String)
        /// These exact bytes, then the connection ends.
        case exact([UInt8])
        /// These exact bytes, one at a time, so many milliseconds apart, until the client has gone.
        case dripping(String, milliseconds: Int)
    }

    private let listener: FileDescriptor
    private let threads = Mutex<[pthread_t]>([])
    private let log = Mutex<[Request]>([])
    private let isStopped = Atomic(false)
    private let respond: @Sendable (Request) -> Response
    /// The port it listens on.
    package let port: Int

    /// Starts the server.
    package init(_ respond: @escaping @Sendable (Request) -> Response) throws {
        self.respond = respond
        let held = try HeldPort()
        listener = held.descriptor
        port = held.number
        try systemCall("listen", on: "127.0.0.1") { [listener] in listen(listener.number, 32) }
        spawn { server in server.accept() }
    }

    /// A URL on this server.
    package func url(_ path: String) -> String { "http://127.0.0.1:\(port)\(path)" }

    /// All requests so far, in order of arrival.
    package var requests: [Request] { log.withLock { $0 } }

    /// Ends all connections and joins the threads. Called once, before the server is released.
    package func stop() {
        isStopped.store(true, ordering: .sequentiallyConsistent)
        while let thread = threads.withLock({ $0.popLast() }) { pthread_join(thread, nil) }
    }

    private func accept() {
        while !isStopped.load(ordering: .sequentiallyConsistent) {
            guard Self.isReadable(listener.number) else { continue }
            let number = Glibc.accept(listener.number, nil, nil)
            guard number >= 0 else { continue }
            // A process started by another test would otherwise keep it open.
            _ = fcntl(number, F_SETFD, FD_CLOEXEC)
            let connection = FileDescriptor(adopting: number)
            spawn { server in server.serve(connection) }
        }
    }

    private func serve(_ connection: FileDescriptor) {
        // Shut down explicitly: a process started just before the descriptor was marked may hold the socket too.
        defer { Glibc.shutdown(connection.number, Int32(SHUT_RDWR)) }
        var received: [UInt8] = []
        while !isStopped.load(ordering: .sequentiallyConsistent) {
            guard Self.isReadable(connection.number) else { continue }
            var block = [UInt8](repeating: 0, count: 4096)
            let count = recv(connection.number, &block, block.count, 0)
            if count <= 0 { return }
            received += block[..<count]
            while let end = Self.endOfHead(received) {
                let head = String(decoding: received[..<end], as: UTF8.self)
                received.removeFirst(end)
                let request = Self.request(head)
                log.withLock { $0.append(request) }
                if !send(respond(request), request, connection) { return }
            }
        }
    }

    /// - Returns: whether the connection stays open.
    private func send(_ response: Response, _ request: Request, _ connection: FileDescriptor) -> Bool {
        switch response {
        case .changed(let bytes, let seconds):
            // The server's clock is independent of ours.
            let type =
                "video/mp4\r\nDate: Tue, 02 Jun 2026 12:00:50 GMT\r\nLast-Modified: Tue, 02 Jun 2026 12:00:\(50 - seconds) GMT"
            return send(.body(bytes, type: type), request, connection)
        case .body(let bytes, let type):
            guard let range = request.range else {
                return write(head(200, bytes.count, ["Content-Type: \(type)"]), bytes[...], connection)
            }
            guard range.first < bytes.count else {
                return write(head(416, 0, ["Content-Range: bytes */\(bytes.count)"]), [], connection)
            }
            let last = min(range.last ?? bytes.count - 1, bytes.count - 1)
            let lines = ["Content-Type: \(type)", "Content-Range: bytes \(range.first)-\(last)/\(bytes.count)"]
            return write(head(206, last - range.first + 1, lines), bytes[range.first...last], connection)
        case .wholeBody(let bytes): return write(head(200, bytes.count, []), bytes[...], connection)
        case .status(let status):
            let page = Array("<html><body>status \(status)</body></html>".utf8)
            return write(head(status, page.count, ["Content-Type: text/html"]), page[...], connection)
        case .redirect(let url): return write(head(302, 0, ["Location: \(url)"]), [], connection)
        case .truncated(let bytes, let end):
            _ = write(head(200, bytes.count, []), bytes.prefix(end), connection)
            return false
        case .stalled(let bytes, let end):
            return write(head(200, bytes.count, []), bytes.prefix(end), connection) && hold(connection)
        case .steady(let bytes, let parts, let milliseconds):
            let length = (bytes.count + parts - 1) / parts
            guard write(head(200, bytes.count, []), [], connection) else { return false }
            for start in stride(from: 0, to: bytes.count, by: length) {
                _ = poll(nil, 0, Int32(milliseconds))
                guard write("", bytes[start..<min(start + length, bytes.count)], connection) else { return false }
            }
            return true
        case .silent: return hold(connection)
        case .raw(let text):
            _ = write(text, [], connection)
            return false
        case .exact(let bytes):
            _ = write("", bytes[...], connection)
            return false
        case .dripping(let text, let milliseconds):
            for byte in text.utf8 {
                guard !isStopped.load(ordering: .sequentiallyConsistent), write("", [byte], connection) else { return false }
                _ = poll(nil, 0, Int32(milliseconds))
            }
            return false
        }
    }

    private func head(_ status: Int, _ length: Int, _ lines: [String]) -> String {
        (["HTTP/1.1 \(status) Test", "Content-Length: \(length)"] + lines).joined(separator: "\r\n") + "\r\n\r\n"
    }

    /// Sends nothing until the client has closed or the server ends.
    private func hold(_ connection: FileDescriptor) -> Bool {
        while !isStopped.load(ordering: .sequentiallyConsistent) {
            var byte: UInt8 = 0
            if Self.isReadable(connection.number), recv(connection.number, &byte, 1, Int32(MSG_PEEK)) <= 0 { return false }
        }
        return false
    }

    private func write(_ head: String, _ body: ArraySlice<UInt8>, _ connection: FileDescriptor) -> Bool {
        let bytes = Array(head.utf8) + body
        var sent = 0
        while sent < bytes.count, !isStopped.load(ordering: .sequentiallyConsistent) {
            var poll = pollfd(fd: connection.number, events: Int16(POLLOUT), revents: 0)
            guard Glibc.poll(&poll, 1, 50) > 0 else { continue }
            let count = bytes.withUnsafeBytes {
                Glibc.send(
                    connection.number, $0.baseAddress! + sent, bytes.count - sent, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
            }
            if count < 0, errno != EAGAIN { return false }
            sent += max(count, 0)
        }
        return sent == bytes.count
    }

    private static func isReadable(_ number: Int32) -> Bool {
        var poll = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
        return Glibc.poll(&poll, 1, 50) > 0
    }

    private static func endOfHead(_ bytes: [UInt8]) -> Int? {
        let mark: [UInt8] = [13, 10, 13, 10]
        guard bytes.count >= 4 else { return nil }
        return (0...bytes.count - 4).first { bytes[$0..<$0 + 4].elementsEqual(mark) }.map { $0 + 4 }
    }

    private static func request(_ head: String) -> Request {
        let lines = head.split(separator: "\r\n").map(String.init)
        let path = lines.first?.split(separator: " ").dropFirst().first.map(String.init) ?? "/"
        let range = lines.first { $0.lowercased().hasPrefix("range: bytes=") }.flatMap { line -> (Int, Int?)? in
            let numbers = line.dropFirst(13).split(separator: "-", omittingEmptySubsequences: false)
            return numbers.first.flatMap { Int($0) }.map { ($0, numbers.count > 1 ? Int(numbers[1]) : nil) }
        }
        return Request(path: path, range: range, headers: Array(lines.dropFirst()))
    }

    // MARK: - Threads

    private final class Job: Sendable {
        let server: LoopbackServer
        let run: @Sendable (LoopbackServer) -> Void
        init(_ server: LoopbackServer, _ run: @escaping @Sendable (LoopbackServer) -> Void) {
            self.server = server
            self.run = run
        }
    }

    private func spawn(_ run: @escaping @Sendable (LoopbackServer) -> Void) {
        var thread = pthread_t()
        let code = pthread_create(&thread, nil, serverThread, Unmanaged.passRetained(Job(self, run)).toOpaque())
        precondition(code == 0, "the system has no thread left")
        let started = thread
        threads.withLock { $0.append(started) }
    }

    fileprivate static func run(_ pointer: UnsafeMutableRawPointer) {
        let job = Unmanaged<Job>.fromOpaque(pointer).takeRetainedValue()
        job.run(job.server)
    }
}

private func serverThread(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    LoopbackServer.run(argument!)
    return nil
}
