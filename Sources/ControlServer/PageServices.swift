/// What the connections of the page share. Any thread.
struct PageServices: Sendable {
    /// What asks the box, away from the threads of the connections.
    typealias Work = @Sendable () async -> Void

    let limits: ControlLimits
    let handler: ControlHandler
    let events: EventDesk
    let works: AsyncStream<Work>.Continuation

    /// Begins some work, unless the server is being stopped; then it ends the connections too.
    func begin(_ work: @escaping Work) { works.yield(work) }

    /// The client of these events has gone.
    func leave(_ subscription: EventSubscription) {
        let events = events
        begin { await events.leave(subscription.id) }
    }
}
