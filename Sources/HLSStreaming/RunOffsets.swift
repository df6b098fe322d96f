import MediaModel
import MediaSources
import MediaTime

/// The offsets that map the time stamps of runs to asset time: those of the shared timeline, unless the stamps of a run are elsewhere.
struct RunOffsets {
    /// A segment is at most so far from where it is expected.
    private static let longestShift = MediaTime.seconds(10)
    /// The durations in a playlist may be wrong by one part in this many, because they are rounded.
    private static let roundedParts = 10

    private let timeline: StreamTimeline
    private let session: Int
    /// Whether the offsets of this rendition are those of the timeline.
    private let isPrimary: Bool
    /// The offsets of sequences whose shared one is not that of their timestamps: the server used a sequence number twice, or the timestamps have jumped.
    private var own: [Int64: MediaTime] = [:]

    init(_ timeline: StreamTimeline, session: Int, isPrimary: Bool) {
        self.timeline = timeline
        self.session = session
        self.isPrimary = isPrimary
    }

    /// The timestamps of a sequence have jumped.
    mutating func jump(_ sequence: Int64, to offset: MediaTime) { own[sequence] = offset }

    /// The offset that maps the timestamps of a run to asset time; nil once reading is cancelled.
    ///
    /// - Parameter lastEnd: up to which asset time was delivered.
    mutating func fix(_ plan: RunPlan, stamp: MediaTime, after lastEnd: MediaTime?) -> MediaTime? {
        if ContainerSniffer.hasSharedStamps(plan.container) {
            return fix(plan, stamp: stamp, mayWrap: plan.container == .transportStream, after: lastEnd)
        }
        // Packed audio starts at zero; its tag gives the corresponding timestamp.
        guard let first = plan.firstStamp else { return plan.start - stamp }
        return fix(plan, stamp: first, mayWrap: true, after: lastEnd).map { $0 + first - stamp }
    }

    /// Reports the offset of a run's beginning: behind a jump it is not that of its sequence.
    private mutating func fix(_ plan: RunPlan, stamp: MediaTime, mayWrap: Bool, after lastEnd: MediaTime?) -> MediaTime? {
        let offset = shared(plan, stamp: stamp, mayWrap: mayWrap, after: lastEnd)
        if isPrimary, let offset { timeline.measure(plan.sequence, offset: offset, from: stamp + offset) }
        return offset
    }

    private mutating func shared(
        _ plan: RunPlan, stamp: MediaTime, mayWrap: Bool, after lastEnd: MediaTime?
    ) -> MediaTime? {
        let offset: MediaTime
        if isPrimary {
            offset = timeline.fix(plan.sequence, stamp: stamp, segmentStart: plan.start)
        } else {
            guard let known = timeline.offset(of: plan.sequence, session: session, ownStamp: stamp, segmentStart: plan.start)
            else {
                return nil
            }
            offset = known
        }
        func unwrapped(_ offset: MediaTime) -> MediaTime {
            // The timestamps of this run may have wrapped since the offset was fixed, or not yet.
            mayWrap ? offset + StampPeriod.shift(of: stamp + offset, toward: plan.start) : offset
        }
        let believable = [offset, own[plan.sequence]].compactMap { $0 }.map(unwrapped).filter {
            isBelievable(stamp + $0, plan, after: lastEnd)
        }
        if let nearest = believable.min(by: { (stamp + $0 - plan.start).magnitude < (stamp + $1 - plan.start).magnitude }) {
            return nearest
        }
        own[plan.sequence] = plan.start - stamp
        return plan.start - stamp
    }

    /// Whether the segment at the start of a run may be at this asset time. If not, the timestamps have jumped before it.
    private func isBelievable(_ time: MediaTime, _ plan: RunPlan, after lastEnd: MediaTime?) -> Bool {
        if let window = plan.window { return window.contains(time) }
        if let lastEnd, (time - lastEnd).magnitude <= Self.longestShift { return true }
        let distance = timeline.anchor(of: plan.sequence).map { (plan.start - $0).magnitude } ?? .zero
        return (time - plan.start).magnitude <= max(Self.longestShift, distance / Self.roundedParts)
    }
}
