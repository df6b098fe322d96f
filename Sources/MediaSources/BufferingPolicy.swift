import MediaTime

/// How far sources read ahead and decoders decode ahead, and in what stretches.
///
/// Every limit is measured from the decoder's position, never from what another thread has done at that moment. The position at which
/// a source stops is therefore the same however the kernel schedules the threads.
package struct BufferingPolicy: Sendable, Hashable {
    /// A source stops reading this far ahead of the slowest decoder…
    package var durationLimit = MediaTime.seconds(30)
    /// …or at this many bytes…
    package var byteLimit = 32 << 20
    /// …or at this many samples of each track.
    package var sampleLimit = Int.max
    /// Replaces `durationLimit` until the first picture is on the screen, because reading and demuxing half a minute would compete with
    /// decoding that picture; nil reads to `durationLimit` at once.
    package var startLimit: MediaTime? = .seconds(2)
    /// A source that has read to a limit continues when the decoder enters the next stretch of this length, not for each sample, because
    /// one long stretch of work costs less than many short ones. At most a quarter of the limit; zero continues for each sample.
    package var stretch = MediaTime.seconds(1)
    /// A decoder that found its queue full continues when less than this part of the queue is left; one continues for each free place.
    package var refillLevel = Ratio(1, 2)

    /// Makes the shipped policy.
    package init() {}

    /// The shipped policy.
    package static let standard = BufferingPolicy()

    /// For key pictures, of which few are needed: a limit in samples replaces the limit for the start.
    package var forKeyFrames: BufferingPolicy {
        var policy = self
        policy.sampleLimit = KeyFrameReading.samplesAhead
        policy.startLimit = nil
        return policy
    }

    /// The asset time up to which a source may read.
    ///
    /// - Parameters:
    ///   - position: the decoder's.
    ///   - isHeldBack: whether the limit for the start applies.
    func limit(from position: MediaTime, isHeldBack: Bool) -> MediaTime {
        let length = isHeldBack ? min(startLimit ?? durationLimit, durationLimit) : durationLimit
        let stretch = min(stretch, length / 4)
        guard stretch > .zero else { return position + length }
        return stretch * Int(position.wholeSteps(of: stretch)) + length
    }

    /// `BoundedQueue`'s `resumeCount` for a decoder's queue.
    package func resumeCount(of capacity: Int) -> Int {
        max(Int(Int64(capacity) * refillLevel.numerator / refillLevel.denominator), 2)
    }
}
