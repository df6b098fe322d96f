import LinuxSupport
import Screens
import Viewing

/// The PIN lock: failed tries, the wait after too many of them, and the pages that are unlocked until standby.
struct PINLock: Sendable, Equatable {
    private var failures = 0
    private var lockedUntil: HostTime?
    private var hasOpenedParental = false
    private var hasOpenedDeletion = false
    /// Whether the operator's pages of a kiosk are unlocked.
    private(set) var isOperator = false

    // MARK: Tries

    var triesLeft: Int { Timing.pinTries - failures % Timing.pinTries }

    /// Seconds until digits are accepted again, rounded up; nil if they are.
    func secondsLocked(at now: HostTime) -> Int64? { lockedUntil.flatMap { now < $0 ? ($0 - now).wholeSecondsUp : nil } }

    func isLocked(at now: HostTime) -> Bool { secondsLocked(at: now) != nil }

    /// When the countdown of the wait advances.
    func deadline(at now: HostTime) -> HostTime? {
        guard let lockedUntil, let left = secondsLocked(at: now) else { return nil }
        return lockedUntil - .seconds(max(0, left - 1))
    }

    /// A PIN was right or wrong.
    ///
    /// - Returns: the effect that stores the number of failed tries; nil if that has not changed.
    mutating func take(isRight: Bool, for purpose: PINPurpose, at now: HostTime) -> InterfaceEffect? {
        if isRight { open(purpose) }
        let before = failures
        failures = isRight ? 0 : failures + 1
        lockIfTooMany(at: now)
        return failures == before ? nil : .savePINFailures(failures)
    }

    /// Failures from before a power cut still count.
    mutating func restore(failures: Int, at now: HostTime) {
        self.failures = failures
        lockIfTooMany(at: now)
    }

    private mutating func lockIfTooMany(at now: HostTime) {
        if failures > 0, failures % Timing.pinTries == 0 { lockedUntil = now + Timing.pinLock }
    }

    // MARK: Unlocked pages

    /// - Parameter hasPIN: whether a PIN is set.
    func isOpen(_ purpose: PINPurpose, hasPIN: Bool) -> Bool {
        switch purpose {
        case .entry: false  // the item's own lock decides
        case .page(.settings, _): hasOpenedParental || !hasPIN
        case .page(.deletion, _): isOperator || hasOpenedDeletion || !hasPIN
        // Each time, because what the box does then cannot be undone.
        case .page: isOperator || !hasPIN
        case .operatorPages, .wireless: isOperator
        case .newPIN, .changePIN, .removePIN: false  // they are about the PIN itself
        }
    }

    private mutating func open(_ purpose: PINPurpose) {
        switch purpose {
        case .page(.settings, _): hasOpenedParental = true
        case .page(.deletion, _): hasOpenedDeletion = true
        case .operatorPages, .wireless: isOperator = true
        case .entry, .page, .newPIN, .changePIN, .removePIN: break
        }
    }

    /// Standby locks everything.
    mutating func close() {
        hasOpenedParental = false
        hasOpenedDeletion = false
        isOperator = false
    }
}
