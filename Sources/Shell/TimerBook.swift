import LinuxSupport
import Viewing

/// The deadlines of running timers.
struct TimerBook: Sendable, Equatable {
    private var deadlines: [InterfaceTimer: HostTime] = [:]

    /// Sets the deadline of a timer; nil cancels it.
    ///
    /// - Returns: the effect to carry out; nil if nothing changes.
    mutating func set(_ timer: InterfaceTimer, at deadline: HostTime?) -> InterfaceEffect? {
        guard deadlines[timer] != deadline else { return nil }
        deadlines[timer] = deadline
        return deadline.map { .arm(timer, at: $0) } ?? .cancel(timer)
    }

    /// A timer has fired.
    ///
    /// - Returns: false if it was rescheduled or cancelled meanwhile.
    mutating func fire(_ timer: InterfaceTimer, at now: HostTime) -> Bool {
        guard let deadline = deadlines[timer], now >= deadline else { return false }
        deadlines[timer] = nil
        return true
    }
}
