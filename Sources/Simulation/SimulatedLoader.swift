import LinuxSupport
import MediaModel
import MediaSources
import Synchronization

/// The network between a box and the servers of its world, on the box's clock. Faults of the link and of the servers act here.
final class SimulatedLoader: ByteLoading {
    private let clock: any HostClock
    private let server: SimulatedServer
    private let began: HostTime
    private let link: Downlink

    private static let latency = Duration.milliseconds(60)
    /// A connection that cannot be made fails after this time, as with libcurl.
    private static let connectTimeout = Duration.seconds(6)
    /// A body arrives in this many parts.
    private static let parts = 4

    /// - Parameter began: the start of the simulation.
    init(clock: any HostClock, server: SimulatedServer, began: HostTime) {
        self.clock = clock
        self.server = server
        self.began = began
        link = Downlink(server.faults)
    }

    func load(
        _ request: ByteRequest, _ completion: @escaping @MainActor @Sendable (Result<ByteResponse, MediaError>) -> Void
    ) -> any ByteTask { start(request, progress: nil, completion) }

    func load(
        _ request: ByteRequest, progress: @escaping @MainActor @Sendable (ByteProgress) -> Void,
        _ completion: @escaping @MainActor @Sendable (Result<ByteResponse, MediaError>) -> Void
    ) -> any ByteTask { start(request, progress: progress, completion) }

    /// Nothing in the world is a file.
    func stream(_ url: String) -> any ByteStream { MissingStream(name: url) }

    @MainActor
    private func start(
        _ request: ByteRequest, progress: (@MainActor @Sendable (ByteProgress) -> Void)?,
        _ completion: @escaping @MainActor @Sendable (Result<ByteResponse, MediaError>) -> Void
    ) -> any ByteTask {
        let exchange = Exchange(clock: clock, request: request, progress: progress, completion)
        exchange.follow(plan(request))
        return exchange
    }

    /// What becomes of a request that starts now.
    @MainActor
    private func plan(_ request: ByteRequest) -> Exchange.Plan {
        let now = clock.now - began
        let active = server.faults.prefix { $0.start <= now }.filter { $0.isActive(at: now) && $0.concerns(request.url) }
        var plan = Exchange.Plan()
        for fault in active {
            switch fault.kind {
            case .outage: return .failure(.unreachable, after: min(Self.connectTimeout, request.firstByteTimeout))
            case .nameFailure: return .failure(.unresolved, after: .milliseconds(20))
            case .silence: return .failure(.noFirstByte, after: request.firstByteTimeout)
            case .status(let status, _), .keyStatus(let status): return .failure(.status(status), after: Self.latency)
            case .webPage: plan.body = Array("<!DOCTYPE html><title>Welcome</title><p>Please sign in.".utf8)
            case .stall: plan.incident = .stalled
            case .truncation: plan.incident = .broken
            default: break
            }
        }
        plan.url = server.address(of: request.url, at: now)
        guard server.accepts(request.url, at: now), server.accepts(plan.url, at: now) else {
            return .failure(.status(403), after: Self.latency)
        }
        plan.latency = Self.latency
        if plan.body == nil {
            guard let wait = server.wait(for: plan.url, at: now) else { return .failure(.status(400), after: Self.latency) }
            plan.latency += wait
            guard plan.latency < request.firstByteTimeout else { return .failure(.noFirstByte, after: request.firstByteTimeout) }
            plan.body = server.body(of: plan.url, at: now + wait)
        }
        guard var body = plan.body else { return .failure(.status(404), after: plan.latency) }
        if let range = request.range {
            guard range.lowerBound < body.count else { return .failure(.status(416), after: Self.latency) }
            body = Array(body[Int(range.lowerBound)..<Int(min(range.upperBound, Int64(body.count)))])
            plan.body = body
        }
        plan.arrivals = arrivals(of: body.count, from: now + plan.latency).map { $0 - now }
        if let total = request.totalTimeout, plan.end > total { return .failure(.overdue, after: total) }
        plan.outage = server.faults.first { $0.kind == .outage && $0.start > now && $0.start < now + plan.end }.map {
            $0.start - now
        }
        return plan
    }

    /// When each part of a body has arrived, from the start of the simulation.
    private func arrivals(of count: Int, from start: Duration) -> [Duration] {
        (1...Self.parts).map { link.arrival(of: count * $0 / Self.parts, from: start) }
    }
}

/// One request and its answer.
private final class Exchange: ByteTask {
    /// What becomes of a request.
    struct Plan {
        /// The address after redirects.
        var url = ""
        var body: [UInt8]?
        var latency = Duration.zero
        /// When each part of the body has arrived, from the request on.
        var arrivals: [Duration] = []
        /// A failure in the middle of the body.
        var incident: LoadFault?
        /// When the link is cut, from the request on; nil if it holds.
        var outage: Duration?
        /// A failure instead of a body, and when it is noticed.
        var failure: LoadFault?

        /// When the body has arrived, from the request on.
        var end: Duration { arrivals.last ?? latency }

        static func failure(_ fault: LoadFault, after length: Duration) -> Plan {
            var plan = Plan()
            plan.failure = fault
            plan.latency = length
            return plan
        }
    }

    private let clock: any HostClock
    private let request: ByteRequest
    private let progress: (@MainActor @Sendable (ByteProgress) -> Void)?
    private let completion: @MainActor @Sendable (Result<ByteResponse, MediaError>) -> Void
    private let started: HostTime
    private let isCancelled = Atomic(false)

    init(
        clock: any HostClock, request: ByteRequest, progress: (@MainActor @Sendable (ByteProgress) -> Void)?,
        _ completion: @escaping @MainActor @Sendable (Result<ByteResponse, MediaError>) -> Void
    ) {
        self.clock = clock
        self.request = request
        self.progress = progress
        self.completion = completion
        started = clock.now
    }

    func cancel() { isCancelled.store(true, ordering: .relaxed) }

    func follow(_ plan: Plan) {
        guard let body = plan.body, plan.failure == nil else { return fail(plan.failure ?? .broken, after: plan.latency) }
        // Without an observer, and for short bodies, one event is enough.
        var plan = plan
        if progress == nil || plan.end - plan.latency < .milliseconds(200) { plan.arrivals = [plan.end] }
        send(body, part: 1, of: plan.arrivals.count, plan)
    }

    private func send(_ body: [UInt8], part: Int, of parts: Int, _ plan: Plan) {
        let time = plan.arrivals[part - 1]
        if let outage = plan.outage, outage < time { return fail(.stalled, after: outage + request.stallTimeout) }
        if let incident = plan.incident, part * 2 >= parts {
            let wait = incident == .stalled ? request.stallTimeout : .zero
            // Half of the body has arrived.
            let received = parts == 1 ? Array(body.prefix(body.count / 2)) : []
            return at(time) { exchange in
                if !received.isEmpty { exchange.report(received[...], of: body.count, received: received.count, plan) }
                exchange.fail(incident, after: time + wait)
            }
        }
        at(time) { exchange in
            let bounds = body.count * (part - 1) / parts..<body.count * part / parts
            exchange.report(body[bounds], of: body.count, received: bounds.upperBound, plan)
            if part < parts { return exchange.send(body, part: part + 1, of: parts, plan) }
            exchange.completion(
                .success(
                    ByteResponse(
                        bytes: exchange.progress == nil ? body : [], url: plan.url, status: 200, contentType: nil,
                        timeToFirstByte: plan.latency, transferDuration: exchange.clock.now - exchange.started)))
        }
    }

    @MainActor
    private func report(_ bytes: ArraySlice<UInt8>, of count: Int, received: Int, _ plan: Plan) {
        guard let progress, !isCancelled.load(ordering: .relaxed) else { return }
        progress(
            ByteProgress(
                bytes: Array(bytes), received: Int64(received), expected: Int64(count), elapsed: clock.now - started,
                timeToFirstByte: plan.latency))
    }

    private func fail(_ fault: LoadFault, after length: Duration) {
        at(length) { $0.completion(.failure(.loading($0.request.url, failed: fault))) }
    }

    /// Acts at a time after the start of the request, unless it is cancelled by then.
    private func at(_ length: Duration, _ action: @escaping @MainActor @Sendable (Exchange) -> Void) {
        clock.schedule(at: started + length, rank: .transfer) { [self] in
            if !isCancelled.load(ordering: .relaxed) { action(self) }
        }
    }
}

/// The stream of an address without a file.
private final class MissingStream: ByteStream {
    let name: String
    var length: Int64? { nil }

    init(name: String) { self.name = name }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(MediaError) -> Int { throw .loading(name, failed: .status(404)) }
    func seek(to offset: Int64) throws(MediaError) { throw .loading(name, failed: .status(404)) }
    func cancel() {}
}
