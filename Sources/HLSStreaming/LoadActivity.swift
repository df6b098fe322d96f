import LinuxSupport

/// What the loader of one thing does: nothing, a load, or it waits for the next one.
@MainActor
enum LoadActivity<Load> {
    case idle
    case loading(Load)
    /// The next load is due later: after a failure, or to see what has changed.
    case waiting(ScheduledEvent)

    var isIdle: Bool { if case .idle = self { true } else { false } }
    var isWaiting: Bool { if case .waiting = self { true } else { false } }

    /// Ends it: nothing is loaded, and nothing is due.
    mutating func stop(_ cancel: (Load) -> Void) {
        switch self {
        case .idle: break
        case .loading(let load): cancel(load)
        case .waiting(let event): event.cancel()
        }
        self = .idle
    }
}
