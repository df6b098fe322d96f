import LinuxSupport
import MediaModel
import MediaTime

/// A window of a desktop, on Wayland or X11, by SDL.
///
/// Its mode is the size of the window in pixels, at the rate of the screen on which it is; a new size is reported once the viewer has stopped resizing, and until then
/// the picture is scaled. Its range is standard, and its rate is the desktop's.
///
/// Threads: `window` owns SDL, asks the source for scenes and shows them. `compose` composes the screen for those who read it. All `package` members may be
/// used from any thread unless they say main. A window cannot be in simulated time.
package final class WindowDisplay: DisplayOutput {
    package struct Options: Sendable {
        /// The size of the window at the start, in the units of the desktop.
        package var width: Int
        package var height: Int
        /// Whether the pictures are drawn by a graphics processor if there is one.
        package var usesGraphicsProcessor: Bool

        package init(width: Int = 1280, height: Int = 720, usesGraphicsProcessor: Bool = true) {
            self.width = width
            self.height = height
            self.usesGraphicsProcessor = usesGraphicsProcessor
        }
    }
    /// What the viewer did in the window, for those who listen on the main loop.
    @MainActor private final class Listeners {
        var input: (@MainActor (WindowInput, HostTime) -> Void)?
        var isCloseRequested = false
        nonisolated init() {}
    }

    /// E.g. `window:wayland`.
    package let name: String
    package let videoAllocator: any FrameAllocator = MemoryAllocator()
    package let interfaceAllocator: any FrameAllocator = MemoryAllocator()
    private let clock: RealClock
    private let link: WindowLink
    private let thread: WorkerThread
    private let capture: SceneCapture
    private let listeners: Listeners
    @MainActor private var isStarted = false
    @MainActor private var isStopped = false
    /// The mode of the picture that was read last.
    @MainActor private var readMode: DisplayMode?

    /// Makes a window, which is not seen before `start`. Takes some tens of milliseconds.
    ///
    /// - Throws: `MediaError` with code `internal` and one sentence: there is no SDL, no desktop, or the clock is simulated.
    @MainActor package convenience init(
        _ options: Options, session: DesktopSession, clock: any HostClock
    ) throws(MediaError) {
        let wish = SDLWindow.Wish(
            width: options.width, height: options.height, usesRenderer: options.usesGraphicsProcessor)
        try self.init(clock: clock) { clock throws(MediaError) in
            let window = try SDLWindow(wish, session: session, clock: clock)
            return (window, window.driver)
        }
    }

    /// - Parameter makePort: makes the window, on its thread; with the name of what shows it.
    @MainActor init(
        clock: any HostClock,
        makePort: @escaping @Sendable (RealClock) throws(MediaError) -> (port: any WindowPort, driver: String)
    ) throws(MediaError) {
        guard let clock = clock as? RealClock else {
            throw MediaError(
                .internal, "Opening a window failed: it cannot be in simulated time; use --display headless.")
        }
        let link = WindowLink()
        let listeners = Listeners()
        let listener = WindowLoop.Listener(
            input: { input in
                let time = clock.now
                clock.schedule(at: time, rank: .input) { listeners.input?(input, time) }
            },
            close: { clock.schedule(at: clock.now, rank: .input) { listeners.isCloseRequested = true } })
        let thread = WorkerThread(name: "window", clock: clock)
        // The main loop does not run yet: it waits for the window as it would for the mode of a card.
        let opening = Monitor<Result<String, MediaError>?>(nil, ledger: nil)
        thread.perform {
            do throws(MediaError) {
                let (port, driver) = try makePort(clock)
                let loop = WindowLoop(port, link: link, clock: clock, listener: listener)
                opening.update { $0 = .success(driver) }
                loop.run()
            } catch {
                opening.update { $0 = .failure(error) }
            }
        }
        switch opening.wait(until: { $0 }) {
        case .success(let driver): name = "window:\(driver)"
        case .failure(let error):
            thread.stop()
            throw error
        }
        self.clock = clock
        self.link = link
        self.thread = thread
        self.listeners = listeners
        capture = SceneCapture(clock: clock)
    }

    package var mode: DisplayMode { link.notice.mode }
    package var counters: DisplayCounters { link.notice.counters }
    /// That of the screen on which it is.
    package var refreshRates: [Ratio] { [mode.refresh] }

    package var probe: DisplayProbe {
        let notice = link.notice
        return DisplayProbe(
            display: name, driver: nil, mode: notice.mode, planes: 0, planesForVideo: 0, canReadBack: true, memory: [], rungs: [],
            remarks: [notice.facts])
    }

    /// Whether the viewer has closed the window: the program should end. It is there until `stop`.
    @MainActor package var isCloseRequested: Bool { listeners.isCloseRequested }

    /// Passes keys, buttons and the motion of the pointer on, with their times; on the main loop.
    @MainActor package func listen(_ handler: @escaping @MainActor (WindowInput, HostTime) -> Void) {
        listeners.input = handler
    }

    @MainActor package func start(_ source: any PresentationSource) throws(MediaError) {
        precondition(!isStarted, "a display is started once")
        isStarted = true
        link.post { mail in
            mail.source = WindowLink.WeakSource(source: source)
            mail.isAwake = true
        }
    }

    package func wake() { link.post { $0.isAwake = true } }

    @MainActor package func setPower(_ isOn: Bool) { link.post { $0.isPowered = isOn } }

    /// The rate and the range are the desktop's.
    @MainActor package func setSignal(_ request: SignalRequest) {}

    @MainActor package func readScreen(_ then: @escaping @MainActor @Sendable (ScreenPicture?) -> Void) {
        let notice = link.notice
        guard !isStopped, let shown = notice.shown else {
            clock.schedule(at: clock.now, rank: .display) { then(nil) }
            return
        }
        if readMode != notice.mode { capture.forget() }
        readMode = notice.mode
        capture.read(shown, notice.mode, then)
    }

    @MainActor package func stop() {
        guard !isStopped else { return }
        isStopped = true
        listeners.input = nil
        link.post { $0.isStopped = true }
        thread.stop()
        capture.stop()
    }
}
