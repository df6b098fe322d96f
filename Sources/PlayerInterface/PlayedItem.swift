import MediaModel
import MediaTime

/// What is played and where it is: the item, the player's last word, and the clock between asset time and content time.
struct PlayedItem: Sendable {
    /// What is played.
    private enum Subject: Sendable {
        case nothing
        /// What the viewer chose and the player does not have yet.
        case opening(HomeContent.Entry)
        case item(ItemPresentation)
    }
    private var subject: Subject
    private(set) var clock = ContentClock()
    private(set) var snapshot = PlaybackSnapshot(state: .loading)
    /// Asset time of the last frame shown of this item.
    private(set) var position: MediaTime?

    /// Nothing is played.
    init() { subject = .nothing }

    init(opening entry: HomeContent.Entry) { subject = .opening(entry) }

    init(_ item: ItemPresentation) {
        subject = .item(item)
        clock = ContentClock(item, duration: nil)
    }

    var item: ItemPresentation? {
        guard case .item(let item) = subject else { return nil }
        return item
    }

    var opening: HomeContent.Entry? {
        guard case .opening(let entry) = subject else { return nil }
        return entry
    }

    // MARK: What changes

    /// More is known of the item.
    mutating func renew(_ new: ItemPresentation) {
        subject = .item(new)
        clock = ContentClock(new, duration: snapshot.duration?.time, beside: snapshot.interstitials)
    }

    /// A frame was shown, or the player changed. Its place is taken by `move`.
    mutating func take(_ new: PlaybackSnapshot) {
        let old = snapshot
        snapshot = new
        guard let item, new.duration != old.duration || new.interstitials != old.interstitials else { return }
        clock = ContentClock(item, duration: new.duration?.time, beside: new.interstitials)
    }

    mutating func move(to place: MediaTime) { position = place }

    /// The next frame was shown, and nothing else has changed.
    mutating func advance(to place: MediaTime, _ new: PlaybackSnapshot) {
        snapshot = new
        position = place
    }

    /// The player's state follows from what it was told, before it says so itself.
    mutating func expect(_ state: PlaybackSnapshot.State) { snapshot.state = state }

    /// What was presented beside the stream is over.
    mutating func endPresented() { snapshot.presented = nil }

    // MARK: What there is

    /// The interstitial beside the stream that the player presents now.
    var beside: InterstitialStatus? { item == nil ? nil : snapshot.presented }

    /// How long an interstitial that is presented has played; nil: the position is not known.
    func elapsed(of interstitial: Interstitial) -> MediaTime? { beside?.elapsed ?? position.map { $0 - interstitial.time } }

    /// How far what is presented beside the stream and occupies its timeline has come.
    var occupiedSoFar: MediaTime {
        guard let beside, let event = snapshot.interstitials.first(where: { $0.id == beside.interstitial.id })?.event else {
            return .zero
        }
        return min(beside.elapsed, event.occupiedDuration)
    }

    /// Whether nothing of the item is on the screen yet.
    var isLoading: Bool {
        switch subject {
        case .nothing: false
        case .opening: true
        case .item: isWithoutPicture && snapshot.state.isUnderWay
        }
    }

    /// Whether no frame was shown yet, of the stream or of what is presented beside it.
    var isWithoutPicture: Bool { position == nil && beside.map { $0.elapsed == .zero } ?? true }

    /// What can be reached, in content time; an upper end of nil is unknown.
    var reach: (lower: MediaTime, upper: MediaTime?) {
        if item?.isLive == true, let first = snapshot.seekableRanges.first, let last = snapshot.seekableRanges.last {
            return (clock.content(at: first.start), clock.content(at: last.end))
        }
        return (.zero, clock.total)
    }

    /// Live, without a window in which a viewer can go back.
    var isLiveWithoutWindow: Bool {
        guard item?.isLive == true else { return false }
        guard let first = snapshot.seekableRanges.first, let last = snapshot.seekableRanges.last else { return true }
        return last.end - first.start < Timing.skip * 3
    }

    /// Whether play is so far behind the live edge that going there makes sense.
    var isBehindLive: Bool {
        guard !isLiveWithoutWindow, let edge = snapshot.seekableRanges.last?.end, let position else { return false }
        return edge - position >= Timing.behindLive
    }

    func clamped(_ content: MediaTime) -> MediaTime {
        let (lower, upper) = reach
        return max(lower, upper.map { min($0, content) } ?? content)
    }

    /// The place for a content time, seen from an origin: on the way back a place directly behind an interstitial is never landed in.
    func place(of content: MediaTime, from origin: MediaTime) -> MediaTime {
        content < clock.content(at: origin) ? clock.assetBefore(content) : clock.asset(of: content)
    }

    /// A scan forward ends here: before the end, or at the live edge.
    func scanEnd(_ upper: MediaTime) -> MediaTime { item?.isLive == true ? upper : max(.zero, upper - Timing.scanStopsBeforeEnd) }

    // MARK: Chapters

    var chapters: [NavigationMarker] { item?.markers.filter { $0.kind == .chapter } ?? [] }

    /// The chapter that plays at a place: an index of `chapters`.
    func chapterIndex(at place: MediaTime) -> Int? { chapters.lastIndex { $0.start <= place } }
}

extension PlaybackSnapshot.State {
    /// Whether the position can still move: after the end and after a failure nothing more is presented.
    var isUnderWay: Bool {
        switch self {
        case .loading, .ready, .playing, .paused, .waiting: true
        case .ended, .failed: false
        }
    }
}
