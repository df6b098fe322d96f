import LinuxSupport
import MediaTime

/// Encoded samples between a source and the decoders: one ordered queue a track, filled by the source's threads, each emptied by one decoder's thread.
///
/// The source waits when every track that is read has enough, so that a track that lags behind in the file can
/// never lock out another. The buffer belongs to one run of reading: a seek makes a new one and cancels the old.
public final class SampleBuffer: Sendable {
    /// What a decoder gets.
    public enum Item: Sendable {
        /// The next sample.
        case sample(EncodedSample)
        /// The track is over.
        case end
        /// Nothing more can be read.
        case failed(MediaError)
        /// The buffer was cancelled.
        case cancelled
    }

    private struct Track {
        var samples: [EncodedSample?] = []
        var head = 0
        var isFinished = false
        var bufferedUntil: MediaTime?
        var count: Int { samples.count - head }
    }
    private struct State {
        var tracks: [TrackID: Track]
        var byteCount = 0
        var failure: MediaError?
        var isCancelled = false
        var isHeldBack: Bool
    }
    private let monitor: Monitor<State>
    /// The tracks that are read, in order of their numbers.
    public let tracks: [TrackID]
    /// A source stops reading ahead of the slowest decoder at this length…
    public let durationLimit: MediaTime
    /// …or at this many bytes…
    public let byteLimit: Int
    /// …or at this many samples of each track.
    public let sampleLimit: Int

    /// Enough for a first picture and its sound.
    private static let heldBackLimit = MediaTime.seconds(2)

    /// Makes an empty buffer.
    ///
    /// - Parameter isHeldBack: whether no more than two seconds are read ahead until `readAhead()` is called: reading and demuxing half a minute
    ///   takes the cores from the decoding of the first picture.
    public init(
        tracks: [TrackID], durationLimit: MediaTime = .seconds(30), byteLimit: Int = 32 << 20, sampleLimit: Int = .max,
        isHeldBack: Bool = false, ledger: WorkLedger?
    ) {
        self.tracks = tracks.sorted()
        self.durationLimit = durationLimit
        self.byteLimit = byteLimit
        self.sampleLimit = sampleLimit
        monitor = Monitor(
            State(tracks: Dictionary(uniqueKeysWithValues: tracks.map { ($0, Track()) }), isHeldBack: isHeldBack), ledger: ledger)
    }

    /// Adds a sample, waiting while there is enough. Source threads only. Samples of tracks that are not read are dropped.
    ///
    /// - Returns: false once the buffer is cancelled.
    public func append(_ sample: EncodedSample) -> Bool {
        monitor.wait { [self] state in
            if state.isCancelled { return false }
            guard state.tracks[sample.track] != nil else { return true }
            guard hasRoom(state, for: sample.track) else { return nil }
            state.byteCount += sample.payload.byteCount
            let end = sample.presentationTime + (sample.duration ?? .zero)
            state.tracks[sample.track]!.bufferedUntil = max(state.tracks[sample.track]!.bufferedUntil ?? end, end)
            state.tracks[sample.track]!.samples.append(sample)
            return true
        }
    }

    /// The first picture is there: from now on the source reads ahead as far as the limits allow. Any thread.
    public func readAhead() { monitor.update { $0.isHeldBack = false } }

    /// Says that a track is over.
    public func finish(_ track: TrackID) { monitor.update { $0.tracks[track]?.isFinished = true } }

    /// Says that all tracks are over.
    public func finish() { tracks.forEach(finish) }

    /// Says that nothing more can be read; decoders are told once they have used what there is.
    public func fail(_ error: MediaError) { monitor.update { $0.failure = $0.failure ?? error } }

    /// Throws everything away and lets go of whoever waits. Any thread.
    public func cancel() {
        monitor.update { state in
            state.isCancelled = true
            for track in tracks { state.tracks[track] = Track() }
            state.byteCount = 0
        }
    }

    /// The next sample of a track, waiting for it. Decoder threads only.
    public func next(_ track: TrackID) -> Item {
        monitor.wait { state in
            if state.isCancelled { return .cancelled }
            guard let queue = state.tracks[track] else { return .end }
            if queue.count > 0 {
                return .sample(Self.take(track, &state))
            }
            if queue.isFinished { return .end }
            return state.failure.map { .failed($0) }
        }
    }

    /// Up to where a track has been read, in asset time; nil before its first sample. Any thread.
    public func bufferedUntil(_ track: TrackID) -> MediaTime? { monitor.read { $0.tracks[track]?.bufferedUntil } }

    /// Up to where all tracks have been read. Tracks that are over do not hold the others back.
    public var bufferedUntil: MediaTime? {
        monitor.read { state in
            let ends = tracks.map { (state.tracks[$0]!.bufferedUntil, state.tracks[$0]!.isFinished) }
            if ends.allSatisfy(\.1) { return ends.compactMap(\.0).max() }
            let open = ends.filter { !$0.1 }
            return open.contains { $0.0 == nil } ? nil : open.compactMap(\.0).min()
        }
    }

    /// Whether every track has been read to its end.
    public var isFinished: Bool { monitor.read { state in tracks.allSatisfy { state.tracks[$0]!.isFinished } } }

    /// Whether the source was told to stop.
    public var isCancelled: Bool { monitor.read(\.isCancelled) }

    /// A sample is taken in when its own track, or any other that is not over, has less than enough: where one track is
    /// starved the others may grow beyond their measure, up to four times the byte limit.
    private func hasRoom(_ state: State, for track: TrackID) -> Bool {
        let isStarved = tracks.contains { other in
            let queue = state.tracks[other]!
            return !queue.isFinished && queue.count == 0
        }
        if isStarved { return state.byteCount < 4 * byteLimit }
        guard state.byteCount < byteLimit else { return false }
        let limit = state.isHeldBack ? min(Self.heldBackLimit, durationLimit) : durationLimit
        return tracks.contains { other in
            let queue = state.tracks[other]!
            guard !queue.isFinished, let first = queue.samples[queue.head], let end = queue.bufferedUntil else { return false }
            guard queue.count < sampleLimit else { return false }
            return end - first.presentationTime < limit
        }
    }

    private static func take(_ track: TrackID, _ state: inout State) -> EncodedSample {
        var queue = state.tracks[track]!
        state.tracks[track] = nil
        let sample = queue.samples[queue.head]!
        queue.samples[queue.head] = nil
        queue.head += 1
        if queue.head > 128, queue.head * 2 > queue.samples.count {
            queue.samples.removeFirst(queue.head)
            queue.head = 0
        }
        state.byteCount -= sample.payload.byteCount
        state.tracks[track] = queue
        return sample
    }
}
