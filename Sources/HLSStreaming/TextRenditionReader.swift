import HLSPlaylist
import LinuxSupport
import MediaModel
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
    /// Segments whose discontinuity sequence has no mapping yet.
    private var held: [(piece: Piece, bytes: [UInt8], map: [UInt8]?)] = []
    private var bell: Doorbell!
    private(set) var isCancelled = false
    /// Captions are fetched this far ahead of playback.
    private static let ahead = MediaTime.seconds(30)

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
        if fetch == nil, position < time + Self.ahead { bell.ring() }
    }

    func cancel() {
        guard !isCancelled else { return }
        isCancelled = true
        fetch?.cancel()
        fetch = nil
        held = []
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
        while let first = held.first {
            let known = context.timeline.knownOffset(of: first.piece.sequence)
            // Without any media, only the playlist gives the position of the segment.
            guard let offset = known ?? (context.timeline.isBarren(first.piece.sequence) ? first.piece.start : nil) else {
                return
            }
            held.removeFirst()
            deliver(
                TextSegment(
                    track: track, bytes: first.bytes, initialization: first.map,
                    timeRange: TimeRange(start: first.piece.start, end: first.piece.end), stampOffset: offset,
                    mediaSequence: first.piece.mediaSequence, discontinuitySequence: first.piece.sequence))
        }
    }
}
