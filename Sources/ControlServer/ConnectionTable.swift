import LinuxSupport

/// Who is connected, and which connection ends when there are too many or when one takes too long.
///
/// A connection is *known* when it comes from this machine or has sent the operator's token; the others are strangers. Strangers
/// make room first, those of the machine that has most of them: neither a thousand idle connections of one machine nor one each of
/// many end a connection of the operator. Some places are never theirs, and one that does not take its answer keeps no place either.
struct ConnectionTable {
    typealias ID = UInt64

    /// What a connection waits for.
    enum Phase: Hashable {
        /// Nothing, or the first byte of a request.
        case idle
        /// The rest of a request.
        case reading
        /// Its turn among the requests of strangers.
        case queued
        /// The answer of the box, which has its own limits.
        case answering
        /// The client, which takes the answer.
        case sending
    }

    private struct Entry {
        var peer: String
        var isKnown: Bool
        var phase: Phase
        /// The order in which connections began to wait.
        var turn: UInt64
        var since: HostTime

        /// Ending it loses no answer that somebody with a right has asked for.
        var canMakeRoom: Bool {
            switch phase {
            case .idle, .reading, .queued: true
            case .sending: !isKnown
            case .answering: false
            }
        }
    }

    private let limits: ControlLimits
    private var entries: [ID: Entry] = [:]
    private var lastTurn: UInt64 = 0

    init(limits: ControlLimits) { self.limits = limits }

    var count: Int { entries.count }

    /// A new connection.
    ///
    /// - Returns: the connection that makes room for it, if one must; `isAdmitted` is false when none can.
    mutating func enter(_ id: ID, peer: String, isKnown: Bool, at now: HostTime) -> (isAdmitted: Bool, evicted: ID?) {
        var evicted: ID?
        let isFull = entries.count >= limits.connections
        if isFull || !isKnown && entries.values.count(where: { !$0.isKnown }) >= limits.strangers {
            guard let victim = victim(ofKnown: isKnown) else { return (false, nil) }
            entries[victim] = nil
            evicted = victim
        }
        lastTurn += 1
        entries[id] = Entry(peer: peer, isKnown: isKnown, phase: .idle, turn: lastTurn, since: now)
        return (true, evicted)
    }

    /// - Parameter isKnown: whether the newcomer is known: only then may a known connection make room.
    private func victim(ofKnown isKnown: Bool) -> ID? {
        let waiting = entries.filter { $0.value.canMakeRoom }
        let strangers = waiting.filter { !$0.value.isKnown }
        let counts = strangers.values.reduce(into: [:]) { $0[$1.peer, default: 0] += 1 }
        let most = counts.values.max()
        let candidates = strangers.isEmpty ? (isKnown ? waiting : [:]) : strangers.filter { counts[$0.value.peer] == most }
        return candidates.min { $0.value.turn < $1.value.turn }?.key
    }

    /// It has sent the operator's token.
    mutating func recognize(_ id: ID) { entries[id]?.isKnown = true }

    mutating func set(_ phase: Phase, of id: ID, at now: HostTime) {
        // The time of a head is counted from its first byte, however many follow.
        guard entries[id] != nil, entries[id]?.phase != phase else { return }
        lastTurn += 1
        entries[id]?.phase = phase
        entries[id]?.turn = lastTurn
        entries[id]?.since = now
    }

    mutating func leave(_ id: ID) { entries[id] = nil }

    /// Whether it has neither left nor been ended.
    func holds(_ id: ID) -> Bool { entries[id] != nil }

    /// Removes and returns the connections that took too long.
    mutating func expire(at now: HostTime) -> [ID] {
        let late = entries.filter { entry in
            switch entry.value.phase {
            case .idle: now - entry.value.since > (entry.value.isKnown ? limits.idleTime : limits.requestTime)
            case .reading, .queued: now - entry.value.since > limits.requestTime
            case .sending: now - entry.value.since > limits.sendTime
            case .answering: false
            }
        }.keys.sorted()
        for id in late { entries[id] = nil }
        return late
    }
}
