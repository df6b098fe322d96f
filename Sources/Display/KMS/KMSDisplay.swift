import CDRM
import Glibc
import LinuxSupport
import MediaModel
import MediaTime
import Synchronization

/// A screen on a graphics card, by atomic kernel mode setting.
///
/// Threads: `display` asks the source for scenes and talks to the kernel; it has its own epoll and never waits for another
/// thread. `compose` does the CPU's part of scenes that the hardware cannot show directly (`LadderRung`). All `package` members
/// may be called from any thread unless they say main.
///
/// A scene answered for `targetTime` is committed as one request and flips at that blank; `didPresent` carries the kernel's time
/// of the flip. The memory of a scene is held until the flip that replaces it. A real screen cannot run in simulated time.
package final class KMSDisplay: DisplayOutput {
    /// The memory for video.
    package enum VideoMemory: Sendable, Hashable {
        /// The best according to a test at the start.
        case automatic
        /// Dumb buffers only.
        case dumb
        /// One dma-heap only, by its name in `/dev/dma_heap`.
        case dmaHeap(String)

        var allowsDumb: Bool { self == .automatic || self == .dumb }
        func allows(heap: String) -> Bool { self == .automatic || self == .dmaHeap(heap) }
    }
    /// The memory for interface layers.
    package enum InterfaceMemory: Sendable, Hashable {
        /// The best according to a test at the start.
        case automatic
        /// Dumb buffers only.
        case dumb
        /// The GPU driver's, even if no GPU was found.
        case gbm
    }
    package struct Options: Sendable {
        package var path: String
        /// The wanted mode of the screen itself; nil for its preferred mode.
        package var mode: DisplayMode?
        /// How far pictures are turned: the display's mode is that of viewers.
        package var rotation: DisplayRotation
        /// The rungs of the ladder that may be used; the lowest is always allowed.
        package var rungs: Set<LadderRung>
        package var videoMemory: VideoMemory
        package var interfaceMemory: InterfaceMemory
        /// Fits pictures and layers to the range of the screen; nil: only a standard range is shown.
        package var converter: (any RangeConverting)?

        /// All options default to automatic.
        package init(
            path: String, mode: DisplayMode? = nil, rotation: DisplayRotation = .none,
            rungs: Set<LadderRung> = Set(LadderRung.allCases),
            videoMemory: VideoMemory = .automatic, interfaceMemory: InterfaceMemory = .automatic,
            converter: (any RangeConverting)? = nil
        ) {
            self.converter = converter
            self.path = path
            self.mode = mode
            self.rotation = rotation
            self.rungs = rungs
            self.videoMemory = videoMemory
            self.interfaceMemory = interfaceMemory
        }
    }

    /// E.g. `kms:card0 HDMI-A-1`.
    package let name: String
    package let videoAllocator: any FrameAllocator
    package let interfaceAllocator: any FrameAllocator
    private let clock: RealClock
    private let device: DRMDevice
    private let link: KMSLink
    private let thread: WorkerThread
    private let composeThread: WorkerThread
    private let allocators: ChosenAllocators
    private let found: DisplayProbe
    @MainActor private var isStarted = false
    @MainActor private var isStopped = false

    /// Opens a card, switches on its first connected screen and finds out which memory is best. Takes some tens of milliseconds.
    ///
    /// - Throws: `MediaError` with code `internal`: no such card, in use by another program, no screen, no mode, or the clock is
    ///   simulated.
    @MainActor package convenience init(_ options: Options, clock: any HostClock) throws(MediaError) {
        try self.init(options, clock: clock) { $0 }
    }

    /// - Parameter wrapping: what the display's thread uses in place of the screen; tests add the faults of drivers.
    @MainActor init(
        _ options: Options, clock: any HostClock, wrapping: (KMSScreen) -> any ScanOutScreen
    ) throws(MediaError) {
        guard let clock = clock as? RealClock else {
            throw MediaError(
                .internal, "Opening \(options.path) failed: a real screen cannot run in simulated time; use --display headless.")
        }
        do throws(DisplayError) {
            let device = try DRMDevice(path: options.path)
            let screen = try KMSScreen(try KMSOutput(device), wanted: options.mode, rotation: options.rotation, clock: clock)
            let allocators = try ChosenAllocators(screen, options: options, clock: clock)
            let link = try KMSLink(mode: screen.sceneMode, refreshRates: screen.refreshRates)
            if options.converter != nil { link.note { [ranges = screen.ranges] in $0.range.offered = ranges } }
            let compose = WorkerThread(name: "compose", clock: clock)
            let loop: KMSLoop
            do {
                loop = try KMSLoop(
                    screen: wrapping(screen), link: link, clock: clock, composeThread: compose, memory: allocators.memory,
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
            videoAllocator = RangeKeepingAllocator(allocators.memory.video, link: link)
            interfaceAllocator = allocators.memory.interface
            found = Self.probe(screen, allocators)
            // From here on the loop, and with it the screen, belongs to the display's thread.
            let owner = Mutex(Optional(loop))
            thread = WorkerThread(name: "display", clock: clock)
            thread.perform { owner.withLock { $0?.run() } }
        } catch {
            throw error.asMediaError
        }
    }

    package var mode: DisplayMode { link.notice.mode }
    package var counters: DisplayCounters { link.notice.counters }
    /// How often the card itself read back the screen.
    package var readBackCount: Int { link.notice.readBacks }
    /// The number of planes in the last commit.
    package var attachedPlaneCount: Int { link.notice.attachedPlanes }

    package var probe: DisplayProbe {
        var probe = found
        let notice = link.notice
        probe.mode = notice.mode
        probe.rungs = notice.rungs.sorted()
        return probe
    }

    @MainActor package func start(_ source: any PresentationSource) throws(MediaError) {
        precondition(!isStarted, "a display is started once")
        isStarted = true
        link.post { mail in
            mail.source = KMSLink.WeakSource(source: source)
            mail.isAwake = true
        }
    }

    package func wake() { link.post { $0.isAwake = true } }

    @MainActor package func setPower(_ isOn: Bool) { link.post { $0.isPowered = isOn } }

    /// Reads the connectors again, because a cable may have been plugged or unplugged. The kernel's own hot-plug events are
    /// handled without this call.
    package func connectorsChanged() { link.post { $0.connectorsChanged = true } }

    /// See `DisplayOutput`. With a writeback connector on the same CRTC this is the hardware's own composition; otherwise the CPU
    /// composes the scene again.
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

    package var refreshRates: [Ratio] { link.notice.refreshRates }

    package var range: ScreenRange { link.notice.range }

    @MainActor package func setSignal(_ request: SignalRequest) { link.request(request) }

    private static func probe(_ screen: KMSScreen, _ allocators: ChosenAllocators) -> DisplayProbe {
        let planes = screen.output.planes.map(\.profile).filter { !$0.isCursor }
        let forVideo = planes.filter { $0.formats.contains(where: \.isYUV) }
        var remarks: [String] = []
        if forVideo.isEmpty { remarks.append("no plane of \(screen.name) shows YUV: the CPU converts every frame") }
        if !screen.canReadBack {
            remarks.append("\(screen.name) cannot be read back: pictures of the screen are composed by the CPU")
        }
        return DisplayProbe(
            display: "kms:\(screen.name)", driver: screen.device.driver, mode: screen.sceneMode, planes: planes.count,
            planesForVideo: forVideo.count, rotation: screen.rotation,
            planesThatTurn: planes.count { $0.rotations.contains(screen.rotation) }, ranges: screen.ranges,
            peak: screen.output.sink.peak, canReadBack: screen.canReadBack,
            memory: allocators.findings, rungs: [],
            remarks: remarks)
    }
}

/// The display's memory for video, with the range of its screen.
private final class RangeKeepingAllocator: FrameAllocator {
    private let inner: any FrameAllocator
    private let link: KMSLink

    init(_ inner: any FrameAllocator, link: KMSLink) {
        self.inner = inner
        self.link = link
    }

    var name: String { inner.name }
    var isCached: Bool { inner.isCached }
    var keptRange: HighDynamicRange? { link.notice.keptRange }

    func makeBuffer(
        format: PixelFormat, width: Int, height: Int, codedWidth: Int, codedHeight: Int
    ) throws(MediaError) -> PixelBuffer {
        try inner.makeBuffer(format: format, width: width, height: height, codedWidth: codedWidth, codedHeight: codedHeight)
    }
}
