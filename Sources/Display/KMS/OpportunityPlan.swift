import LinuxSupport
import MediaModel
import MediaTime

/// When the source is asked for a scene, and for which blank. A value.
///
/// It is asked just after the blank before its own, or earlier if the CPU needs longer to prepare a picture. Blanks for which it has said that it has nothing
/// are passed over, unless it is woken: a thread that wakes for nothing costs more than most of its work.
struct OpportunityPlan {
    /// How long after a blank the source is asked: a driver that is a little late has counted it by then.
    static let margin = Duration.microseconds(200)
    /// From the question to the commit, without what the CPU prepares.
    private static let overhead = Duration.milliseconds(1)
    /// The source is asked after this many blanks even if it has nothing for later: the clock of the screen is known by its flips only.
    private static let mostPassed = 32
    /// How many blanks for which the source has nothing may lie before a scene that is prepared ahead: enough for 24 frames a second at 60 Hz.
    private static let mostAhead: Int64 = 3

    /// Whether the source is to be asked.
    private(set) var isWanted = false
    /// Whether the source may have something for any blank.
    var isWoken: Bool { isWanted && notBefore == nil }
    /// The last scene did not reach the screen: the source must give one, even if it has nothing new.
    private(set) var needsScene = false
    /// The source has nothing for blanks before this time.
    private var notBefore: HostTime?

    /// The source has something new.
    mutating func wake() {
        isWanted = true
        notBefore = nil
    }

    /// A scene did not reach the screen, or the screen is another one.
    mutating func demandScene() {
        wake()
        needsScene = true
    }

    /// The scene of a blank that is counted from the last one.
    func opportunity(
        _ count: Int64, after last: (time: HostTime, sequence: UInt64), interval: Duration
    ) -> PresentationOpportunity {
        PresentationOpportunity(
            targetTime: last.time + interval * Int(count), interval: interval, sequence: last.sequence + UInt64(count),
            needsScene: needsScene)
    }

    /// The blank behind that of a scene which is not on the screen yet, counted from the last one; nil if the source has nothing for the next few.
    ///
    /// - Parameters:
    ///   - target: the blank of that scene.
    ///   - now: a time after the last blank.
    func countAhead(
        of target: HostTime, at now: HostTime, after last: HostTime, interval: Duration, preparing: Duration
    ) -> Int64? {
        let length = interval.wholeNanoseconds
        let shown = ((target - last).wholeNanoseconds + length / 2) / length
        let count = max(shown + 1, Self.blanksNeeded(after: now - last, interval: interval, preparing: preparing))
        guard let notBefore else { return count }
        let wanted = BlankTimeline.count(of: Self.earliest(notBefore, interval) - last, interval: interval)
        return wanted <= count + Self.mostAhead ? max(count, wanted) : nil
    }

    /// A scene has reached the screen.
    mutating func sceneWasShown() { needsScene = false }

    /// The source is being asked; waking it meanwhile counts for the next time.
    mutating func beginAsking() {
        isWanted = false
        notBefore = nil
    }

    mutating func take(_ answer: PresentationAnswer) {
        guard answer.wantsNext else { return }
        isWanted = true
        notBefore = answer.notBefore
    }

    /// How many blanks after the last one the next picture can be shown.
    ///
    /// - Parameters:
    ///   - passed: the time since that blank.
    ///   - preparing: how long the CPU takes to prepare a picture.
    static func blanksNeeded(after passed: Duration, interval: Duration, preparing: Duration) -> Int64 {
        // One slow frame must not push all later ones into the future: beyond two blanks, a frame is late instead.
        let needed = (passed + overhead + min(preparing, interval * 2)).wholeNanoseconds
        let length = interval.wholeNanoseconds
        return max(1, (needed + length - 1) / length)
    }

    /// A blank that may be the one by the error of its time is asked for, too.
    private static func earliest(_ notBefore: HostTime, _ interval: Duration) -> HostTime { notBefore - interval / 8 }

    /// When the source is asked, unless it is woken: in time for the first blank for which it may have something; `now` if that is unknown.
    ///
    /// - Parameter preparing: how long the CPU takes to prepare a picture.
    func nextQuestion(at now: HostTime, blanks: BlankTimeline, interval: Duration, preparing: Duration) -> HostTime {
        guard let notBefore, let blank = blanks.first(atOrAfter: Self.earliest(notBefore, interval), interval: interval) else {
            return now
        }
        let lead = Self.blanksNeeded(after: Self.margin, interval: interval, preparing: preparing)
        let question = blank - interval * Int(lead) + Self.margin
        return max(now, min(question, now + interval * Self.mostPassed))
    }
}
