import LinuxSupport

/// What the display's thread waits for. A value.
enum ScreenPhase {
    case idle
    /// The source is asked again at this time; if it is woken, at the other one.
    case waiting(until: HostTime, ifWoken: HostTime)
    /// The CPU is preparing it.
    case preparing(SceneFrame, job: UInt64)
    /// Ready; committed when it is due.
    case holding(SceneFrame, until: HostTime)
    /// Committed; visible with the next flip.
    case flipping(SceneFrame, deadline: HostTime)
    /// No screen.
    case lost(retry: HostTime)

    /// When it ends without an event; nil: never.
    ///
    /// - Parameter isWoken: whether the source has something new.
    func deadline(isWoken: Bool) -> HostTime? {
        switch self {
        case .idle, .preparing: nil
        case .waiting(let until, let ifWoken): isWoken ? ifWoken : until
        case .holding(_, let until): until
        case .flipping(_, let deadline): deadline
        case .lost(let retry): retry
        }
    }
}
