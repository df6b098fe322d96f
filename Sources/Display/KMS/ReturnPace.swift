/// How often a lost screen is tried again: soon at first, because connectors take a moment to settle, then every two seconds, because hot-plug events may be
/// lost too (a receiver that was switched through). A value.
struct ReturnPace {
    private static let shortest = Duration.milliseconds(250)
    static let longest = Duration.seconds(2)
    private var next = shortest

    /// The time until the next attempt.
    mutating func pause() -> Duration {
        defer { next = min(next * 2, Self.longest) }
        return next
    }

    /// The connector has changed: it is tried soon again.
    mutating func hurry() { next = Self.shortest }
}
