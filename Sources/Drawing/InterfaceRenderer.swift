import LinuxSupport
import MediaModel
import Screens

/// Draws the interface: a `PresentationState` in, layers out.
///
/// Threads: this class is used on the main loop. Measuring and drawing happen on a separate thread named "drawing", one picture
/// at a time; while one is being made, only the newest of the states handed in is kept. Fades and slides are made on the main
/// loop from existing layers: they draw nothing. Both use the clock, so that simulated runs draw the same pictures at the same
/// instants.
@MainActor
package final class InterfaceRenderer {
    /// Receives the layers to show from now on.
    package typealias Receiver = @MainActor ([InterfaceLayer]) -> Void

    /// How often each layer has been drawn, by its id.
    package private(set) var redrawCounts: [String: Int] = [:]
    /// The texts on the screen by the id of their layer, in design pixels, for dumps and tests.
    package private(set) var drawnTexts: [String: [DrawnText]] = [:]
    /// The layers handed over last.
    package private(set) var layers: [InterfaceLayer] = []
    /// Whether the layers handed over last are those of the last state, and nothing newer is being drawn.
    package var isUpToDate: Bool { !isDrawing && !isStale }
    /// Where the video is, in design pixels: where the last state that was drawn has it, or on the way there; nil before the first one.
    package private(set) var videoFrame: PixelRect?
    /// Called for layers that could not be drawn; they are left out.
    package var onFailure: (@MainActor (DrawingError) -> Void)?

    private let clock: any HostClock
    private let thread: WorkerThread
    private let studio: DrawingStudio
    private let artwork: ShownArtwork
    private let spinner: SpinnerTimer
    private var mode: DisplayMode
    private var allocator: any FrameAllocator
    private var state: PresentationState?
    private var receiver: Receiver?
    private var animator = LayerAnimator()
    private var glide = VideoGlide()
    private var isDrawing = false
    private var isStale = false
    private var isStopped = false
    private var nextStep: ScheduledEvent?
    /// What moves by itself is drawn 25 times a second.
    private static let movementStep = Duration.milliseconds(40)

    /// Starts the drawing thread, which opens the fonts at once.
    ///
    /// - Parameters:
    ///   - clock: the main loop's.
    ///   - mode: the display's.
    ///   - allocator: memory for layers: the display's `interfaceAllocator`.
    ///   - images: loads artwork; held weakly. Without it placeholders are drawn.
    ///   - fontFolder: use only the fonts in this folder; nil: the machine's.
    package init(
        clock: any HostClock, mode: DisplayMode, allocator: any FrameAllocator, images: (any ImageLoading)? = nil,
        fontFolder: String? = nil
    ) {
        self.clock = clock
        self.mode = mode
        self.allocator = allocator
        artwork = ShownArtwork(clock: clock, images: images)
        spinner = SpinnerTimer(clock: clock)
        thread = WorkerThread(name: "drawing", clock: clock)
        let studio = DrawingStudio(fontFolder: fontFolder)
        self.studio = studio
        thread.perform { studio.open() }
        artwork.onChange = { [weak self] in self?.draw() }
        artwork.onRest = { [weak self] in self?.requestAndDraw() }
    }

    /// Shows a state. Of the states handed in while a picture is being made only the newest is drawn.
    ///
    /// - Parameter then: called on the main loop each time the layers change, until the next `update`: when they have been drawn,
    ///   for each step of a fade, when a picture has loaded, when the spinner turns.
    package func update(_ state: PresentationState, then: @escaping Receiver) {
        guard !isStopped else { return }
        self.state = state
        receiver = then
        requestAndDraw()
    }

    /// Draws everything again for another mode or allocator.
    package func configure(mode: DisplayMode? = nil, allocator: (any FrameAllocator)? = nil) {
        guard !isStopped else { return }
        if let mode { self.mode = mode }
        let forgets = allocator != nil
        if let allocator { self.allocator = allocator }
        let studio = self.studio
        if forgets { thread.perform { studio.forget() } }
        requestAndDraw()
    }

    /// Drops a picture and reloads it where it is shown, because its content has changed, such as the artwork inside the playing
    /// item.
    package func reloadImage(_ reference: String) {
        guard !isStopped else { return }
        artwork.invalidate(reference)
        requestAndDraw()
    }

    /// Loads a picture again where it is shown, because there is a newer one. The old one stays until that has come.
    package func replaceImage(_ reference: String) {
        guard !isStopped else { return }
        artwork.replace(reference)
        requestImages()
    }

    /// Ends the drawing thread and waits for it; nothing is handed over afterwards.
    package func stop() {
        guard !isStopped else { return }
        isStopped = true
        receiver = nil
        artwork.stop()
        spinner.stop()
        nextStep?.cancel()
        thread.stop()
    }

    /// The display's background, behind the layers and the video.
    package nonisolated static func background(for state: PresentationState) -> OpaqueColour {
        guard state.screen == .home || state.setUp != nil else { return .black }
        let colour = Palette.background
        return OpaqueColour(red: colour.red, green: colour.green, blue: colour.blue)
    }

    // MARK: Drawing

    private var appearance: Appearance { state?.appearance ?? Appearance() }

    private var scale: Scale { Scale(width: mode.width, height: mode.height, overscanPercent: appearance.overscanPercent) }

    private func draw() {
        guard let state else { return }
        guard !isDrawing else {
            isStale = true
            return
        }
        isDrawing = true
        isStale = false
        let job = DrawingStudio.Job(
            state: state, scale: scale, shelf: artwork.shelf, allocator: allocator, spinnerPhase: spinner.phase,
            hasRested: artwork.hasRested, time: clock.now)
        let studio = self.studio
        clock.compute(on: thread, rank: .drawing) {
            studio.paint(job)
        } then: { [weak self] result in
            self?.finish(result)
        }
    }

    private func finish(_ result: LayerPainter.Result) {
        guard !isStopped else { return }
        isDrawing = false
        redrawCounts = result.redraws
        drawnTexts = result.texts
        for failure in result.failures { onFailure?(failure) }
        animator.show(result.layers, at: clock.now, reducesMotion: appearance.reducesMotion)
        if let state { glide.show(state, at: clock.now, reducesMotion: appearance.reducesMotion) }
        emit()
        turnSpinner(isMoving: result.isMoving)
        if isStale { draw() }
    }

    /// Hands over the current layers, and schedules the next step while something moves.
    private func emit() {
        nextStep?.cancel()
        nextStep = nil
        layers = animator.layers(at: clock.now)
        videoFrame = glide.frame(at: clock.now)
        receiver?(layers)
        guard !isStopped, animator.isMoving(at: clock.now) || glide.isMoving(at: clock.now) else { return }
        let step = Duration.nanoseconds(1_000_000_000 * Int64(mode.refresh.denominator) / max(Int64(mode.refresh.numerator), 1))
        nextStep = clock.schedule(after: max(step, .milliseconds(8)), rank: .drawing) { [weak self] in self?.emit() }
    }

    /// - Parameter isMoving: whether something else moves by itself.
    private func turnSpinner(isMoving: Bool) {
        guard state?.spinner != nil || state?.setUp?.isWaiting == true || isMoving else { return spinner.stop() }
        let turn = Duration.milliseconds(appearance.reducesMotion ? 250 : 80)
        spinner.run(every: isMoving ? Self.movementStep : turn) { [weak self] in self?.draw() }
    }

    private func requestAndDraw() {
        requestImages()
        draw()
    }

    private func requestImages() {
        if let state { artwork.show(state, scale) }
    }
}
