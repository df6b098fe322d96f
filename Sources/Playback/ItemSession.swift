import LinuxSupport
import MediaModel
import MediaTime

/// What belongs to one item while a player plays it: its open source, what is being read of it, where it is to go, what follows it along, and its log.
///
/// A player holds the session of what plays, and beside it that of the item that was left for an interstitial. Whatever ends an item ends its session; nothing of
/// it is left for the next, which has a session of its own. Main loop.
@MainActor
final class ItemSession {
    let item: PlayerItem
    /// Brings its samples; nil until the item is ready.
    private(set) var source: (any MediaSource)?
    /// What is being read; nil while nothing is.
    var run: Player.Run?
    /// Another sound, or another description, that is on its way into the run.
    var soundChange: Player.SoundChange?
    var descriptionChange: Player.DescriptionReading?
    /// What other threads have done for the run, as it was when the event that is being handled began.
    var sensed = Player.Sensed()
    /// Begins to read what follows a picture that was kept, a little later.
    var deferredReading: ScheduledEvent?
    /// Where it is to go, until reading begins there.
    var pendingSeek: Player.PendingSeek?
    /// Where the viewer last went: going there again is looking around.
    var lastTarget: MediaTime?
    /// Where a viewer began who looks at passing pictures: only where they stop is it asked what lies between.
    var previewOrigin: MediaTime?
    /// Where the client holds play.
    var clientBoundary: MediaTime?
    /// Where play is held or ends: of the client's, the item's and the next interstitial's place the first.
    private(set) var boundary: MediaTime?
    private var boundaryTimer: ScheduledEvent?
    /// Keeps its log; nil for an asset of an interstitial, which is part of the presentation's session.
    private(set) var log: SessionLog?
    private(set) var live: LiveFollower?
    private(set) var metadata: MetadataFollower?
    private(set) var interstitials: InterstitialPlayback?

    init(_ item: PlayerItem) { self.item = item }

    // MARK: What follows it along

    /// Takes the source, which it closes at its end.
    func open(_ source: any MediaSource) { self.source = source }

    func keep(_ log: SessionLog) { self.log = log }

    func follow(_ live: LiveFollower) { self.live = live }

    func follow(_ metadata: MetadataFollower?) { self.metadata = metadata }

    func follow(_ interstitials: InterstitialPlayback?) { self.interstitials = interstitials }

    /// The item grows no more.
    func endLive() {
        live?.end()
        live = nil
    }

    /// Ends the interstitials, and the one that is presented.
    func endInterstitials() {
        interstitials?.close()
        interstitials = nil
    }

    // MARK: Boundaries

    /// Finds out which boundary comes first.
    ///
    /// - Parameter interstitials: whether interstitials hold play, which they do not while one is presented.
    func settleBoundary(withInterstitials: Bool) {
        boundary = [clientBoundary, item.forwardPlaybackEndTime, withInterstitials ? interstitials?.boundary : nil]
            .compactMap { $0 }.min()
        disarmBoundary()
    }

    /// Calls a handler at the instant at which play comes to its boundary.
    func armBoundary(at instant: HostTime, on clock: any HostClock, _ handler: @escaping @MainActor () -> Void) {
        boundaryTimer = clock.schedule(at: instant, rank: .media, handler)
    }

    func disarmBoundary() {
        boundaryTimer?.cancel()
        boundaryTimer = nil
    }

    // MARK: Its end

    /// Leaves the item for an interstitial: its source stays open, and nothing is read of it.
    func suspend() {
        disarmBoundary()
        lastTarget = nil
        live?.isSuspended = true
    }

    /// The item plays again.
    func resume() { live?.isSuspended = false }

    /// Ends everything that the item has. Its run has ended before.
    func end() {
        endLive()
        metadata = nil
        endInterstitials()
        disarmBoundary()
        item.selection.onChange = nil
        source?.close()
        source = nil
        let ended = log
        log = nil
        ended?.close()
    }
}
