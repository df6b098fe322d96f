import LinuxSupport
import MediaModel
import MediaTime

/// The audio renditions that could not be loaded: each is asked for again until it can be read. Main loop.
@MainActor
final class LostRenditions {
    private let context: StreamContext
    private let tracker: @MainActor (TrackID) -> MediaPlaylistTracker?
    private let position: @MainActor () -> MediaTime?
    private let onFound: @MainActor (TrackID) -> Void
    private var timers: [TrackID: ScheduledEvent] = [:]
    private var probes: [TrackID: RenditionProbe] = [:]
    /// The time between two attempts, and the longest time of one.
    private static let pause = Duration.seconds(30)

    /// - Parameters:
    ///   - tracker: the playlist of an audio track in the group of the current variant.
    ///   - position: the position that is played; nil while nothing is.
    ///   - onFound: called once for a track that can be read again.
    init(
        context: StreamContext, tracker: @escaping @MainActor (TrackID) -> MediaPlaylistTracker?,
        position: @escaping @MainActor () -> MediaTime?, onFound: @escaping @MainActor (TrackID) -> Void
    ) {
        (self.context, self.tracker, self.position, self.onFound) = (context, tracker, position, onFound)
    }

    /// Asks for a track until it is found.
    func add(_ track: TrackID) {
        timers[track]?.cancel()
        timers[track] = context.clock.schedule(after: Self.pause, rank: .transfer) { [weak self] in self?.look(for: track) }
    }

    func close() {
        timers.values.forEach { $0.cancel() }
        probes.values.forEach { $0.cancel() }
        timers = [:]
        probes = [:]
    }

    private func look(for track: TrackID) {
        probes.removeValue(forKey: track)?.cancel()
        add(track)
        guard let tracker = tracker(track), let position = position() else { return }
        probes[track] = RenditionProbe(tracker, at: position, context: context) { [weak self] in self?.found(track) }
    }

    private func found(_ track: TrackID) {
        probes.removeValue(forKey: track)?.cancel()
        timers.removeValue(forKey: track)?.cancel()
        onFound(track)
    }
}

/// Loads the playlist of a rendition and its segment at a position, to find out whether it can be read. Main loop.
@MainActor
private final class RenditionProbe {
    private let tracker: MediaPlaylistTracker
    private let position: MediaTime
    private let context: StreamContext
    private let onFound: @MainActor () -> Void
    private var observation: Int?
    private var fetch: SegmentFetch?
    private var opening: SegmentFetch.Opening?
    /// The first bytes of the segment, as sent.
    private var head: [UInt8] = []
    /// Enough to know the container.
    private static let longestHead = 64 << 10

    init(
        _ tracker: MediaPlaylistTracker, at position: MediaTime, context: StreamContext, onFound: @escaping @MainActor () -> Void
    ) {
        (self.tracker, self.position, self.context, self.onFound) = (tracker, position, context, onFound)
        observation = tracker.observe { [weak self] in self?.look() }
        tracker.follow()
        // A playlist on demand is there already, and does not change.
        if !tracker.isLive { look() }
    }

    func cancel() {
        guard let observation else { return }
        self.observation = nil
        tracker.stopObserving(observation)
        tracker.unfollow()
        fetch?.cancel()
        fetch = nil
    }

    private func look() {
        guard observation != nil, fetch == nil, tracker.playlist != nil else { return }
        let cursor = SegmentWalk.cursor(at: position, isFirst: true, in: tracker)
        // A gap would only be lost again.
        if case .fetch(let piece) = SegmentWalk.step(from: cursor, in: tracker, position: position) { load(piece) }
    }

    private func load(_ piece: Piece) {
        guard piece.refusal(in: tracker.url) == nil else { return }
        let fetch = SegmentFetch(
            piece.plan(role: tracker.role, playlistURL: tracker.url), context: context,
            state: { [context] in ReadingState(now: context.clock.now) }, place: { (0, false) })
        self.fetch = fetch
        fetch.listen { [weak self] event in self?.take(event, of: piece) }
        fetch.begin()
    }

    private func take(_ event: SegmentFetch.Event, of piece: Piece) {
        switch event {
        case .ready(let opening): self.opening = opening
        case .bytes(let bytes): head += bytes.prefix(max(0, Self.longestHead - head.count))
        case .finished:
            // A server that is at fault may answer with a page.
            let clear = opening?.cipher(of: piece)?.decrypt(head) ?? head
            let container = ContainerSniffer.container(
                ofSegment: clear, map: opening?.map, tagLength: PackedAudioTag(clear)?.length ?? 0, isComplete: true)
            if container != nil { onFound() }
        case .superseded, .skipped, .failed: break
        }
    }
}
