import LinuxSupport
import MediaModel
import MediaTime

/// Mixes an audio description, which is a separate track, with the sound of the programme. Both are placed by their asset time, sample by sample.
///
/// Recently mixed sound can be mixed again: the description is kept as long as the programme's sound. Main loop only.
@MainActor
final class DescriptionMixer {
    /// How far both tracks have been read if they are read together: the description's, and the programme's.
    typealias Progress = @MainActor () -> (description: MediaTime?, programme: MediaTime?)

    /// A part of the description without a gap, and the programme's gain for each of its frames.
    private struct Stretch {
        var time: MediaTime
        var samples: [Float]
        var gains: [Float]
    }

    private let queue: BoundedQueue<Decoded<AudioBuffer>>
    private let format: AudioFormat
    private let progress: Progress?
    private var stretches: [Stretch] = []
    private var ducking: Ducking
    /// Whether the description has ended.
    private var isOver = false
    private var failure: MediaError?
    /// Up to this time the description certainly has no sound.
    private var clearUntil: MediaTime?

    /// Time stamps are coarser than samples.
    private static let tolerance = MediaTime.milliseconds(2)
    /// This much more than requested is taken.
    private static let ahead = MediaTime.milliseconds(500)
    /// In a file the two tracks are interleaved at most this far apart.
    private static let interleave = MediaTime.seconds(2)
    /// The most that a decoder holds back.
    private static let longestPiece = MediaTime.milliseconds(250)
    /// At least as long as the programme's sound is kept.
    private static let remembered = MediaTime.seconds(5)

    init(_ queue: BoundedQueue<Decoded<AudioBuffer>>, format: AudioFormat, progress: Progress? = nil) {
        self.queue = queue
        self.format = format
        self.progress = progress
        ducking = Ducking(format)
    }

    /// Whether a gap in the description may soon be detected.
    var tellsProgress: Bool { progress != nil }

    private var sampleRate: Int32 { Int32(format.sampleRate) }

    private func end(_ stretch: Stretch) -> MediaTime { stretch.time + MediaTime(Int64(stretch.gains.count), sampleRate) }

    /// Takes decoded sound from the queue, as far as it may be needed soon. A full queue stops the decoder. Called once per event, like
    /// `AudioRenderer.takeIn`.
    ///
    /// - Parameters:
    ///   - time: the end of the programme's sound that is ready.
    ///   - position: the start of the sound that is still to be mixed.
    func takeIn(until time: MediaTime, from position: MediaTime = .zero) {
        guard !isOver else { return }
        // Before anything is taken, because that wakes the decoder, and the decoder wakes the source.
        let read = progress?()
        if stretches.last.map({ end($0) < time + Self.ahead }) ?? true {
            for item in queue.takeAll() { take(item) }
        }
        guard !isOver, let programme = read?.programme else { return }
        // All description samples that were read have been taken or are past, and the programme has been read considerably further.
        let clear = programme - Self.interleave
        let known = stretches.last.map(end) ?? .zero
        guard (read?.description ?? .zero) <= max(known, position) + Self.longestPiece else { return }
        clearUntil = clear
        if !stretches.isEmpty, !ducking.isAtRest, clear > known { appendSilence(Int((clear - known).units(of: sampleRate))) }
    }

    private func take(_ item: Decoded<AudioBuffer>) {
        switch item {
        case .media(let buffer): append(buffer)
        case .end: finish()
        case .failed(let error), .broken(let error):
            failure = error
            finish()
        }
    }

    private func append(_ buffer: AudioBuffer) {
        if let last = stretches.last {
            let gap = buffer.time - end(last)
            if gap.magnitude < Self.tolerance {
                stretches[stretches.count - 1].gains += ducking.gains(beside: buffer.samples)
                stretches[stretches.count - 1].samples += buffer.samples
                return
            }
            if gap > .zero { appendSilence(Int(gap.units(of: sampleRate))) }
        }
        stretches.append(Stretch(time: buffer.time, samples: buffer.samples, gains: ducking.gains(beside: buffer.samples)))
    }

    /// The description is silent for this number of frames, and the programme's gain recovers.
    private func appendSilence(_ frames: Int) {
        let count = min(frames, Ducking.tail(format))
        stretches[stretches.count - 1].gains += ducking.gains(besideSilence: count)
        stretches[stretches.count - 1].samples += [Float](repeating: 0, count: count * format.channels)
    }

    private func finish() {
        isOver = true
        if !stretches.isEmpty { appendSilence(.max) }
    }

    /// Why the description has ended; returned once.
    func takeFailure() -> MediaError? {
        defer { failure = nil }
        return failure
    }

    /// Whether the description is complete before a position, so that the programme's sound before it can be mixed.
    func covers(_ time: MediaTime) -> Bool {
        if isOver { return true }
        if let last = stretches.last, end(last) + Self.tolerance >= time { return true }
        return clearUntil.map { $0 >= time } ?? false
    }

    /// The sound of the programme with the description.
    func mixed(_ buffer: AudioBuffer) -> AudioBuffer {
        forget(before: buffer.time - Self.remembered)
        guard buffer.format == format else { return buffer }
        var mixed = buffer
        let channels = format.channels
        for stretch in stretches {
            // The start of the buffer within the stretch; negative if it is before it.
            let offset = Int((buffer.time - stretch.time).units(of: sampleRate))
            let first = max(offset, 0)
            let last = min(offset + buffer.frameCount, stretch.gains.count)
            guard first < last else { continue }
            for frame in first..<last {
                let gain = stretch.gains[frame]
                let (to, from) = ((frame - offset) * channels, frame * channels)
                for channel in 0..<channels {
                    mixed.samples[to + channel] = mixed.samples[to + channel] * gain + stretch.samples[from + channel]
                }
            }
        }
        return mixed
    }

    private func forget(before time: MediaTime) {
        stretches.removeAll { end($0) < time }
        guard let first = stretches.first, time - first.time > Self.remembered else { return }
        let frames = Int((time - first.time).unitsRoundedDown(of: sampleRate))
        stretches[0].time = first.time + MediaTime(Int64(frames), sampleRate)
        stretches[0].gains.removeFirst(frames)
        stretches[0].samples.removeFirst(frames * format.channels)
    }
}
