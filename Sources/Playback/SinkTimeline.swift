import MediaModel
import MediaTime

/// Which asset time each of a sink's frames is. A value.
///
/// The sound in a sink is a sequence of runs: from a frame on, it is that of an asset time and what follows it.
struct SinkTimeline {
    private struct Run {
        var frame: Int64
        var time: MediaTime
    }

    /// Asset time of the next frame to enqueue; nil before play begins somewhere.
    private(set) var nextTime: MediaTime?
    private var enqueuedFrames: Int64 = 0
    private var runs: [Run] = []
    /// Added to times of the item whose sound is enqueued, gives those of the clock: before a joint they are another item's.
    private var offset = MediaTime.zero

    /// The sink tells of frames that are at most its own length in the past, which is fewer runs than this.
    private static let mostRuns = 64

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

    /// Says where play begins, where that was not known.
    mutating func settle(at time: MediaTime) { if nextTime == nil { nextTime = time } }

    /// The next frame is of this asset time.
    mutating func startRun(at time: MediaTime) {
        if let last = runs.last, last.frame == enqueuedFrames { runs.removeLast() }
        if runs.count > Self.mostRuns { runs.removeFirst(Self.mostRuns / 2) }
        runs.append(Run(frame: enqueuedFrames, time: time + offset))
        nextTime = time
    }

    /// Frames were enqueued.
    ///
    /// - Parameter length: how much asset time a number of frames is.
    mutating func advance(by frames: Int, _ length: (Int64) -> MediaTime) {
        guard frames > 0, let time = nextTime else { return }
        enqueuedFrames += Int64(frames)
        // Counted from the start of the run, so that no rounding adds up.
        if let run = runs.last {
            nextTime = run.time - offset + length(enqueuedFrames - run.frame)
        } else {
            nextTime = time + length(Int64(frames))
        }
    }

    /// The asset time of a frame; nil where it is before the first run.
    func time(ofFrame frame: Int64, _ length: (Int64) -> MediaTime) -> MediaTime? {
        runs.last { $0.frame <= frame }.map { $0.time + length(frame - $0.frame) }
    }

    /// How many frames have been enqueued beyond one.
    func frames(behind frame: Int64) -> Int64 { max(enqueuedFrames - frame, 0) }

    /// Sound of another item follows.
    ///
    /// - Parameter offset: added to its times, gives those of the clock.
    mutating func follow(offset: MediaTime) { self.offset = offset }

    /// The clock has come to the other item, whose times are its own from now on.
    mutating func becomeFollower() {
        for index in runs.indices { runs[index].time -= offset }
        offset = .zero
    }
}

/// Sound at another rate than recorded, at the pitch that it has. Main loop.
@MainActor
final class RatedSound {
    /// How much faster than recorded the sound is played.
    private(set) var rate = Ratio.one
    private var stretcher: (any TimeStretching)?
    private let makeStretcher: @MainActor (Ratio) -> (any TimeStretching)?

    /// - Parameter makeStretcher: makes what plays sound at a rate; nil where that is not available, which is silence.
    init(_ makeStretcher: @escaping @MainActor (Ratio) -> (any TimeStretching)?) { self.makeStretcher = makeStretcher }

    /// Begins again at a rate.
    func begin(at rate: Ratio) {
        if rate != self.rate || stretcher != nil { stretcher = rate == .one ? nil : makeStretcher(rate) }
        self.rate = rate
    }

    /// How much asset time a length of the sink's is.
    func played(_ length: MediaTime) -> MediaTime { rate == .one ? length : length.scaled(by: rate) }

    /// How long a length of asset time is in the sink.
    func unplayed(_ length: MediaTime) -> MediaTime {
        rate == .one ? length : length.scaled(by: Ratio(rate.denominator, rate.numerator))
    }

    /// Samples as they are heard at the rate. Where sound cannot be stretched, time passes all the same, in silence.
    func stretch(_ samples: ArraySlice<Float>, _ format: AudioFormat) -> ArraySlice<Float> {
        guard rate != .one else { return samples }
        if let stretcher { return stretcher.stretch(samples)[...] }
        let (frames, sampleRate) = (samples.count / format.channels, Int32(format.sampleRate))
        let heard = unplayed(MediaTime(Int64(frames), sampleRate)).units(of: sampleRate)
        return ArraySlice(repeating: 0, count: Int(heard) * format.channels)
    }

    /// What is left of the sound.
    func drain() -> ArraySlice<Float> { stretcher.map { $0.drain()[...] } ?? [] }
}
