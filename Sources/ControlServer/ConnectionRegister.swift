import LinuxSupport
import NIOCore
import Synchronization

/// The open connections, for all threads of the page.
final class ConnectionRegister: Sendable {
    typealias ID = ConnectionTable.ID

    private struct State {
        var table: ConnectionTable
        var handshakes: StrangerAllowance
        var requests: StrangerAllowance
        var channels: [ID: any Channel] = [:]
        var lastID: ID = 0
        var isClosed = false
    }
    private let state: Mutex<State>

    init(limits: ControlLimits) {
        state = Mutex(
            State(
                table: ConnectionTable(limits: limits), handshakes: StrangerAllowance(limits.handshakes),
                requests: StrangerAllowance(limits.strangerRequests)))
    }

    /// - Returns: nil when the connection is not admitted and must be closed; otherwise `leave` must follow.
    func enter(_ channel: any Channel, peer: PeerAddress) -> ID? {
        let (id, evicted) = state.withLock { state -> (ID?, (any Channel)?) in
            guard !state.isClosed else { return (nil, nil) }
            state.lastID += 1
            let id = state.lastID
            let (isAdmitted, evicted) = state.table.enter(id, peer: peer.host, isKnown: peer.isLocal, at: RealTime.now)
            if isAdmitted { state.channels[id] = channel }
            return (isAdmitted ? id : nil, evicted.flatMap { state.channels[$0] })
        }
        // Outside the lock: a channel of this thread ends at once, and leaves.
        evicted?.close(promise: nil)
        return id
    }

    /// nil when the connection has made room for another, or has ended.
    func id(of channel: any Channel) -> ID? {
        state.withLock { state in state.channels.first { $0.value === channel && state.table.holds($0.key) }?.key }
    }

    /// It has sent the operator's token, from the machine `peer`.
    func recognize(_ id: ID, peer: PeerAddress) {
        state.withLock { state in
            state.table.recognize(id)
            state.handshakes.recognize(peer.host, at: RealTime.now)
        }
    }

    /// Whether the machine `peer` may begin TLS now.
    func mayBeginTLS(_ peer: PeerAddress) -> Bool {
        peer.isLocal || state.withLock { $0.handshakes.take(peer.host, at: RealTime.now) }
    }

    /// Whether a stranger's request may be answered now.
    enum Turn {
        case now
        case later
        /// Its connection has been ended.
        case never
    }

    /// The turn of a request of a stranger from the machine `peer`; one that must wait is `queued`.
    func turn(of id: ID, peer: PeerAddress) -> Turn {
        state.withLock { state in
            let now = RealTime.now
            guard state.table.holds(id) else { return .never }
            guard !state.requests.take(peer.host, at: now) else { return .now }
            state.table.set(.queued, of: id, at: now)
            return .later
        }
    }

    func set(_ phase: ConnectionTable.Phase, of id: ID) { state.withLock { $0.table.set(phase, of: id, at: RealTime.now) } }

    /// The connection has ended.
    func leave(_ id: ID) {
        state.withLock { state in
            state.table.leave(id)
            state.channels[id] = nil
        }
    }

    /// Ends the connections that took too long.
    func sweep() {
        let late = state.withLock { state in state.table.expire(at: RealTime.now).compactMap { state.channels[$0] } }
        for channel in late { channel.close(promise: nil) }
    }

    /// Ends all connections, and admits no other.
    func close() {
        let all = state.withLock { state in
            state.isClosed = true
            return Array(state.channels.values)
        }
        for channel in all { channel.close(promise: nil) }
    }
}
