import LinuxSupport
import MediaModel
import MediaTime

/// All that belongs to one item, from the moment it is chosen. Whatever leaves the item drops this value, and the next item begins with a new one.
struct Viewing: Sendable {
    /// What is played and where it is.
    var played = PlayedItem()
    /// Where the item begins for this viewer, in asset time; nil: at its own beginning.
    var startPlace: MediaTime?
    var lastSavedPlace: MediaTime?
    var orders = PlayOrders()
    var longPause = LongPause()
    var interstitials = InterstitialPresenter()
    var proposal = Proposal()
    var waiting = Waiting()
    var replay = CaptionReplay()
    var action = ActionFocus()
    var soundOnly = SoundOnly()
    var bar = BarModel()
    var panel: PanelModel?

    // The search for a place.

    var mode = Mode.watching
    var pendingSeek: PendingSeek?
    var tapRun: TapRun?
    /// The content time of the last passing picture that was asked for.
    var lastPreview: MediaTime?
    /// Where Back returns to while `undoEnds` runs, in asset time.
    var undoOrigin: MediaTime?

    /// Nothing is viewed.
    init() {}

    /// Begins to open what was chosen.
    ///
    /// - Parameter now: when it was chosen; nil: it waits for the PIN.
    init(opening entry: HomeContent.Entry, at now: HostTime? = nil) {
        played = PlayedItem(opening: entry)
        waiting = Waiting(since: now)
    }

    init(_ item: ItemPresentation, at now: HostTime) {
        played = PlayedItem(item)
        interstitials.noteWatchedBefore(item.interstitials.filter(\.isWatched).map(\.id))
        waiting = Waiting(since: now)
    }

    /// Whether it plays, and nothing is presented, shown over the picture, being done or awaited.
    var isAtRest: Bool {
        played.snapshot.state == .playing && played.snapshot.hasVideo && played.snapshot.presented == nil && orders.isAtRest
            && interstitials.isAtRest && proposal.shown == nil && waiting.isAtRest && replay.isAtRest && action.kind == nil
            && !bar.isVisible && panel == nil && mode == .watching && pendingSeek == nil
    }
}
