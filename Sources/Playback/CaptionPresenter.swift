import Captions
import LinuxSupport
import MediaTime

/// Tells which cues are on the screen now: asked at each change of the media clock, woken by a timer at each change of cues. Main loop.
///
/// It has one store at a time. Nothing happens between two changes of cues, however many frames go by.
@MainActor
public final class CaptionPresenter {
    /// Told of the cues that are on the screen from now on, in the order in which they are laid out, and the asset time that they belong to.
    public var onChange: (@MainActor (_ cues: [CaptionCue], _ time: MediaTime) -> Void)?
    /// What is on the screen.
    public private(set) var cues: [CaptionCue] = []

    private let clock: any HostClock
    private var bell: Doorbell!
    private var store: CueStore?
    private var media = MediaClock(anchorHost: .zero, anchorTime: .zero, rate: .zero)
    private var timer: ScheduledEvent?
    private var innerTime: MediaTime?

    init(clock: any HostClock) {
        self.clock = clock
        bell = clock.makeDoorbell(rank: .media) { [weak self] in self?.update() }
    }

    /// Shows the cues of another store; nil shows none.
    func show(_ store: CueStore?) {
        guard store !== self.store else { return }
        self.store?.setOnChange(nil)
        self.store = store
        let bell = bell!
        store?.setOnChange { bell.ring() }
        update()
    }

    /// Follows another clock.
    func follow(_ media: MediaClock) {
        self.media = media
        update()
    }

    private func update() {
        timer?.cancel()
        timer = nil
        guard let store else { return tell([], at: nil) }
        let time = media.time(at: clock.now)
        let (shown, next) = store.cues(at: time)
        tell(shown, at: time)
        guard media.rate != .zero, let next, media.limit.map({ next <= $0 }) ?? true, let instant = media.instant(of: next)
        else { return }
        // One step of the clock behind it: what was rounded down must not ask again at the same instant.
        timer = clock.schedule(at: max(instant, clock.now) + .nanoseconds(1), rank: .media) { [weak self] in self?.update() }
    }

    private func tell(_ shown: [CaptionCue], at time: MediaTime?) {
        // Text inside a cue that is said later makes the same cues look different.
        let inner = shown.compactMap { cue in time.flatMap { cue.lastInnerTime(atOrBefore: $0) } }.max()
        guard shown != cues || inner != innerTime else { return }
        cues = shown
        innerTime = inner
        onChange?(shown, time ?? media.time(at: clock.now))
    }
}
