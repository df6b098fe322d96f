import LinuxSupport

/// The deadlines of the timers that run.
struct TimerBook: Sendable, Equatable {
    private var deadlines: [InterfaceTimer: HostTime] = [:]

    /// Lets a timer run out at an instant; nil: it is not wanted.
    ///
    /// - Returns: what is to be done about it; nil: it runs like that already.
    mutating func set(_ timer: InterfaceTimer, at deadline: HostTime?) -> InterfaceEffect? {
        guard deadlines[timer] != deadline else { return nil }
        deadlines[timer] = deadline
        return deadline.map { .arm(timer, at: $0) } ?? .cancel(timer)
    }

    /// A timer has run out.
    ///
    /// - Returns: false: it was moved or cancelled meanwhile.
    mutating func fire(_ timer: InterfaceTimer, at now: HostTime) -> Bool {
        guard let deadline = deadlines[timer], now >= deadline else { return false }
        deadlines[timer] = nil
        return true
    }
}
