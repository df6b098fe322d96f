import LinuxSupport

/// When a viewer last did something, and how much has gone on by itself since.
struct ViewerActivity: Sendable, Equatable {
    /// When the first event came, from which idleness is counted until a key comes.
    private var start: HostTime?
    /// The last press of any key; nil: there was none.
    private(set) var lastPress: HostTime?
    private var pressBefore: HostTime?
    /// How many proposals were accepted by themselves since the last key.
    private var automaticAcceptances = 0
    /// When the viewer of a live channel is asked whether they watch; nil: they are not asked.
    private(set) var asksAt: HostTime?

    mutating func begin(at now: HostTime) { if start == nil { start = now } }

    /// A key went down.
    mutating func keyPressed(at now: HostTime) {
        pressBefore = lastPress
        lastPress = now
        automaticAcceptances = 0
    }

    /// The viewer is busy: a key is still held, or what was under a screen is on it again.
    mutating func continues(at now: HostTime) { lastPress = now }

    /// The viewer has answered, or a command came from outside.
    mutating func answered() { automaticAcceptances = 0 }

    mutating func proposalAcceptedItself() { automaticAcceptances += 1 }

    /// The last press, or where there was none the beginning.
    func lastSign(at now: HostTime) -> HostTime { lastPress ?? start ?? now }

    /// For how long nothing was pressed before the key that was pressed now.
    func idleBeforePress(at now: HostTime) -> Duration { now - (pressBefore ?? start ?? now) }

    /// - Parameter limit: after how long without a key the viewer is asked whether they watch; nil: never.
    /// - Returns: whether they are asked now.
    mutating func settleIdle(limit: Duration?, at now: HostTime) -> Bool {
        let since = lastSign(at: now)
        asksAt = limit.flatMap { now < since + $0 ? since + $0 : nil }
        return limit.map { now >= since + $0 } ?? false
    }

    /// Whether three proposals accepted themselves, and nothing was pressed for an hour and a half.
    func isProbablyAway(at now: HostTime) -> Bool {
        automaticAcceptances >= Timing.stillWatchingProposals && now - lastSign(at: now) >= Timing.stillWatchingIdle
    }
}
