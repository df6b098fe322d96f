import LinuxSupport
import MediaModel
import Screens

/// The place of the video while it shrinks for a proposal, or grows back: only its plane moves. A value.
struct VideoGlide {
    private var from, to: PixelRect?
    private var isPlayer = false
    private var part: EasedValue?

    /// Takes the place of the video in a state. It glides from one place on the player's screen to another; between the player and Home, and from or to
    /// no video, it jumps.
    mutating func show(_ state: PresentationState, at now: HostTime, reducesMotion: Bool) {
        let frame = state.video.frame, isPlayer = state.screen == .player
        defer { self.isPlayer = isPlayer }
        guard frame != to else {
            if reducesMotion { part = nil }
            return
        }
        let glides = isPlayer && self.isPlayer && !reducesMotion && !frame.isEmpty && to.map { !$0.isEmpty } == true
        from = glides ? self.frame(at: now) : nil
        to = frame
        part = glides ? EasedValue(from: 0, to: 1, start: now, length: Timing.proposalShrink) : nil
    }

    func isMoving(at now: HostTime) -> Bool { part?.isMoving(at: now) == true }

    /// Where the video is, in design pixels; nil before the first state. Even numbers on the way, so that the chroma of the picture stays in place.
    func frame(at now: HostTime) -> PixelRect? {
        guard let from, let to, let part, part.isMoving(at: now) else { return to }
        let share = part.value(at: now)
        func between(_ path: KeyPath<PixelRect, Int>) -> Int {
            let value = Double(from[keyPath: path]) + Double(to[keyPath: path] - from[keyPath: path]) * share
            return Int((value / 2).rounded()) * 2
        }
        return PixelRect(x: between(\.x), y: between(\.y), width: between(\.width), height: between(\.height))
    }
}
