import LinuxSupport

/// Audio-only playback: its card moves to prevent burn-in.
struct SoundOnly: Sendable {
    private var since: HostTime?

    mutating func settle(_ isSoundOnly: Bool, at now: HostTime) { since = isSoundOnly ? since ?? now : nil }

    /// The number of moves.
    func moves(at now: HostTime) -> Int { since.map { Int((now - $0) / Timing.burnIn) } ?? 0 }

    /// When the card moves next; nil without a card.
    func nextMove(at now: HostTime) -> HostTime? { since.map { $0 + Timing.burnIn * (moves(at: now) + 1) } }
}
