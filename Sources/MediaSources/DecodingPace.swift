import LinuxSupport
import MediaTime

/// A source with several qualities of the same content, some of which are easier to decode.
@MainActor
package protocol AdaptiveSource: MediaSource {
    /// The decoders cannot keep up with the current quality: switches to an easier one if there is one.
    func decoderFallsBehind()
}

/// Whether a decoder keeps up, from the ratio of shown frames to frames that came too late. A value.
package struct DecodingPace: Sendable {
    /// The length of a measuring window…
    package static let window = Duration.seconds(5)
    /// …and the share of missed frames that is too much.
    package static let mostMissed = 0.2
    private var began: HostTime?
    private var shown = 0
    private var missed = 0

    package init() {}

    /// Records a shown frame.
    ///
    /// - Parameter missed: how many before it were missed.
    /// - Returns: whether a window is complete in which too many were missed.
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

extension AdaptiveSource {
    package var adaptiveSource: (any AdaptiveSource)? { self }
}
