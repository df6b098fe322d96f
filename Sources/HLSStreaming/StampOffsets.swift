import MediaSources
import MediaTime

/// The offsets of one discontinuity sequence as they were measured in its pictures, in the order of asset time. A value.
///
/// There is one until time stamps jump. A viewer who seeks meets the stretches in any order, and where a jump is becomes known when it is played over.
struct StampOffsets {
    private(set) var stretches: [StampPlacement.Stretch]
    /// More jumps in one sequence are forgotten, the earliest first.
    private static let most = 32
    /// Offsets that differ by less are the same stretch, measured in another position: time stamps that jump do so by more.
    private static let tolerance = MediaTime.seconds(1)

    /// - Parameter start: where the offset was measured.
    init(_ offset: MediaTime, from start: MediaTime) { stretches = [.init(start: start, offset: offset)] }

    /// From an asset time on the pictures have this offset. What was measured first in a stretch stays its offset, so that a cue that is read
    /// twice is placed twice at the same time.
    ///
    /// - Returns: whether a jump was not known, or not its position.
    mutating func note(_ offset: MediaTime, from start: MediaTime) -> Bool {
        let next = stretches.firstIndex { $0.start > start } ?? stretches.count
        if next > 0, Self.isSame(stretches[next - 1].offset, offset) { return false }
        if next < stretches.count, Self.isSame(stretches[next].offset, offset) {
            // The stretch was met further on before.
            stretches[next].start = start
            return next > 0
        }
        if next > 0, stretches[next - 1].start == start {
            stretches[next - 1].offset = offset
        } else {
            stretches.insert(.init(start: start, offset: offset), at: next)
        }
        if stretches.count > Self.most { stretches.removeFirst(stretches.count - Self.most) }
        return true
    }

    /// Whether two offsets are those of one stretch; whole periods do not count.
    private static func isSame(_ one: MediaTime, _ other: MediaTime) -> Bool {
        let difference = one - other
        return (difference + StampPeriod.shift(of: difference, toward: .zero)).magnitude < tolerance
    }
}
