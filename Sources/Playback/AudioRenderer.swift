import LinuxSupport
import MediaModel
import MediaTime

/// Feeds the sink from the decoded sound and knows which asset time each of the sink's frames is.
///
/// Sound is placed by its asset time: what overlaps is cut, a hole is filled with silence, so that the clock can follow the
/// sink across every splice without ever waiting on a nudge. A deviation of less than two milliseconds (time stamps are coarser than samples) is not a hole.
@MainActor
final class AudioRenderer {
    private let sink: any AudioSink
    private(set) var queue: BoundedQueue<Decoded<AudioBuffer>>?
    /// Which asset time the sink's frames are.
    private var timeline = SinkTimeline()
    private let rated: RatedSound
    /// What was taken over from the decoder, first come first.
    private var taken: ArraySlice<Decoded<AudioBuffer>> = []
    /// What was decoded and did not fit into the sink, or lies behind the boundary.
    private var rest: ArraySlice<Float> = []
    /// Called for each stretch of sound that begins (after silence, a seek, a splice) with its asset time: what the dump calls an audio run.
    var onRun: ((MediaTime) -> Void)?
    /// Why the sound cannot go on.
    private(set) var failure: MediaError?
    /// Whether that is the decoder's fault alone.
    private(set) var isDecoderBroken = false
    /// Asset time of what is placed next; behind `timeline.nextTime` by what the stretcher holds back.
    private var inputTime: MediaTime?
    /// What was placed lately: given to the sink anew when the rate changes, since what it has was made for the old one.
    private var history: [AudioBuffer] = []
    /// Where the sound itself ends, silence behind it left out; nil until it is known.
    private(set) var soundEnd: MediaTime?
    /// Whether the decoder has nothing more.
    private(set) var isAtEnd = false
    /// What describes the programme and is mixed with its sound.
    private(set) var description: DescriptionMixer?
    /// What is enqueued are bursts of so many frames, which are whole or silence; nil: samples.
    var burstFrames: Int?
    /// No sound of this time or after is enqueued.
    var limit: MediaTime?
    private static let tolerance = MediaTime.milliseconds(2)
    /// Fills any sink.
    private static let plenty = MediaTime.seconds(1)

    /// More than any sink holds, at any rate.
    private static let remembered = MediaTime.seconds(3)

    /// - Parameter makeStretcher: makes what plays sound at a rate; nil where that cannot be had, which is silence.
    init(sink: any AudioSink, makeStretcher: @escaping @MainActor (Ratio) -> (any TimeStretching)? = { _ in nil }) {
        self.sink = sink
        rated = RatedSound(makeStretcher)
    }

    /// How much faster than recorded the sound is played, at the pitch that it has.
    var rate: Ratio { rated.rate }

    private var sampleRate: Int32 { Int32(sink.format.sampleRate) }

    /// Begins at an asset time with a new queue; nil for an item without sound. What the sink had is thrown away.
    ///
    /// - Parameters:
    ///   - isBeginning: the sound begins there itself: its first sample is meant.
    ///   - keepsDescription: whether the new sound is described by what the old one was.
    func restart(
        at time: MediaTime?, queue: BoundedQueue<Decoded<AudioBuffer>>?, rate: Ratio = .one, isBeginning: Bool = false,
        keepsDescription: Bool = false
    ) {
        self.queue = queue
        if !keepsDescription { description = nil }
        taken = []
        history = []
        empty(at: time, rate: rate)
        if !isBeginning { sink.rise() }
        failure = nil
        isDecoderBroken = false
        isAtEnd = false
        soundEnd = nil
        limit = nil
        timeline.follow(offset: .zero)
    }

    private func empty(at time: MediaTime?, rate: Ratio) {
        sink.flush()
        timeline.begin(at: time)
        inputTime = time
        rest = []
        rated.begin(at: rate)
    }

    /// Says where play begins, once the first picture tells.
    func begin(at time: MediaTime) {
        guard timeline.nextTime == nil else { return }
        timeline.settle(at: time)
        inputTime = time
    }

    /// Goes on from an asset time at another rate: what the sink has not played yet is made anew. The sink stands until it is told to play.
    func change(rate: Ratio, at time: MediaTime) {
        guard rate != self.rate else { return }
        remake(at: time, rate: rate)
    }

    /// What is enqueued from now on is mixed with a description, or with nil no more.
    func describe(by mixer: DescriptionMixer?) { description = mixer }

    /// Goes on from an asset time with the sound that there is: what the sink has not played yet is made anew. The sink stands until it is told to play.
    func remake(at time: MediaTime, rate: Ratio? = nil) {
        guard queue != nil else { return }
        taken = ArraySlice(history.filter { $0.end > time }.map { .media($0) }) + (isAtEnd ? [.end] : []) + taken
        history = []
        isAtEnd = false
        empty(at: time, rate: rate ?? self.rate)
        sink.rise()
    }

    /// Takes over what has been decoded. Called once an event, before anything else: taking wakes the decoder, and what it adds then is for the next event.
    ///
    /// Nothing is taken over while there is plenty: what stays in the queue holds the decoder back, which would otherwise run through the whole item.
    func takeIn() {
        defer { if let description { description.takeIn(until: awaited ?? .zero, from: inputTime ?? firstTaken ?? .zero) } }
        if case .media(let first) = taken.first, case .media(let last) = taken.last, last.time - first.time >= Self.plenty {
            return
        }
        taken += queue?.takeAll() ?? []
    }

    private var firstTaken: MediaTime? { if case .media(let first) = taken.first { first.time } else { nil } }

    /// Up to where sound is here to be mixed.
    private var awaited: MediaTime? {
        for case .media(let buffer) in taken.reversed() { return buffer.end }
        return nil
    }

    /// Whether the next sound has to wait for what is mixed with it: not where there would soon be nothing to hear.
    var awaitsDescription: Bool {
        guard let description, case .media(let buffer) = taken.first, !description.covers(buffer.end) else { return false }
        if heard()?.isRunning == true { return queuedDuration > Self.lowWater }
        // Before play a description that is read for itself alone may be a long way off.
        guard !description.tellsProgress, case .media(let last) = taken.last else { return true }
        return last.end - buffer.time < Self.plenty
    }

    /// With less sound than this in the sink nothing is waited for.
    private static let lowWater = MediaTime.milliseconds(200)

    /// What was taken over and not yet placed, if anything was.
    var next: Decoded<AudioBuffer>? { taken.first }

    /// How much sound is in the sink and not yet heard.
    var queuedDuration: MediaTime {
        MediaTime(timeline.frames(behind: sink.timing()?.frame ?? 0), sampleRate)
    }

    /// Asset time up to which sound has been enqueued.
    var enqueuedUntil: MediaTime? { timeline.nextTime }

    /// Whether everything that there was of this sound is in the sink, or would lie behind the limit.
    var isAllEnqueued: Bool {
        if let limit, let nextTime = timeline.nextTime, nextTime >= limit { return true }
        return isAtEnd && rest.isEmpty
    }

    /// Goes on with the sound of another item, without a sample between: from `start` of it on, behind the place `end` of this one.
    ///
    /// - Parameter mixer: what describes it.
    func follow(
        with queue: BoundedQueue<Decoded<AudioBuffer>>, from start: MediaTime, behind end: MediaTime, limit: MediaTime?,
        describedBy mixer: DescriptionMixer? = nil
    ) {
        description = mixer
        // What leads up to the end is silence, where the sound was shorter than the pictures.
        let missing = timeline.nextTime.map { max(end - $0, .zero) } ?? .zero
        rest = silence(Int(rated.unplayed(missing).units(of: sampleRate)))
        self.queue = queue
        self.limit = limit
        taken = []
        history = []
        isAtEnd = false
        soundEnd = nil
        timeline.follow(offset: end - start)
        rated.begin(at: rate)
        inputTime = start
        timeline.startRun(at: rest.isEmpty ? start : start - missing)
        onRun?(start)
        takeIn()
        feed()
    }

    /// The clock has come to the other item, whose times are its own from now on.
    func becomeFollower() { timeline.becomeFollower() }

    /// Moves sound that was taken over to the sink until either has no more to give or to take.
    ///
    /// - Parameter silenceUntil: pads with silence to this time once the sound is over, so that it goes on leading while pictures last.
    func feed(silenceUntil: MediaTime? = nil) {
        guard queue != nil, timeline.nextTime != nil else { return }
        while sink.room > 0 {
            if !rest.isEmpty {
                guard enqueueRest() else { return }
                continue
            }
            guard !isAtEnd, failure == nil else { break }
            if awaitsDescription { return }
            switch taken.popFirst() {
            case nil: return
            case .end:
                rest = rated.drain()
                isAtEnd = true
                soundEnd = inputTime
            case .failed(let error): failure = error
            case .broken(let error):
                failure = error
                isDecoderBroken = true
            case .media(let buffer): place(buffer)
            }
        }
        if isAtEnd, rest.isEmpty, let silenceUntil, let nextTime = timeline.nextTime, silenceUntil > nextTime {
            let frames = min(rated.unplayed(silenceUntil - nextTime).units(of: sampleRate), Int64(sink.room))
            advance(by: sink.enqueue(silence(Int(frames))))
        }
    }

    /// The asset time of what is heard next; nil before anything is enqueued.
    var upcoming: MediaTime? { heard()?.time ?? timeline.first }

    /// The asset time that is heard now by the sink's own account; nil before anything was heard.
    func heard() -> (time: MediaTime, at: HostTime, isRunning: Bool)? {
        guard let timing = sink.timing(), let time = timeline.time(ofFrame: timing.frame, played) else { return nil }
        return (time, timing.hostTime, timing.isRunning)
    }

    /// How much asset time a number of the sink's frames is.
    private func played(_ frames: Int64) -> MediaTime { rated.played(MediaTime(frames, sampleRate)) }

    /// So many frames of nothing.
    private func silence(_ frames: Int) -> ArraySlice<Float> { ArraySlice(repeating: 0, count: frames * sink.format.channels) }

    private func place(_ buffer: AudioBuffer) {
        guard let expected = inputTime else { return }
        remember(buffer)
        var samples = (description?.mixed(buffer) ?? buffer).samples[...]
        let channels = buffer.format.channels
        let deviation = buffer.time - expected
        // A burst comes whole: where it lies within half its length of its place, the clock follows it.
        let tolerance = burstFrames == nil ? Self.tolerance : buffer.duration / 2
        if deviation <= -tolerance {
            samples = samples.dropFirst(Int((-deviation).units(of: sampleRate)) * channels)
            if burstFrames != nil { samples = ArraySlice(repeating: 0, count: samples.count) }
            // All of it lies before the place at which play begins.
            if samples.isEmpty { return }
        } else if deviation >= tolerance {
            samples = ArraySlice(repeating: 0, count: Int(deviation.units(of: sampleRate)) * channels) + samples
        }
        if timeline.isEmpty {
            timeline.startRun(at: deviation.magnitude < tolerance ? buffer.time : expected)
            onRun?(buffer.time)
        } else if deviation.magnitude >= tolerance {
            onRun?(buffer.time)
        } else if deviation != .zero, let nextTime = timeline.nextTime {
            timeline.startRun(at: nextTime + deviation)
        }
        inputTime = buffer.end
        rest = rated.stretch(samples, sink.format)
    }

    private func remember(_ buffer: AudioBuffer) {
        history.append(buffer)
        guard let first = history.first, buffer.end - first.time > Self.remembered + .seconds(1) else { return }
        history.removeAll { $0.end < buffer.end - Self.remembered }
    }

    /// - Returns: false when the sink is full or the limit is reached.
    private func enqueueRest() -> Bool {
        var wanted = rest.count / sink.format.channels
        if let limit, let nextTime = timeline.nextTime {
            let allowed = Int(max(rated.unplayed(limit - nextTime).units(of: sampleRate), 0))
            // A burst that would be cut is silence.
            if burstFrames != nil, allowed < wanted { rest = ArraySlice(repeating: 0, count: rest.count) }
            wanted = min(wanted, allowed)
        }
        guard wanted > 0 else { return false }
        let taken = sink.enqueue(rest.prefix(wanted * sink.format.channels))
        rest = rest.dropFirst(taken * sink.format.channels)
        advance(by: taken)
        return taken == wanted
    }

    private func advance(by frames: Int) { timeline.advance(by: frames, played) }
}
