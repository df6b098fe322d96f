import LinuxSupport
import Screens

/// When the viewer last pressed a key, and what has happened automatically since.
struct ViewerActivity: Sendable, Equatable {
    /// The time of the first event, from which idleness counts before the first key.
    private var start: HostTime?
    /// The last press of any key; nil if there was none.
    private(set) var lastPress: HostTime?
    private var pressBefore: HostTime?
    /// The number of automatic acceptances since the last key.
    private var automaticAcceptances = 0
    /// When the viewer of a live channel is asked whether they are watching; nil if they are not asked.
    private(set) var asksAt: HostTime?

    mutating func begin(at now: HostTime) { if start == nil { start = now } }

    mutating func note(_ gesture: KeyGesture, at now: HostTime) {
        switch gesture {
        case .press, .began: keyPressed(at: now)
        case .repeated, .holdBegan, .holdContinued: continues(at: now)
        case .tap, .holdEnded: break
        }
    }

    /// A key was pressed.
    private mutating func keyPressed(at now: HostTime) {
        pressBefore = lastPress
        lastPress = now
        automaticAcceptances = 0
    }

    /// The viewer is active: a key is still held, or a screen under another one has reappeared.
    mutating func continues(at now: HostTime) { lastPress = now }

    /// The viewer has answered, or an external command came.
    mutating func answered() { automaticAcceptances = 0 }

    mutating func proposalAcceptedItself() { automaticAcceptances += 1 }

    /// The last press, otherwise the time of the first event.
    func lastSign(at now: HostTime) -> HostTime { lastPress ?? start ?? now }

    /// The idle time before the current key.
    func idleBeforePress(at now: HostTime) -> Duration { now - (pressBefore ?? start ?? now) }

    /// - Parameter limit: the time without a key after which the viewer is asked whether they are watching; nil for never.
    /// - Returns: whether to ask now.
    mutating func settleIdle(limit: Duration?, at now: HostTime) -> Bool {
        let since = lastSign(at: now)
        asksAt = limit.flatMap { now < since + $0 ? since + $0 : nil }
        return limit.map { now >= since + $0 } ?? false
    }

    /// Whether there were three automatic acceptances, and no key for an hour and a half.
    func isProbablyAway(at now: HostTime) -> Bool {
        automaticAcceptances >= Timing.stillWatchingProposals && now - lastSign(at: now) >= Timing.stillWatchingIdle
    }
}
