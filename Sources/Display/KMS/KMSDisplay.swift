import CDRM
import Glibc
import LinuxSupport
import MediaModel
import Synchronization

/// A screen on a graphics card, by atomic kernel mode setting.
///
/// Threads: `display` asks the source for scenes and talks to the kernel; it has its own epoll and waits for nobody. `compose` does
/// the CPU's part of scenes that the hardware cannot show as they are (`LadderRung`). Everything public may be called from any thread unless it says main.
///
/// A scene answered for `targetTime` is committed as one request and flips at that blank; `didPresent` carries the kernel's time of the
/// flip. The memory of a scene is held until the flip that replaces it. Simulated time is not possible with a real screen.
package final class KMSDisplay: DisplayOutput {
    /// Where video lies.
    package enum VideoMemory: Sendable, Hashable {
        /// What a test at the start found best.
        case automatic
        /// Dumb buffers only.
        case dumb
        /// One dma-heap only, by its name in `/dev/dma_heap`.
        case dmaHeap(String)

        var allowsDumb: Bool { self == .automatic || self == .dumb }
        func allows(heap: String) -> Bool { self == .automatic || self == .dmaHeap(heap) }
    }
    /// Where interface layers lie.
    package enum InterfaceMemory: Sendable, Hashable {
        /// What a test at the start found best.
        case automatic
        /// Dumb buffers only.
        case dumb
        /// The GPU driver's, even where no GPU was found.
        case gbm
    }
    /// How to use the card.
    package struct Options: Sendable {
        /// The path of the card.
        package var path: String
        /// The wanted mode; nil takes what the screen prefers.
        package var mode: DisplayMode?
        /// The rungs of the ladder that may be used; the lowest always may.
        package var rungs: Set<LadderRung>
        /// Where video lies.
        package var videoMemory: VideoMemory
        /// Where interface layers lie.
        package var interfaceMemory: InterfaceMemory
        /// How many of the first flips are made to seem lost: for tests of what happens then.
        var lostFlips = 0

        /// Everything left to be found out.
        package init(
            path: String, mode: DisplayMode? = nil, rungs: Set<LadderRung> = Set(LadderRung.allCases),
            videoMemory: VideoMemory = .automatic, interfaceMemory: InterfaceMemory = .automatic
        ) {
            self.path = path
            self.mode = mode
            self.rungs = rungs
            self.videoMemory = videoMemory
            self.interfaceMemory = interfaceMemory
        }
    }

    /// E.g. `kms:card0 HDMI-A-1`.
    package let name: String
    /// See `DisplayOutput`.
    package let videoAllocator: any FrameAllocator
    /// See `DisplayOutput`.
    package let interfaceAllocator: any FrameAllocator
    private let clock: RealClock
    private let device: DRMDevice
    let link: KMSLink
    private let thread: WorkerThread
    private let composeThread: WorkerThread
    private let allocators: ChosenAllocators
    private let found: DisplayProbe
    @MainActor private var isStarted = false
    @MainActor private var isStopped = false

    /// Opens a card, switches its first connected screen on and finds out which memory is best. Takes some tens of milliseconds.
    ///
    /// - Throws: `MediaError` with code `internal`: no such card, another program's, no screen, no mode, or the clock is simulated.
    @MainActor package init(_ options: Options, clock: any HostClock) throws(MediaError) {
        guard let clock = clock as? RealClock else {
            throw MediaError(
                .internal, "Opening \(options.path) failed: a real screen cannot run in simulated time; use --display headless.")
        }
        do throws(DisplayError) {
            let device = try DRMDevice(path: options.path)
            let screen = try KMSScreen(try KMSOutput(device), wanted: options.mode)
            let allocators = try ChosenAllocators(screen, options: options, clock: clock)
            let link = try KMSLink(mode: screen.mode.mode, refreshRates: screen.refreshRates)
            let compose = WorkerThread(name: "compose", clock: clock)
            let loop: KMSLoop
            do {
                loop = try KMSLoop(
                    screen: screen, link: link, clock: clock, composeThread: compose, compositor: Compositor(),
                    allocators: allocators,
                    options: options)
            } catch {
                compose.stop()
                throw DisplayError(.openCard, on: options.path, code: error.code)
            }
            self.clock = clock
            self.device = device
            self.link = link
            self.allocators = allocators
            composeThread = compose
            name = "kms:\(screen.name)"
            videoAllocator = allocators.video
            interfaceAllocator = allocators.interface
            found = Self.probe(screen, allocators)
            // From here on the loop, and with it the screen, belongs to the display's thread.
            let owner = Mutex(Optional(loop))
            thread = WorkerThread(name: "display", clock: clock)
            thread.perform { owner.withLock { $0?.run() } }
        } catch {
            throw error.asMediaError
        }
    }

    /// See `DisplayOutput`.
    package var mode: DisplayMode { link.notice.mode }
    /// See `DisplayOutput`.
    package var counters: DisplayCounters { link.notice.counters }
    /// How often the screen was read back by the card itself.
    package var readBackCount: Int { link.notice.readBacks }
    /// How many planes the last commit used.
    package var attachedPlaneCount: Int { link.notice.attachedPlanes }

    /// What was found and is used.
    package var probe: DisplayProbe {
        var probe = found
        let notice = link.notice
        probe.mode = notice.mode
        probe.rungs = notice.rungs.sorted()
        return probe
    }

    /// See `DisplayOutput`.
    @MainActor package func start(_ source: any PresentationSource) throws(MediaError) {
        precondition(!isStarted, "a display is started once")
        isStarted = true
        link.post { mail in
            mail.source = KMSLink.WeakSource(source: source)
            mail.isAwake = true
        }
    }

    /// See `DisplayOutput`.
    package func wake() { link.post { $0.isAwake = true } }

    /// See `DisplayOutput`.
    @MainActor package func setPower(_ isOn: Bool) { link.post { $0.isPowered = isOn } }

    /// Says that a cable may have been put in or taken out: the connectors are read anew. The kernel's own hot-plug events are heard without it.
    package func connectorsChanged() { link.post { $0.connectorsChanged = true } }

    /// See `DisplayOutput`. Where the card has a writeback connector on the same CRTC this is what the hardware itself composed; otherwise
    /// the CPU composes the scene once more.
    @MainActor package func readScreen(_ then: @escaping @MainActor @Sendable (ScreenPicture?) -> Void) {
        guard !isStopped else {
            clock.schedule(at: clock.now, rank: .display) { then(nil) }
            return
        }
        let place = clock.reserve(rank: .display)
        link.post { mail in
            mail.reads.append { picture in place.fulfil { then(picture) } }
        }
    }

    /// See `DisplayOutput`.
    @MainActor package func stop() {
        guard !isStopped else { return }
        isStopped = true
        link.post { $0.isStopped = true }
        thread.stop()
        composeThread.stop()
        allocators.empty()
        device.retire()
        for request in link.collect().reads { request(nil) }
    }

    private static func probe(_ screen: KMSScreen, _ allocators: ChosenAllocators) -> DisplayProbe {
        let planes = screen.output.planes.map(\.profile).filter { !$0.isCursor }
        let forVideo = planes.filter { $0.formats.contains(where: \.isYUV) }
        var remarks: [String] = []
        if forVideo.isEmpty { remarks.append("no plane of \(screen.name) shows YUV: the CPU converts every frame") }
        if !screen.canReadBack {
            remarks.append("\(screen.name) cannot be read back: pictures of the screen are composed by the CPU")
        }
        return DisplayProbe(
            display: "kms:\(screen.name)", driver: screen.device.driver, mode: screen.mode.mode, planes: planes.count,
            planesForVideo: forVideo.count, canReadBack: screen.canReadBack, memory: allocators.findings, rungs: [],
            remarks: remarks)
    }
}
