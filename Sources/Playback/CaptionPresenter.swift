import Captions
import LinuxSupport
import MediaTime

/// Reports the cues that are visible now. It is updated at each change of the media clock, and woken by a timer at each change of cues. Main loop.
///
/// It has one store at a time. Between two changes of cues it does nothing.
@MainActor
package final class CaptionPresenter {
    /// The visible cues, in layout order.
    package private(set) var cues: [CaptionCue] = [] { didSet { if cues != oldValue { tell(cues) } } }

    private let clock: any HostClock
    private let tell: @MainActor (_ cues: [CaptionCue]) -> Void
    private var bell: Doorbell!
    private var store: CueStore?
    /// How much later than the media clock cues are shown; negative means earlier.
    var delay = MediaTime.zero { didSet { if delay != oldValue { update() } } }
    private var media = MediaClock(anchorHost: .zero, anchorTime: .zero, rate: .zero)
    private var timer: ScheduledEvent?

    /// - Parameter tell: called with the cues that are visible from now on.
    init(clock: any HostClock, tell: @escaping @MainActor (_ cues: [CaptionCue]) -> Void) {
        self.clock = clock
        self.tell = tell
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
        guard let store else { return cues = [] }
        let (shown, change) = store.cues(at: media.time(at: clock.now) - delay)
        cues = shown
        guard media.rate != .zero, let next = change.map({ $0 + delay }), media.limit.map({ next <= $0 }) ?? true,
            let instant = media.instant(of: next)
        else { return }
        // One step of the clock after it, because a time that was rounded down would fire again at the same instant.
        timer = clock.schedule(at: max(instant, clock.now) + .nanoseconds(1), rank: .media) { [weak self] in self?.update() }
    }
}
