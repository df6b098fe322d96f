import LinuxSupport

/// Sound without a picture: the card that tells of it moves so that it burns nothing in.
struct SoundOnly: Sendable {
    private var since: HostTime?

    /// - Returns: when the card moves next; nil: there is none.
    mutating func settle(_ isSoundOnly: Bool, at now: HostTime) -> HostTime? {
        guard isSoundOnly else {
            since = nil
            return nil
        }
        let start = since ?? now
        since = start
        return start + Timing.burnIn * (moves(at: now) + 1)
    }

    /// How often the card has moved.
    func moves(at now: HostTime) -> Int { since.map { Int((now - $0) / Timing.burnIn) } ?? 0 }
}
