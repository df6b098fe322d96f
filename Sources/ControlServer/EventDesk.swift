import LinuxSupport
import MediaTime
import StatusModel

/// A client that waits for events.
struct EventSubscription: Sendable {
    let id: UInt64
    /// What the client wants to be told.
    let kinds: Set<EventKind>
    fileprivate let first: EventText
    /// What is sent first.
    var opening: String { first.text(of: kinds) }
    /// The number of the last event that the client has.
    let cursor: UInt64
}

/// Records the box's events and gives them to the clients that wait for them (server-sent events of the HTML standard).
///
/// All clients share one ring. A client has only a number in it, so that a slow one costs no memory: when it falls behind the
/// ring, its connection ends, and it connects again. Recording begins with the first client.
@MainActor
final class EventDesk {
    /// Events for one client.
    struct Batch: Sendable {
        fileprivate let content: EventText
        /// The number of the last of them.
        let cursor: UInt64

        /// The events of these kinds.
        func text(of kinds: Set<EventKind>) -> String { content.text(of: kinds) }
    }

    private let status: any StatusPublishing
    private let limits: ControlLimits
    private let room: @MainActor () -> RoomState
    private var lastRoom = RoomState()
    private let describe: @MainActor () -> NowAnswer
    private let describeFeed: @MainActor () -> FeedAnswer
    /// Differs between processes: a number of another one means nothing here.
    private let epoch: String
    private var ring: EventRing
    private let told = EventSource<(name: String, data: String)>()
    private var listening: Subscription?
    private var open: Set<UInt64> = []
    private var lastID: UInt64 = 0
    private var waiting: [UInt64: (cursor: UInt64, turn: UInt64, answer: CheckedContinuation<Batch?, Never>)] = [:]
    private var lastTurn: UInt64 = 0
    private var lastNow: NowPlaying?
    private var lastFeed: FeedStatus?
    private var isLookPlanned = false
    private var isClosed = false

    /// - Parameters:
    ///   - epoch: ASCII letters and digits.
    ///   - describe: the data of the event `now`.
    ///   - describeFeed: the data of the event `feed`.
    init(
        status: any StatusPublishing, limits: ControlLimits, epoch: String = RequestGuard.makeToken(),
        room: @escaping @MainActor () -> RoomState = { RoomState() }, describe: @escaping @MainActor () -> NowAnswer,
        describeFeed: @escaping @MainActor () -> FeedAnswer
    ) {
        self.status = status
        self.limits = limits
        self.epoch = epoch
        self.room = room
        self.describe = describe
        self.describeFeed = describeFeed
        ring = EventRing(capacity: limits.events)
    }

    // MARK: Clients

    /// The number of connected clients.
    var clientCount: Int { open.count }

    /// A client connects.
    ///
    /// - Parameters:
    ///   - header: the id of the last event that it received; nil for a new client.
    ///   - kinds: what it wants to be told.
    /// - Returns: nil if there are too many clients.
    func subscribe(after header: String?, _ kinds: Set<EventKind> = Set(EventKind.allCases)) -> EventSubscription? {
        guard !isClosed, open.count < limits.eventStreams else { return nil }
        record()
        lastID += 1
        open.insert(lastID)
        var first = EventText(lead: "retry: \(limits.eventRetry.wholeNanoseconds / 1_000_000)\n\n", epoch: epoch)
        if let missed = header.flatMap(number).flatMap(ring.after) {
            first.events = missed
        } else {
            // What the client knows may be wrong in any respect.
            if header != nil { first.lead += EventText.text(id: nil, "reset", "{}") }
            let id = EventText.id(ring.last, of: epoch)
            if kinds.contains(.now) { first.lead += EventText.text(id: id, "now", EventText.json(describe())) }
            if kinds.contains(.feed) { first.lead += EventText.text(id: id, "feed", EventText.json(describeFeed())) }
        }
        return EventSubscription(id: lastID, kinds: kinds, first: first, cursor: ring.last)
    }

    /// Waits for events, or for the time of a heartbeat.
    ///
    /// - Returns: nil if the connection must end.
    func next(_ subscription: UInt64, after cursor: UInt64) async -> Batch? {
        guard !isClosed, open.contains(subscription), let missed = ring.after(cursor) else { return nil }
        guard missed.isEmpty else { return batch(missed) }
        return await withCheckedContinuation { answer in
            lastTurn += 1
            let turn = lastTurn
            waiting[subscription] = (cursor, turn, answer)
            RealTime.onMain(after: limits.heartbeat) { [weak self] in
                guard let waiter = self?.waiting[subscription], waiter.turn == turn else { return }
                self?.waiting[subscription] = nil
                waiter.answer.resume(
                    returning:
                        Batch(content: EventText(lead: ": still here\n\n", epoch: self?.epoch ?? ""), cursor: cursor))
            }
        }
    }

    /// The connection of a client has ended.
    func leave(_ subscription: UInt64) {
        open.remove(subscription)
        waiting.removeValue(forKey: subscription)?.answer.resume(returning: nil)
    }

    /// Ends all connections.
    func close() {
        isClosed = true
        listening = nil
        for subscription in open.sorted() { leave(subscription) }
    }

    /// Calls a listener with each event as clients get it, name and JSON on one line, but for metrics, which come with every segment.
    func watch(_ listener: @escaping @MainActor (_ name: String, _ data: String) -> Void) -> Subscription {
        record()
        return told.listen { listener($0.name, $0.data) }
    }

    // MARK: Events

    private func record() {
        guard listening == nil else { return }
        (lastNow, lastRoom) = (status.nowPlaying, room())
        lastFeed = status.feedStatus
        listening = status.statusEvents.listen { [weak self] in self?.take($0) }
    }

    private func take(_ event: StatusEvent) {
        switch event {
        case .nowPlaying, .feed: planLook()
        case .error(let fault): append(.error, .text(EventText.json(FaultAnswer(fault))))
        case .metric(let event): append(.metric, .metric(event))
        case .viewing(let report): append(report.kind, .text(report.json))
        }
    }

    /// Changes come in groups, and a group is one event.
    private func planLook() {
        guard !isLookPlanned else { return }
        isLookPlanned = true
        RealTime.onMain(after: limits.eventPause) { [weak self] in self?.look() }
    }

    private func look() {
        isLookPlanned = false
        guard !isClosed else { return }
        let (now, room) = (status.nowPlaying, room())
        if room != lastRoom || lastNow.map({ now.isNews(after: $0) }) ?? true {
            (lastNow, lastRoom) = (now, room)
            append(.now, .text(EventText.json(describe())))
        }
        let feed = status.feedStatus
        if feed != lastFeed {
            lastFeed = feed
            append(.feed, .text(EventText.json(describeFeed())))
        }
    }

    private func append(_ kind: EventKind, _ content: EventRing.Event.Content) {
        ring.append(kind, content)
        if case .text(let data) = content { told.send((kind.rawValue, data)) }
        let waiters = waiting.sorted { $0.key < $1.key }
        waiting = [:]
        for (_, waiter) in waiters {
            waiter.answer.resume(returning: ring.after(waiter.cursor).map(batch))
        }
    }

    private func batch(_ events: [EventRing.Event]) -> Batch {
        Batch(content: EventText(epoch: epoch, events: events), cursor: ring.last)
    }

    private func number(_ id: String) -> UInt64? {
        guard id.utf8.count < 100, id.hasPrefix(epoch + "-") else { return nil }
        return UInt64(id.dropFirst(epoch.count + 1))
    }
}

extension NowPlaying {
    /// Whether clients that extrapolate an older snapshot with its rate would be wrong.
    func isNews(after old: NowPlaying) -> Bool {
        var comparable = self
        (comparable.elapsed, comparable.assetTime, comparable.date, comparable.hostTime) =
            (old.elapsed, old.assetTime, old.date, old.hostTime)
        // It counts down; only its beginning and its end are news.
        if interstitialLabel != nil, old.interstitialLabel != nil { comparable.interstitialLabel = old.interstitialLabel }
        guard comparable == old else { return true }
        guard let assetTime, let then = old.assetTime else { return assetTime != nil || old.assetTime != nil }
        let passed = MediaTime.nanoseconds((hostTime - old.hostTime).wholeNanoseconds)
        return (assetTime - then - passed.scaled(by: old.rate)).magnitude > .seconds(1)
    }
}
