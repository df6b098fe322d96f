import LinuxSupport
import MediaModel

/// Brings scenes into the form in which a card shows them: it chooses the planes, and has the thread `compose` do the CPU's part.
/// Display's thread.
struct ScenePreparation {
    enum Start {
        /// There is nothing for the CPU to do.
        case ready(pictures: [PlanePicture], layers: FramePreparer.PreparedLayers)
        /// The thread `compose` posts the result to the link.
        case pending(job: UInt64)
        /// There is no memory for it.
        case failed
        /// The planes cannot show its video in the high range of the screen.
        case unfit
    }

    private let link: KMSLink
    private let clock: RealClock
    private let composeThread: WorkerThread
    private let compositor: Compositor
    private let memory: DisplayMemory
    private let rungs: Set<LadderRung>
    /// Nil: only a standard range is shown.
    private let converter: (any RangeConverting)?
    /// The last background other than black in a high range.
    private var background: (colour: OpaqueColour, range: HighDynamicRange, shown: OpaqueColour)?
    private var arrangements = ArrangementCache()
    private var lastJob: UInt64 = 0
    /// How long the CPU takes to prepare a frame.
    private(set) var estimate = Duration.zero
    /// Whether the last scene had video and work for the CPU.
    private var preparesVideo = false

    init(
        link: KMSLink, clock: RealClock, composeThread: WorkerThread, compositor: Compositor, memory: DisplayMemory,
        rungs: Set<LadderRung>, converter: (any RangeConverting)?
    ) {
        self.converter = converter
        self.link = link
        self.clock = clock
        self.composeThread = composeThread
        self.compositor = compositor
        self.memory = memory
        self.rungs = rungs
    }

    /// The high ranges that can be shown: with a screen's layers and pictures converted.
    func ranges(of screen: any ScanOutScreen) -> Set<HighDynamicRange> { converter == nil ? [] : screen.ranges }

    /// What is visible of a scene on a screen, in its range.
    mutating func visible(_ scene: Scene, on screen: any ScanOutScreen) -> VisibleScene {
        let range = screen.signal?.range
        return VisibleScene(scene, on: screen, range: range, background: shownBackground(scene.background, in: range))
    }

    private mutating func shownBackground(_ colour: OpaqueColour, in range: HighDynamicRange?) -> OpaqueColour {
        guard let range, let converter, colour != .black else { return colour }
        if let background, background.colour == colour, background.range == range { return background.shown }
        let shown = (try? converter.colour(colour, for: range)) ?? .black
        background = (colour, range, shown)
        return shown
    }

    /// Whether the planes can show a scene's video in another range, with at least one layer above it. Tests the card, and changes nothing.
    func shows(_ scene: Scene, in signal: RangeSignal, wanted: DisplayMode?, on screen: any ScanOutScreen) -> Bool {
        guard converter != nil else { return false }
        var scene = scene
        if scene.layers.isEmpty, let layer = try? memory.interface.makeBuffer(format: .argb8888, width: 64, height: 64) {
            scene.layers = [InterfaceLayer(id: "trial", pixels: layer, destination: layer.bounds, z: 0)]
        }
        let visible = VisibleScene(scene, on: screen, range: signal.range, background: .black)
        let ladder = PlaneLadder(planes: screen.planes, showsBackground: screen.showsBackground, rungs: rungs)
        let preparer = preparer(for: screen)
        return ladder.candidates(for: visible.shape).contains { candidate in
            guard candidate.rung == .planes, let blanks = try? preparer.blanks(visible, candidate) else { return false }
            return screen.accepts(blanks, wanted: wanted, signal: signal)
        }
    }

    private func preparer(for screen: any ScanOutScreen) -> FramePreparer {
        let mode = screen.displayMode
        return FramePreparer(
            width: mode.width, height: mode.height, compositor: compositor, videoAllocator: memory.video,
            interfaceAllocator: memory.interface, converter: converter)
    }

    /// Starts to prepare a scene.
    ///
    /// - Parameter known: the prepared layers of the scene on the screen.
    mutating func start(
        _ scene: VisibleScene, on screen: any ScanOutScreen, known: FramePreparer.PreparedLayers
    ) -> Start {
        let preparer = preparer(for: screen)
        let arrangement = arrangements.arrangement(for: scene, on: screen, preparer: preparer, rungs: rungs, now: clock.now)
        if scene.range != nil, scene.video != nil, arrangement.rung != .planes { return .unfit }
        link.note { $0.rungs.insert(arrangement.rung) }
        if let pixels = scene.video?.frame.pixels, pixels.isInColumns, arrangement.rung != .planes {
            refuse(pixels, because: "its samples are in columns, which no plane shows as the scene needs it")
        }
        let needsWork = preparer.needsWork(scene, arrangement, known: known)
        preparesVideo = needsWork && scene.video != nil
        guard needsWork else {
            guard let (pictures, layers) = try? preparer.prepare(scene, arrangement, known: known) else { return .failed }
            return .ready(pictures: pictures, layers: layers)
        }
        lastJob += 1
        composeThread.perform { [link, clock, job = lastJob] in
            let start = clock.now
            let result = Result { () throws(MediaError) in try preparer.prepare(scene, arrangement, known: known) }
            let took = clock.now - start
            link.post { $0.prepared.append(KMSLink.Prepared(job: job, result: result, took: took)) }
        }
        return .pending(job: lastJob)
    }

    /// Whether pictures are prepared ahead: those that take the CPU a good part of the time from one blank to the next.
    func isSlow(_ interval: Duration) -> Bool { preparesVideo && estimate > interval / 3 }

    /// A frame that was waited for has been prepared.
    mutating func took(_ duration: Duration) { estimate = (estimate + duration) / 2 }

    /// The kernel refused a real commit that had passed the test: the next arrangement is used for a while.
    ///
    /// - Returns: false when there is none.
    mutating func descend(from scene: VisibleScene) -> Bool {
        if let pixels = scene.video?.frame.pixels { refuse(pixels, because: "the card refused the commit with it") }
        return arrangements.descend(from: scene, now: clock.now)
    }

    /// Tells the decoder of a picture, if it is a hardware decoder, that its pictures are not shown as they are.
    private func refuse(_ pixels: PixelBuffer, because reason: String) {
        guard let surface = pixels.surface else { return }
        surface.pool.refuse(
            MediaError(
                .internal,
                "Showing a picture of a hardware decoder (\(pixels.format) \(pixels.width)x\(pixels.height)) failed: \(reason); "
                    + "the programme is decoded in software."))
    }

    /// The screen is another one: what was found out about the last one does not hold.
    mutating func forget() { arrangements = ArrangementCache() }
}
