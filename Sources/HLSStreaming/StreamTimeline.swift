import LinuxSupport
import MediaModel
import MediaTime

/// Maps stream time to asset time: one offset for each discontinuity sequence, shared by all renditions of a presentation.
///
/// The first timestamp that the primary rendition (the one with the pictures) demuxes in a sequence fixes its offset permanently:
/// that timestamp is the start of its segment. The other renditions wait for it, so that they cannot drift apart. Where timestamps
/// jump within a sequence, each reader follows them by itself (`StampSplices`).
final class StreamTimeline: Sendable {
    private struct State {
        var offsets: [Int64: MediaTime] = [:]
        /// The segment, by its place in the playlist, whose timestamp fixed the offset.
        var anchors: [Int64: MediaTime] = [:]
        /// Reading runs that were cancelled: no thread waits in them any more.
        var cancelled: Set<Int> = []
        /// Sequences for which the primary rendition has no sample.
        var barren: Set<Int64> = []
        /// Rung when an offset becomes known.
        var bells: [Doorbell] = []

        mutating func fix(_ sequence: Int64, _ offset: MediaTime, at segmentStart: MediaTime) {
            offsets[sequence] = offset
            anchors[sequence] = segmentStart
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
}

/// Timestamps of 33 bits wrap every 26.5 hours.
enum StampPeriod {
    /// 2^33 ticks of 90 kHz.
    static let length = MediaTime(1 << 33, 90_000)

    /// The shift in whole periods that moves a time nearest to its expected value.
    static func shift(of time: MediaTime, toward expected: MediaTime) -> MediaTime {
        let periods = (expected - time + length / 2).wholeSteps(of: length)
        return periods == 0 ? .zero : length * Int(periods)
    }
}
