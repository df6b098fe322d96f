import LinuxSupport
import MediaModel
import MediaTime

/// Feeds the sink with decoded sound and maps frames of the sink to asset time.
///
/// Sound is placed by its asset time: overlaps are cut and gaps are filled with silence, so that the clock can follow the sink across every splice. A
/// deviation of less than two milliseconds is not a gap, because time stamps are coarser than samples.
@MainActor
final class AudioRenderer {
    private let sink: any AudioSink
    private(set) var queue: BoundedQueue<Decoded<AudioBuffer>>?
    /// Maps the sink's frames to asset time.
    private var timeline = SinkTimeline()
    private let rated: RatedSound
    private var paced: PacedSound
    /// How many frames more were enqueued since the last run began than its time has.
    private var addedFrames = 0
    /// Sound taken from the decoder, oldest first.
    private var taken: ArraySlice<Decoded<AudioBuffer>> = []
    /// Decoded sound that did not fit into the sink, or is past the boundary.
    private var rest: ArraySlice<Float> = []
    /// Frames of silence to enqueue when `rest` is empty, before the next sound.
    private var owedSilence = 0
    /// Called with the asset time at which each run of sound begins (after silence, a seek, a splice), which the dump reports as an audio run.
    var onRun: ((MediaTime) -> Void)?
    /// Why the sound cannot continue.
    private(set) var failure: MediaError?
    /// Whether the error is one of the decoder only.
    private(set) var isDecoderBroken = false
    /// Asset time of the next sample to enqueue; behind `timeline.nextTime` by what the stretcher holds back.
    private var inputTime: MediaTime?
    /// Recently placed sound. It is enqueued again when the rate changes, because the sink's contents have the old rate.
    private var history: [AudioBuffer] = []
    /// The end of the newest sound that was placed; nil before the first.
    private(set) var placedUntil: MediaTime?
    /// Whether decoded sound was left in the queue, because enough had been taken.
    private(set) var hasLeftSound = false
    /// The end of the sound itself, without silence after it; nil until it is known.
    private(set) var soundEnd: MediaTime?
    /// Whether the decoder has finished.
    private(set) var isAtEnd = false
    /// The mixer of an audio description, if there is one.
    private(set) var description: DescriptionMixer?
    /// The number of frames per burst if bursts are enqueued, which are complete or replaced by silence; nil for samples.
    var burstFrames: Int?
    /// No sound at or after this time is enqueued.
    var limit: MediaTime?
    private static let tolerance = MediaTime.milliseconds(2)
    /// Silence for any sink. Longer silence is made piece by piece, because stamps may be years apart.
    private static let plenty = MediaTime.seconds(1)

    /// More than any sink holds, at any rate.
    private static let remembered = MediaTime.seconds(3)

    /// - Parameter makeStretcher: makes a time stretcher for a rate; nil if none is available, and then there is silence.
    init(sink: any AudioSink, makeStretcher: @escaping @MainActor (Ratio) -> (any TimeStretching)? = { _ in nil }) {
        self.sink = sink
        rated = RatedSound(makeStretcher)
        paced = PacedSound(channels: sink.format.channels)
    }

    /// The playback rate of the sound; its pitch is kept.
    var rate: Ratio { rated.rate }

    /// How much faster than recorded sound is played at rate 1, in parts per million; negative is slower. It applies to what is enqueued from now on.
    var pace: Int {
        get { paced.pace }
        set { paced.pace = newValue }
    }

    private var sampleRate: Int32 { Int32(sink.format.sampleRate) }

    /// Starts at an asset time with a new queue; nil for an item without sound. The sink's contents are discarded.
    ///
    /// - Parameters:
    ///   - isBeginning: whether the sound itself begins there, so that its first sample must be heard.
    ///   - keepsDescription: whether the description of the old sound applies to the new one.
    func restart(
        at time: MediaTime?, queue: BoundedQueue<Decoded<AudioBuffer>>?, rate: Ratio = .one, isBeginning: Bool = false,
        keepsDescription: Bool = false
    ) {
        self.queue = queue
        if !keepsDescription { description = nil }
        taken = []
        history = []
        placedUntil = nil
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
        addedFrames = 0
        paced.begin(channels: sink.format.channels)
        inputTime = time
        rest = []
        owedSilence = 0
        rated.begin(at: rate)
    }

    /// Sets the start of playback when the first picture determines it.
    func begin(at time: MediaTime) {
        guard timeline.nextTime == nil else { return }
        timeline.settle(at: time)
        inputTime = time
    }

    /// Continues from an asset time at another rate: sound that the sink has not played is enqueued again. The sink is stopped until it is told to play.
    func change(rate: Ratio, at time: MediaTime) {
        guard rate != self.rate else { return }
        remake(at: time, rate: rate)
    }

    /// Sets the mixer for sound that is enqueued from now on; nil for none.
    func describe(by mixer: DescriptionMixer?) { description = mixer }

    /// Continues from an asset time with the available sound: sound that the sink has not played is enqueued again. The sink is stopped until it is told to play.
    func remake(at time: MediaTime, rate: Ratio? = nil) {
        guard queue != nil else { return }
        taken = ArraySlice(history.filter { $0.end > time }.map { .media($0) }) + (isAtEnd ? [.end] : []) + taken
        history = []
        isAtEnd = false
        empty(at: time, rate: rate ?? self.rate)
        sink.rise()
    }

    /// Takes decoded sound from the queue. Called once per event, before anything else: taking wakes the decoder, and its further output belongs to the next event.
    ///
    /// Nothing is taken while there is plenty. A full queue stops the decoder, which would otherwise decode the whole item.
    func takeIn() {
        defer { if let description { description.takeIn(until: awaited ?? .zero, from: inputTime ?? firstTaken ?? .zero) } }
        hasLeftSound = false
        if case .media(let first) = taken.first, case .media(let last) = taken.last, last.time - first.time >= Self.plenty {
            hasLeftSound = true
            return
        }
        taken += queue?.takeAll() ?? []
    }

    private var firstTaken: MediaTime? { if case .media(let first) = taken.first { first.time } else { nil } }

    /// The end of the sound that is ready to be mixed.
    private var awaited: MediaTime? {
        for case .media(let buffer) in taken.reversed() { return buffer.end }
        return nil
    }

    /// Whether the next sound must wait for the description. It does not when the sink would run empty.
    var awaitsDescription: Bool {
        guard let description, case .media(let buffer) = taken.first, !description.covers(buffer.end) else { return false }
        if heard()?.isRunning == true { return queuedDuration > Self.lowWater }
        // Before playback a description that is read separately may be far from being available.
        guard !description.tellsProgress, case .media(let last) = taken.last else { return true }
        return last.end - buffer.time < Self.plenty
    }

    /// With less sound than this in the sink there is no wait.
    private static let lowWater = MediaTime.milliseconds(200)

    /// Sound that was taken and not yet placed, if any.
    var next: Decoded<AudioBuffer>? { taken.first }

    /// The duration of sound in the sink that has not been heard.
    var queuedDuration: MediaTime {
        MediaTime(timeline.frames(behind: sink.timing()?.frame ?? 0), sampleRate)
    }

    /// Asset time up to which sound has been enqueued.
    var enqueuedUntil: MediaTime? { timeline.nextTime }

    /// Whether all of this sound is in the sink, or would be past the limit.
    var isAllEnqueued: Bool {
        if let limit, let nextTime = timeline.nextTime, nextTime >= limit { return true }
        return isAtEnd && rest.isEmpty && owedSilence == 0
    }

    /// Continues with the sound of another item without a gap: from its time `start`, after the time `end` of this one.
    ///
    /// - Parameter mixer: the mixer of its description.
    func follow(
        with queue: BoundedQueue<Decoded<AudioBuffer>>, from start: MediaTime, behind end: MediaTime, limit: MediaTime?,
        describedBy mixer: DescriptionMixer? = nil
    ) {
        description = mixer
        settlePace()
        // If the sound is shorter than the pictures, silence fills the time up to the end.
        let missing = timeline.nextTime.map { max(end - $0, .zero) } ?? .zero
        rest = []
        owedSilence = Int(rated.unplayed(missing).units(of: sampleRate))
        self.queue = queue
        self.limit = limit
        taken = []
        history = []
        isAtEnd = false
        soundEnd = nil
        timeline.follow(offset: end - start)
        rated.begin(at: rate)
        inputTime = start
        timeline.startRun(at: owedSilence == 0 ? start : start - missing)
        onRun?(start)
        takeIn()
        feed()
    }

    /// The clock has reached the other item, and its own times apply from now on.
    func becomeFollower() { timeline.becomeFollower() }

    /// Moves sound that was taken to the sink, until there is no more of it or no more room.
    ///
    /// - Parameter silenceUntil: pads with silence up to this time after the end of the sound, so that it still drives the clock while pictures last.
    func feed(silenceUntil: MediaTime? = nil) {
        guard queue != nil, timeline.nextTime != nil else { return }
        while sink.room > 0 {
            if !rest.isEmpty {
                guard enqueueRest() else { return }
                continue
            }
            if owedSilence > 0 {
                let count = min(owedSilence, Int(sampleRate))
                owedSilence -= count
                rest = silence(count)
                continue
            }
            guard !isAtEnd, failure == nil else { break }
            if awaitsDescription { return }
            switch taken.popFirst() {
            case nil: return
            case .end:
                rest = rated.drain() + paced.rest()
                isAtEnd = true
                soundEnd = inputTime
            case .failed(let error): failure = error
            case .broken(let error):
                failure = error
                isDecoderBroken = true
            case .media(let buffer): place(buffer)
            }
        }
        if isAtEnd, rest.isEmpty, owedSilence == 0, let silenceUntil, let nextTime = timeline.nextTime, silenceUntil > nextTime {
            let frames = min(rated.unplayed(silenceUntil - nextTime).units(of: sampleRate), Int64(sink.room))
            advance(by: sink.enqueue(silence(Int(frames))))
        }
    }

    /// The asset time of the next sound to be heard; nil before anything is enqueued.
    var upcoming: MediaTime? { heard()?.time ?? timeline.first }

    /// The asset time that is heard now according to the sink; nil before anything was heard.
    func heard() -> (time: MediaTime, at: HostTime, isRunning: Bool)? {
        guard let timing = sink.timing(), let time = timeline.time(ofFrame: timing.frame, played) else { return nil }
        return (time, timing.hostTime, timing.isRunning)
    }

    /// The asset time that a number of the sink's frames lasts.
    private func played(_ frames: Int64) -> MediaTime { rated.played(MediaTime(frames, sampleRate)) }

    /// This many frames of silence.
    private func silence(_ frames: Int) -> ArraySlice<Float> { ArraySlice(repeating: 0, count: frames * sink.format.channels) }

    private func place(_ buffer: AudioBuffer) {
        settlePace()
        guard let expected = inputTime else { return }
        if buffer.time - expected > Self.plenty {
            taken.insert(.media(buffer), at: taken.startIndex)
            return wait(from: expected)
        }
        remember(buffer)
        var samples = (description?.mixed(buffer) ?? buffer).samples[...]
        let channels = buffer.format.channels
        let deviation = buffer.time - expected
        // A burst is placed whole. If it is within half its length of its time, the clock follows it.
        let tolerance = burstFrames == nil ? Self.tolerance : buffer.duration / 2
        if deviation <= -tolerance {
            samples = samples.dropFirst(Int((-deviation).units(of: sampleRate)) * channels)
            if burstFrames != nil { samples = ArraySlice(repeating: 0, count: samples.count) }
            // All of it is before the start of playback.
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
        // Bursts are no samples, and at other rates pictures keep no step.
        guard rate == .one, burstFrames == nil else { return }
        (rest, addedFrames) = paced.pass(rest)
    }

    /// All sound of a buffer with more or fewer frames is in the sink: the time goes on as if it had its own number.
    private func settlePace() {
        guard addedFrames != 0, let nextTime = timeline.nextTime else { return }
        timeline.startRun(at: nextTime - MediaTime(Int64(addedFrames), sampleRate))
        addedFrames = 0
    }

    /// Silence until shortly after `time`, before sound that begins much later.
    private func wait(from time: MediaTime) {
        let length = Self.plenty / 2
        if timeline.isEmpty { timeline.startRun(at: time) }
        inputTime = time + length
        rest = paced.rest() + rated.stretch(silence(Int(length.units(of: sampleRate))), sink.format)
    }

    private func remember(_ buffer: AudioBuffer) {
        history.append(buffer)
        placedUntil = buffer.end
        guard let first = history.first, buffer.end - first.time > Self.remembered + .seconds(1) else { return }
        history.removeAll { $0.end < buffer.end - Self.remembered }
    }

    /// - Returns: false if the sink is full or the limit is reached.
    private func enqueueRest() -> Bool {
        var wanted = rest.count / sink.format.channels
        if let limit, let nextTime = timeline.nextTime {
            let allowed = Int(max(rated.unplayed(limit - nextTime).units(of: sampleRate), 0))
            // A burst that would be cut is replaced by silence.
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
