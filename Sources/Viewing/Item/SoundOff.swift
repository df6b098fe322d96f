import LinuxSupport
import Screens

/// The sound that the viewer has turned off, while Back turns it on again.
package struct SoundOff: Sendable, Equatable {
    private struct Undo: Sendable, Equatable {
        /// The audio that was heard.
        var id: String
        var end: HostTime
    }
    private var undo: Undo?

    /// The audio that Back selects; nil if it selects none.
    var before: String? { undo?.id }
    /// When Back no longer does.
    var undoEnds: HostTime? { undo?.end }

    /// - Parameter id: the audio that was heard.
    mutating func begin(insteadOf id: String, at now: HostTime) { undo = Undo(id: id, end: now + Timing.undo) }

    package mutating func forget() { undo = nil }
}
