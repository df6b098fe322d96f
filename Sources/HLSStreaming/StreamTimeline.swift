import LinuxSupport
import MediaSources
import MediaTime

/// Maps stream time to asset time: one offset for each discontinuity sequence, shared by all renditions of a presentation.
///
/// The first timestamp that the primary rendition (the one with the pictures) demuxes in a sequence fixes its offset permanently:
/// that timestamp is the start of its segment. The other renditions wait for it, so that they cannot drift apart. Where timestamps
/// jump within a sequence, each reader follows them by itself (`StampSplices`); the primary one reports its offsets, by which
/// captions are placed, and how far it has come.
final class StreamTimeline: Sendable {
    private struct State {
        var offsets: [Int64: MediaTime] = [:]
        /// The segment, by its position in the playlist, whose timestamp fixed the offset.
        var anchors: [Int64: MediaTime] = [:]
        /// The offsets that were measured in a sequence; more than one where its timestamps jump.
        var measured: [Int64: StampOffsets] = [:]
        /// The reading run whose primary rendition is being demuxed, and the asset time that it has reached.
        var measuring: (session: Int, reach: MediaTime?)?
        /// Rung once, when the reach is at this time or nothing more will be measured.
        var waiting: [(bell: Doorbell, time: MediaTime)] = []
        /// Reading runs that were cancelled: no thread waits in them any more.
        var cancelled: Set<Int> = []
        /// Sequences for which the primary rendition has no sample.
        var barren: Set<Int64> = []
        /// Rung when an offset becomes known.
        var bells: [Doorbell] = []

        mutating func fix(_ sequence: Int64, _ offset: MediaTime, at segmentStart: MediaTime) {
            offsets[sequence] = offset
            anchors[sequence] = segmentStart
            measured[sequence] = StampOffsets(offset, from: segmentStart)
        }

        mutating func wake(_ isThere: (MediaTime) -> Bool) {
            waiting.removeAll { waiter in
                guard isThere(waiter.time) else { return false }
                waiter.bell.ring()
                return true
            }
        }
    }
    private let monitor: Monitor<State>

    init(ledger: WorkLedger?) { monitor = Monitor(State(), ledger: ledger) }

    /// The offset of a sequence, fixed by this timestamp unless it was fixed before.
    func fix(_ sequence: Int64, stamp: MediaTime, segmentStart: MediaTime) -> MediaTime {
        monitor.update { state in
            if let offset = state.offsets[sequence] { return offset }
            let offset = segmentStart - stamp
            state.fix(sequence, offset, at: segmentStart)
            state.bells.forEach { $0.ring() }
            return offset
        }
    }

    /// The offset of a sequence if it is known. Never waits.
    func knownOffset(of sequence: Int64) -> MediaTime? { monitor.read { $0.offsets[sequence] } }

    /// The start of the segment, by its playlist, that fixed the offset of a sequence. Never waits.
    func anchor(of sequence: Int64) -> MediaTime? { monitor.read { $0.anchors[sequence] } }

    /// Whether the primary rendition has nothing in a sequence. Never waits.
    func isBarren(_ sequence: Int64) -> Bool { monitor.read { $0.barren.contains(sequence) } }

    /// Registers a bell that is rung when an offset becomes known.
    func addBell(_ bell: Doorbell) { monitor.update { $0.bells.append(bell) } }

    /// The primary rendition has nothing in a sequence: others use their own timestamps.
    func leave(_ sequence: Int64) {
        monitor.update { state in
            guard state.barren.insert(sequence).inserted else { return }
            state.bells.forEach { $0.ring() }
        }
    }

    /// The offset of a sequence; waits until the primary rendition fixes it. Worker threads only.
    ///
    /// - Returns: nil when the reading run was cancelled.
    func offset(of sequence: Int64, session: Int, ownStamp: MediaTime, segmentStart: MediaTime) -> MediaTime? {
        monitor.wait { state -> MediaTime?? in
            if state.cancelled.contains(session) { return .some(nil) }
            if let offset = state.offsets[sequence] { return offset }
            if state.barren.contains(sequence) {
                let offset = segmentStart - ownStamp
                state.fix(sequence, offset, at: segmentStart)
                state.bells.forEach { $0.ring() }
                return offset
            }
            return nil
        }
    }

    /// Unblocks the threads that wait in a reading run.
    func cancel(session: Int) { monitor.update { _ = $0.cancelled.insert(session) } }

    // MARK: What the pictures tell about captions

    /// How far the offsets of a reading run have been measured.
    enum Reach: Equatable {
        /// Nothing is being measured: what is known is all.
        case everything
        /// The run has not delivered anything yet.
        case nothing
        /// Up to this asset time.
        case until(MediaTime)
    }

    /// A reading run begins with this rendition as the primary one.
    func beginMeasuring(session: Int) { monitor.update { $0.measuring = (session, nil) } }

    /// The primary rendition of a reading run is demuxed no more.
    func endMeasuring(session: Int) {
        monitor.update { state in
            guard state.measuring?.session == session else { return }
            state.measuring = nil
            state.wake { _ in true }
        }
    }

    /// The primary rendition of a reading run has been demuxed up to an asset time.
    func reach(_ time: MediaTime, session: Int) {
        monitor.update { state in
            guard let measuring = state.measuring, measuring.session == session else { return }
            let reach = measuring.reach.map { max($0, time) } ?? time
            state.measuring?.reach = reach
            state.wake { $0 <= reach || measuring.reach == nil }
        }
    }

    /// From an asset time on the timestamps of a sequence have this offset.
    func measure(_ sequence: Int64, offset: MediaTime, from time: MediaTime) {
        monitor.update { state in
            guard state.measured[sequence]?.note(offset, from: time) == true else { return }
            state.bells.forEach { $0.ring() }
        }
    }

    /// How far the current reading run is measured. Never waits.
    var reach: Reach {
        monitor.read { state in
            guard let measuring = state.measuring else { return .everything }
            return measuring.reach.map { .until($0) } ?? .nothing
        }
    }

    /// Rings a bell once when the current reading run is measured up to a time, or has its first sample or its end. Replaces the bell's earlier wish.
    func ring(_ bell: Doorbell, at time: MediaTime) {
        monitor.update { state in
            state.waiting.removeAll { $0.bell === bell }
            guard let measuring = state.measuring, measuring.reach.map({ $0 < time }) ?? true else { return bell.ring() }
            state.waiting.append((bell, time))
        }
    }

    /// How timestamps of a sequence map to asset time, if that is known. Never waits.
    func placement(of sequence: Int64) -> StampPlacement? {
        monitor.read { $0.measured[sequence].flatMap { StampPlacement($0.stretches) } }
    }

    /// How timestamps of the other sequences map to asset time, the one that begins nearest to a time first. Never waits.
    func placements(except sequence: Int64, near time: MediaTime) -> [StampPlacement] {
        monitor.read { state in
            let others = state.measured.filter { $0.key != sequence }.map { (key: $0.key, stretches: $0.value.stretches) }
            func distance(_ stretches: [StampPlacement.Stretch]) -> MediaTime {
                stretches.map { ($0.start - time).magnitude }.min() ?? .zero
            }
            return others.sorted { (distance($0.stretches), -$0.key) < (distance($1.stretches), -$1.key) }.prefix(Self.mostOthers)
                .compactMap { StampPlacement($0.stretches) }
        }
    }

    /// Captions are not tried in more sequences than these.
    private static let mostOthers = 8

    /// Removes a bell.
    func remove(_ bell: Doorbell) {
        monitor.update { state in
            state.bells.removeAll { $0 === bell }
            state.waiting.removeAll { $0.bell === bell }
        }
    }
}
