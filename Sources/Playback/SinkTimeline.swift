import MediaModel
import MediaTime

/// Maps each of a sink's frames to asset time. A value.
///
/// The audio in a sink is a sequence of runs: from a frame on, it continues from an asset time.
struct SinkTimeline {
    private struct Run {
        var frame: Int64
        var time: MediaTime
    }

    /// Asset time of the next frame to enqueue; nil before playback begins.
    private(set) var nextTime: MediaTime?
    private var enqueuedFrames: Int64 = 0
    private var runs: [Run] = []
    /// Offset from times of the enqueued item to those of the clock: before a joint they belong to different items.
    private var offset = MediaTime.zero

    /// The sink reports frames that are at most its own length in the past, which is fewer runs than this, one for each buffer of another pace included.
    private static let mostRuns = 512

    /// Whether a run has begun.
    var isEmpty: Bool { runs.isEmpty }

    /// The asset time of the first frame.
    var first: MediaTime? { runs.first?.time }

    /// Begins at an asset time, with an empty sink.
    mutating func begin(at time: MediaTime?) {
        nextTime = time
        enqueuedFrames = 0
        runs = []
    }

    /// Sets the start of playback if it was unknown.
    mutating func settle(at time: MediaTime) { if nextTime == nil { nextTime = time } }

    /// The next frame has this asset time.
    mutating func startRun(at time: MediaTime) {
        if let last = runs.last, last.frame == enqueuedFrames { runs.removeLast() }
        if runs.count > Self.mostRuns { runs.removeFirst(Self.mostRuns / 2) }
        runs.append(Run(frame: enqueuedFrames, time: time + offset))
        nextTime = time
    }

    /// Frames were enqueued.
    ///
    /// - Parameter length: the asset time that a number of frames lasts.
    mutating func advance(by frames: Int, _ length: (Int64) -> MediaTime) {
        guard frames > 0, let time = nextTime else { return }
        enqueuedFrames += Int64(frames)
        // Counted from the start of the run, so that rounding errors do not add up.
        if let run = runs.last {
            nextTime = run.time - offset + length(enqueuedFrames - run.frame)
        } else {
            nextTime = time + length(Int64(frames))
        }
    }

    /// The asset time of a frame; nil before the first run.
    func time(ofFrame frame: Int64, _ length: (Int64) -> MediaTime) -> MediaTime? {
        runs.last { $0.frame <= frame }.map { $0.time + length(frame - $0.frame) }
    }

    /// The number of frames enqueued after a given one.
    func frames(behind frame: Int64) -> Int64 { max(enqueuedFrames - frame, 0) }

    /// Audio of another item follows.
    ///
    /// - Parameter offset: from its times to those of the clock.
    mutating func follow(offset: MediaTime) { self.offset = offset }

    /// The clock has reached the other item, and its own times apply from now on.
    mutating func becomeFollower() {
        for index in runs.indices { runs[index].time -= offset }
        offset = .zero
    }
}

/// Plays audio at another rate than recorded, with unchanged pitch. Main loop.
@MainActor
final class RatedSound {
    /// The playback rate of the audio.
    private(set) var rate = Ratio.one
    private var stretcher: (any TimeStretching)?
    private let makeStretcher: @MainActor (Ratio) -> (any TimeStretching)?

    /// - Parameter makeStretcher: makes the time stretcher for a rate; nil if that is not available, in which case there is silence.
    init(_ makeStretcher: @escaping @MainActor (Ratio) -> (any TimeStretching)?) { self.makeStretcher = makeStretcher }

    /// Restarts at a rate.
    func begin(at rate: Ratio) {
        if rate != self.rate || stretcher != nil { stretcher = rate == .one ? nil : makeStretcher(rate) }
        self.rate = rate
    }

    /// Converts a duration of the sink to asset time.
    func played(_ length: MediaTime) -> MediaTime { rate == .one ? length : length.scaled(by: rate) }

    /// Converts a duration of asset time to the sink's.
    func unplayed(_ length: MediaTime) -> MediaTime {
        rate == .one ? length : length.scaled(by: Ratio(rate.denominator, rate.numerator))
    }

    /// Samples as heard at the rate. If audio cannot be stretched, time advances all the same, in silence.
    func stretch(_ samples: ArraySlice<Float>, _ format: AudioFormat) -> ArraySlice<Float> {
        guard rate != .one else { return samples }
        if let stretcher { return stretcher.stretch(samples)[...] }
        let (frames, sampleRate) = (samples.count / format.channels, Int32(format.sampleRate))
        let heard = unplayed(MediaTime(Int64(frames), sampleRate)).units(of: sampleRate)
        return ArraySlice(repeating: 0, count: Int(heard) * format.channels)
    }

    /// The remaining audio.
    func drain() -> ArraySlice<Float> { stretcher.map { $0.drain()[...] } ?? [] }
}
