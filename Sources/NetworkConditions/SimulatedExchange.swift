import LinuxSupport
import MediaModel
import MediaSources
import Synchronization

/// One request to a simulated origin, from the name lookup to its last byte. On the main loop, except `cancel`.
final class SimulatedExchange: ByteTask {
    typealias Completion = @MainActor @Sendable (Result<ByteResponse, MediaError>) -> Void

    private let origin: SimulatedOrigin
    private let request: ByteRequest
    private let started: HostTime
    private let isCancelled = Atomic(false)
    @MainActor private var state: State

    private struct State {
        var url: String
        var progress: (@MainActor @Sendable (ByteProgress) -> Void)?
        var completion: Completion?
        var redirects = 0
        var host: String?
        var flow: Int?
        var answer: OriginAnswer?
        var received = 0
        var firstByte: HostTime?
        var stallGuard: ScheduledEvent?
        var guards: [ScheduledEvent] = []
    }

    /// The same limit as libcurl's.
    private static let mostRedirects = 5
    private static let connectTimeout: Duration = .seconds(6)
    /// A request with its header lines, in bits.
    private static let requestBits: Int64 = 500 * 8

    @MainActor
    init(
        origin: SimulatedOrigin, request: ByteRequest, progress: (@MainActor @Sendable (ByteProgress) -> Void)?,
        _ completion: @escaping Completion
    ) {
        self.origin = origin
        self.request = request
        started = origin.clock.now
        state = State(url: request.url, progress: progress, completion: completion)
    }

    func cancel() { isCancelled.store(true, ordering: .sequentiallyConsistent) }

    @MainActor private var isOver: Bool {
        if isCancelled.load(ordering: .sequentiallyConsistent), state.completion != nil { end(isConnectionUsable: false) }
        return state.completion == nil
    }

    @MainActor private var elapsed: Duration { origin.clock.now - origin.epoch }

    @MainActor
    func begin() {
        guard !isOver else { return }
        guardTime(request.firstByteTimeout) { $0.state.firstByte == nil ? .noFirstByte : nil }
        if let total = request.totalTimeout { guardTime(total) { _ in .overdue } }
        connect()
    }

    // MARK: - Connecting

    @MainActor
    private func connect() {
        let faults = origin.script.connectionFaults(state.url, elapsed: elapsed)
        let host = Address(state.url).origin
        if faults.contains(.noName) { return after(origin.network.delay * 2) { $0.fail(.unresolved) } }
        var nameDelay = origin.isNameKnown(host) ? Duration.zero : origin.network.nameDelay
        for case .slowName(let length) in faults { nameDelay += length }
        let isConnectTimed = guardTime(min(Self.connectTimeout, request.firstByteTimeout)) {
            $0.state.host == nil ? .unreachable : nil
        }
        after(nameDelay) { exchange in
            exchange.origin.learnName(host)
            if faults.contains(.refusal) { return exchange.after(exchange.origin.network.delay * 2) { $0.fail(.unreachable) } }
            exchange.origin.takeConnection(host) { isOpen in
                guard !exchange.isOver else { return exchange.origin.leaveConnection(host, isUsable: isOpen) }
                if isOpen { return exchange.connected(host, isConnectTimed) }
                exchange.open(host, faults, isConnectTimed)
            }
        }
    }

    @MainActor
    private func open(_ host: String, _ faults: [OriginFault], _ timer: ScheduledEvent) {
        // A round trip for the connection, another for TLS.
        var length = origin.network.delay * (Address(state.url).isSecure ? 4 : 2)
        for case .slowHandshake(let extra) in faults { length += extra }
        let opened = { @MainActor @Sendable (exchange: SimulatedExchange) in
            exchange.after(length, orElse: { $0.leaveConnection(host, isUsable: false) }) { $0.connected(host, timer) }
        }
        origin.link.whenUp { [self] in
            guard !isOver else { return origin.leaveConnection(host, isUsable: false) }
            opened(self)
        }
    }

    @MainActor
    private func connected(_ host: String, _ timer: ScheduledEvent) {
        timer.cancel()
        state.host = host
        let bits = origin.network.up > 0 ? Self.requestBits * 1_000_000_000 / origin.network.up : 0
        origin.link.whenUp { [self] in
            after(origin.network.delay + .nanoseconds(bits)) { $0.arrive() }
        }
    }

    // MARK: - At the origin

    @MainActor
    private func arrive() {
        let asked = OriginScript.Request(
            url: state.url, range: request.range, elapsed: elapsed, headers: request.headers, body: request.body)
        guard let backing = origin.backing, !origin.script.has(state.url) else { return reply(origin.script.answer(asked)) }
        backing.load(ByteRequest(url: state.url, range: request.range, body: request.body)) { [self] result in
            guard !isOver else { return }
            var answer = origin.script.answer(asked)
            switch result {
            case .success(let response):
                answer.take(status: request.range == nil ? 200 : 206, body: response.bytes, type: response.contentType)
            case .failure(let error):
                guard case .status(let status) = error.fault ?? .status(404) else { return fail(error.fault ?? .broken) }
                answer.take(status: status, body: [], type: nil)
            }
            reply(answer)
        }
    }

    @MainActor
    private func reply(_ answer: OriginAnswer) {
        state.answer = answer
        if answer.isSilent { return }
        after(answer.latency) { exchange in
            exchange.origin.link.whenUp { exchange.after(exchange.origin.network.delay) { $0.takeHead(answer) } }
        }
    }

    // MARK: - The response

    @MainActor
    private func takeHead(_ answer: OriginAnswer) {
        if let location = answer.location {
            state.redirects += 1
            guard state.redirects <= Self.mostRedirects else { return fail(.redirects) }
            if let host = state.host { origin.leaveConnection(host, isUsable: true) }
            state.host = nil
            state.url = location.hasPrefix("/") ? Address(state.url).origin + location : location
            return connect()
        }
        if answer.status >= 400 { return fail(.status(answer.status), isConnectionUsable: true) }
        if request.range != nil, answer.status != 206 { return fail(.rangeIgnored) }
        guard !answer.body.isEmpty else { return finish() }
        restartStallGuard()
        sendParts()
    }

    /// Sends the rest of the body, up to the next incident.
    @MainActor
    private func sendParts() {
        guard let answer = state.answer else { return }
        let end = answer.incident.map { min($0.after, answer.body.count) } ?? answer.body.count
        guard state.received < end else { return meetIncident() }
        if let rate = answer.rate {
            // A slow server: parts of a tenth of a second each, independent of the link.
            let part = min(end - state.received, max(1, Int(rate / 80)))
            return after(.nanoseconds(Int64(part) * 8_000_000_000 / max(rate, 1))) { exchange in
                exchange.take(part)
                if exchange.state.completion != nil { exchange.sendParts() }
            }
        }
        state.flow = origin.link.send(end - state.received, part: LossModel.partSize) { [self] count in
            guard !isOver else { return }
            switch origin.nextLoss() {
            case .passes: break
            case .isLate: return holdUp(count)
            case .breaks: return fail(.broken)
            }
            take(count)
            if state.completion != nil, state.received >= end { meetIncident() }
        }
    }

    /// A lost part arrives after TCP's retransmission timeout, and everything behind it waits.
    @MainActor
    private func holdUp(_ count: Int) {
        if let flow = state.flow { origin.link.stop(flow) }
        state.flow = nil
        after(max(.milliseconds(200), origin.network.delay * 4)) { exchange in
            exchange.take(count)
            if exchange.state.completion != nil { exchange.sendParts() }
        }
    }

    @MainActor
    private func take(_ count: Int) {
        guard let answer = state.answer else { return }
        let now = origin.clock.now
        let first = state.received
        state.firstByte = state.firstByte ?? now
        state.received += count
        restartStallGuard()
        state.progress?(
            ByteProgress(
                bytes: Array(answer.body[first..<state.received]), received: Int64(state.received),
                expected: Int64(answer.body.count),
                elapsed: now - started, timeToFirstByte: (state.firstByte ?? now) - started, version: answer.version))
    }

    @MainActor
    private func meetIncident() {
        guard let answer = state.answer, let incident = answer.incident, incident.after <= state.received,
            state.received < answer.body.count
        else { return finish() }
        switch incident.kind {
        case .reset: fail(.broken)
        case .end: fail(.wrongLength)
        case .stall: break
        case .pause(let length):
            state.answer?.clearIncident()
            after(length) { $0.sendParts() }
        }
    }

    // MARK: - Completion

    @MainActor
    private func finish() {
        guard let answer = state.answer, let completion = state.completion else { return }
        let now = origin.clock.now
        var response = ByteResponse(
            bytes: state.progress == nil ? answer.body : [], url: state.url, status: answer.status, contentType: answer.type,
            timeToFirstByte: (state.firstByte ?? now) - started, transferDuration: now - started, serverAddress: "192.0.2.1",
            version: answer.version, entityTag: answer.entityTag)
        response.cacheControl = CacheControl(answer.cacheControl)
        end(isConnectionUsable: true)
        completion(.success(response))
    }

    @MainActor
    private func fail(_ fault: LoadFault, isConnectionUsable: Bool = false) {
        guard let completion = state.completion else { return }
        let url = state.url
        end(isConnectionUsable: isConnectionUsable)
        completion(.failure(.loading(url, failed: fault)))
    }

    @MainActor
    private func end(isConnectionUsable: Bool) {
        if let flow = state.flow { origin.link.stop(flow) }
        if let host = state.host { origin.leaveConnection(host, isUsable: isConnectionUsable) }
        state.guards.forEach { $0.cancel() }
        state.stallGuard?.cancel()
        state.host = nil
        state.completion = nil
        state.progress = nil
        state.answer = nil
    }

    // MARK: - Time

    @MainActor
    private func after(
        _ length: Duration, orElse abandon: (@MainActor @Sendable (SimulatedOrigin) -> Void)? = nil,
        _ action: @escaping @MainActor @Sendable (SimulatedExchange) -> Void
    ) {
        origin.clock.schedule(after: length, rank: .transfer) { [self] in
            if isOver { abandon?(origin) } else { action(self) }
        }
    }

    @MainActor @discardableResult
    private func guardTime(_ length: Duration, _ fault: @escaping @MainActor @Sendable (SimulatedExchange) -> LoadFault?)
        -> ScheduledEvent
    {
        let event = origin.clock.schedule(after: length, rank: .transfer) { [self] in
            if !isOver, let fault = fault(self) { fail(fault) }
        }
        state.guards.append(event)
        return event
    }

    @MainActor
    private func restartStallGuard() {
        state.stallGuard?.cancel()
        state.stallGuard = origin.clock.schedule(after: request.stallTimeout, rank: .transfer) { [self] in
            if !isOver { fail(state.firstByte == nil ? .noFirstByte : .stalled) }
        }
    }
}
