import LinuxSupport
import MediaTime

/// The pace of sound at which playback keeps its distance from the sender of a live stream. A value: how much is received ahead of the sound, the pace out.
///
/// The clocks of a sender and of a sound card differ by some hundred parts per million. Without a correction what is received ahead would grow without end, or be used
/// up again and again. What counts is the least of it in a while, because datagrams do not come evenly: that is the reserve. It is kept as it was
/// when playback began, and at least `leastReserve`.
struct SourcePace {
    /// Of the reading that is measured.
    let generation: Int
    /// How much faster than recorded sound is played, in parts per million; negative is slower.
    private(set) var pace = 0
    /// The reserve to keep, in seconds as all here; nil before it was measured.
    private var target: Double?
    private var window: (since: HostTime, last: HostTime, least: Double)?

    private static let windowLength = Duration.seconds(10)
    /// After a longer time without playing the distance is another one.
    private static let longestPause = Duration.seconds(1)
    /// What jitter of a network must be left.
    static let leastReserve = 0.2
    /// The time in which a deviation is led back.
    private static let approach = 60.0
    /// A larger change from one window to the next is no drift: the time stamps, or the position, have jumped.
    private static let jump = 0.5

    init(generation: Int) { self.generation = generation }

    /// Takes a measurement while it plays at rate 1.
    ///
    /// - Parameter lead: what is received ahead of the sound.
    mutating func take(_ lead: MediaTime, at now: HostTime) {
        let lead = Double(lead.nanoseconds) / 1e9
        guard var open = window, now - open.last <= Self.longestPause else {
            if window != nil { target = nil }
            window = (now, now, lead)
            return
        }
        open.last = now
        open.least = min(open.least, lead)
        window = open
        guard now - open.since >= Self.windowLength else { return }
        window = (now, now, lead)
        keep(open.least)
    }

    private mutating func keep(_ reserve: Double) {
        guard let target, abs(reserve - target) < Self.jump else {
            target = max(reserve, Self.leastReserve)
            return
        }
        let most = Double(PacedSound.limit)
        pace = Int(min(max((reserve - target) / Self.approach * 1e6, -most), most).rounded())
    }
}
