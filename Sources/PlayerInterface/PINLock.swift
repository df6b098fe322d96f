import LinuxSupport

/// The lock that the PIN opens: wrong tries, the wait after too many of them, and the pages that are open until standby.
struct PINLock: Sendable, Equatable {
    private var failures = 0
    private var lockedUntil: HostTime?
    private var hasOpenedParental = false
    /// Whether the operator's pages of a kiosk are open.
    private(set) var isOperator = false

    // MARK: Tries

    var triesLeft: Int { Timing.pinTries - failures % Timing.pinTries }

    /// Seconds until digits are taken again, rounded up; nil: they are taken.
    func secondsLocked(at now: HostTime) -> Int64? { lockedUntil.flatMap { now < $0 ? ($0 - now).wholeSecondsUp : nil } }

    func isLocked(at now: HostTime) -> Bool { secondsLocked(at: now) != nil }

    /// When the countdown of the wait moves.
    func deadline(at now: HostTime) -> HostTime? {
        guard let lockedUntil, let left = secondsLocked(at: now) else { return nil }
        return lockedUntil - .seconds(max(0, left - 1))
    }

    /// A PIN was wrong.
    ///
    /// - Returns: how many were wrong, to be kept over power cuts.
    mutating func fail(at now: HostTime) -> Int {
        failures += 1
        lockIfTooMany(at: now)
        return failures
    }

    /// A PIN was right.
    ///
    /// - Returns: whether the number of failures has changed.
    mutating func succeed() -> Bool {
        defer { failures = 0 }
        return failures > 0
    }

    /// Failures from before a power cut still count.
    mutating func restore(failures: Int, at now: HostTime) {
        self.failures = failures
        lockIfTooMany(at: now)
    }

    private mutating func lockIfTooMany(at now: HostTime) {
        if failures > 0, failures % Timing.pinTries == 0 { lockedUntil = now + Timing.pinLock }
    }

    // MARK: Open pages

    /// - Parameter hasPIN: whether a PIN was set up.
    func isOpen(_ purpose: PINPurpose, hasPIN: Bool) -> Bool {
        switch purpose {
        case .entry: false  // it says itself whether it is locked
        case .parental: hasOpenedParental || !hasPIN
        case .operatorPages: isOperator
        // Each time: what it does cannot be undone for long.
        case .factoryReset: isOperator || !hasPIN
        }
    }

    mutating func open(_ purpose: PINPurpose) {
        switch purpose {
        case .parental: hasOpenedParental = true
        case .operatorPages: isOperator = true
        case .entry, .factoryReset: break
        }
    }

    /// Standby: what was open is closed.
    mutating func close() {
        hasOpenedParental = false
        isOperator = false
    }
}
