import LinuxSupport
import MediaModel
import Playback

/// Plays one item at a time, and a queue of items behind it. The counterpart of `AVPlayer` and `AVQueuePlayer`.
///
/// **Life.** A player plays until it is closed or let go. A call that waits for a seek holds it until the seek has ended; a sequence of its events does not.
/// After `close` every method has no effect: seeks return false, sequences end.
///
/// **Order.** Handlers and sequences get what happened in its order, after the change that caused it is complete. What was cancelled gets nothing more.
@MainActor
public final class Player {
    /// Nil after the player was closed.
    private var open: Playback.Player?
    private var listening: Subscription?
    /// The items that it has, the current one too.
    private var known: [PlayerItem] = []
    private let clock: any HostClock
    private let stateChanges: Multicast<PlayerState>
    private let happenings: Multicast<PlayerEvent>
    private struct Observed {
        let times: Multicast<MediaTime>
        let observation: TimeObservation
    }
    private var observed: [Observed] = []

    /// Makes a player, which takes the screen and the sound of the engines. For a second player beside it they are opened again, which a screen in memory allows
    /// and a graphics card refuses.
    ///
    /// - Throws: `internal` with a sentence if the screen or the sound cannot be opened.
    public init(engines: PlaybackEngines, actionAtItemEnd: ActionAtItemEnd = .pause) throws(PlaybackError) {
        clock = engines.loop.clock
        (stateChanges, happenings) = (Multicast(clock), Multicast(clock))
        do throws(MediaError) {
            open = try Playback.Player(services: engines.takeServices(), actionAtItemEnd: actionAtItemEnd.exact)
        } catch {
            throw PlaybackError(error)
        }
        listening = open?.events.listen { [weak self] in self?.take($0) }
    }

    isolated deinit { close() }

    /// Ends playback, its threads, the screen and the sound. Seeks that have not ended return false, sequences end.
    public func close() {
        guard let open else { return }
        open.close()
        self.open = nil
        listening = nil
        forget(all: known)
        stateChanges.finish()
        happenings.finish()
        for sequence in observed { sequence.times.finish() }
        observed = []
    }

    // MARK: State

    /// The current state.
    public var state: PlayerState { open.map { PlayerState($0.state) } ?? PlayerState() }

    /// The current state and those that follow it. A slow reader gets them all.
    public func states() -> PlaybackSequence<PlayerState> { stateChanges.sequence(state) }

    /// What happens from now on. A slow reader gets it all.
    public func events() -> PlaybackSequence<PlayerEvent> { happenings.sequence() }

    /// The item that plays.
    public var currentItem: PlayerItem? { outer(open?.currentItem) }

    /// What happens at the end of an item.
    public var actionAtItemEnd: ActionAtItemEnd {
        get {
            switch open?.actionAtItemEnd ?? .pause {
            case .advance: .advance
            case .pause: .pause
            case .none: .none
            }
        }
        set { open?.actionAtItemEnd = newValue.exact }
    }

    // MARK: Items

    /// Plays another item, or none. The rest of the queue stays. The last picture stays until the first one of the new item is shown.
    ///
    /// - Returns: false, and nothing changes, if another player has the item.
    @discardableResult
    public func replaceCurrentItem(with item: PlayerItem?) -> Bool {
        guard let open else { return false }
        if let item {
            guard item.player == nil || item.player === self else { return false }
            keep(item)
        }
        open.replaceCurrentItem(with: item?.inner)
        settle()
        return true
    }

    /// The current item and those behind it. The next one is opened and decoded while the current one plays, and follows without a gap.
    public var items: [PlayerItem] { open?.items().compactMap { outer($0) } ?? [] }

    /// Whether an item can be inserted: not one that has failed, nor one that this or another player has, nor one whose asset is in the queue.
    ///
    /// - Parameter other: the item behind which it would be; nil for the end of the queue.
    public func canInsert(_ item: PlayerItem, after other: PlayerItem? = nil) -> Bool {
        item.player == nil && open?.canInsert(item.inner, after: other?.inner) == true
    }

    /// Inserts an item. The first one becomes the current item.
    ///
    /// - Parameter other: the item behind which it is; nil for the end of the queue.
    /// - Returns: false, and nothing changes, if it cannot be inserted.
    @discardableResult
    public func insert(_ item: PlayerItem, after other: PlayerItem? = nil) -> Bool {
        guard let open, canInsert(item, after: other) else { return false }
        keep(item)
        open.insert(item.inner, after: other?.inner)
        return true
    }

    /// Removes an item. If it is the current one, the next is played. One that is not in the queue is left alone.
    public func remove(_ item: PlayerItem) {
        open?.remove(item.inner)
        settle()
    }

    /// Removes all items and stops playback.
    public func removeAllItems() {
        open?.removeAllItems()
        settle()
    }

    /// Ends the current item and plays the next at the requested rate. Without a next one playback stops.
    public func advanceToNextItem() {
        open?.advanceToNextItem()
        settle()
    }

    // MARK: Rates

    /// Plays at rate 1, as soon as there is an item that is ready. At the end of an item it does nothing: seek first.
    public func play() { open?.play() }

    /// Pauses.
    public func pause() { open?.pause() }

    /// The requested rate.
    public var rate: PlaybackRate { state.rate }

    /// Plays at a rate from the current position; zero pauses.
    ///
    /// From 1/2 to 2 sound keeps its pitch. 4, 12, 30 and 60 in either direction show key pictures; from -1 to -1/2 pictures play backward. At the end of an item
    /// only rates below zero have an effect.
    ///
    /// - Throws: `noItem` or `rateNotSupported`, with the reason; then nothing changes. Rates other than 0 and 1 are not supported before the item is ready.
    public func playImmediately(atRate rate: PlaybackRate) throws(PlaybackError) {
        guard let open else { throw PlaybackError(Playback.PlaybackError.noItem) }
        do throws(Playback.PlaybackError) {
            try open.playImmediately(atRate: rate.ratio)
        } catch {
            throw PlaybackError(error)
        }
    }

    // MARK: Positions

    /// The playback position, in asset time.
    public var currentTime: MediaTime { MediaTime(open?.currentTime ?? .zero) }

    /// What is loaded, in asset time.
    public var loadedTimeRanges: [TimeRange] { open?.loadedTimeRanges.map { TimeRange($0) } ?? [] }

    /// Seeks, and waits until the picture of the new position is on the screen. Before the item is ready it will begin there.
    ///
    /// Cancelling the task does not end the seek; another seek does.
    ///
    /// - Parameters:
    ///   - time: in asset time; clamped to what can be reached.
    ///   - before: how much earlier it may land; nil for as much as is fastest. With zero for both, the picture is the one whose interval has `time`.
    ///   - after: how much later it may land; nil for as much as is fastest.
    /// - Returns: false if another seek, the end of the item or of the player came first, or if there is no item.
    @discardableResult
    public func seek(
        to time: MediaTime, toleranceBefore before: MediaTime? = .zero, toleranceAfter after: MediaTime? = .zero
    ) async -> Bool {
        guard let open else { return false }
        let waiting = Waiter<Bool>(clock)
        open.seek(to: time.exact, toleranceBefore: before?.exact, toleranceAfter: after?.exact) { waiting.resume($0) }
        return await waiting.wait {}
    }

    /// Pauses, steps by pictures, and waits until the picture is on the screen. If there are not enough, the last or the first one is shown.
    ///
    /// - Parameter count: negative steps back.
    /// - Returns: false if a seek came first, or if the item has no pictures or is not ready.
    @discardableResult
    public func step(byCount count: Int) async -> Bool {
        guard let open else { return false }
        let waiting = Waiter<Bool>(clock)
        open.step(byCount: count) { waiting.resume($0) }
        return await waiting.wait {}
    }

    // MARK: Time observers

    /// Calls a handler each time playback has advanced by an interval, and when it starts, stops or jumps. A handler that takes long loses calls.
    ///
    /// - Precondition: the interval is positive.
    /// - Returns: the observation, which ends when it is cancelled or let go.
    public func addPeriodicTimeObserver(
        every interval: MediaTime, _ handler: @escaping @MainActor (MediaTime) -> Void
    ) -> TimeObservation {
        TimeObservation(
            open.map { [$0.addPeriodicTimeObserver(forInterval: interval.exact) { handler(MediaTime($0)) }] } ?? [])
    }

    /// Calls a handler with each of the times that playback passes, forward or backward, once for each crossing; never with one that a seek jumps over. A handler
    /// that takes long loses none. Several that are passed between two pictures come in the order of the timeline.
    ///
    /// - Returns: the observation, which ends when it is cancelled or let go.
    public func addBoundaryTimeObserver(
        at times: [MediaTime], _ handler: @escaping @MainActor (MediaTime) -> Void
    ) -> TimeObservation {
        TimeObservation(
            open.map { open in
                times.sorted().map { time in open.addBoundaryTimeObserver(forTimes: [time.exact]) { handler(time) } }
            } ?? [])
    }

    /// The position each time playback has advanced by an interval, and when it starts, stops or jumps. A slow reader gets the newest only.
    ///
    /// - Precondition: the interval is positive.
    public func times(every interval: MediaTime) -> PlaybackSequence<MediaTime> {
        sequence(keepsNewest: true) { addPeriodicTimeObserver(every: interval, $0) }
    }

    /// The times that playback passes, as `addBoundaryTimeObserver` has them. A slow reader gets them all.
    public func boundaries(at times: [MediaTime]) -> PlaybackSequence<MediaTime> {
        sequence(keepsNewest: false) { addBoundaryTimeObserver(at: times, $0) }
    }

    private func sequence(
        keepsNewest: Bool, _ observe: (@escaping @MainActor (MediaTime) -> Void) -> TimeObservation
    ) -> PlaybackSequence<MediaTime> {
        let times = Multicast<MediaTime>(clock)
        let sequence = times.sequence(keepsNewest: keepsNewest)
        guard open != nil else {
            times.finish()
            return sequence
        }
        // Sequences that were let go.
        observed.removeAll { $0.times.isEmpty }
        observed.append(Observed(times: times, observation: observe { times.send($0) }))
        return sequence
    }

    // MARK: Sound

    /// The volume: 0…1.
    public var volume: Float {
        get { open?.volume ?? 1 }
        set { open?.volume = min(max(newValue, 0), 1) }
    }

    /// Whether the sound is muted.
    public var isMuted: Bool {
        get { open?.isMuted ?? false }
        set { open?.isMuted = newValue }
    }
}

// MARK: - What the player inside tells

extension Player {
    private func take(_ event: Playback.PlayerEvent) {
        switch event {
        case .state(let state): stateChanges.send(PlayerState(state))
        case .currentItem(let item):
            happenings.send(.currentItem(outer(item)))
            settle()
        case .seekCompleted(let landed, let finished):
            happenings.send(.seekCompleted(landed: MediaTime(landed), finished: finished))
        case .didPlayToEnd: happenings.send(.didPlayToEnd)
        case .itemSkipped(let item, let error):
            if let item = outer(item) { happenings.send(.itemSkipped(item, PlaybackError(error))) }
            settle()
        case .newAccessLogEntry(let entry): happenings.send(.newAccessLogEntry(AccessLogEvent(entry)))
        case .newErrorLogEntry(let entry): happenings.send(.newErrorLogEntry(ErrorLogEvent(entry)))
        default: break
        }
    }

    private func outer(_ item: Playback.PlayerItem?) -> PlayerItem? { known.first { $0.inner === item } }

    private func keep(_ item: PlayerItem) {
        guard item.player == nil else { return }
        (item.player, item.asset.isPlayed) = (self, true)
        known.append(item)
    }

    /// Lets go of the items that the player inside does not have any more.
    private func settle() {
        guard let open else { return }
        let items = open.items()
        forget(all: known.filter { item in !items.contains { $0 === item.inner } })
    }

    private func forget(all items: [PlayerItem]) {
        for item in items { (item.player, item.asset.isPlayed) = (nil, false) }
        known.removeAll { item in items.contains { $0 === item } }
    }
}

/// A subscription to a player's times. It ends when it is cancelled or let go.
@MainActor
public final class TimeObservation {
    private var observers: [AnyObject]

    init(_ observers: [AnyObject]) { self.observers = observers }

    /// The handler is not called again.
    public func cancel() { observers = [] }
}
