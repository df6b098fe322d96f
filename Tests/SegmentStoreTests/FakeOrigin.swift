import LinuxSupport
import MediaModel
import MediaSources
import Synchronization

/// A server with ranges, If-Range and faults, on a simulated clock: a chunk every 100 ms.
@MainActor
final class FakeOrigin: ByteLoading {
    struct Resource {
        var bytes: [UInt8]
        var validator: String? = "\"1\""
        var contentType: String? = "video/mp4"
        /// The address after a redirect.
        var redirect: String?
        /// The connection breaks after this many bytes of a response.
        var breaksAfter: Int?
        /// The server ignores ranges and sends everything.
        var ignoresRanges = false
        /// It sends this many bytes more than asked for.
        var surplus = 0
        /// It states this length.
        var statedLength: Int64?
        var status: Int?
    }
    var resources: [String: Resource] = [:]
    private(set) var requests: [ByteRequest] = []
    /// The urls of transfers that were cancelled.
    private(set) var cancelled: [String] = []
    private(set) var running: [String: Int] = [:]
    private(set) var mostRunning = 0
    /// How many bytes come at once.
    var chunk = 1000
    let clock: any HostClock

    init(clock: any HostClock) { self.clock = clock }

    func load(
        _ request: ByteRequest, _ completion: @escaping @MainActor @Sendable (Result<ByteResponse, MediaError>) -> Void
    ) -> any ByteTask { start(request, nil, completion) }

    func load(
        _ request: ByteRequest, progress: @escaping @MainActor @Sendable (ByteProgress) -> Void,
        _ completion: @escaping @MainActor @Sendable (Result<ByteResponse, MediaError>) -> Void
    ) -> any ByteTask { start(request, progress, completion) }

    nonisolated func stream(_ url: String) -> any ByteStream {
        FailedByteStream(name: url, error: MediaError(.networkDown, "The stream \(url) was opened at the origin."))
    }

    private func start(
        _ request: ByteRequest, _ progress: (@MainActor @Sendable (ByteProgress) -> Void)?,
        _ completion: @escaping @MainActor @Sendable (Result<ByteResponse, MediaError>) -> Void
    ) -> any ByteTask {
        requests.append(request)
        let identity = "\(request.url) \(request.range.map { "\($0)" } ?? "")"
        running[identity, default: 0] += 1
        mostRunning = max(mostRunning, running[identity] ?? 0)
        let exchange = Exchange()
        let bell = clock.makeDoorbell(rank: .transfer) { [weak self] in
            guard let self, !exchange.isOver else { return }
            exchange.isOver = true
            running[identity, default: 1] -= 1
            cancelled.append(request.url)
        }
        exchange.bell = bell
        let answer = Self.answer(resources[request.url], request)
        let start = clock.now
        func end(_ result: Result<ByteResponse, MediaError>) {
            exchange.isOver = true
            running[identity, default: 1] -= 1
            completion(result)
        }
        func send(_ sent: Int) {
            clock.schedule(after: .milliseconds(100), rank: .transfer) { [clock, chunk] in
                guard !exchange.isOver else { return }
                switch answer {
                case .failure(let error): end(.failure(error))
                case .success(let reply):
                    if let limit = reply.breaksAfter, sent >= limit {
                        return end(.failure(.loading(request.url, failed: .broken)))
                    }
                    let part = Array(reply.bytes[sent...].prefix(chunk))
                    if part.isEmpty {
                        return end(
                            .success(
                                ByteResponse(
                                    bytes: progress == nil ? reply.bytes : [], url: reply.url, status: reply.status,
                                    contentType: reply.contentType, timeToFirstByte: .milliseconds(100),
                                    transferDuration: clock.now - start, version: reply.version)))
                    }
                    progress?(
                        ByteProgress(
                            bytes: part, received: Int64(sent + part.count), expected: Int64(reply.bytes.count),
                            elapsed: clock.now - start, timeToFirstByte: .milliseconds(100), version: reply.version))
                    if !exchange.isOver { send(sent + part.count) }
                }
            }
        }
        send(0)
        return exchange
    }

    private struct Reply {
        var bytes: [UInt8]
        var status: Int
        var url: String
        var contentType: String?
        var version: ResourceVersion
        var breaksAfter: Int?
    }

    private static func answer(_ resource: Resource?, _ request: ByteRequest) -> Result<Reply, MediaError> {
        guard let resource else { return .failure(.loading(request.url, failed: .status(404))) }
        if let status = resource.status { return .failure(.loading(request.url, failed: .status(status))) }
        let condition = request.headers.first { $0.hasPrefix("If-Range: ") }.map { String($0.dropFirst(10)) }
        let length = Int64(resource.bytes.count)
        var reply = Reply(
            bytes: resource.bytes, status: 200, url: resource.redirect ?? request.url, contentType: resource.contentType,
            version: ResourceVersion(validator: resource.validator, length: resource.statedLength ?? length),
            breaksAfter: resource.breaksAfter)
        guard let range = request.range else { return .success(reply) }
        // The transfer refuses a whole body in place of a range.
        if resource.ignoresRanges || condition.map({ $0 != resource.validator }) ?? false {
            return .failure(.loading(request.url, failed: .rangeIgnored))
        }
        guard range.lowerBound < length else { return .failure(.loading(request.url, failed: .status(416))) }
        let part = range.clamped(to: 0..<length)
        reply.bytes = Array(resource.bytes[Int(part.lowerBound)..<min(Int(part.upperBound) + resource.surplus, Int(length))])
        reply.status = 206
        return .success(reply)
    }

    private final class Exchange: ByteTask {
        private struct State {
            var isOver = false
            var bell: Doorbell?
        }
        private let state = Mutex(State())
        var isOver: Bool {
            get { state.withLock { $0.isOver } }
            set { state.withLock { $0.isOver = newValue } }
        }
        var bell: Doorbell? {
            get { state.withLock { $0.bell } }
            set { state.withLock { $0.bell = newValue } }
        }
        func cancel() { bell?.ring() }
    }
}
