import LinuxSupport

/// A clock whose handlers run while the player's events are held: events of a handler are delivered when it returns, so no listener runs in the middle of it.
final class HoldingClock: HostClock {
    private let clock: any HostClock
    private let events: EventSource<PlayerEvent>

    init(_ clock: any HostClock, holding events: EventSource<PlayerEvent>) { (self.clock, self.events) = (clock, events) }

    var now: HostTime { clock.now }
    var ledger: WorkLedger? { clock.ledger }

    @discardableResult
    func schedule(at time: HostTime, rank: EventRank, _ action: @escaping @MainActor @Sendable () -> Void) -> ScheduledEvent {
        clock.schedule(at: time, rank: rank) { [events] in events.whileHolding { action() } }
    }

    @MainActor func makeDoorbell(rank: EventRank, _ handler: @escaping @MainActor @Sendable () -> Void) -> Doorbell {
        clock.makeDoorbell(rank: rank) { [events] in events.whileHolding { handler() } }
    }

    @MainActor func reserve(rank: EventRank) -> EventReservation { clock.reserve(rank: rank) }
}
