import LinuxSupport
import MediaModel
import MediaTime

/// Encoded samples between a source and the decoders: one ordered queue per track, filled by the source's threads, each emptied
/// by one decoder's thread.
///
/// The source waits when every track with a reader has enough, so that a track that lags in the file can never block another. The
/// buffer belongs to one reading run: a seek makes a new one and cancels the old.
package final class SampleBuffer: Sendable {
    /// What a decoder receives.
    package enum Item: Sendable {
        case sample(EncodedSample)
        /// The track has nothing more before this asset time.
        case gap(until: MediaTime)
        /// The track has ended.
        case end
        /// Reading failed.
        case failed(MediaError)
        case cancelled
    }

    /// Whether a track has a reader.
    private enum Reader {
        case present
        /// It has none for now: samples are kept until the others have passed them.
        case absent
        /// It was left for good.
        case gone
    }
    private struct Track {
        var samples: [EncodedSample?] = []
        var head = 0
        var isFinished = false
        /// Why no more samples of it come, if it is read by itself.
        var failure: MediaError?
        var bufferedUntil: MediaTime?
        /// What it does not have, and how many samples come before each.
        var gaps: [(samplesBefore: Int, until: MediaTime)] = []
        /// Whether it has been missing since its last sample.
        var isMissing = false
        /// The position up to which the decoder has taken samples.
        var takenUntil: MediaTime?
        /// The position up to which its samples have given the decoder nothing; nil while they give it something.
        var barrenUntil: MediaTime?
        /// What its waiting samples occupy.
        var byteCount = 0
        /// Its source is waiting and was not resumed yet.
        var isHeld = false
        var reader = Reader.present
        /// Samples of a kept track that its decoder has taken, until the others have passed them.
        var taken: [EncodedSample] = []
        /// What they occupy.
        var takenBytes = 0
        var count: Int { samples.count - head }
        var isRead: Bool { reader == .present }
        var isIdle: Bool { reader == .absent }
    }
    /// The tracks by their ids. There are few of them, and each sample is looked for several times: comparing the ids costs a fraction of hashing one.
    private struct Tracks {
        private let ids: [TrackID]
        /// In the order of the ids. Behind them is the place of all tracks that the buffer does not have, which stays nil.
        private var queues: [Track?]

        init(_ tracks: [(TrackID, Track)]) {
            ids = tracks.map(\.0)
            queues = tracks.map(\.1)
            queues.append(nil)
        }

        private func place(of id: TrackID) -> Int { ids.firstIndex(of: id) ?? ids.count }

        /// Nil for a track that the buffer does not have; what is stored for such a one is dropped.
        ///
        /// Inlined, because the frame of the accessor would be allocated for each access.
        subscript(id: TrackID) -> Track? {
            @inline(__always) get { queues[place(of: id)] }
            @inline(__always) _modify {
                let place = place(of: id)
                yield &queues[place]
                if place == ids.count { queues[place] = nil }
            }
        }

        func contains(where isWanted: (Track) -> Bool) -> Bool { queues.contains { $0.map(isWanted) ?? false } }
    }
    private struct State {
        var tracks: Tracks
        var failure: MediaError?
        var isCancelled = false
        var isHeldBack: Bool
    }
    private let monitor: Monitor<State>
    /// The tracks with a reader from the start, ordered by number.
    package let tracks: [TrackID]
    private let buffering: BufferingPolicy

    /// Tracks that come with others and can be left and taken up, ordered by number: sound in the same segments as the pictures.
    private let keptTracks: [TrackID]
    /// The tracks with a reader from the start, and the kept ones.
    private let allTracks: [TrackID]
    /// Sparse tracks: without a sample they give no position in the file.
    private let sparseTracks: Set<TrackID>
    /// Groups of tracks that are filled by the same thread.
    private let groups: [[TrackID]]

    /// How much of a kept track stays before the position up to which the others have been decoded: the picture on the screen is
    /// less far behind that.
    private static let keptMargin = MediaTime.seconds(2)

    /// An audio decoder starts this much before the wanted position, because its first frames depend on earlier ones.
    private static let runUp = MediaTime.milliseconds(200)

    /// Makes an empty buffer.
    ///
    /// - Parameters:
    ///   - keptTracks: tracks that can be left and taken up again. Those that are not in `tracks` have no reader until
    ///     `takeUp(_:from:)`.
    ///   - sparseTracks: tracks that may have gaps. A missing sample of theirs does not extend read-ahead beyond the limits.
    ///   - groups: the tracks filled by each thread; nil when one thread fills them all.
    ///   - buffering: how far is read ahead. Its limit for the start applies until `readAhead()` is called.
    package init(
        tracks: [TrackID], keptTracks: [TrackID] = [], sparseTracks: Set<TrackID> = [], groups: [[TrackID]]? = nil,
        buffering: BufferingPolicy, ledger: WorkLedger?
    ) {
        self.tracks = tracks.sorted()
        self.buffering = buffering
        self.keptTracks = keptTracks.sorted()
        self.sparseTracks = sparseTracks
        let idle = keptTracks.filter { !tracks.contains($0) }
        allTracks = tracks + idle
        self.groups = groups ?? [allTracks]
        monitor = Monitor(
            State(
                tracks: Tracks(tracks.map { ($0, Track()) } + idle.map { ($0, Track(reader: .absent)) }),
                isHeldBack: buffering.startLimit != nil), ledger: ledger)
    }

    /// Appends a sample, waiting while there is enough. Source threads only. Samples of tracks without a reader are dropped.
    ///
    /// - Returns: false once the buffer is cancelled, or no track filled by the same thread has a reader.
    package func append(_ sample: EncodedSample) -> Bool {
        monitor.wait(wakingIf: { [self] state in
            if state.isCancelled { return (false, false) }
            guard var queue = state.tracks[sample.track] else { return (true, false) }
            guard queue.isRead || isRead(state, group: group(of: sample.track)) else { return (false, false) }
            if queue.reader == .gone { return (true, false) }
            guard queue.isIdle || hasRoom(state, for: sample.track) else {
                state.tracks[sample.track]!.isHeld = true
                return nil
            }
            // Moved out, so that appending copies nothing.
            state.tracks[sample.track] = nil
            let wasEmpty = queue.count == 0
            let end = Self.end(of: sample)
            queue.isHeld = false
            queue.byteCount += Self.size(of: sample)
            queue.bufferedUntil = max(queue.bufferedUntil ?? end, end)
            queue.isMissing = false
            queue.samples.append(sample)
            if queue.isIdle {
                if let passed = passed(state, track: sample.track) { Self.drop(upTo: passed, of: &queue) }
                // Its time does not tell that it was passed where time stamps repeat.
                while queue.byteCount > buffering.byteLimit, queue.count > 1 { Self.dropFirst(of: &queue) }
                Self.compact(&queue)
            }
            state.tracks[sample.track] = queue
            return (true, wasEmpty && !queue.isIdle)
        })
    }

    /// Removes the samples of some tracks from a time on that no decoder has taken, because the same media will come from
    /// elsewhere. Source threads only.
    ///
    /// - Returns: the positions up to which the decoders have taken the tracks, in the given order; nil for a track of which
    ///   nothing was taken.
    @discardableResult
    package func remove(_ tracks: [TrackID], from time: MediaTime) -> [MediaTime?] {
        monitor.update { state in
            for id in tracks {
                guard var queue = state.tracks[id],
                    let cut = queue.samples.indices.dropFirst(queue.head).first(where: { index in
                        queue.samples[index].map { $0.presentationTime >= time } ?? false
                    })
                else { continue }
                queue.byteCount -= queue.samples[cut...].reduce(0) { $0 + ($1.map(Self.size) ?? 0) }
                queue.samples.removeSubrange(cut...)
                queue.gaps.removeAll { $0.until > time }
                for index in queue.gaps.indices {
                    queue.gaps[index].samplesBefore = min(queue.gaps[index].samplesBefore, queue.count)
                }
                queue.bufferedUntil = queue.bufferedUntil.map { min($0, time) }
                state.tracks[id] = queue
            }
            return tracks.map { state.tracks[$0]?.takenUntil }
        }
    }

    /// Passes over media that a track does not have: no sample of it comes before an asset time. It no longer holds back the others there. Source threads only.
    package func pass(_ track: TrackID, until time: MediaTime) {
        monitor.update { state in
            guard var queue = state.tracks[track], queue.isRead, !queue.isFinished else { return }
            queue.isMissing = true
            // Each is kept, so that what the decoder is given does not depend on when it asks. There are no more than samples of the other tracks.
            queue.gaps.append((queue.count, time))
            queue.bufferedUntil = max(queue.bufferedUntil ?? time, time)
            state.tracks[track] = queue
        }
    }

    /// Up to where a track is known to be missing, if it is missing at the end of what was read or decoded; nil if it is not. Any thread.
    package func missingUntil(_ track: TrackID) -> MediaTime? {
        monitor.read { state in state.tracks[track].flatMap { $0.isMissing ? $0.bufferedUntil : $0.barrenUntil } }
    }

    /// Notes up to where the samples of a track cannot be decoded, or with nil that they can again. Decoder threads only.
    package func note(_ track: TrackID, barrenUntil time: MediaTime?) {
        monitor.update { $0.tracks[track]?.barrenUntil = time }
    }

    /// Whether a decoder was given a sample. Any thread.
    package var hasGiven: Bool { monitor.read { state in state.tracks.contains { $0.takenUntil != nil } } }

    /// The first picture is shown: from now on the source reads ahead up to the limits. Any thread.
    package func readAhead() { monitor.update { $0.isHeldBack = false } }

    /// Marks the end of a track.
    package func finish(_ track: TrackID) { monitor.update { $0.tracks[track]?.isFinished = true } }

    /// Starts to read a kept track without a reader. Any thread.
    ///
    /// - Returns: false when that is not possible: it is not a kept track, or is no longer delivered, or its samples start after
    ///   `time`.
    package func takeUp(_ track: TrackID, from time: MediaTime) -> Bool {
        monitor.update { [self] state in
            guard !state.isCancelled, state.failure == nil, var queue = state.tracks[track], queue.isIdle,
                isRead(state, group: group(of: track))
            else { return false }
            Self.drop(upTo: time - Self.runUp, of: &queue)
            guard queue.count > 0, let first = queue.samples[queue.head], first.presentationTime <= time else { return false }
            queue.reader = .present
            state.tracks[track] = queue
            return true
        }
    }

    /// Whether a track has a reader: it was given at the start, or taken up, and was not left. Any thread.
    package func isRead(_ track: TrackID) -> Bool { monitor.read { !$0.isCancelled && $0.tracks[track]?.isRead == true } }

    /// Leaves a track: its samples are discarded, new ones are dropped, and it no longer holds back the others. A kept track
    /// follows the others' position, and can be taken up again. Any thread.
    package func leave(_ track: TrackID) {
        monitor.update { [self] state in
            guard var queue = state.tracks[track] else { return }
            if keptTracks.contains(track) {
                guard !queue.isIdle else { return }
                queue.samples = queue.taken + queue.samples.dropFirst(queue.head)
                queue.byteCount += queue.takenBytes
                queue.head = 0
                (queue.taken, queue.takenBytes) = ([], 0)
                queue.takenUntil = nil
                queue.isHeld = false
                queue.reader = .absent
                queue.gaps = []
                state.tracks[track] = queue
                return
            }
            state.tracks[track] = Track(isFinished: true, reader: .gone)
        }
    }

    /// Marks the end of all tracks.
    package func finish() { allTracks.forEach(finish) }

    /// Marks a read failure; decoders receive it after the samples that are left.
    package func fail(_ error: MediaError) { monitor.update { $0.failure = $0.failure ?? error } }

    /// Marks a read failure of a track that is read by itself; its decoder receives it after the samples that are left. The others go on.
    package func fail(_ error: MediaError, of track: TrackID) {
        monitor.update { state in
            guard let known = state.tracks[track], known.reader != .gone, known.failure == nil else { return }
            state.tracks[track]?.failure = error
        }
    }

    /// Discards everything and unblocks all waiting threads. Any thread.
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
            // Not held here while a sample is taken: that would copy the whole queue.
            guard let isRead = state.tracks[track]?.isRead else { return (.end, false) }
            if !isRead { return (.cancelled, false) }
            if let gap = state.tracks[track]!.gaps.first, gap.samplesBefore == 0 {
                state.tracks[track]!.gaps.removeFirst()
                return (.gap(until: gap.until), false)
            }
            if state.tracks[track]!.count > 0 {
                let sample = take(track, &state)
                return (.sample(sample), mayResume(state, group: group(of: track)))
            }
            if state.tracks[track]!.isFinished { return (.end, false) }
            return (state.tracks[track]!.failure ?? state.failure).map { (.failed($0), false) }
        })
    }

    /// The position up to which a track has been read, in asset time; nil before its first sample. Any thread.
    package func bufferedUntil(_ track: TrackID) -> MediaTime? { monitor.read { $0.tracks[track]?.bufferedUntil } }

    /// The position of a track's decoder: the first waiting sample, or the end of the last one if none is left; nil before the
    /// first sample. Any thread.
    package func headTime(of track: TrackID) -> MediaTime? {
        monitor.read { state in
            guard let queue = state.tracks[track], !queue.isIdle else { return nil }
            return queue.count > 0 ? queue.samples[queue.head]?.presentationTime : queue.bufferedUntil
        }
    }

    /// Whether its source adds nothing more for now: it has ended, has failed, or waits because there is enough. Any thread.
    package var isAllThere: Bool {
        monitor.read { state in
            state.isCancelled || state.failure != nil
                || groups.allSatisfy { group in
                    let own = group.compactMap { state.tracks[$0] }
                    // One that may go on is about to, although its thread has not woken yet.
                    return group.contains { state.tracks[$0]?.isHeld == true && !hasRoom(state, for: $0) }
                        || own.allSatisfy { $0.isFinished || $0.failure != nil || !$0.isRead }
                }
        }
    }

    /// The position up to which all tracks have been read. Tracks that have ended do not hold the others back.
    package var bufferedUntil: MediaTime? { bufferedUntil(except: nil) }

    /// The same without a sparse track, whose gaps are unknown until it ends. Any thread.
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

    package var isCancelled: Bool { monitor.read(\.isCancelled) }

    /// A sample is accepted while its own track has less than enough. Tracks of other threads do not count: how far one thread
    /// reads must not depend on the speed of another. Only when a track that the same thread fills is starved, because it comes
    /// later in the file, may the others grow beyond their limit, up to four times the byte limit.
    private func hasRoom(_ state: State, for track: TrackID) -> Bool {
        guard let queue = state.tracks[track], queue.count < buffering.sampleLimit else { return false }
        let group = group(of: track)
        let bytes = group.reduce(0) { $0 + (state.tracks[$1].map { $0.isIdle ? 0 : $0.byteCount } ?? 0) }
        func isStarved(_ track: TrackID) -> Bool {
            state.tracks[track].map { !$0.isFinished && !$0.isIdle && $0.count == 0 && !$0.isMissing } ?? false
        }
        if group.contains(where: { !sparseTracks.contains($0) && isStarved($0) }) { return bytes < 4 * buffering.byteLimit }
        guard bytes < buffering.byteLimit else { return false }
        // A gap in a sparse track is known only after the others have been read some seconds further.
        let isHeldBack = state.isHeldBack && !group.contains { sparseTracks.contains($0) && isStarved($0) }
        guard queue.count > 0, let first = queue.samples[queue.head], let end = queue.bufferedUntil else { return true }
        // Only forward, although samples come in the order in which they are decoded.
        let place = max(queue.takenUntil ?? first.presentationTime, first.presentationTime)
        return end < buffering.limit(from: place, isHeldBack: isHeldBack)
    }

    /// Whether a source that waits to fill one of these tracks may resume.
    private func mayResume(_ state: State, group: [TrackID]) -> Bool {
        group.contains { track in state.tracks[track]?.isHeld == true && hasRoom(state, for: track) }
    }

    private func group(of track: TrackID) -> [TrackID] { groups.first { $0.contains(track) } ?? tracks }

    /// Whether a track of a group has a reader. A track without a reader can be taken up only in such a group.
    private func isRead(_ state: State, group: [TrackID]) -> Bool { group.contains { state.tracks[$0]?.isRead == true } }

    /// The position up to which a kept track is no longer needed: up to it the group's other tracks have been decoded, or the
    /// track itself if no other has a reader; nil while unknown.
    private func passed(_ state: State, track: TrackID) -> MediaTime? {
        var earliest: MediaTime?
        for other in group(of: track) where other != track {
            guard let queue = state.tracks[other], queue.isRead else { continue }
            guard let until = queue.takenUntil else { return nil }
            earliest = min(earliest ?? until, until)
        }
        return (earliest ?? state.tracks[track]?.takenUntil).map { $0 - Self.keptMargin }
    }

    /// About what a sample occupies in memory. A file can have millions of samples of a byte.
    private static func size(of sample: EncodedSample) -> Int { sample.payload.byteCount + overhead }

    /// The values of a sample and of FFmpeg's packet, and what their allocations cost.
    private static let overhead = 512

    private static func end(of sample: EncodedSample) -> MediaTime { sample.presentationTime + (sample.duration ?? .zero) }

    /// Drops samples that end at or before a time.
    private static func drop(upTo time: MediaTime, of queue: inout Track) {
        while queue.count > 0, let sample = queue.samples[queue.head], end(of: sample) <= time {
            dropFirst(of: &queue)
        }
        compact(&queue)
    }

    private static func dropFirst(of queue: inout Track) {
        queue.byteCount -= queue.samples[queue.head].map(size) ?? 0
        queue.samples[queue.head] = nil
        queue.head += 1
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
        queue.byteCount -= Self.size(of: sample)
        for index in queue.gaps.indices { queue.gaps[index].samplesBefore -= 1 }
        let end = Self.end(of: sample)
        queue.takenUntil = max(queue.takenUntil ?? end, end)
        if isKept {
            queue.taken.append(sample)
            queue.takenBytes += Self.size(of: sample)
            var surplus = passed.map { passed in queue.taken.prefix { Self.end(of: $0) <= passed }.count } ?? 0
            var bytes = queue.takenBytes - queue.taken.prefix(surplus).reduce(0) { $0 + Self.size(of: $1) }
            // Its time does not tell that it was passed where time stamps repeat.
            while bytes > buffering.byteLimit / 4, surplus < queue.taken.count {
                bytes -= Self.size(of: queue.taken[surplus])
                surplus += 1
            }
            if surplus > 0 { queue.taken.removeFirst(surplus) }
            queue.takenBytes = bytes
        }
        state.tracks[track] = queue
        return sample
    }
}
