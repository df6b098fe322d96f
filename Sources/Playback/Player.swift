import LinuxSupport
import MediaModel
import MediaTime

/// Plays one item at a time, and those that follow it in a queue. The counterpart of `AVPlayer` and `AVQueuePlayer`.
///
/// **Threads.** The player lives on the main loop, like everything that decides. Behind it a source fills a `SampleBuffer` from threads of its own, one
/// thread a track decodes into bounded queues, the display's thread takes frames through `PresentationScheduler`, and the sink takes
/// sound. They talk to the player through bells only, and it never waits for them.
///
/// **Time.** Sound leads: the media clock is a straight line that is held to what the sink says is heard. Without sound it runs free. Seeks are in asset time.
///
/// **Parts.** `ItemSessions` has the session of what plays, and that of an item that was left for an interstitial. An `ItemSession` has an open source, and an
/// `ItemReader` that reads it: a `Reading` of one of four types a time. `UpcomingItems` has the queue, and prepares the next item as a `Succession`. `Transport`
/// starts and stops the `Timebase`. `PlaybackPipeline` is what they play with.
@MainActor
package final class Player {
    let pipeline: PlaybackPipeline
    let transport: Transport
    let sessions: ItemSessions

    /// Makes a player on the given engines and starts the display.
    ///
    /// - Throws: what the display throws when it cannot begin.
    package init(services: PlaybackServices, actionAtItemEnd: ActionAtItemEnd = .pause) throws(MediaError) {
        let events = EventSource<PlayerEvent>()
        var services = services
        services.clock = HoldingClock(services.clock, holding: events)
        let pipeline = PlaybackPipeline(services)
        let transport = Transport(pipeline)
        let sessions = ItemSessions(pipeline, transport, events: events, action: actionAtItemEnd)
        (self.pipeline, self.transport, self.sessions) = (pipeline, transport, sessions)
        try pipeline.start { [weak sessions] in
            sessions?.pump()
        } onPresented: { [weak sessions] in
            sessions?.takeSchedulerEvents()
        } onAudioRun: { [weak sessions] in
            sessions?.tell(.audioRun($0))
        }
    }

    /// Ends everything: threads are joined. The player is not used again.
    package func close() {
        events.whileHolding { sessions.close() }
        pipeline.close()
    }

    // MARK: What it is

    /// What happened, in the order in which it happened. A listener is called when the change that caused the event is complete.
    package var events: EventSource<PlayerEvent> { sessions.events }
    /// How it stands.
    package var state: PlayerState { transport.state }
    /// The engines it works with.
    package var services: PlaybackServices { pipeline.services }
    /// Picks the frames; takes the interface's layers as well.
    package var scheduler: PresentationScheduler { pipeline.scheduler }
    /// Which captions are on the screen.
    package var captions: CaptionPresenter { pipeline.captions }

    // MARK: Items

    /// What is played.
    package var currentItem: PlayerItem? { sessions.presentation?.item }

    /// Plays another item, or none. The picture of the old one stays until the interface hides it or the new one's first frame is there.
    package func replaceCurrentItem(with item: PlayerItem?) { events.whileHolding { sessions.replace(with: item) } }

    /// What is done at the end of an item; AVFoundation's `actionAtItemEnd`.
    package var actionAtItemEnd: ActionAtItemEnd {
        get { sessions.upcoming.actionAtItemEnd }
        set { events.whileHolding { sessions.upcoming.actionAtItemEnd = newValue } }
    }

    /// The current item and those that follow it, as `AVQueuePlayer` has them.
    ///
    /// The item that follows is opened and decoded while the current one plays, and takes over without a sample or a frame between them (`Succession`). What is
    /// done to the rest of the queue never touches the current item. An item that cannot be played is left out, and told by `PlayerEvent.itemSkipped`.
    package func items() -> [PlayerItem] { sessions.upcoming.all(behind: currentItem) }

    /// Whether an item can be put behind another one; behind nil is at the end of the queue. An item can be in the queue once.
    package func canInsert(_ item: PlayerItem, after other: PlayerItem?) -> Bool {
        sessions.upcoming.canInsert(item, after: other, current: currentItem)
    }

    /// Puts an item behind another one; behind nil is at the end of the queue. The first one becomes the current item. What cannot be inserted is not.
    package func insert(_ item: PlayerItem, after other: PlayerItem?) {
        guard canInsert(item, after: other) else { return }
        events.whileHolding {
            if currentItem == nil, sessions.upcoming.isEmpty { return sessions.replace(with: item) }
            sessions.upcoming.insert(item, after: other)
        }
    }

    /// Takes an item out. Where it is the current one, the next is played.
    package func remove(_ item: PlayerItem) {
        events.whileHolding { if item === currentItem { sessions.advance() } else { sessions.upcoming.remove(item) } }
    }

    /// Takes all items out: nothing plays any more.
    package func removeAllItems() {
        events.whileHolding {
            sessions.upcoming.removeAll()
            sessions.replace(with: nil)
        }
    }

    /// Takes out what follows the current item, which plays on.
    package func removeFollowingItems() { events.whileHolding { sessions.upcoming.removeAll() } }

    /// Ends the current item and begins the next, at the rate that is wanted; without one nothing plays any more.
    package func advanceToNextItem() { events.whileHolding { sessions.advance() } }

    // MARK: Rates

    /// Plays at rate 1. At the end of the item it does nothing: go back first.
    package func play() { setRate(.one) }

    /// Stops where it is.
    package func pause() { setRate(.zero) }

    /// Asks for a rate, as `playImmediately(atRate:)` does, and says only whether it can be played.
    @discardableResult
    package func setRate(_ rate: Ratio) -> Bool { events.whileHolding { sessions.setRate(rate) } }

    /// Plays at a rate from where it is; zero pauses.
    ///
    /// 1/2…2 have sound at its pitch, and pictures follow the clock. 4, 12, 30 and 60 in either direction pass over the key pictures. -1…-1/2 show every
    /// picture backward as well as `PlayerItem.reversePlayback` says. At the end of the item only rates below zero do anything.
    ///
    /// - Throws: `PlaybackError` when the item cannot be played at that rate; nothing is changed then.
    package func playImmediately(atRate rate: Ratio) throws(PlaybackError) {
        try events.whileHolding { () throws(PlaybackError) in try sessions.play(atRate: rate) }
    }

    /// Why a rate cannot be played; nil where it can. Before an item is ready nothing is known against the rates of ordinary play.
    package func refusal(ofRate rate: Ratio) -> PlaybackError? { sessions.refusal(ofRate: rate) }

    // MARK: Places

    /// Where playback is, in asset time. While an interstitial is on it is where the presentation was left.
    package var currentTime: MediaTime { sessions.currentTime }

    /// Up to where bytes have been read, from the place where reading began.
    package var loadedTimeRanges: [TimeRange] { sessions.current?.reader.loadedTimeRanges ?? [] }

    /// Goes to a place in asset time.
    ///
    /// - Parameters:
    ///   - time: kept within what is seekable.
    ///   - before: how much earlier than `time` it may land; nil is unbounded, which is fastest.
    ///   - after: how much later it may land; nil is unbounded.
    ///   - completion: true once the picture of that place is on the screen, false once a later seek took its place.
    ///
    /// However wide the tolerance, a forward seek lands behind its origin and a backward one not after it.
    package func seek(
        to time: MediaTime, toleranceBefore before: MediaTime?, toleranceAfter after: MediaTime?,
        completion: (@MainActor (Bool) -> Void)? = nil
    ) {
        events.whileHolding {
            sessions.seek(to: time, toleranceBefore: before, toleranceAfter: after, completion: completion)
        }
    }

    /// Goes to exactly the frame whose interval holds `time`, or with no tolerance given to the nearest quick place; awaited.
    ///
    /// - Returns: whether that place was reached, and not overtaken by a later seek.
    package func seek(to time: MediaTime, toleranceBefore before: MediaTime?, toleranceAfter after: MediaTime?) async -> Bool {
        await withCheckedContinuation { continuation in
            seek(to: time, toleranceBefore: before, toleranceAfter: after) { continuation.resume(returning: $0) }
        }
    }

    /// Pauses, and goes on or back by a number of frames.
    ///
    /// Frames that were decoded a moment ago are shown at once; the others are reached by an exact seek. Where there are not so many frames, the last or the first
    /// is shown.
    ///
    /// - Parameters:
    ///   - count: how many frames further; negative goes back.
    ///   - completion: true once the frame is on the screen; false where another seek took its place, or the item has no pictures.
    package func step(byCount count: Int, completion: (@MainActor (Bool) -> Void)? = nil) {
        guard let target = sessions.current?.reader.target(ofStep: count) else {
            completion?(false)
            return
        }
        pause()
        seek(to: target, toleranceBefore: .zero, toleranceAfter: .zero, completion: completion)
    }

    /// Holds play before this asset time: no frame and no sound of it or after it is given out until the boundary is lifted (nil)
    /// or another is set. It outlives seeks; set after a seek it belongs to the place that the seek leads to.
    package func setForwardBoundary(_ time: MediaTime?) { events.whileHolding { sessions.setForwardBoundary(time) } }

    /// Calls `handler` each time playback has moved by `interval`, and when it starts, stops or jumps.
    ///
    /// - Returns: keep it; dropping it ends the calls.
    package func addPeriodicTimeObserver(
        forInterval interval: MediaTime, handler: @escaping @MainActor (MediaTime) -> Void
    ) -> AnyObject {
        pipeline.observers.addPeriodic(interval: interval, through: events.call, handler)
    }

    /// Calls `handler` when play passes one of the times, not when a seek jumps over it.
    ///
    /// - Returns: keep it; dropping it ends the calls.
    package func addBoundaryTimeObserver(forTimes times: [MediaTime], handler: @escaping @MainActor () -> Void) -> AnyObject {
        pipeline.observers.addBoundary(times: times, through: events.call, handler)
    }

    // MARK: Live

    /// The date of the place where play is, in nanoseconds since the start of 1970, UTC; nil where the stream has no dates.
    package var currentDate: Int64? { currentItem?.liveStatus?.date(at: currentTime) }

    /// Goes to the place of a date.
    ///
    /// - Parameter date: nanoseconds since the start of 1970, UTC.
    /// - Returns: false where the stream has no dates or the date lies outside what can be sought; the completion is then not called.
    @discardableResult
    package func seek(to date: Int64, completion: (@MainActor (Bool) -> Void)? = nil) -> Bool {
        guard let item = currentItem, let status = item.liveStatus, let time = status.time(ofDate: date),
            time >= status.seekableTimeRange.start, time <= status.seekableTimeRange.end
        else { return false }
        seek(to: time, toleranceBefore: .zero, toleranceAfter: .zero, completion: completion)
        return true
    }

    /// Goes to the newest place that can be played without waiting.
    package func seekToLiveEdge(completion: (@MainActor (Bool) -> Void)? = nil) {
        guard let item = currentItem, let status = item.liveStatus, status.isLive else { completion?(false); return }
        seek(to: item.liveStart(status), toleranceBefore: .zero, toleranceAfter: .zero, completion: completion)
    }

    // MARK: Interstitials

    /// The interstitial that is presented; nil while the presentation itself is.
    package var interstitialStatus: InterstitialStatus? { sessions.presentation?.interstitials?.status() }

    /// The interstitials of the current item that are known now, in order of time.
    package var interstitials: [Interstitial] { sessions.presentation?.interstitials?.interstitials ?? [] }

    /// Whether the item has been left for an interstitial.
    package var presentsInterstitial: Bool { sessions.isSuspended }

    /// Skips the rest of an interstitial that has a control for it.
    ///
    /// - Returns: false where there is none, or not now.
    @discardableResult
    package func skipInterstitial() -> Bool {
        events.whileHolding { sessions.presentation?.interstitials?.skip() ?? false }
    }

    // MARK: Pictures and sound

    /// Whether pictures are wanted: without, they are not even decoded, and the sound goes on.
    package var presentsVideo: Bool {
        get { pipeline.pictures.areWanted }
        set { events.whileHolding { if newValue != presentsVideo { sessions.setPresentsVideo(newValue) } } }
    }

    /// Gives the screen back the rate that it had before the first film: when nothing plays any more.
    package func endRefreshMatching() { pipeline.refresh.end() }

    /// How loud everything is: 0…1; `AVPlayer.volume`.
    package var volume: Float {
        get { pipeline.sound.volume }
        set {
            pipeline.sound.volume = newValue
            events.whileHolding { sessions.current?.reader.passageMayHaveChanged() }
        }
    }

    /// Whether the sound is muted; `AVPlayer.isMuted`.
    package var isMuted: Bool {
        get { pipeline.sound.isMuted }
        set { pipeline.sound.isMuted = newValue }
    }

    /// Makes the sound softer or louder by and by: `AVMutableAudioMixInputParameters.setVolumeRamp`. Another ramp takes the place of one that is under way, from where
    /// that has come to.
    ///
    /// - Parameters:
    ///   - level: the factor at the end, 0…1; the volume is not touched.
    ///   - length: how long it takes from here, in the clock's time.
    ///   - completion: called at its end; not when another takes its place.
    package func rampVolume(to level: Float, over length: Duration, completion: (@MainActor () -> Void)? = nil) {
        pipeline.sound.ramp(to: level, over: length, completion: completion)
    }

    /// How the sound is shaped.
    package var soundShaping: SoundShaping { pipeline.sound.shaping }

    /// How loud the sound is before it is shaped: integrated loudness by EBU R 128 in LUFS; nil until it has been measured, which is done while loud sounds are reduced.
    package var measuredLoudness: Double? { pipeline.sound.measuredLoudness }

    /// Shapes the sound from now on; what plays is decoded again without a stop.
    ///
    /// - Throws: `MediaError` with `decoderUnsupported` where sound cannot be shaped; nothing is changed then.
    package func setSoundShaping(_ shaping: SoundShaping) throws(MediaError) {
        guard shaping != soundShaping else { return }
        try pipeline.sound.setShaping(shaping)
        events.whileHolding { sessions.soundShapingChanged() }
    }
}
