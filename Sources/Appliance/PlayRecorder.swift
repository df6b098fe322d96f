import BoxModel
import LinuxSupport
import MediaModel
import MediaTime
import Playback
import URLReferences

/// Records what was played, as the proof that it was shown: each programme from its first picture or sound to its end, and each interstitial in it. Main
/// loop only.
///
/// The pictures are those that the display has flipped to (`FrameRecord`), and the time is the clock's while the player plays. A picture counts either for
/// the programme or for the interstitial.
@MainActor
final class PlayRecorder {
    /// What is played next, or again after its end.
    private struct Subject {
        var item: String
        var channel: String?
        var starter: Play.Starter
        /// Whether nothing of it was shown.
        var isFresh = true
    }

    private struct Course {
        var play: Play
        var missing = MissingPictures()
        /// Where an interstitial that is a part of the stream lies.
        var range: TimeRange?

        mutating func add(_ record: FrameRecord) {
            if play.picturesShown == 0, play.from == nil { play.from = record.time }
            play.picturesShown += 1
            play.picturesDue += 1 + (missing.take(record) ?? 0)
        }
    }

    private let store: (any PlayStore)?
    private let clock: any HostClock
    private let date: @MainActor () -> Int64?
    /// Whether nothing of the box can be seen.
    var isScreenOff: @MainActor () -> Bool = { false }
    private var subject: Subject?
    private var programme: Course?
    private var interstitial: Course?
    private var isPlaying = false
    /// Until when time has been counted, and whether the screen was off then.
    private var counted: (until: HostTime, isScreenOff: Bool)
    private var lastID = 0
    private var lastUpdate: HostTime

    /// A power cut loses at most so much of what is being played.
    private static let updateInterval = Duration.seconds(30)
    private static let countInterval = Duration.milliseconds(200)

    init(_ parts: ApplianceParts) {
        store = parts.plays
        clock = parts.clock
        date = parts.services.wallClock
        counted = (parts.clock.now, false)
        lastUpdate = parts.clock.now
    }

    // MARK: Programmes

    /// A programme is opened; another one ends with it.
    func opened(_ programme: Programme, by starter: Play.Starter) {
        end(.left)
        subject = Subject(
            item: Redaction.inText(programme.id), channel: programme.queue?.channel.id, starter: starter)
    }

    /// The programme is left.
    func left() {
        end(.left)
        subject = nil
    }

    /// It could not be played, or not any more.
    func failed(_ error: MediaError) { end(.failed, code: error.code.rawValue) }

    /// An interstitial begins or ends.
    func take(_ event: ViewingEvent) {
        guard case .interstitial(let which, let step) = event else { return }
        switch step {
        case .began: begin(which)
        case .reached: break
        case .ended(let outcome): endInterstitial(Play.End(outcome))
        }
    }

    /// An event of the player that the box has not handled: what follows an end is opened with it.
    func willTake(_ event: PlayerEvent) {
        switch event {
        case .didPlayToEnd: end(.completed)
        case .state(let state) where state.isAtEnd: end(.completed)
        default: break
        }
    }

    /// An event of the player that the box has handled: a picture with which an interstitial begins is one of it.
    func didTake(_ event: PlayerEvent) {
        switch event {
        case .state(let state):
            count()
            isPlaying = state.timeControlStatus == .playing
            if !isPlaying { resetMissing() }
        case .frame(let record): count(record)
        case .interstitialFrame(let record):
            countIfDue()
            interstitial?.add(record)
        case .position(let time):
            countIfDue()
            beginIfNeeded(at: time, isRunning: isPlaying)
        case .seekCompleted:
            count()
            resetMissing()
        case .display: count()
        default: break
        }
    }

    // MARK: Pictures and time

    private func count(_ record: FrameRecord) {
        countIfDue()
        // The picture in which an interstitial ends is told before its end.
        if let range = interstitial?.range, range.contains(record.time) {
            interstitial?.add(record)
            return
        }
        beginIfNeeded(at: record.time, isRunning: record.isRunning)
        programme?.add(record)
    }

    private func resetMissing() {
        programme?.missing.reset()
        interstitial?.missing.reset()
    }

    /// For every picture it would cost too much. A change of the screen is noticed within the interval.
    private func countIfDue() { if clock.now - counted.until >= Self.countInterval { count() } }

    /// Adds the time since the last call to what plays.
    private func count() {
        let now = clock.now
        let passed = now - counted.until
        if isPlaying {
            let off = counted.isScreenOff ? passed : .zero
            if interstitial != nil {
                interstitial?.play.length += passed
                interstitial?.play.screenOffLength += off
            } else {
                programme?.play.length += passed
                programme?.play.screenOffLength += off
            }
        }
        counted = (now, isScreenOff())
        if isPlaying, now - lastUpdate >= Self.updateInterval, programme != nil || interstitial != nil { update() }
    }

    // MARK: Beginnings and ends

    private func beginIfNeeded(at time: MediaTime, isRunning: Bool) {
        guard programme == nil, let subject, subject.isFresh || isRunning else { return }
        count()
        var play = Play(
            id: nextID(), item: subject.item, channel: subject.channel, starter: subject.isFresh ? subject.starter : .viewer,
            started: clock.now)
        play.from = time
        programme = Course(play: play)
        self.subject?.isFresh = false
        update()
    }

    private func begin(_ which: Interstitial) {
        count()
        guard let subject else { return }
        if interstitial != nil { endInterstitial(.left) }
        let play = Play(
            id: nextID(), item: subject.item, channel: subject.channel, advertisement: which.id, starter: .programme,
            started: clock.now)
        interstitial = Course(play: play, range: Self.range(of: which))
        update()
    }

    private static func range(of interstitial: Interstitial) -> TimeRange? {
        if case .spliced(let range, _) = interstitial.placement { range } else { nil }
    }

    private func endInterstitial(_ how: Play.End) {
        count()
        guard var ended = interstitial?.play else { return }
        interstitial = nil
        ended.end = how
        keep(ended)
    }

    private func end(_ how: Play.End, code: String? = nil) {
        if interstitial != nil { endInterstitial(how == .completed ? .completed : .left) }
        count()
        guard var ended = programme?.play else { return }
        programme = nil
        ended.end = how
        ended.errorCode = code
        keep(ended)
    }

    private func nextID() -> Int {
        lastID += 1
        return lastID
    }

    private var playing: [Play] { [programme?.play, interstitial?.play].compactMap { $0 } }

    private func dated(_ play: Play) -> Play {
        var play = play
        (play.updated, play.updatedDate) = (clock.now, date())
        return play
    }

    private func update() {
        lastUpdate = clock.now
        store?.update(playing.map(dated))
    }

    private func keep(_ ended: Play) {
        lastUpdate = clock.now
        store?.keep(dated(ended), playing: playing.map(dated))
    }
}

extension Play.End {
    fileprivate init(_ outcome: InterstitialOutcome) {
        switch outcome {
        case .completed: self = .completed
        case .skipped: self = .skipped
        case .abandoned: self = .left
        case .failed: self = .failed
        }
    }
}
