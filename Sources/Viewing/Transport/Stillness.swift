import LinuxSupport
import Screens

/// For how long something has stood on the screen without a key. A value.
package struct Stillness: Sendable, Equatable {
    /// The later of its beginning and the last key; nil while it does not stand.
    package private(set) var since: HostTime?

    package init() {}

    /// - Parameters:
    ///   - stands: whether it stands on the screen until a key is pressed.
    ///   - lastPress: the last press of any key.
    package mutating func update(_ stands: Bool, lastPress: HostTime?, at now: HostTime) {
        guard stands else {
            since = nil
            return
        }
        let begin = since ?? now
        since = lastPress.map { max(begin, $0) } ?? begin
    }

    private var end: HostTime? { since.map { $0 + Timing.standsAtMost } }

    /// Whether it has stood as long as anything may.
    package func isOver(at now: HostTime) -> Bool { end.map { now >= $0 } ?? false }

    /// When it has stood as long as anything may; nil if it has, or does not stand.
    package func deadline(at now: HostTime) -> HostTime? { end.flatMap { now < $0 ? $0 : nil } }

    /// How often what is shown instead has moved.
    func moves(at now: HostTime) -> Int { end.map { BurnIn.moves(since: $0, at: now) } ?? 0 }

    /// When it is over, or when what is shown instead moves next.
    func nextStep(at now: HostTime) -> HostTime? {
        end.map { now < $0 ? $0 : BurnIn.nextMove(since: $0, at: now) }
    }
}
