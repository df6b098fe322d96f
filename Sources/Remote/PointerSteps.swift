import BoxModel
import LinuxSupport

/// Converts the motion of a pointing device (air mouse, mouse) to steps in the direction of an arrow key. A value: motion in, keys out.
struct PointerSteps {
    /// The axes of relative motion (linux/input-event-codes.h). Right and down are positive, a wheel turned away from the viewer is positive.
    enum Axis: Equatable {
        case horizontal, vertical, wheel
    }

    /// Counts that make a step. An air mouse reports some 800 for a turn of the wrist, which then crosses a row of posters.
    static let countsPerStep: Int32 = 80
    /// Steps follow one another no faster; what is moved meanwhile is not made up for.
    static let shortestInterval: Duration = .milliseconds(90)
    /// After so long without motion, what had gathered is the trembling of a hand.
    static let rest: Duration = .milliseconds(300)

    private var horizontal: Int32 = 0
    private var vertical: Int32 = 0
    private var lastMotion: HostTime?
    private var lastStep: HostTime?

    /// - Parameters:
    ///   - counts: the device's, any number.
    ///   - time: never before that of the last call.
    /// - Returns: the arrow key of the step that is complete, if one is.
    mutating func move(_ axis: Axis, by counts: Int32, at time: HostTime) -> RemoteKey? {
        if let lastMotion, time - lastMotion > Self.rest { (horizontal, vertical) = (0, 0) }
        lastMotion = time
        switch axis {
        case .wheel: return counts == 0 ? nil : step(counts > 0 ? .up : .down, at: time)
        case .horizontal: horizontal = Self.sum(horizontal, counts)
        case .vertical: vertical = Self.sum(vertical, counts)
        }
        // The direction in which it moved further; a slanting motion is not two steps.
        let (furthest, isHorizontal) = abs(horizontal) >= abs(vertical) ? (horizontal, true) : (vertical, false)
        guard abs(furthest) >= Self.countsPerStep else { return nil }
        (horizontal, vertical) = (0, 0)
        return step(isHorizontal ? (furthest > 0 ? .right : .left) : (furthest > 0 ? .down : .up), at: time)
    }

    private mutating func step(_ key: RemoteKey, at time: HostTime) -> RemoteKey? {
        if let lastStep, time - lastStep < Self.shortestInterval { return nil }
        lastStep = time
        return key
    }

    /// Within one step, whatever the device reports.
    private static func sum(_ gathered: Int32, _ counts: Int32) -> Int32 {
        let bounded = min(max(counts, -countsPerStep), countsPerStep)
        return min(max(gathered + bounded, -countsPerStep), countsPerStep)
    }
}
