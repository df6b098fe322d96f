import LinuxSupport
import MediaTime

/// A source that has the same in several qualities, of which some are easier to decode.
@MainActor
package protocol AdaptiveSource: MediaSource {
    /// The decoders do not keep up with what is delivered now: from here on it delivers what is easier to decode, where there is any.
    func decoderFallsBehind()
}

/// Whether a decoder keeps up: frames that were seen beside those that were passed over because they came too late. A value.
package struct DecodingPace: Sendable {
    /// So long is looked at at a time…
    package static let window = Duration.seconds(5)
    /// …and more than this share of the frames passed over is too much.
    package static let mostMissed = 0.2
    private var began: HostTime?
    private var shown = 0
    private var missed = 0

    /// Nothing seen yet.
    package init() {}

    /// Takes in a frame that was seen.
    ///
    /// - Parameter missed: how many before it were not.
    /// - Returns: whether a window is full in which too many were missed.
    package mutating func take(missed count: Int, at now: HostTime) -> Bool {
        let start = began ?? now
        began = start
        shown += 1
        missed += count
        guard now - start >= Self.window else { return false }
        let isTooSlow = Double(missed) > Self.mostMissed * Double(shown + missed)
        self = DecodingPace()
        return isTooSlow
    }
}
