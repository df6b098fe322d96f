import LinuxSupport
import MediaModel
import MediaTime
import Screens

/// The current item and its position: the item, the player's last snapshot, and the clock between asset time and content time.
package struct PlayedItem: Sendable {
    /// The item.
    private enum Subject: Sendable {
        case nothing
        /// Choices that the player does not have yet.
        case opening(HomeContent.Entry)
        case item(ItemPresentation)
    }
    private struct Parts: Sendable {
        var subject: Subject
        var clock = ContentClock()
        var snapshot = PlaybackSnapshot(state: .loading)
        var position: MediaTime?
    }
    /// By reference: whatever knows what plays is copied for each event.
    private var parts: CopyOnWrite<Parts>
    private var subject: Subject {
        _read { yield parts.value.subject }
        _modify { yield &parts.value.subject }
    }
    package private(set) var clock: ContentClock {
        _read { yield parts.value.clock }
        _modify { yield &parts.value.clock }
    }
    package private(set) var snapshot: PlaybackSnapshot {
        _read { yield parts.value.snapshot }
        _modify { yield &parts.value.snapshot }
    }
    /// Asset time of the last shown frame of this item.
    package private(set) var position: MediaTime? {
        _read { yield parts.value.position }
        _modify { yield &parts.value.position }
    }

    /// No item.
    package init() { parts = CopyOnWrite(Parts(subject: .nothing)) }

    init(opening entry: HomeContent.Entry) { parts = CopyOnWrite(Parts(subject: .opening(entry))) }

    init(_ item: ItemPresentation) { parts = CopyOnWrite(Parts(subject: .item(item), clock: ContentClock(item, duration: nil))) }

    package var item: ItemPresentation? {
        guard case .item(let item) = subject else { return nil }
        return item
    }

    package var opening: HomeContent.Entry? {
        guard case .opening(let entry) = subject else { return nil }
        return entry
    }

    /// The channel or item that plays or is being opened.
    package var playingID: String? { opening?.id ?? item?.channel ?? item?.id }

    /// The key for a choice of picture size: the channel, otherwise the series, otherwise the item.
    package var fitKey: String? { item.map { $0.channel ?? $0.series ?? $0.id } }

    /// Whether it is a live channel, or one that is being opened.
    package var isChannel: Bool { item?.isLive ?? (opening?.kind == .channel) }

    /// Whether it is on demand and in no channel, or is being opened as that: digits are places in it, and not channels.
    package var isFilm: Bool { item.map { !$0.isLive && $0.channel == nil } ?? (opening?.kind == .programme) }

    // MARK: Changes

    /// More is known about the item.
    mutating func renew(_ new: ItemPresentation) {
        subject = .item(new)
        clock = ContentClock(new, duration: snapshot.duration?.time, beside: snapshot.interstitials)
    }

    /// A frame was shown, or the player's state has changed. `move` applies the position.
    mutating func take(_ new: PlaybackSnapshot) {
        let old = snapshot
        snapshot = new
        guard let item, new.duration != old.duration || new.interstitials != old.interstitials else { return }
        clock = ContentClock(item, duration: new.duration?.time, beside: new.interstitials)
    }

    mutating func move(to place: MediaTime) { position = place }

    /// The next frame was shown, with no other change.
    mutating func advance(to place: MediaTime, _ new: PlaybackSnapshot) {
        snapshot = new
        position = place
    }

    /// Updates the player's state for a command, before the player confirms it.
    mutating func expect(_ state: PlaybackSnapshot.State) { snapshot.state = state }

    /// The separately fetched interstitial has ended.
    mutating func endPresented() { snapshot.presented = nil }

    // MARK: Properties

    /// The separately fetched interstitial that the player presents now.
    var beside: InterstitialStatus? { item == nil ? nil : snapshot.presented }

    /// How long the current interstitial has played: zero until its first frame; nil if the position is not known.
    func elapsed(of interstitial: Interstitial) -> MediaTime? {
        beside?.elapsed ?? position.map { max(.zero, $0 - interstitial.time) }
    }

    /// The played duration of a separately fetched interstitial that occupies the timeline.
    var occupiedSoFar: MediaTime {
        guard let beside, let event = snapshot.interstitials.first(where: { $0.id == beside.interstitial.id })?.event else {
            return .zero
        }
        return min(beside.elapsed, event.occupiedDuration)
    }

    /// Whether no frame of the item is on the screen yet.
    package var isLoading: Bool {
        switch subject {
        case .nothing: false
        case .opening: true
        case .item: isWithoutPicture && snapshot.state.isUnderWay
        }
    }

    /// Whether no frame was shown yet, of the stream or of a separately fetched interstitial.
    var isWithoutPicture: Bool { position == nil && beside.map { $0.elapsed == .zero } ?? true }

    /// The reachable range, in content time; an upper end of nil is unknown.
    var reach: (lower: MediaTime, upper: MediaTime?) {
        if item?.isLive == true, let first = snapshot.seekableRanges.first, let last = snapshot.seekableRanges.last {
            return (clock.content(at: first.start), clock.content(at: last.end))
        }
        return (.zero, clock.total)
    }

    /// Live, without a window in which a viewer can go back.
    package var isLiveWithoutWindow: Bool {
        guard item?.isLive == true else { return false }
        guard let first = snapshot.seekableRanges.first, let last = snapshot.seekableRanges.last else { return true }
        return last.end - first.start < Timing.skip * 3
    }

    /// Whether playback is so far behind the live edge that Go Live is useful.
    var isBehindLive: Bool {
        guard !isLiveWithoutWindow, let edge = snapshot.seekableRanges.last?.end, let position else { return false }
        return edge - position >= Timing.behindLive
    }

    func clamped(_ content: MediaTime) -> MediaTime {
        let (lower, upper) = reach
        return max(lower, upper.map { min($0, content) } ?? content)
    }

    /// The position for a content time, relative to an origin: a seek backward never lands directly after an interstitial.
    func place(of content: MediaTime, from origin: MediaTime) -> MediaTime {
        content < clock.content(at: origin) ? clock.assetBefore(content) : clock.asset(of: content)
    }

    /// A scan forward ends here: before the end, or at the live edge.
    func scanEnd(_ upper: MediaTime) -> MediaTime {
        item?.isLive == true ? upper : upper - min(Timing.scanStopsBeforeEnd, upper / Timing.scanStopsBeforeEndPart)
    }

    /// Whether the picture can move slowly from here: backward neither beyond the beginning nor into an interstitial, which is not shown backward.
    func canMove(at rate: Ratio) -> Bool {
        guard let position, snapshot.state.isUnderWay else { return false }
        guard rate < .zero else { return snapshot.speeds.contains(rate) }
        guard let frames = snapshot.frames, frames.canPlayBackward, clock.content(at: position) > reach.lower else {
            return false
        }
        let before = position - frames.period
        return item?.interstitials.contains { $0.range.contains(before) } == false
    }

    // MARK: Chapters

    var chapters: [NavigationMarker] { item?.markers.filter { $0.kind == .chapter } ?? [] }

    /// The chapter at a position: an index of `chapters`.
    func chapterIndex(at place: MediaTime) -> Int? { chapters.lastIndex { $0.start <= place } }

    /// The title of a chapter, or its number.
    ///
    /// - Parameter index: an index of `chapters`.
    func chapterTitle(_ index: Int, in strings: StringCatalogue) -> String {
        chapters[index].title?.nonEmpty ?? strings.text(.chapterNumber, "\(index + 1)")
    }

    /// What can be done with what plays.
    ///
    /// - Parameter broadcast: what is on, by the guide of the live channel; nil without one.
    private func ways(_ broadcast: Broadcast?) -> [ItemAction] {
        guard let item else { return [] }
        guard item.isLive else { return (item.nextEpisode == nil ? [] : [.nextEpisode]) + [.fromBeginning] }
        return (broadcast?.startOfProgramme == nil ? [] : [.startOver]) + (isBehindLive ? [.goLive] : [])
    }

    /// The actions of the Info tab.
    func infoActions(_ broadcast: Broadcast?) -> [ItemAction] {
        ways(broadcast) + [broadcast?.awaited.map { .remind($0) }].compactMap { $0 }
    }

    /// Whether the panel has an Info tab.
    func hasInfo(_ broadcast: Broadcast?) -> Bool {
        item?.hasInformation == true || broadcast?.programme != nil || !infoActions(broadcast).isEmpty
    }

    /// The row above the bar. What is nearer elsewhere is last: Down leads to the tab Info, and there to the next episode.
    func rowActions(_ broadcast: Broadcast?) -> [ItemAction] {
        guard let item else { return [] }
        let ways = ways(broadcast)
        return (item.isLive ? ways : ways.reversed()) + (hasInfo(broadcast) ? [.info] : [])
    }
}

extension PlaybackSnapshot.State {
    /// Whether the position can still change: after the end and after a failure nothing more is presented.
    var isUnderWay: Bool {
        switch self {
        case .loading, .ready, .playing, .paused, .waiting: true
        case .ended, .failed: false
        }
    }
}
