import LinuxSupport
import MediaModel
import MediaTime

/// From stream time to asset time: one offset for each discontinuity sequence, shared by all renditions of a presentation.
///
/// The first stamp that the primary rendition (the one with the pictures) decodes in a sequence fixes its offset for good: that
/// stamp is the start of the segment it came from. The other renditions wait for it, so that they cannot drift apart.
final class StreamTimeline: Sendable {
    private struct State {
        var offsets: [Int64: MediaTime] = [:]
        /// Runs of reading that have been given up: nobody waits in them any more.
        var cancelled: Set<Int> = []
        /// Sequences of which the primary rendition has said that it has no sample.
        var barren: Set<Int64> = []
        /// Rung when an offset becomes known.
        var bells: [Doorbell] = []
    }
    private let monitor: Monitor<State>

    init(ledger: WorkLedger?) { monitor = Monitor(State(), ledger: ledger) }

    /// The offset of a sequence, fixed by this stamp unless it was fixed before.
    func fix(_ sequence: Int64, stamp: MediaTime, segmentStart: MediaTime) -> MediaTime {
        monitor.update { state in
            if let offset = state.offsets[sequence] { return offset }
            let offset = segmentStart - stamp
            state.offsets[sequence] = offset
            state.bells.forEach { $0.ring() }
            return offset
        }
    }

    /// The offset of a sequence where it is known. Never waits.
    func knownOffset(of sequence: Int64) -> MediaTime? { monitor.read { $0.offsets[sequence] } }

    /// Whether the primary rendition has said that it has nothing in a sequence. Never waits.
    func isBarren(_ sequence: Int64) -> Bool { monitor.read { $0.barren.contains(sequence) } }

    /// Has a bell rung whenever an offset becomes known.
    func addBell(_ bell: Doorbell) { monitor.update { $0.bells.append(bell) } }

    /// Says that the primary rendition has nothing in a sequence: others go by their own stamps.
    func leave(_ sequence: Int64) {
        monitor.update { state in
            guard state.barren.insert(sequence).inserted else { return }
            state.bells.forEach { $0.ring() }
        }
    }

    /// The offset of a sequence, waiting for the primary rendition to fix it. Worker threads only.
    ///
    /// - Returns: nil when the reading was cancelled.
    func offset(of sequence: Int64, session: Int, ownStamp: MediaTime, segmentStart: MediaTime) -> MediaTime? {
        monitor.wait { state -> MediaTime?? in
            if state.cancelled.contains(session) { return .some(nil) }
            if let offset = state.offsets[sequence] { return offset }
            if state.barren.contains(sequence) {
                let offset = segmentStart - ownStamp
                state.offsets[sequence] = offset
                state.bells.forEach { $0.ring() }
                return offset
            }
            return nil
        }
    }

    /// Lets go of those who wait in a run of reading.
    func cancel(session: Int) { monitor.update { _ = $0.cancelled.insert(session) } }
}

/// Stamps of 33 bits come round every 26.5 hours.
enum StampPeriod {
    /// 2^33 ticks of 90 kHz.
    static let length = MediaTime(1 << 33, 90_000)

    /// What is to be added to a time, in whole periods, so that it is nearest to where it is expected.
    static func shift(of time: MediaTime, toward expected: MediaTime) -> MediaTime {
        let periods = (expected - time + length / 2).wholeSteps(of: length)
        return periods == 0 ? .zero : length * Int(periods)
    }
}
