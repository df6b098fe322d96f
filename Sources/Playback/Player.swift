import LinuxSupport
import MediaModel
import MediaTime

/// Plays one item at a time, and a queue of following items. The counterpart of `AVPlayer` and `AVQueuePlayer`.
///
/// **Threads.** The player lives on the main loop, like all decisions. A source fills a `SampleBuffer` from its own threads, one thread per track
/// decodes into bounded queues, the display's thread takes frames through `PresentationScheduler`, and the sink takes sound. They notify the player
/// only through bells, and it never waits for them.
///
/// **Time.** Sound leads: the media clock is a linear function that follows the position reported by the sink. Without sound it runs free. Seeks are in asset time.
///
/// **Parts.** `ItemSessions` owns the session of the current item, and that of an item suspended for an interstitial. An `ItemSession` has an open
/// source, and an `ItemReader` that reads it by one `Reading` at a time, of one of four types. `UpcomingItems` has the queue, and prepares the next
/// item as a `Succession`. `TransportDriver` starts and stops the `Timebase`. All of them play through the `PlaybackPipeline`.
@MainActor
package final class Player {
    let pipeline: PlaybackPipeline
    let transport: TransportDriver
    let sessions: ItemSessions

    /// Makes a player with these engines and starts the display.
    ///
    /// - Throws: the display's error if it cannot start.
    package init(services: PlaybackServices, actionAtItemEnd: ActionAtItemEnd = .pause) throws(MediaError) {
        let events = EventSource<PlayerEvent>()
        var services = services
        services.clock = HoldingClock(services.clock, holding: events)
        let pipeline = PlaybackPipeline(services, events: events)
        let transport = TransportDriver(pipeline)
        let sessions = ItemSessions(pipeline, transport, events: events, action: actionAtItemEnd)
        (self.pipeline, self.transport, self.sessions) = (pipeline, transport, sessions)
        try pipeline.start { [weak sessions] in
            sessions?.pump()
        } onPresented: { [weak sessions] in
            sessions?.takeSchedulerEvents()
        } onAudioRun: { [weak sessions] in
            sessions?.tell(.audioRun($0))
        } onDeviceFound: { [weak sessions] in
            sessions?.whileHolding { sessions?.current?.reader.hearAgain() }
        }
    }

    /// Ends everything and joins the threads. The player is not used afterwards.
    package func close() {
        events.whileHolding { sessions.close() }
        pipeline.close()
    }

    // MARK: State

    /// The events, in order. Listeners are called when the change that caused the event is complete.
    package var events: EventSource<PlayerEvent> { sessions.events }
    /// The current state.
    package var state: PlayerState { transport.state }
    /// The engines it works with.
    package var services: PlaybackServices { pipeline.services }
    /// Selects the frames; also receives the interface's layers.
    package var scheduler: PresentationScheduler { pipeline.scheduler }
    /// The visible captions.
    package var captions: CaptionPresenter { pipeline.captions }

    /// Another sound device is to be opened, because the one in use was lost or another was chosen: it is closed, and what it has not played is enqueued
    /// again. If none can be opened, the sink goes on in silence until there is one.
    package func changeSoundDevice() {
        services.sink.release()
        events.whileHolding { sessions.soundDeviceChanged() }
    }

    // MARK: Items

    /// The current item.
    package var currentItem: PlayerItem? { sessions.presentation?.item }

    /// Plays another item, or none. The last picture stays until the interface hides it or the new item's first frame is shown.
    package func replaceCurrentItem(with item: PlayerItem?) { events.whileHolding { sessions.replace(with: item) } }

    /// The action at the end of an item; AVFoundation's `actionAtItemEnd`.
    package var actionAtItemEnd: ActionAtItemEnd {
        get { sessions.upcoming.actionAtItemEnd }
        set { events.whileHolding { sessions.upcoming.actionAtItemEnd = newValue } }
    }

    /// The current item and those that follow it, as `AVQueuePlayer` has them.
    ///
    /// The next item is opened and decoded while the current one plays, and follows without a missing sample or frame (`Succession`). Editing the
    /// rest of the queue never affects the current item. An item that cannot be played is skipped and reported by `PlayerEvent.itemSkipped`.
    package func items() -> [PlayerItem] { sessions.upcoming.all(behind: currentItem) }

    /// Whether an item can be inserted after another one, or with nil at the end of the queue. An item can be in the queue once.
    package func canInsert(_ item: PlayerItem, after other: PlayerItem?) -> Bool {
        sessions.upcoming.canInsert(item, after: other, current: currentItem)
    }

    /// Inserts an item after another one; with nil at the end of the queue. The first one becomes the current item. An item that cannot be inserted is ignored.
    package func insert(_ item: PlayerItem, after other: PlayerItem?) {
        guard canInsert(item, after: other) else { return }
        events.whileHolding {
            if currentItem == nil, sessions.upcoming.isEmpty { return sessions.replace(with: item) }
            sessions.upcoming.insert(item, after: other)
        }
    }

    /// Removes an item. If it is the current one, the next is played.
    package func remove(_ item: PlayerItem) {
        events.whileHolding { if item === currentItem { sessions.advance() } else { sessions.upcoming.remove(item) } }
    }

    /// Removes all items and stops playback.
    package func removeAllItems() {
        events.whileHolding {
            sessions.upcoming.removeAll()
            sessions.replace(with: nil)
        }
    }

    /// Removes the items after the current one, which continues.
    package func removeFollowingItems() { events.whileHolding { sessions.upcoming.removeAll() } }

    /// Ends the current item and starts the next at the requested rate. Without a next item playback stops.
    package func advanceToNextItem() { events.whileHolding { sessions.advance() } }

    // MARK: Rates

    /// Plays at rate 1. At the end of the item it does nothing: seek first.
    package func play() { setRate(.one) }

    /// Pauses.
    package func pause() { setRate(.zero) }

    /// Requests a rate, like `playImmediately(atRate:)`, and returns only whether it can be played.
    @discardableResult
    package func setRate(_ rate: Ratio) -> Bool { events.whileHolding { sessions.setRate(rate) } }

    /// Plays at a rate from the current position; zero pauses.
    ///
    /// At 1/2…2 sound keeps its pitch, and pictures follow the clock. 4, 12, 30 and 60 in either direction show key pictures. -1…-1/2 show pictures
    /// backward with the quality of `PlayerItem.reversePlayback`. At the end of the item only rates below zero have an effect.
    ///
    /// - Throws: `PlaybackError` if the item cannot be played at that rate; then nothing changes.
    package func playImmediately(atRate rate: Ratio) throws(PlaybackError) {
        try events.whileHolding { () throws(PlaybackError) in try sessions.play(atRate: rate) }
    }

    /// Why a rate cannot be played; nil if it can. Before an item is ready, the rates of normal playback are allowed.
    package func refusal(ofRate rate: Ratio) -> PlaybackError? { sessions.refusal(ofRate: rate) }

    // MARK: Positions

    /// The playback position, in asset time. During an interstitial it is where the presentation was suspended.
    package var currentTime: MediaTime { sessions.currentTime }

    /// The end of the loaded media, from the position where reading started.
    package var loadedTimeRanges: [TimeRange] { sessions.current?.reader.loadedTimeRanges ?? [] }

    /// Seeks to a position in asset time.
    ///
    /// - Parameters:
    ///   - time: clamped to the seekable range.
    ///   - before: how much earlier than `time` it may land; nil is unbounded, which is fastest.
    ///   - after: how much later it may land; nil is unbounded.
    ///   - completion: called with true when the picture of that position is on the screen, with false if a later seek replaced it.
    ///
    /// With any tolerance a forward seek lands after its origin, and a backward one not after it.
    package func seek(
        to time: MediaTime, toleranceBefore before: MediaTime?, toleranceAfter after: MediaTime?,
        completion: (@MainActor (Bool) -> Void)? = nil
    ) {
        events.whileHolding {
            sessions.seek(to: time, toleranceBefore: before, toleranceAfter: after, completion: completion)
        }
    }

    /// Seeks to the frame whose interval contains `time`, or without tolerances to the nearest position that is quick to reach.
    ///
    /// - Returns: whether that position was reached, and not replaced by a later seek.
    package func seek(to time: MediaTime, toleranceBefore before: MediaTime?, toleranceAfter after: MediaTime?) async -> Bool {
        await withCheckedContinuation { continuation in
            seek(to: time, toleranceBefore: before, toleranceAfter: after) { continuation.resume(returning: $0) }
        }
    }

    /// Pauses, and steps by a number of frames.
    ///
    /// Cached frames are shown at once; others are reached by an exact seek. If there are not enough frames, the last or the first one is shown.
    ///
    /// - Parameters:
    ///   - count: the number of frames; negative steps back.
    ///   - completion: called with true when the frame is on the screen; with false if another seek replaced it, or the item has no video.
    package func step(byCount count: Int, completion: (@MainActor (Bool) -> Void)? = nil) {
        guard let target = sessions.current?.reader.target(ofStep: count) else {
            completion?(false)
            return
        }
        pause()
        seek(to: target, toleranceBefore: .zero, toleranceAfter: .zero, completion: completion)
    }

    /// Holds playback before this asset time: no frame and no sound at or after it is output until the boundary is lifted (nil) or replaced. It
    /// survives seeks; if it is set after a seek was requested, it applies from the target on.
    package func setForwardBoundary(_ time: MediaTime?) { events.whileHolding { sessions.setForwardBoundary(time) } }

    /// Calls `handler` each time playback has advanced by `interval`, and when it starts, stops or jumps.
    ///
    /// - Returns: the subscription; releasing it ends the calls.
    package func addPeriodicTimeObserver(
        forInterval interval: MediaTime, handler: @escaping @MainActor (MediaTime) -> Void
    ) -> AnyObject {
        pipeline.observers.addPeriodic(interval: interval, through: events.call, handler)
    }

    /// Calls `handler` when playback passes one of the times, but not when a seek jumps over it.
    ///
    /// - Returns: the subscription; releasing it ends the calls.
    package func addBoundaryTimeObserver(forTimes times: [MediaTime], handler: @escaping @MainActor () -> Void) -> AnyObject {
        pipeline.observers.addBoundary(times: times, through: events.call, handler)
    }

    // MARK: Live

    /// The date of the playback position, in nanoseconds since the start of 1970, UTC; nil if the stream has no dates.
    package var currentDate: Int64? { currentItem?.liveStatus?.date(at: currentTime) }

    /// Seeks to a date.
    ///
    /// - Parameter date: nanoseconds since the start of 1970, UTC.
    /// - Returns: false if the stream has no dates or the date is not seekable; the completion is then not called.
    @discardableResult
    package func seek(to date: Int64, completion: (@MainActor (Bool) -> Void)? = nil) -> Bool {
        guard let item = currentItem, let status = item.liveStatus, let time = status.time(ofDate: date),
            time >= status.seekableTimeRange.start, time <= status.seekableTimeRange.end
        else { return false }
        seek(to: time, toleranceBefore: .zero, toleranceAfter: .zero, completion: completion)
        return true
    }

    /// Seeks to the newest position that plays without waiting.
    package func seekToLiveEdge(completion: (@MainActor (Bool) -> Void)? = nil) {
        guard let item = currentItem, let status = item.liveStatus, status.isLive else { completion?(false); return }
        seek(to: item.liveStart(status), toleranceBefore: .zero, toleranceAfter: .zero, completion: completion)
    }

    // MARK: Interstitials

    /// The current interstitial; nil while the presentation plays.
    package var interstitialStatus: InterstitialStatus? { sessions.presentation?.interstitials?.status() }

    /// The known interstitials of the current item, ordered by time.
    package var interstitials: [Interstitial] { sessions.presentation?.interstitials?.interstitials ?? [] }

    /// Whether the item is suspended for an interstitial.
    package var presentsInterstitial: Bool { sessions.isSuspended }

    /// Skips the rest of an interstitial with a skip control.
    ///
    /// - Returns: false if there is none, or if it cannot be skipped now.
    @discardableResult
    package func skipInterstitial() -> Bool {
        events.whileHolding { sessions.presentation?.interstitials?.skip() ?? false }
    }

    // MARK: Video and audio

    /// Whether video is presented. If not, it is not decoded, and the sound continues.
    package var presentsVideo: Bool {
        get { pipeline.pictures.areWanted }
        set { events.whileHolding { if newValue != presentsVideo { sessions.setPresentsVideo(newValue) } } }
    }

    /// Restores the screen's signal from before the first film, when nothing plays any more: at once, or after three seconds if it has a high dynamic range.
    package func endScreenMatching() { pipeline.screen.end() }

    /// The volume: 0…1; `AVPlayer.volume`.
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

    /// How much later than its picture the sound is heard; negative means earlier. A change is heard at once: what the sink has not played is enqueued
    /// again at its new position.
    package var soundDelay: Duration {
        get { pipeline.sound.delay }
        set {
            guard newValue != soundDelay else { return }
            pipeline.sound.delay = newValue
            events.whileHolding { sessions.soundDelayChanged() }
        }
    }

    /// How much later than their programme captions are shown, in asset time; negative means earlier. Captions inside the pictures can be earlier only
    /// by as much as pictures are decoded ahead.
    package var captionDelay: MediaTime {
        get { pipeline.captions.delay }
        set {
            pipeline.captionLoader.delay = newValue
            pipeline.captions.delay = newValue
        }
    }

    /// FFmpeg's name of the codec whose encoded sound is passed through to a receiver; nil while samples are output.
    package var passedCodec: String? { pipeline.sound.passage?.codec }

    /// Ramps the volume: `AVMutableAudioMixInputParameters.setVolumeRamp`. Another ramp replaces the current one, starting from its level.
    ///
    /// - Parameters:
    ///   - level: the factor at the end, 0…1; the volume itself does not change.
    ///   - length: the duration from now, in the clock's time.
    ///   - completion: called at the end, but not if another ramp replaces this one.
    package func rampVolume(to level: Float, over length: Duration, completion: (@MainActor () -> Void)? = nil) {
        pipeline.sound.ramp(to: level, over: length, completion: completion)
    }

    /// How the sound is shaped.
    package var soundShaping: SoundShaping { pipeline.sound.shaping }

    /// The loudness of the sound before shaping: integrated loudness by EBU R 128 in LUFS; nil until it has been measured, which requires that loud
    /// sounds are reduced.
    package var measuredLoudness: Double? { pipeline.sound.measuredLoudness }

    /// Sets the audio processing; the current item is decoded again without an interruption.
    ///
    /// - Throws: `MediaError` with `decoderUnsupported` if sound cannot be shaped; then nothing changes.
    package func setSoundShaping(_ shaping: SoundShaping) throws(MediaError) {
        guard shaping != soundShaping else { return }
        try pipeline.sound.setShaping(shaping)
        events.whileHolding { sessions.soundShapingChanged() }
    }
}
