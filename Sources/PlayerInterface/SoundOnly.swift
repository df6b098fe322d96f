import LinuxSupport

/// Sound without a picture: the card that tells of it moves so that it burns nothing in.
struct SoundOnly: Sendable {
    private var since: HostTime?

    mutating func settle(_ isSoundOnly: Bool, at now: HostTime) { since = isSoundOnly ? since ?? now : nil }

    /// How often the card has moved.
    func moves(at now: HostTime) -> Int { since.map { Int((now - $0) / Timing.burnIn) } ?? 0 }

    /// When the card moves next; nil: there is none.
    func nextMove(at now: HostTime) -> HostTime? { since.map { $0 + Timing.burnIn * (moves(at: now) + 1) } }
}
