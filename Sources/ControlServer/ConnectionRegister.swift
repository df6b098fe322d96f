import FlyingSocks
import Glibc
import LinuxSupport
import Synchronization

/// The open connections with their sockets, for all tasks. A connection that must end is shut down, which its own task sees as the
/// end of its stream.
final class ConnectionRegister: Sendable {
    typealias ID = ConnectionTable.ID

    private struct State {
        var table: ConnectionTable
        var handshakes: StrangerAllowance
        var requests: StrangerAllowance
        /// Open while they are here: a connection leaves before it closes its socket.
        var descriptors: [ID: Int32] = [:]
        var lastID: ID = 0
    }
    private let state: Mutex<State>

    init(limits: ControlLimits) {
        state = Mutex(
            State(
                table: ConnectionTable(limits: limits), handshakes: StrangerAllowance(limits.handshakes),
                requests: StrangerAllowance(limits.strangerRequests)))
    }

    /// - Returns: nil when the connection is not admitted and must be closed.
    func enter(_ socket: Socket, peer: String, isKnown: Bool) -> ID? {
        state.withLock { state in
            state.lastID += 1
            let id = state.lastID
            let (isAdmitted, evicted) = state.table.enter(id, peer: peer, isKnown: isKnown, at: RealTime.now)
            if let evicted { Self.end(evicted, &state) }
            guard isAdmitted else { return nil }
            state.descriptors[id] = socket.file.rawValue
            return id
        }
    }

    /// It has sent the operator's token, from the machine `peer`.
    func recognize(_ id: ID, peer: String) {
        state.withLock { state in
            state.table.recognize(id)
            state.handshakes.recognize(peer, at: RealTime.now)
        }
    }

    /// Whether the machine `peer` may begin TLS now.
    func mayBeginTLS(_ peer: String) -> Bool { state.withLock { $0.handshakes.take(peer, at: RealTime.now) } }

    /// Whether a stranger's request may be answered now.
    enum Turn {
        case now
        case later
        /// Its connection has been ended.
        case never
    }

    /// The turn of a request of a stranger from the machine `peer`; one that must wait is `queued`.
    func turn(of id: ID, peer: String) -> Turn {
        state.withLock { state in
            let now = RealTime.now
            guard state.table.holds(id) else { return .never }
            guard !state.requests.take(peer, at: now) else { return .now }
            state.table.set(.queued, of: id, at: now)
            return .later
        }
    }

    func set(_ phase: ConnectionTable.Phase, of id: ID) { state.withLock { $0.table.set(phase, of: id, at: RealTime.now) } }

    /// The connection closes its socket after this.
    func leave(_ id: ID) {
        state.withLock { state in
            state.table.leave(id)
            state.descriptors[id] = nil
        }
    }

    /// Ends the connections that took too long.
    func sweep() {
        state.withLock { state in
            for id in state.table.expire(at: RealTime.now) { Self.end(id, &state) }
        }
    }

    private static func end(_ id: ID, _ state: inout State) {
        if let descriptor = state.descriptors[id] { shutdown(descriptor, Int32(SHUT_RDWR)) }
    }
}
