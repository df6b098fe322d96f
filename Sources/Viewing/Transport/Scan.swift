import LinuxSupport
import MediaModel
import MediaTime
import Screens

/// Scanning: a search at a multiple of normal speed.
///
/// At 4, 12, 30 and 60, in either direction, a capable player shows key pictures itself, including interstitials on its way. Near an interstitial,
/// and with other players, the search advances by the clock instead, and previews are sought one by one.
struct Scan: Sendable {
    /// The result of a step.
    enum Step: Equatable {
        case goesOn
        /// It stops here.
        ///
        /// - Parameter playing: whether to play afterwards; nil for the state before the scan.
        case over(playing: Bool?)
    }

    /// Where Back returns to, in asset time.
    let origin: MediaTime
    /// Whether it played before.
    let wasPlaying: Bool
    /// The position of the search, in content time.
    private(set) var content: MediaTime
    /// -4…4; 0 is normal speed in between.
    private(set) var level: Int
    /// The rate at which the player scans; nil if the search advances by the clock.
    private(set) var rate: Ratio?
    /// When `step` is due next, as long as no key is held.
    private var nextWalk: HostTime
    /// Its key is held: when it becomes a scrub.
    private var held: (becomesScrub: HostTime, hold: KeyHold)?
    /// The instant for which `content` is valid.
    private var walked: HostTime
    /// Since when the level is 0.
    private var settling: HostTime?

    /// - Parameters:
    ///   - direction: 1 or -1.
    ///   - hold: whether the key is held that began it, and on a device without releases.
    init(
        _ direction: Int, origin: MediaTime, content: MediaTime, wasPlaying: Bool, hold: KeyHold? = nil, at now: HostTime
    ) {
        self.origin = origin
        self.content = content
        self.wasPlaying = wasPlaying
        level = direction
        nextWalk = now + Timing.scanStep
        walked = now
        held = hold.map { (now + Timing.scanBecomesScrub, $0) }
    }

    /// When `step` is due.
    var nextStep: HostTime { held.map { min($0.becomesScrub, nextWalk) } ?? nextWalk }

    /// The key that began it was released: it goes on at its level.
    mutating func release() { held = nil }

    /// The scrub that it has become, with its key held; nil while it is a scan.
    func scrub(in played: PlayedItem, at now: HostTime) -> Scrub? {
        guard let held, now >= held.becomesScrub else { return nil }
        var scrub = Scrub(level.signum(), origin: origin, content: content, wasPlaying: wasPlaying)
        scrub.hold(level.signum(), held.hold, in: played, at: now)
        return scrub
    }

    /// Whether there is anything to search in a direction.
    static func leadsAnywhere(_ direction: Int, from content: MediaTime, in played: PlayedItem) -> Bool {
        let (lower, upper) = played.reach
        if direction > 0 { return upper.map { content < played.scanEnd($0) } ?? true }
        return content > lower
    }

    /// - Returns: false if it already has the last level in that direction.
    mutating func change(by step: Int, in played: PlayedItem, at now: HostTime) -> Bool {
        let highest = Timing.scanFactors.count
        let new = min(max(level + step, -highest), highest)
        guard new != level else { return false }
        walk(in: played, at: now)
        level = new
        held = nil
        settling = new == 0 ? now : nil
        return true
    }

    private mutating func walk(in played: PlayedItem, at now: HostTime) {
        if rate != nil, let position = played.position {
            // The player scans: the bar shows the position of its picture.
            content = played.clamped(played.clock.content(at: position))
            return
        }
        let distance = (now - walked).mediaTime * (level == 0 ? 1 : factor)
        content = played.clamped(level < 0 ? content - distance : content + distance)
        walked = now
    }

    /// The speed of the level, which is not 0.
    private var factor: Int { Timing.scanFactors[abs(level) - 1] }

    mutating func step(in played: PlayedItem, at now: HostTime) -> Step {
        let before = content
        walk(in: played, at: now)
        let (lower, upper) = played.reach
        if level >= 0, let upper, content >= played.scanEnd(upper) {
            content = max(played.scanEnd(upper), before)
            return .over(playing: true)
        }
        if reachesEndBeforeNextStep(in: played, at: now) {
            goToEnd(of: played)
            return .over(playing: true)
        }
        let hasSettled = settling.map { now - $0 >= Timing.scanSettles } ?? false
        if hasSettled || level < 0 && content <= lower { return .over(playing: nil) }
        nextWalk = now + Timing.scanStep
        return .goesOn
    }

    /// Whether the player will reach the end before the next check. Its clock advances even while pictures are still pending.
    private func reachesEndBeforeNextStep(in played: PlayedItem, at now: HostTime) -> Bool {
        guard rate != nil, level > 0, played.snapshot.state == .playing, let upper = played.reach.upper else { return false }
        return content + (now - walked + Timing.scanStep).mediaTime * factor >= upper - .seconds(1)
    }

    /// A scan forward stops before the end, or at the live edge.
    mutating func goToEnd(of played: PlayedItem) {
        if let upper = played.reach.upper { content = played.clamped(played.scanEnd(upper)) }
    }

    /// The player has shown a picture of its scan.
    ///
    /// - Returns: whether it is where a scan forward stops.
    mutating func follow(_ position: MediaTime, in played: PlayedItem, at now: HostTime) -> Bool {
        let place = played.clamped(played.clock.content(at: position))
        // The same picture again is not a step.
        if place != content { (content, walked) = (place, now) }
        guard level > 0, let upper = played.reach.upper else { return false }
        return content >= played.scanEnd(upper)
    }

    /// Decides whether the player or the machine scans from here.
    ///
    /// - Parameter isSeeking: whether a seek is pending, during which the player cannot scan.
    /// - Returns: the command for the player; nil if it has not changed.
    mutating func steer(in played: PlayedItem, isSeeking: Bool, at now: HostTime) -> InterfaceEffect? {
        let wanted = isSeeking ? nil : playerRate(in: played)
        guard wanted != rate else { return nil }
        rate = wanted
        walked = now
        return .scan(rate: wanted)
    }

    /// The rate at which the player can scan on; nil if an interstitial is near, or if it cannot scan.
    private func playerRate(in played: PlayedItem) -> Ratio? {
        guard played.snapshot.canPlayFast, level != 0, let item = played.item, let position = played.position else { return nil }
        // The distance until the next check, including a picture that is already on its way.
        let reach = Timing.scanLooksAhead * factor + Timing.keyPictures
        let way =
            level > 0
            ? TimeRange(start: position, end: position + reach)
            : TimeRange(start: max(.zero, position - reach), end: position + .milliseconds(1))
        let isBlocked =
            item.interstitials.contains { $0.range.start < way.end && $0.range.end > way.start }
            || played.snapshot.interstitials.contains { $0.time >= way.start && $0.time < way.end }
        return isBlocked ? nil : Ratio(Int64(level < 0 ? -factor : factor))
    }
}
