import Glibc
import LinuxSupport

/// One connection to a `LoopbackOrigin`, on its own thread.
struct LoopbackConnection {
    private let descriptor: FileDescriptor
    private let origin: LoopbackOrigin
    private var received: [UInt8] = []
    private var isFirst = true

    /// A request with its header lines, in bits.
    private static let requestBits: Int64 = 500 * 8
    /// POLLRDHUP of <poll.h>, which needs the GNU extensions.
    private static let otherSideClosed: Int32 = 0x2000

    init(_ descriptor: FileDescriptor, _ origin: LoopbackOrigin) {
        self.descriptor = descriptor
        self.origin = origin
    }

    /// Answers requests until either side closes.
    mutating func serve() {
        while let head = readHead() {
            guard let body = readBody(head), answer(head, body: body.isEmpty ? nil : body) else { return }
        }
    }

    // MARK: Requests

    private mutating func readHead() -> [String]? {
        while !origin.isOver {
            if let end = Self.endOfHead(received) {
                let lines = String(decoding: received[..<end], as: UTF8.self).split(separator: "\r\n").map(String.init)
                received.removeFirst(end)
                return lines
            }
            guard receive() else { return nil }
        }
        return nil
    }

    /// The body of a request; empty when it has none, nil when it does not arrive.
    private mutating func readBody(_ head: [String]) -> [UInt8]? {
        let line = head.first { $0.lowercased().hasPrefix("content-length:") }
        let length = line.flatMap { Int($0.dropFirst("content-length:".count).filter { $0 != " " }) } ?? 0
        while received.count < length {
            guard !origin.isOver, receive() else { return nil }
        }
        defer { received.removeFirst(length) }
        return Array(received[..<length])
    }

    /// - Returns: false when the other side has closed.
    private mutating func receive() -> Bool {
        guard LoopbackOrigin.waits(descriptor.number, POLLIN, milliseconds: 50) else { return true }
        var block = [UInt8](repeating: 0, count: 4096)
        let count = recv(descriptor.number, &block, block.count, 0)
        if count <= 0 { return false }
        received += block[..<count]
        return true
    }

    private static func endOfHead(_ bytes: [UInt8]) -> Int? {
        guard bytes.count >= 4 else { return nil }
        return (0...bytes.count - 4).first { bytes[$0..<$0 + 4].elementsEqual("\r\n\r\n".utf8) }.map { $0 + 4 }
    }

    private static func range(_ lines: [String]) -> Range<Int64>? {
        guard let line = lines.first(where: { $0.lowercased().hasPrefix("range: bytes=") }) else { return nil }
        let numbers = line.dropFirst(13).split(separator: "-", omittingEmptySubsequences: false).map { Int64($0) }
        guard let first = numbers.first ?? nil else { return nil }
        let last = numbers.count > 1 ? numbers[1] : nil
        return first..<max(first, last.map { $0 + 1 } ?? .max)
    }

    // MARK: Answers

    /// - Returns: whether the connection stays open.
    private mutating func answer(_ lines: [String], body: [UInt8]?) -> Bool {
        let path = lines.first?.split(separator: " ").dropFirst().first.map(String.init) ?? "/"
        let url = origin.url(path)
        var wait = origin.network.delay
        if isFirst {
            // A round trip for the connection, plus the name lookup.
            wait += origin.network.delay * 2
            if origin.learnName() { wait += origin.network.nameDelay }
            for fault in origin.script.connectionFaults(url, elapsed: origin.elapsed) {
                switch fault {
                case .slowName(let length), .slowHandshake(let length): wait += length
                case .refusal, .noName: return false
                default: break
                }
            }
            isFirst = false
        }
        if origin.network.up > 0 { wait += .nanoseconds(Self.requestBits * 1_000_000_000 / origin.network.up) }
        guard rest(until: origin.elapsed + wait) else { return false }
        let answer = origin.script.answer(
            OriginScript.Request(
                url: url, range: Self.range(lines), elapsed: origin.elapsed, headers: Array(lines.dropFirst()), body: body))
        guard !answer.isSilent, rest(until: origin.elapsed + answer.latency) else { return hold() }
        return send(answer)
    }

    private func head(_ answer: OriginAnswer) -> [UInt8] {
        var lines = ["HTTP/1.1 \(answer.status) Script", "Content-Length: \(answer.body.count)"]
        if let type = answer.type { lines.append("Content-Type: \(type)") }
        if let control = answer.cacheControl { lines.append("Cache-Control: \(control)") }
        if let location = answer.location { lines.append("Location: \(location)") }
        if let range = answer.contentRange { lines.append("Content-Range: bytes \(range.first)-\(range.last)/\(range.total)") }
        return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
    }

    private func send(_ answer: OriginAnswer) -> Bool {
        let head = head(answer)
        guard let start = origin.send(head.count, notBefore: origin.elapsed) else { return hold() }
        guard rest(until: start + origin.network.delay), write(head[...]) else { return false }
        var incident = answer.incident
        var sent = 0
        var time = start
        while sent < answer.body.count {
            let end = incident.map { min($0.after, answer.body.count) } ?? answer.body.count
            if sent >= end, let now = incident {
                incident = nil
                switch now.kind {
                case .reset: return reset()
                case .end: return false
                case .stall: return hold()
                case .pause(let length):
                    guard rest(until: origin.elapsed + length) else { return false }
                    time = origin.elapsed
                    continue
                }
            }
            // A slow server sends in parts of a tenth of a second.
            let part = min(end - sent, answer.rate.map { max(1, Int($0 / 80)) } ?? LossModel.partSize)
            switch origin.nextLoss() {
            case .passes: break
            // TCP's retransmission timeout.
            case .isLate: time += max(.milliseconds(200), origin.network.delay * 4)
            case .breaks: return reset()
            }
            if let rate = answer.rate { time += .nanoseconds(Int64(part) * 8_000_000_000 / max(rate, 1)) }
            guard let passed = origin.send(part, notBefore: time) else { return hold() }
            time = passed
            guard rest(until: time + origin.network.delay), write(answer.body[sent..<sent + part]) else { return false }
            sent += part
        }
        return true
    }

    // MARK: The socket

    /// Waits; false when the other side has closed, or the origin stops.
    private func rest(until time: Duration) -> Bool {
        while !origin.isOver {
            let left = time - origin.elapsed
            guard left > .zero else { return true }
            let milliseconds = Int32(min(left.wholeNanoseconds / 1_000_000 + 1, 50))
            if LoopbackOrigin.waits(descriptor.number, Self.otherSideClosed, milliseconds: milliseconds) { return false }
        }
        return false
    }

    /// Stays silent until the other side has closed.
    private func hold() -> Bool {
        _ = rest(until: .seconds(1 << 30))
        return false
    }

    /// Closes so that the other side sees a connection reset.
    private func reset() -> Bool {
        var option = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor.number, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
        return false
    }

    private func write(_ bytes: ArraySlice<UInt8>) -> Bool {
        var sent = bytes.startIndex
        while sent < bytes.endIndex, !origin.isOver {
            guard LoopbackOrigin.waits(descriptor.number, POLLOUT, milliseconds: 50) else { continue }
            let count = bytes[sent...].withUnsafeBytes {
                Glibc.send(descriptor.number, $0.baseAddress!, $0.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
            }
            if count < 0, errno != EAGAIN { return false }
            sent += max(count, 0)
        }
        return sent == bytes.endIndex
    }
}
