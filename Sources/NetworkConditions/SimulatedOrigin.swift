import LinuxSupport
import MediaModel
import MediaSources
import Synchronization

/// A scripted origin behind a network, in its clock's time: `Transfer` without sockets. Made for the simulated clock, where a
/// slow evening passes in a moment and repeats exactly.
///
/// Names are looked up once per host, connections are kept (six per host), requests use the uplink, and bodies share the rate of
/// the downlink. Timeouts are those of the requests.
package final class SimulatedOrigin: ByteLoading {
    let clock: any HostClock
    let script: OriginScript
    let network: NetworkProfile
    /// Loads resources that are not in the script; it takes no time on the simulated clock.
    let backing: (any ByteLoading)?
    @MainActor let link: SharedLink
    @MainActor private var hosts: [String: HostState] = [:]
    @MainActor private var loss: LossModel
    /// The origin's start, to which scripts are relative.
    let epoch: HostTime

    private struct HostState {
        var isNameKnown = false
        var idle = 0
        var open = 0
        var waiting: [@MainActor @Sendable () -> Void] = []
    }

    /// The most connections per host.
    static let mostConnections = 6

    /// Makes an origin.
    ///
    /// - Parameters:
    ///   - script: its resources and faults; more may be added at any time.
    ///   - network: the network between it and its clients.
    ///   - backing: loads resources that are not in the script.
    ///   - seed: seeds the packet loss.
    @MainActor
    package init(
        clock: any HostClock, script: OriginScript, network: NetworkProfile = .unlimited, backing: (any ByteLoading)? = nil,
        seed: UInt64 = 1
    ) {
        self.clock = clock
        self.script = script
        self.network = network
        self.backing = backing
        epoch = clock.now
        link = SharedLink(clock: clock, schedule: network.loss >= 1 ? RateSchedule(0) : network.down)
        loss = LossModel(share: network.loss, burst: network.burst, seed: seed)
    }

    @MainActor @discardableResult
    package func load(
        _ request: ByteRequest, _ completion: @escaping @MainActor @Sendable (Result<ByteResponse, MediaError>) -> Void
    ) -> any ByteTask {
        start(request, progress: nil, completion)
    }

    @MainActor @discardableResult
    package func load(
        _ request: ByteRequest, progress: @escaping @MainActor @Sendable (ByteProgress) -> Void,
        _ completion: @escaping @MainActor @Sendable (Result<ByteResponse, MediaError>) -> Void
    ) -> any ByteTask {
        start(request, progress: progress, completion)
    }

    /// File demuxers read whole resources without a network: this origin is for HLS.
    package func stream(_ url: String) -> any ByteStream {
        backing?.stream(url) ?? ScriptStream(script: script, url: url)
    }

    @MainActor
    private func start(
        _ request: ByteRequest, progress: (@MainActor @Sendable (ByteProgress) -> Void)?,
        _ completion: @escaping @MainActor @Sendable (Result<ByteResponse, MediaError>) -> Void
    ) -> any ByteTask {
        let exchange = SimulatedExchange(origin: self, request: request, progress: progress, completion)
        // As a separate event: no callback runs inside `load`.
        clock.schedule(at: clock.now, rank: .transfer) { exchange.begin() }
        return exchange
    }

    @MainActor func nextLoss() -> LossModel.Outcome { loss.next() }

    // MARK: - Connections

    /// Whether the name of a host has been looked up.
    @MainActor func isNameKnown(_ host: String) -> Bool { hosts[host]?.isNameKnown ?? false }

    @MainActor func learnName(_ host: String) { hosts[host, default: HostState()].isNameKnown = true }

    /// Acquires a connection: an idle one, the right to open one, or a place in the queue.
    @MainActor func takeConnection(_ host: String, _ then: @escaping @MainActor @Sendable (_ isOpen: Bool) -> Void) {
        if hosts[host, default: HostState()].idle > 0 {
            hosts[host]!.idle -= 1
            then(true)
        } else if hosts[host]!.open < Self.mostConnections {
            hosts[host]!.open += 1
            then(false)
        } else {
            hosts[host]!.waiting.append { [weak self] in self?.takeConnection(host, then) }
        }
    }

    /// Releases a connection.
    @MainActor func leaveConnection(_ host: String, isUsable: Bool) {
        if isUsable { hosts[host]!.idle += 1 } else { hosts[host]!.open -= 1 }
        if !hosts[host]!.waiting.isEmpty {
            let next = hosts[host]!.waiting.removeFirst()
            clock.schedule(at: clock.now, rank: .transfer, next)
        }
    }
}

/// A resource of a script as a stream without any network.
private final class ScriptStream: ByteStream {
    private struct State {
        var bytes: [UInt8]?
        var position = 0
        var isCancelled = false
    }
    private let script: OriginScript
    private let state = Mutex(State())
    let name: String

    init(script: OriginScript, url: String) {
        self.script = script
        name = url
    }

    var length: Int64? { state.withLock { Int64(open(&$0).count) } }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(MediaError) -> Int {
        guard script.has(name) else { throw .loading(name, failed: .status(404)) }
        return state.withLock { state in
            let bytes = open(&state)
            guard !state.isCancelled, state.position < bytes.count else { return 0 }
            let count = min(buffer.count, bytes.count - state.position)
            buffer.copyBytes(from: bytes[state.position..<state.position + count])
            state.position += count
            return count
        }
    }

    func seek(to offset: Int64) throws(MediaError) { state.withLock { $0.position = Int(max(offset, 0)) } }

    func cancel() { state.withLock { $0.isCancelled = true } }

    private func open(_ state: inout State) -> [UInt8] {
        let bytes = state.bytes ?? script.answer(OriginScript.Request(url: name, elapsed: .zero)).body
        state.bytes = bytes
        return bytes
    }
}
