import LinuxSupport

/// The deadlines of the timers that run.
struct TimerBook: Sendable, Equatable {
    private var deadlines: [InterfaceTimer: HostTime] = [:]

    subscript(_ timer: InterfaceTimer) -> HostTime? {
        get { deadlines[timer] }
        set { deadlines[timer] = newValue }
    }
}
