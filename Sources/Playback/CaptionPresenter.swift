import Captions
import LinuxSupport
import MediaTime

/// Reports the cues that are visible now. It is updated at each change of the media clock, and woken by a timer at each change of cues. Main loop.
///
/// It has one store at a time. Between two changes of cues it does nothing.
@MainActor
package final class CaptionPresenter {
    /// Called with the cues that are visible from now on, in layout order.
    package var onChange: (@MainActor (_ cues: [CaptionCue]) -> Void)?
    /// The visible cues.
    package private(set) var cues: [CaptionCue] = []

    private let clock: any HostClock
    private var bell: Doorbell!
    private var store: CueStore?
    private var media = MediaClock(anchorHost: .zero, anchorTime: .zero, rate: .zero)
    private var timer: ScheduledEvent?

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
        guard let store else { return tell([]) }
        let time = media.time(at: clock.now)
        let (shown, next) = store.cues(at: time)
        tell(shown)
        guard media.rate != .zero, let next, media.limit.map({ next <= $0 }) ?? true, let instant = media.instant(of: next)
        else { return }
        // One step of the clock after it, because a time that was rounded down would fire again at the same instant.
        timer = clock.schedule(at: max(instant, clock.now) + .nanoseconds(1), rank: .media) { [weak self] in self?.update() }
    }

    private func tell(_ shown: [CaptionCue]) {
        guard shown != cues else { return }
        cues = shown
        onChange?(shown)
    }
}
