import HLSPlaylist
import LinuxSupport
import MediaModel
import MediaSources
import MediaTime

/// Reads one caption rendition slightly ahead of playback, and delivers its segments once their mapping to the timeline is known.
@MainActor
final class TextRenditionReader: TextReading {
    private let context: StreamContext
    private let track: TrackID
    private let choose: @MainActor () -> MediaPlaylistTracker?
    private let deliver: @MainActor (TextSegment) -> Void
    private var tracker: MediaPlaylistTracker?
    private var observation = 0
    private var cursor: MediaPlaylistTracker.Cursor?
    private var position: MediaTime
    private var playhead: MediaTime
    private var fetch: SegmentFetch?
    private var body: [UInt8] = []
    private var opening: SegmentFetch.Opening?
    /// Segments whose mapping is not known yet.
    private var held: [(piece: Piece, bytes: [UInt8], map: [UInt8]?)] = []
    /// Segments that were delivered because they are due, before the pictures were demuxed as far.
    private var unsure: [TextSegment] = []
    private var bell: Doorbell!
    private(set) var isCancelled = false
    /// Captions are fetched this far ahead of playback.
    private static let ahead = MediaTime.seconds(30)
    /// A segment that begins within this time is not held for the pictures any longer.
    private static let dueTime = MediaTime.seconds(3)
    /// A segment is measured when the pictures are demuxed up to this time before its end: theirs may be shorter.
    private static let endTolerance = MediaTime.milliseconds(500)
    private static let mostUnsure = 8

    init(
        _ track: TrackID, at time: MediaTime, context: StreamContext, choose: @escaping @MainActor () -> MediaPlaylistTracker?,
        deliver: @escaping @MainActor (TextSegment) -> Void
    ) {
        self.track = track
        self.context = context
        self.choose = choose
        self.deliver = deliver
        position = time
        playhead = time
        bell = context.clock.makeDoorbell(rank: .transfer) { [weak self] in self?.continueReading() }
        context.timeline.addBell(bell)
        bell.ring()
    }

    func advance(to time: MediaTime) {
        guard !isCancelled else { return }
        playhead = time
        if !held.isEmpty || (fetch == nil && position < time + Self.ahead) { bell.ring() }
    }

    func cancel() {
        guard !isCancelled else { return }
        isCancelled = true
        fetch?.cancel()
        fetch = nil
        held = []
        unsure = []
        context.timeline.remove(bell)
        leaveTracker()
    }

    private func leaveTracker() {
        guard let tracker else { return }
        tracker.stopObserving(observation)
        tracker.unfollow()
        self.tracker = nil
    }

    private func continueReading() {
        guard !isCancelled else { return }
        release()
        fetchNext()
    }

    private func settle() -> MediaPlaylistTracker? {
        guard let wanted = choose() else { return nil }
        if wanted !== tracker {
            leaveTracker()
            tracker = wanted
            observation = wanted.observe { [weak self] in self?.bell.ring() }
            wanted.follow()
            wanted.load()
            cursor = nil
        }
        return wanted.playlist == nil ? nil : wanted
    }

    private func fetchNext() {
        guard fetch == nil, position < playhead + Self.ahead, let tracker = settle() else { return }
        let cursor = cursor ?? SegmentWalk.cursor(at: position, isFirst: true, in: tracker)
        self.cursor = cursor
        switch SegmentWalk.step(from: cursor, in: tracker, position: position) {
        case .fetch(let piece):
            // Captions of the distant past are skipped, not fetched one by one.
            if piece.end + Self.ahead < playhead { return jump(to: playhead) }
            begin(piece, tracker)
        case .skip(let next, let end):
            self.cursor = next
            position = end ?? position
            bell.ring()
        case .behind: jump(to: max(playhead, tracker.anchor))
        case .wait, .end: break
        }
    }

    private func jump(to time: MediaTime) {
        position = time
        cursor = nil
        bell.ring()
    }

    private func begin(_ piece: Piece, _ tracker: MediaPlaylistTracker) {
        guard piece.refusal(in: tracker.url) == nil else {
            cursor = piece.next
            position = piece.end
            return bell.ring()
        }
        let fetch = SegmentFetch(
            piece.plan(role: tracker.role, playlistURL: tracker.url), context: context,
            state: { [weak self] in ReadingState(bufferedDuration: self.map { max(.zero, $0.position - $0.playhead) } ?? .zero) },
            place: { (0, true) })
        self.fetch = fetch
        body = []
        fetch.listen { [weak self, weak fetch] event in
            guard let self, let fetch, self.fetch === fetch, !self.isCancelled else { return }
            self.take(event, piece)
        }
        fetch.begin()
    }

    private func take(_ event: SegmentFetch.Event, _ piece: Piece) {
        switch event {
        case .ready(let opening):
            self.opening = opening
            return
        case .bytes(let bytes):
            body += bytes
            return
        case .finished: held.append((piece, opening?.clear(body, of: piece) ?? body, opening?.map))
        case .superseded, .skipped, .failed: break
        }
        fetch = nil
        body = []
        if case .superseded = event { return bell.ring() }
        // Captions that cannot be loaded are skipped.
        cursor = piece.next
        position = piece.end
        bell.ring()
    }

    /// Delivers the segments whose mapping is known, in order.
    private func release() {
        review()
        while let first = held.first {
            let (piece, sequence) = (first.piece, first.piece.sequence)
            guard let mapping = mapping(of: sequence, TimeRange(start: piece.start, end: piece.end)) else { return }
            let segment = TextSegment(
                track: track, bytes: first.bytes, initialization: first.map,
                timeRange: TimeRange(start: piece.start, end: piece.end), mapping: mapping,
                mediaSequence: piece.mediaSequence, discontinuitySequence: sequence)
            if !isMeasured(segment) {
                guard case .until = context.timeline.reach, segment.timeRange.start < playhead + Self.dueTime else {
                    return context.timeline.ring(bell, at: piece.end - Self.endTolerance)
                }
                unsure.append(segment)
                if unsure.count > Self.mostUnsure { unsure.removeFirst() }
            }
            held.removeFirst()
            deliver(segment)
        }
    }

    /// How the stamps of a segment map to asset time; nil while that is not known.
    private func mapping(of sequence: Int64, _ range: TimeRange) -> TextSegment.Mapping? {
        let timeline = context.timeline
        let others = timeline.placements(except: sequence, near: range.start)
        if let own = timeline.placement(of: sequence) { return .init(own: own, others: others) }
        // Without any media, only the playlist gives the position of the segment.
        if timeline.isBarren(sequence) { return .init(own: StampPlacement(offset: range.start), others: others) }
        // The pictures of its time are there, and none has its sequence: its playlist counts discontinuities in another way.
        guard case .until(let time) = timeline.reach, time >= range.end, let nearest = others.first else { return nil }
        return .init(own: nearest, others: Array(others.dropFirst()))
    }

    /// Whether the pictures of a segment are demuxed, so that every jump of their timestamps in it is known.
    private func isMeasured(_ segment: TextSegment) -> Bool {
        switch context.timeline.reach {
        case .everything: true
        case .nothing: false
        case .until(let time): time >= segment.timeRange.end - Self.endTolerance
        }
    }

    /// Delivers segments again that were delivered before a jump in them was known.
    private func review() {
        for (index, segment) in unsure.enumerated() {
            guard let mapping = mapping(of: segment.discontinuitySequence, segment.timeRange), mapping != segment.mapping
            else { continue }
            unsure[index].mapping = mapping
            var again = unsure[index]
            again.replaced = segment.mapping
            deliver(again)
        }
        unsure.removeAll(where: isMeasured)
    }
}
