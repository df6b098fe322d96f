import LinuxSupport
import Screens

/// When the opening hours end, as the interface follows them. In the last minute a card counts down, as for the sleep timer. A key pressed then, or later, keeps
/// the box on until no key was pressed for half an hour.
package struct ClosingTime: Sendable, Equatable {
    /// nil without hours, or while the date is not known.
    private var isOpen: Bool?
    private var closes: HostTime?

    /// The hours, or the date, are known or have changed.
    ///
    /// - Parameters:
    ///   - isOpen: nil without hours.
    ///   - change: when they open or close next; nil if that is far away.
    /// - Returns: whether they begin.
    package mutating func take(isOpen new: Bool?, change: HostTime?, at now: HostTime) -> Bool {
        defer { isOpen = new }
        switch new {
        case nil:
            closes = nil
            return false
        case true?:
            closes = change
            return isOpen == false
        case false?:
            if isOpen == true, closes.map({ $0 > now + .seconds(1) }) ?? true {
                // A clock was set, or the hours were changed: no card has counted down.
                closes = now + Timing.sleepWarning
            } else if isOpen != false {
                closes = min(closes ?? now, now)
            }
            return false
        }
    }

    /// When the box goes to standby; nil if it does not.
    package func end(lastPress: HostTime?) -> HostTime? {
        guard let closes, let lastPress, lastPress >= closes - Timing.sleepWarning else { return closes }
        return max(closes, lastPress + Timing.closedStandby)
    }
}
