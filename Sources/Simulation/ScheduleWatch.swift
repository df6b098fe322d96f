import LinuxSupport

/// Follows what is due on a channel with a schedule, by the date that the box trusts. What plays when the next programme begins goes on to its end. A value:
/// it is told each second what the box does.
struct ScheduleWatch {
    /// The box looks at its schedule every half minute.
    private static let longestDelay = Duration.seconds(31)

    /// When each programme was due last.
    private var lastDue: [String: Duration] = [:]
    /// The programme that was opened in its time, also by the process before.
    private var goingOn: String?
    /// When what plays has come to its end; nil while it goes on.
    private var ended: Duration?
    /// Since when the box has had time to notice that a programme is due; nil while none is.
    private(set) var since: Duration?

    /// - Parameters:
    ///   - due: the programme that the schedule names now; nil before its beginning, or without a date.
    ///   - playing: the programme that is open; nil if there is none.
    ///   - isOver: whether it has been played to its end.
    mutating func note(at now: Duration, due: String?, playing: String?, isOver: Bool) {
        if let due { lastDue[due] = now }
        ended = isOver ? ended ?? now : nil
        since = due == nil ? nil : since ?? now + Self.longestDelay
        if let ended {
            goingOn = nil
            // The next look of the box opens what is due.
            since = since.map { max($0, ended + Self.longestDelay) }
        } else if let playing, playing != goingOn {
            goingOn = isShortlyAfter(playing, now) ? playing : nil
        }
    }

    /// Whether pictures of a programme may be shown.
    func mayBeShown(_ id: String, at now: Duration) -> Bool { id == goingOn || isShortlyAfter(id, now) }

    private func isShortlyAfter(_ id: String, _ now: Duration) -> Bool {
        lastDue[id].map { now - $0 <= Self.longestDelay } ?? false
    }
}
