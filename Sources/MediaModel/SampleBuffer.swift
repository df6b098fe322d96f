import LinuxSupport
import MediaTime

/// Encoded samples between a source and the decoders: one ordered queue a track, filled by the source's threads, each emptied by one decoder's thread.
///
/// The source waits when every track that is read has enough, so that a track that lags behind in the file can
/// never lock out another. The buffer belongs to one run of reading: a seek makes a new one and cancels the old.
package final class SampleBuffer: Sendable {
    /// What a decoder gets.
    package enum Item: Sendable {
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
        /// Whether nobody wants it any more.
        var isLeft = false
        var bufferedUntil: MediaTime?
        /// Up to where the decoder has it.
        var takenUntil: MediaTime?
        var byteCount = 0
        /// Its source was told to wait, and has not gone on since.
        var isHeld = false
        /// Nobody reads it for now: what comes is kept until the others have passed it.
        var isIdle = false
        /// What the decoder has had of a track that is kept, until the others have passed it.
        var taken: [EncodedSample] = []
        var count: Int { samples.count - head }
        var isRead: Bool { !isIdle && !isLeft }
    }
    private struct State {
        var tracks: [TrackID: Track]
        var failure: MediaError?
        var isCancelled = false
        var isHeldBack: Bool
    }
    private let monitor: Monitor<State>
    /// The tracks that are read from the beginning, in order of their numbers.
    package let tracks: [TrackID]
    /// A source stops reading ahead of the slowest decoder at this length…
    package let durationLimit: MediaTime
    /// …or at this many bytes…
    package let byteLimit: Int
    /// …or at this many samples of each track.
    package let sampleLimit: Int

    /// Tracks that come with others and can be left and taken up, in order of their numbers: sound in the same segments as the pictures.
    private let keptTracks: [TrackID]
    /// Those that are read from the beginning, and the kept ones beside them.
    private let allTracks: [TrackID]
    /// Tracks that may have holes: one that has nothing says nothing of where the file has it.
    private let sparseTracks: Set<TrackID>
    /// Which tracks are filled by one and the same thread.
    private let groups: [[TrackID]]

    /// How much below its measure a track has to be before a source that was told to wait reads on: it then reads a stretch, and is not woken for each
    /// sample. In simulated time, where the place of reading must not hang on that, there is none.
    private let slack: MediaTime

    /// Enough for a first picture and its sound.
    private static let heldBackLimit = MediaTime.seconds(2)

    /// So much of a kept track stays behind the place to which the others have been decoded: what is on the screen lies less far behind that.
    private static let keptMargin = MediaTime.seconds(2)

    /// A decoder of sound begins so much before the place that is wanted: its first frames hang on those before.
    private static let runUp = MediaTime.milliseconds(200)

    /// Makes an empty buffer.
    ///
    /// - Parameters:
    ///   - keptTracks: tracks that can be left and taken up again. Those of them that are not in `tracks` are read by nobody until `takeUp(_:from:)`.
    ///   - sparseTracks: tracks that may have holes. For want of their samples no more is read ahead than the limits say.
    ///   - groups: which tracks are filled by one and the same thread; nil where one thread fills them all.
    ///   - isHeldBack: whether no more than two seconds are read ahead until `readAhead()` is called: reading and demuxing half a minute
    ///   takes the cores from the decoding of the first picture.
    package init(
        tracks: [TrackID], keptTracks: [TrackID] = [], sparseTracks: Set<TrackID> = [], groups: [[TrackID]]? = nil,
        durationLimit: MediaTime = .seconds(30), byteLimit: Int = 32 << 20, sampleLimit: Int = .max, isHeldBack: Bool = false,
        ledger: WorkLedger?
    ) {
        self.tracks = tracks.sorted()
        self.durationLimit = durationLimit
        self.byteLimit = byteLimit
        self.sampleLimit = sampleLimit
        self.keptTracks = keptTracks.sorted()
        self.sparseTracks = sparseTracks
        let idle = keptTracks.filter { !tracks.contains($0) }
        allTracks = tracks + idle
        self.groups = groups ?? [allTracks]
        slack = ledger == nil ? min(.seconds(1), durationLimit / 4) : .zero
        monitor = Monitor(
            State(
                tracks: Dictionary(
                    uniqueKeysWithValues: tracks.map { ($0, Track()) } + idle.map { ($0, Track(isIdle: true)) }),
                isHeldBack: isHeldBack), ledger: ledger)
    }

    /// Adds a sample, waiting while there is enough. Source threads only. Samples of tracks that are not read are dropped.
    ///
    /// - Returns: false once the buffer is cancelled, or nobody reads any track that the same thread fills.
    package func append(_ sample: EncodedSample) -> Bool {
        monitor.wait(wakingIf: { [self] state in
            if state.isCancelled { return (false, false) }
            guard var queue = state.tracks[sample.track] else { return (true, false) }
            guard queue.isRead || isRead(state, group: group(of: sample.track)) else { return (false, false) }
            if queue.isLeft { return (true, false) }
            guard queue.isIdle || hasRoom(state, for: sample.track, slack: queue.isHeld ? slack : .zero) else {
                state.tracks[sample.track]!.isHeld = true
                return nil
            }
            // Taken out, so that adding to it copies nothing.
            state.tracks[sample.track] = nil
            let wasEmpty = queue.count == 0
            let end = Self.end(of: sample)
            queue.isHeld = false
            queue.byteCount += sample.payload.byteCount
            queue.bufferedUntil = max(queue.bufferedUntil ?? end, end)
            queue.samples.append(sample)
            if queue.isIdle, let passed = passed(state, track: sample.track) { Self.drop(upTo: passed, of: &queue) }
            state.tracks[sample.track] = queue
            return (true, wasEmpty && !queue.isIdle)
        })
    }

    /// Takes back what was added of some tracks from a time on, as far as no decoder has it: the same media comes again from elsewhere. Source threads only.
    ///
    /// - Returns: up to where the decoders have the tracks, in the order in which those were named; nil where they have nothing.
    @discardableResult
    package func remove(_ tracks: [TrackID], from time: MediaTime) -> [MediaTime?] {
        monitor.update { state in
            for id in tracks {
                guard var queue = state.tracks[id],
                    let cut = queue.samples.indices.dropFirst(queue.head).first(where: { index in
                        queue.samples[index].map { $0.presentationTime >= time } ?? false
                    })
                else { continue }
                queue.byteCount -= queue.samples[cut...].reduce(0) { $0 + ($1?.payload.byteCount ?? 0) }
                queue.samples.removeSubrange(cut...)
                queue.bufferedUntil = queue.bufferedUntil.map { min($0, time) }
                state.tracks[id] = queue
            }
            return tracks.map { state.tracks[$0]?.takenUntil }
        }
    }

    /// The first picture is there: from now on the source reads ahead as far as the limits allow. Any thread.
    package func readAhead() { monitor.update { $0.isHeldBack = false } }

    /// Says that a track is over.
    package func finish(_ track: TrackID) { monitor.update { $0.tracks[track]?.isFinished = true } }

    /// Begins to read a kept track that nobody reads. Any thread.
    ///
    /// - Returns: false where that cannot be: it is none, or does not come any more, or what there is of it begins behind `time`.
    package func takeUp(_ track: TrackID, from time: MediaTime) -> Bool {
        monitor.update { [self] state in
            guard !state.isCancelled, state.failure == nil, var queue = state.tracks[track], queue.isIdle,
                isRead(state, group: group(of: track))
            else { return false }
            Self.drop(upTo: time - Self.runUp, of: &queue)
            guard queue.count > 0, let first = queue.samples[queue.head], first.presentationTime <= time else { return false }
            queue.isIdle = false
            state.tracks[track] = queue
            return true
        }
    }

    /// Whether somebody reads a track: it is one of those named at the beginning, or was taken up, and has not been left. Any thread.
    package func isRead(_ track: TrackID) -> Bool { monitor.read { !$0.isCancelled && $0.tracks[track]?.isRead == true } }

    /// Leaves a track: what it has is thrown away, what is added to it is dropped, and the others are not held back by it any more. A kept one stays where the
    /// others are, and can be taken up again. Any thread.
    package func leave(_ track: TrackID) {
        monitor.update { [self] state in
            guard var queue = state.tracks[track] else { return }
            if keptTracks.contains(track) {
                guard !queue.isIdle else { return }
                queue.samples = queue.taken + queue.samples.dropFirst(queue.head)
                queue.byteCount += queue.taken.reduce(0) { $0 + $1.payload.byteCount }
                queue.head = 0
                queue.taken = []
                queue.takenUntil = nil
                queue.isHeld = false
                queue.isIdle = true
                state.tracks[track] = queue
                return
            }
            state.tracks[track] = Track()
            state.tracks[track]!.isFinished = true
            state.tracks[track]!.isLeft = true
        }
    }

    /// Says that all tracks are over.
    package func finish() { allTracks.forEach(finish) }

    /// Says that nothing more can be read; decoders are told once they have used what there is.
    package func fail(_ error: MediaError) { monitor.update { $0.failure = $0.failure ?? error } }

    /// Throws everything away and lets go of whoever waits. Any thread.
    package func cancel() {
        monitor.update { state in
            state.isCancelled = true
            for track in allTracks { state.tracks[track] = Track() }
        }
    }

    /// The next sample of a track, waiting for it. Decoder threads only.
    package func next(_ track: TrackID) -> Item {
        monitor.wait(wakingIf: { [self] state in
            if state.isCancelled { return (.cancelled, false) }
            // Not held here while a sample is taken: the whole queue would be copied for that.
            guard let isRead = state.tracks[track]?.isRead else { return (.end, false) }
            if !isRead { return (.cancelled, false) }
            if state.tracks[track]!.count > 0 {
                let sample = take(track, &state)
                return (.sample(sample), letsGoOn(state, group: group(of: track)))
            }
            if state.tracks[track]!.isFinished { return (.end, false) }
            return state.failure.map { (.failed($0), false) }
        })
    }

    /// Up to where a track has been read, in asset time; nil before its first sample. Any thread.
    package func bufferedUntil(_ track: TrackID) -> MediaTime? { monitor.read { $0.tracks[track]?.bufferedUntil } }

    /// Where the decoder of a track has come to: the first sample that waits for it, or where it has nothing left the end of what it had; nil before
    /// the first sample. Any thread.
    package func headTime(of track: TrackID) -> MediaTime? {
        monitor.read { state in
            guard let queue = state.tracks[track], !queue.isIdle else { return nil }
            return queue.count > 0 ? queue.samples[queue.head]?.presentationTime : queue.bufferedUntil
        }
    }

    /// Whether its source adds nothing more for now: it is at its end, has failed, or waits because there is enough. Any thread.
    package var isAllThere: Bool {
        monitor.read { state in
            state.isCancelled || state.failure != nil
                || groups.allSatisfy { group in
                    let own = group.compactMap { state.tracks[$0] }
                    return own.contains { $0.isHeld } || own.allSatisfy { $0.isFinished || !$0.isRead }
                }
        }
    }

    /// Up to where all tracks have been read. Tracks that are over do not hold the others back.
    package var bufferedUntil: MediaTime? { bufferedUntil(except: nil) }

    /// The same without a track that may have holes, of which nobody knows before they are over. Any thread.
    package func bufferedUntil(except sparse: TrackID?) -> MediaTime? {
        monitor.read { state in
            let ends = allTracks.filter { $0 != sparse }.map { state.tracks[$0]! }.filter { !$0.isIdle }
                .map { ($0.bufferedUntil, $0.isFinished) }
            if ends.allSatisfy(\.1) { return ends.compactMap(\.0).max() }
            let open = ends.filter { !$0.1 }
            return open.contains { $0.0 == nil } ? nil : open.compactMap(\.0).min()
        }
    }

    /// Whether every track has been read to its end.
    package var isFinished: Bool {
        monitor.read { state in allTracks.map { state.tracks[$0]! }.allSatisfy { $0.isFinished || $0.isIdle } }
    }

    /// Whether a track has been read to its end. Any thread.
    package func isFinished(_ track: TrackID) -> Bool { monitor.read { $0.tracks[track]?.isFinished ?? true } }

    /// Whether the source was told to stop.
    package var isCancelled: Bool { monitor.read(\.isCancelled) }

    /// A sample is taken in while its own track has less than enough. What tracks of other threads have does not count: how far one thread
    /// reads must not hang on how quick another is. Only where a track that the same thread fills is starved, which its file
    /// has further behind, the others may grow beyond their measure, up to four times the byte limit.
    private func hasRoom(_ state: State, for track: TrackID, slack: MediaTime) -> Bool {
        guard let queue = state.tracks[track], queue.count < sampleLimit else { return false }
        let group = group(of: track)
        let bytes = group.reduce(0) { $0 + (state.tracks[$1].map { $0.isIdle ? 0 : $0.byteCount } ?? 0) }
        func isStarved(_ track: TrackID) -> Bool {
            state.tracks[track].map { !$0.isFinished && !$0.isIdle && $0.count == 0 } ?? false
        }
        if group.contains(where: { !sparseTracks.contains($0) && isStarved($0) }) { return bytes < 4 * byteLimit }
        guard bytes < byteLimit else { return false }
        // That a sparse track has nothing is known only once the others have been read some seconds further.
        let isHeldBack = state.isHeldBack && !group.contains { sparseTracks.contains($0) && isStarved($0) }
        let limit = isHeldBack ? min(Self.heldBackLimit, durationLimit) : durationLimit
        guard queue.count > 0, let first = queue.samples[queue.head], let end = queue.bufferedUntil else { return true }
        return end - first.presentationTime < limit - min(slack, limit / 4)
    }

    /// Whether a source that waits to fill one of these tracks may go on.
    private func letsGoOn(_ state: State, group: [TrackID]) -> Bool {
        group.contains { track in state.tracks[track]?.isHeld == true && hasRoom(state, for: track, slack: slack) }
    }

    private func group(of track: TrackID) -> [TrackID] { groups.first { $0.contains(track) } ?? tracks }

    /// Whether somebody reads a track that is filled together with others. What nobody has begun or left can be taken up only where that is so.
    private func isRead(_ state: State, group: [TrackID]) -> Bool { group.contains { state.tracks[$0]?.isRead == true } }

    /// Up to where a kept track is not needed any more: the others that the same thread fills have been decoded so far, or it has itself where no other is read;
    /// nil while nobody knows.
    private func passed(_ state: State, track: TrackID) -> MediaTime? {
        var earliest: MediaTime?
        for other in group(of: track) where other != track {
            guard let queue = state.tracks[other], queue.isRead else { continue }
            guard let until = queue.takenUntil else { return nil }
            earliest = min(earliest ?? until, until)
        }
        return (earliest ?? state.tracks[track]?.takenUntil).map { $0 - Self.keptMargin }
    }

    private static func end(of sample: EncodedSample) -> MediaTime { sample.presentationTime + (sample.duration ?? .zero) }

    /// Throws away what ends at or before a time.
    private static func drop(upTo time: MediaTime, of queue: inout Track) {
        while queue.count > 0, let sample = queue.samples[queue.head], end(of: sample) <= time {
            queue.byteCount -= sample.payload.byteCount
            queue.samples[queue.head] = nil
            queue.head += 1
        }
        compact(&queue)
    }

    private static func compact(_ queue: inout Track) {
        guard queue.head > 128, queue.head * 2 > queue.samples.count else { return }
        queue.samples.removeFirst(queue.head)
        queue.head = 0
    }

    private func take(_ track: TrackID, _ state: inout State) -> EncodedSample {
        let isKept = keptTracks.contains(track)
        let passed = isKept ? passed(state, track: track) : nil
        var queue = state.tracks[track]!
        state.tracks[track] = nil
        let sample = queue.samples[queue.head]!
        queue.samples[queue.head] = nil
        queue.head += 1
        Self.compact(&queue)
        queue.byteCount -= sample.payload.byteCount
        let end = Self.end(of: sample)
        queue.takenUntil = max(queue.takenUntil ?? end, end)
        if isKept {
            queue.taken.append(sample)
            if let passed, let first = queue.taken.first, Self.end(of: first) <= passed {
                queue.taken.removeFirst(queue.taken.prefix { Self.end(of: $0) <= passed }.count)
            }
        }
        state.tracks[track] = queue
        return sample
    }
}
