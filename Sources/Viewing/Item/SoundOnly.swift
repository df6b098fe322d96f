import LinuxSupport
import Screens

/// Audio-only playback: its card moves to prevent burn-in.
struct SoundOnly: Sendable {
    private var since: HostTime?

    mutating func settle(_ isSoundOnly: Bool, at now: HostTime) { since = isSoundOnly ? since ?? now : nil }

    /// The number of moves.
    func moves(at now: HostTime) -> Int { since.map { BurnIn.moves(since: $0, at: now) } ?? 0 }

    /// When the card moves next; nil without a card.
    func nextMove(at now: HostTime) -> HostTime? { since.map { BurnIn.nextMove(since: $0, at: now) } }
}
