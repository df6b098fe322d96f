import LinuxSupport
import MediaTime

/// When the segments of a rendition were complete, and how their ends differ from those of the playlist. A value.
struct SegmentCompletions {
    /// After this time a demuxer has delivered what it has read.
    private static let settlingTime = Duration.seconds(1)

    /// When the last one was complete; nil while none was.
    private(set) var last: HostTime?
    /// Whether the drift of the last one was measured.
    private var isMeasured = false
    private var drift = DriftMeter()

    mutating func take(at now: HostTime) {
        last = now
        isMeasured = false
    }

    /// Whether the end of what was demuxed is that of the last segment, which was not measured yet.
    func isMeasureDue(at now: HostTime) -> Bool {
        guard let last, !isMeasured else { return false }
        return now - last >= Self.settlingTime
    }

    /// - Returns: by how much the playlist is to be moved; nil for not at all.
    mutating func measure(_ difference: MediaTime, tolerance: MediaTime) -> MediaTime? {
        isMeasured = true
        return drift.take(difference, tolerance: tolerance)
    }
}
