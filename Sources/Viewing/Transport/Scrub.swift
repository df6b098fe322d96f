import LinuxSupport
import MediaTime
import Screens

/// Scrubbing: a search by Left and Right. Taps step by ten seconds, or by one second shortly after a change of direction; a held key accelerates.
///
/// It begins in a pause, and stays where a key is released. A scan whose key is held for long becomes one too, which ends with the release.
struct Scrub: Sendable {
    /// Where Back returns to, in asset time.
    let origin: MediaTime
    /// Whether it played before: then the release of the key ends it.
    let wasPlaying: Bool
    /// The position of the search, in content time.
    private(set) var content: MediaTime
    /// The direction of the last tap or hold: 1 or -1.
    private(set) var direction: Int
    /// The time of the last change of direction.
    private var turned: HostTime?
    private var held: HeldKey?

    init(_ direction: Int, origin: MediaTime, content: MediaTime, wasPlaying: Bool = false) {
        self.origin = origin
        self.content = content
        self.direction = direction
        self.wasPlaying = wasPlaying
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

    /// When `step` is due; nil if no key is held, or if it moves with the presses of a device without releases.
    var nextStep: HostTime? { held?.nextStep }

    mutating func hold(_ direction: Int, _ hold: KeyHold, in played: PlayedItem, at now: HostTime) {
        self.direction = direction
        held = HeldKey(
            direction, from: content, in: played, within: wasPlaying ? Timing.scanReaches : Timing.scrubReaches, hold, at: now)
    }

    /// It stays where it was shown last.
    mutating func release() { held = nil }

    /// - Returns: false if no key is held.
    mutating func step(in played: PlayedItem, at now: HostTime) -> Bool {
        guard let place = held?.move(to: now) else { return false }
        // What played goes on from where a scan stops; else the end itself can be looked at.
        let upper = wasPlaying && direction > 0 ? played.reach.upper.map { max(content, played.scanEnd($0)) } : nil
        content = played.clamped(upper.map { min($0, place) } ?? place)
        return true
    }
}

/// How the end of a hold will be known.
package enum KeyHold: Sendable {
    /// The device reports the release.
    case told
    /// The device reports no release. Each press moves the bubble, and it stops when the presses stop.
    case byPresses
}

/// A key that is held while scrubbing. How far it leads grows with the length of what plays, so that every place is reached in the same time: slowly at first,
/// then at a steady pace. What is short moves at the slowest speed until that pace is faster.
struct HeldKey: Sendable {
    private let direction: Int
    /// Where it began, in content time.
    private let from: MediaTime
    private let since: HostTime
    /// The length of what plays, in milliseconds.
    private let length: Int64
    /// In how many milliseconds it leads from one end to the other.
    private let within: Int64
    /// Whether the end in its direction moves on meanwhile: the live edge.
    private let followsEdge: Bool
    private let hold: KeyHold
    private var moved: HostTime

    init(
        _ direction: Int, from content: MediaTime, in played: PlayedItem, within: Duration, _ hold: KeyHold, at now: HostTime
    ) {
        let (lower, upper) = played.reach
        self.direction = direction
        from = content
        (since, moved) = (now, now)
        length = ((upper ?? content + Timing.unknownLength) - lower).milliseconds
        self.within = within.mediaTime.milliseconds
        followsEdge = direction > 0 && played.item?.isLive == true
        self.hold = hold
    }

    var nextStep: HostTime? { hold == .told ? moved + Timing.scrubStep : nil }

    /// - Returns: the place at this time, in content time; it may be beyond the end.
    mutating func move(to now: HostTime) -> MediaTime {
        moved = now
        let time = (now - since).mediaTime.milliseconds
        let way = max(time * Timing.slowestScrub, distance(after: time)) + (followsEdge ? time : 0)
        return from + .milliseconds(direction < 0 ? -way : way)
    }

    /// The way after a time, both in milliseconds. Of the time in which the whole length is reached, the first two fifths accelerate, with the square of the
    /// time, and the rest is steady: in parts of them 125/44 u³, then (15 u - 4) / 11.
    private func distance(after time: Int64) -> Int64 {
        let (time, within, length) = (Int128(time), Int128(within), Int128(length))
        return time * 5 < within * 2
            ? Int64(clamping: length * 125 * time * time * time / (44 * within * within * within))
            : Int64(clamping: length * (15 * time - 4 * within) / (11 * within))
    }
}
