import LinuxSupport
import MediaTime
import Screens

/// Scrubbing: a search while paused. Taps step by ten seconds, or by one second shortly after a change of direction; a held key accelerates.
struct Scrub: Sendable {
    /// Where Back returns to, in asset time.
    let origin: MediaTime
    /// The position of the search, in content time.
    private(set) var content: MediaTime
    /// The direction of the last tap or hold: 1 or -1.
    private var direction: Int
    /// The time of the last change of direction.
    private var turned: HostTime?
    /// A held key: since when, and the time of the last step.
    private var held: (since: HostTime, stepped: HostTime)?

    init(_ direction: Int, origin: MediaTime, content: MediaTime) {
        self.origin = origin
        self.content = content
        self.direction = direction
    }

    /// The target of a tap, in content time.
    func target(of direction: Int, in played: PlayedItem, at now: HostTime) -> MediaTime {
        let turned = direction == self.direction ? turned : now
        let isFine = turned.map { now - $0 <= Timing.fineStepWindow } ?? false
        return played.clamped(content + (isFine ? Timing.fineStep : Timing.skip) * direction)
    }

    /// - Returns: false if the end is reached in that direction.
    mutating func tap(_ direction: Int, in played: PlayedItem, at now: HostTime) -> Bool {
        let target = target(of: direction, in: played, at: now)
        if direction != self.direction { turned = now }
        self.direction = direction
        defer { content = target }
        return target != content
    }

    // MARK: Holding a key

    /// When `step` is due; nil if no key is held.
    var nextStep: HostTime? { held.map { $0.stepped + Timing.scanStep } }

    mutating func hold(_ direction: Int, at now: HostTime) {
        self.direction = direction
        held = (now, now)
    }

    mutating func release() { held = nil }

    /// - Returns: false if no key is held.
    mutating func step(in played: PlayedItem, at now: HostTime) -> Bool {
        guard let held else { return false }
        let level = min(Int((now - held.since) / Timing.scrubAccelerates), Timing.scanFactors.count - 1)
        let walked = (now - held.stepped).mediaTime * Timing.scanFactors[level]
        content = played.clamped(direction < 0 ? content - walked : content + walked)
        self.held = (held.since, now)
        return true
    }
}
