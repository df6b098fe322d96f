import LinuxSupport
import MediaModel
import MediaTime
import Synchronization

/// A screen in memory, at a given mode, in real or simulated time.
///
/// Vertical blank k lies exactly k refresh periods after the clock's origin. At each blank, in this order:
/// 1. the scene answered at the blank before (if any) is now on the screen, which is reported by `didPresent` with this blank's
///    time;
/// 2. if an opportunity is wanted, the source is asked with `targetTime` equal to the *next* blank; its answer is visible from
///    then on.
///
/// Blanks happen only while there is something to report or to ask for, not while the source has said that it has nothing new
/// (`PresentationAnswer.notBefore`); `wake()` starts them again. A blank that the main loop is late for is skipped, as on a real
/// display. When the source has named the blank for which it has something, it is asked at that blank, and its answer is visible at
/// once, unless the display was made to ask ahead. Only `readScreen` composes, on the thread `compose`; simulated time waits for that work.
///
/// Threads: the display's thread is the main loop; `wake`, `mode` and `counters` may be used from any thread.
package final class HeadlessDisplay: DisplayOutput {
    private struct Shared {
        var mode: DisplayMode
        var counters = DisplayCounters()
    }
    private enum Life { case made, started, stopped }

    package let name = "headless"
    package let videoAllocator: any FrameAllocator = MemoryAllocator()
    package let interfaceAllocator: any FrameAllocator = MemoryAllocator()
    private let clock: any HostClock
    private let remarks: [String]
    private let rotation: DisplayRotation
    /// The first is that of the mode with which it was made.
    package let refreshRates: [Ratio]
    private let shared: Mutex<Shared>
    private let capture: SceneCapture
    private let bell: Doorbell
    private let bellHandler: BellHandler

    @MainActor private weak var source: (any PresentationSource)?
    @MainActor private var schedule: BlankSchedule
    @MainActor private var isConnected = true
    @MainActor package private(set) var isPowered = true
    @MainActor private var life = Life.made
    /// The answer that the next blank shows.
    @MainActor private var pending: Scene?
    @MainActor private var shown: SceneCapture.Shown
    @MainActor private var nextBlank: (index: UInt64, event: ScheduledEvent)?

    /// Makes a black screen.
    ///
    /// - Parameters:
    ///   - mode: the screen's own size and rate.
    ///   - rotation: how far the screen hangs turned: the display's mode is that of viewers.
    ///   - clock: the main loop's, real or simulated.
    ///   - asksAhead: whether the scene of a named blank is asked for one blank earlier, as a graphics card must ask. Otherwise it is asked
    ///     for at that blank, and the loop is woken once per frame instead of twice.
    ///   - remarks: why it is used instead of a graphics card, for `probe`.
    ///   - refreshRates: the rates it supports besides that of the mode.
    @MainActor package init(
        mode: DisplayMode, rotation: DisplayRotation = .none, clock: any HostClock, asksAhead: Bool = false,
        remarks: [String] = [],
        refreshRates: [Ratio] = []
    ) {
        self.clock = clock
        self.remarks = remarks
        self.rotation = rotation
        self.refreshRates = [mode.refresh] + refreshRates.filter { $0 != mode.refresh }
        shared = Mutex(Shared(mode: rotation.turn(mode)))
        schedule = BlankSchedule(mode.refresh, asksAhead: asksAhead)
        shown = SceneCapture.Shown(scene: Scene(wantedTime: .zero), time: clock.now, serial: 0)
        capture = SceneCapture(clock: clock)
        let handler = BellHandler()
        bellHandler = handler
        bell = clock.makeDoorbell(rank: .display) { handler.display?.wakeRang() }
        handler.display = self
    }

    package var mode: DisplayMode { shared.withLock { $0.mode } }
    package var counters: DisplayCounters { shared.withLock { $0.counters } }

    package var probe: DisplayProbe {
        DisplayProbe(
            display: name, driver: nil, mode: mode, planes: 0, planesForVideo: 0, rotation: rotation, canReadBack: true,
            memory: [], rungs: [], remarks: remarks)
    }

    @MainActor package func start(_ source: any PresentationSource) throws(MediaError) {
        precondition(life == .made, "a display is started once")
        life = .started
        self.source = source
        wake()
    }

    package func wake() { bell.ring() }

    /// Disconnects the screen (nil) or connects one whose own mode is given; for tests.
    @MainActor package func connect(_ mode: DisplayMode?) { setMode(mode.map(rotation.turn)) }

    /// - Parameter mode: as viewers see it.
    @MainActor private func setMode(_ mode: DisplayMode?) {
        guard life != .stopped else { return }
        nextBlank?.event.cancel()
        nextBlank = nil
        pending = nil
        isConnected = mode != nil
        if let mode {
            shared.withLock { $0.mode = mode }
            schedule.restart(mode.refresh)
            capture.forget()
        }
        guard isPowered else { return }
        source?.displayDidChange(mode)
        if isConnected { wakeRang() }
    }

    /// Its range is always standard.
    @MainActor package func setSignal(_ request: SignalRequest) {
        var mode = self.mode
        let wanted = request.refresh ?? refreshRates[0]
        guard life != .stopped, wanted != mode.refresh, refreshRates.contains(wanted) else { return }
        mode.refresh = wanted
        guard isConnected, isPowered else {
            // Reported when the screen is connected again.
            shared.withLock { $0.mode = mode }
            schedule.setRefresh(wanted)
            return
        }
        setMode(mode)
    }

    @MainActor package func setPower(_ isOn: Bool) {
        guard isPowered != isOn, life != .stopped else { return }
        isPowered = isOn
        nextBlank?.event.cancel()
        nextBlank = nil
        pending = nil
        capture.forget()
        guard isConnected else { return }
        source?.displayDidChange(isOn ? mode : nil)
        wakeRang()
    }

    @MainActor package func readScreen(_ then: @escaping @MainActor @Sendable (ScreenPicture?) -> Void) {
        guard life != .stopped, isConnected, isPowered else { return capture.deliver(nil, to: then) }
        capture.read(shown, mode, then)
    }

    @MainActor package func stop() {
        guard life != .stopped else { return }
        life = .stopped
        nextBlank?.event.cancel()
        nextBlank = nil
        pending = nil
        source = nil
        capture.stop()
    }

    @MainActor private func wakeRang() {
        guard life == .started, isConnected, isPowered else { return }
        schedule.wake()
        scheduleBlank()
    }

    @MainActor private func scheduleBlank() {
        let index = schedule.next(at: clock.now, hasScene: pending != nil)
        if let nextBlank {
            guard index < nextBlank.index else { return }
            nextBlank.event.cancel()
        }
        let event = clock.schedule(at: schedule.grid.instant(index), rank: .display) { [weak self] in self?.blank(index) }
        nextBlank = (index, event)
    }

    @MainActor private func blank(_ planned: UInt64) {
        nextBlank = nil
        let index = schedule.begin(planned, at: clock.now)
        if let scene = pending {
            pending = nil
            show(scene, at: index)
        }
        if schedule.isNamed(index), let scene = ask(for: index) { show(scene, at: index) }
        if schedule.asksForNext(after: index), let scene = ask(for: index + 1) { pending = scene }
        if pending != nil || schedule.wantsOpportunity, life != .stopped, isConnected, isPowered { scheduleBlank() }
    }

    @MainActor private func ask(for index: UInt64) -> Scene? {
        guard let source else { return nil }
        schedule.beginAsking()
        let answer = source.answer(
            to: PresentationOpportunity(
                targetTime: schedule.grid.instant(index), interval: schedule.grid.interval, sequence: index))
        schedule.take(answer)
        if answer.scene != nil { shared.withLock { $0.counters.commits += 1 } }
        return answer.scene
    }

    @MainActor private func show(_ scene: Scene, at index: UInt64) {
        let time = schedule.grid.instant(index)
        shown = SceneCapture.Shown(scene: scene, time: time, serial: shown.serial + 1)
        shared.withLock { $0.counters.flips += 1 }
        source?.didPresent(
            Flip(time: time, sequence: index, wantedTime: scene.wantedTime, frameTime: scene.video?.frame.time))
    }

    /// Gives the bell, which is made before the display, access to it.
    @MainActor private final class BellHandler {
        weak var display: HeadlessDisplay?
        nonisolated init() {}
    }
}
