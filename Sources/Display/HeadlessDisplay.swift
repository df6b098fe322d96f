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
    private struct Shown {
        var scene: Scene
        var time: HostTime
        var serial: UInt64
    }

    package let name = "headless"
    package let videoAllocator: any FrameAllocator = MemoryAllocator()
    package let interfaceAllocator: any FrameAllocator = MemoryAllocator()
    private let clock: any HostClock
    private let asksAhead: Bool
    private let remarks: [String]
    package let refreshRates: [Ratio]
    private let openedRate: Ratio
    private let shared: Mutex<Shared>
    private let compositor = Compositor()
    private let composeThread: WorkerThread
    private let bell: Doorbell
    private let bellHandler: BellHandler

    @MainActor private weak var source: (any PresentationSource)?
    @MainActor private var grid: RefreshGrid
    @MainActor private var isConnected = true
    @MainActor package private(set) var isPowered = true
    @MainActor private var isStarted = false
    @MainActor private var isStopped = false
    @MainActor private var wantsOpportunity = false
    /// The source has nothing new for blanks before this time.
    @MainActor private var notBefore: HostTime?
    @MainActor private var pending: Scene?
    @MainActor private var shown: Shown
    @MainActor private var serial: UInt64 = 0
    @MainActor private var nextBlank: (index: UInt64, event: ScheduledEvent)?
    @MainActor private var lastBlank: UInt64?
    @MainActor private var lastPicture: ScreenPicture?

    /// Makes a black screen.
    ///
    /// - Parameters:
    ///   - mode: the screen's size and rate.
    ///   - clock: the main loop's, real or simulated.
    ///   - asksAhead: whether the scene of a named blank is asked for one blank earlier, as a graphics card must ask. Otherwise it is asked
    ///     for at that blank, and the loop is woken once per frame instead of twice.
    ///   - remarks: why it is used instead of a graphics card, for `probe`.
    ///   - refreshRates: the rates it supports besides that of the mode.
    @MainActor package init(
        mode: DisplayMode, clock: any HostClock, asksAhead: Bool = false, remarks: [String] = [],
        refreshRates: [Ratio] = []
    ) {
        self.clock = clock
        self.asksAhead = asksAhead
        self.remarks = remarks
        self.refreshRates = [mode.refresh] + refreshRates.filter { $0 != mode.refresh }
        openedRate = mode.refresh
        shared = Mutex(Shared(mode: mode))
        grid = RefreshGrid(mode.refresh)
        shown = Shown(scene: Scene(wantedTime: .zero), time: clock.now, serial: 0)
        composeThread = WorkerThread(name: "compose", clock: clock)
        let handler = BellHandler()
        bellHandler = handler
        bell = clock.makeDoorbell(rank: .display) { handler.display?.wakeRang() }
        handler.display = self
    }

    package var mode: DisplayMode { shared.withLock { $0.mode } }
    package var counters: DisplayCounters { shared.withLock { $0.counters } }

    package var probe: DisplayProbe {
        DisplayProbe(
            display: name, driver: nil, mode: mode, planes: 0, planesForVideo: 0, canReadBack: true, memory: [], rungs: [],
            remarks: remarks)
    }

    @MainActor package func start(_ source: any PresentationSource) throws(MediaError) {
        precondition(!isStarted, "a display is started once")
        isStarted = true
        self.source = source
        wake()
    }

    package func wake() { bell.ring() }

    /// Disconnects the screen (nil) or connects one with the given mode; for tests.
    @MainActor package func connect(_ mode: DisplayMode?) {
        guard !isStopped else { return }
        nextBlank?.event.cancel()
        nextBlank = nil
        pending = nil
        isConnected = mode != nil
        if let mode {
            shared.withLock { $0.mode = mode }
            grid = RefreshGrid(mode.refresh)
            lastBlank = nil
            lastPicture = nil
        }
        source?.displayDidChange(mode)
        if isConnected { wakeRang() }
    }

    @MainActor package func setRefresh(_ rate: Ratio?) {
        var mode = self.mode
        let wanted = rate ?? openedRate
        guard !isStopped, wanted != mode.refresh, refreshRates.contains(wanted) else { return }
        mode.refresh = wanted
        guard isConnected, isPowered else {
            // Reported when the screen is connected again.
            shared.withLock { $0.mode = mode }
            grid = RefreshGrid(wanted)
            return
        }
        connect(mode)
    }

    @MainActor package func setPower(_ isOn: Bool) {
        guard isPowered != isOn, !isStopped else { return }
        isPowered = isOn
        nextBlank?.event.cancel()
        nextBlank = nil
        pending = nil
        lastPicture = nil
        guard isOn, isConnected else { return }
        source?.displayDidChange(mode)
        wakeRang()
    }

    @MainActor package func readScreen(_ then: @escaping @MainActor @Sendable (ScreenPicture?) -> Void) {
        guard !isStopped, isConnected, isPowered else { return deliver(nil, to: then) }
        if let lastPicture, lastPicture.serial == shown.serial { return deliver(lastPicture, to: then) }
        let shown = self.shown
        let mode = self.mode
        clock.compute(on: composeThread, rank: .display) { [compositor] in
            Result { () throws(MediaError) in try compositor.compose(shown.scene, width: mode.width, height: mode.height) }
        } then: { [weak self] result in
            // The compositor fails only when memory is exhausted: then there is no picture to read.
            guard case .success(let pixels) = result else { return then(nil) }
            let picture = ScreenPicture(
                pixels: pixels, frameTime: shown.scene.video?.frame.time, time: shown.time, serial: shown.serial)
            if self?.shown.serial == shown.serial { self?.lastPicture = picture }
            then(picture)
        }
    }

    @MainActor package func stop() {
        guard !isStopped else { return }
        isStopped = true
        nextBlank?.event.cancel()
        nextBlank = nil
        pending = nil
        source = nil
        composeThread.stop()
    }

    @MainActor private func deliver(_ picture: ScreenPicture?, to then: @escaping @MainActor @Sendable (ScreenPicture?) -> Void) {
        clock.schedule(at: clock.now, rank: .display) { then(picture) }
    }

    @MainActor private func wakeRang() {
        guard isStarted, !isStopped, isConnected, isPowered else { return }
        wantsOpportunity = true
        notBefore = nil
        scheduleBlank()
    }

    /// How many blanks before its named blank the source is asked.
    @MainActor private var lead: UInt64 { asksAhead ? 1 : 0 }

    @MainActor private func scheduleBlank() {
        var index = max(grid.first(atOrAfter: clock.now), lastBlank.map { $0 + 1 } ?? 0)
        if pending == nil, let notBefore { index = max(index, max(grid.first(atOrAfter: notBefore), lead) - lead) }
        if let nextBlank {
            guard index < nextBlank.index else { return }
            nextBlank.event.cancel()
        }
        let event = clock.schedule(at: grid.instant(index), rank: .display) { [weak self] in self?.blank(index) }
        nextBlank = (index, event)
    }

    @MainActor private func blank(_ planned: UInt64) {
        nextBlank = nil
        let index = max(planned, grid.last(atOrBefore: clock.now))
        lastBlank = index
        if let scene = pending {
            pending = nil
            show(scene, at: index)
        }
        if lead == 0, wantsOpportunity, let notBefore, grid.instant(index) >= notBefore, let scene = ask(for: index) {
            show(scene, at: index)
        }
        // Without lead time, the answer for a named blank waits for that blank, even when a late loop has reached the one
        // before it.
        if wantsOpportunity, notBefore.map({ lead > 0 && grid.instant(index + 1) >= $0 }) ?? true,
            let scene = ask(for: index + 1)
        {
            pending = scene
        }
        if pending != nil || wantsOpportunity, !isStopped, isConnected, isPowered { scheduleBlank() }
    }

    @MainActor private func ask(for index: UInt64) -> Scene? {
        guard let source else { return nil }
        wantsOpportunity = false
        let answer = source.answer(
            to: PresentationOpportunity(targetTime: grid.instant(index), interval: grid.interval, sequence: index))
        wantsOpportunity = answer.wantsNext
        notBefore = answer.notBefore
        if answer.scene != nil { shared.withLock { $0.counters.commits += 1 } }
        return answer.scene
    }

    @MainActor private func show(_ scene: Scene, at index: UInt64) {
        serial += 1
        let time = grid.instant(index)
        shown = Shown(scene: scene, time: time, serial: serial)
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
