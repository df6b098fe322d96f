import LinuxSupport
import MediaModel
import Screens

/// Draws captions: cues in, layers out, to be placed between the video and the interface.
///
/// Threads: this class is used on the main loop. Measuring and drawing happen on a separate thread, started with the first
/// caption, so that captions and panels never wait for each other. While one picture is being made, only the newest of the
/// pictures handed in is kept. A caption is drawn once: moving it out of the bar's way draws nothing, and nothing runs between
/// two changes.
@MainActor
package final class CaptionRenderer {
    /// Called with the layers to show from now on.
    package var onLayers: (@MainActor ([InterfaceLayer]) -> Void)?
    /// Called when captions could not be drawn.
    package var onFailure: (@MainActor (DrawingError) -> Void)?
    /// The layers handed over last.
    package private(set) var layers: [InterfaceLayer] = []
    /// The texts on the screen by the id of their layer, in design pixels, for dumps and tests.
    package private(set) var drawnTexts: [String: [DrawnText]] = [:]
    /// How often each layer has been drawn, by its id.
    package private(set) var redrawCounts: [String: Int] = [:]

    private let clock: any HostClock
    private var thread: WorkerThread?
    private let studio: CaptionStudio
    private var mode: DisplayMode
    private var allocator: any FrameAllocator
    private var picture = CaptionPicture.none
    private var isDrawing = false
    private var isStale = false
    private var isStopped = false

    /// - Parameters:
    ///   - clock: the main loop's.
    ///   - mode: the display's.
    ///   - allocator: memory for layers: the display's `interfaceAllocator`.
    ///   - fontFolder: use only the fonts in this folder; nil: the machine's.
    package init(clock: any HostClock, mode: DisplayMode, allocator: any FrameAllocator, fontFolder: String? = nil) {
        studio = CaptionStudio(fontFolder: fontFolder)
        self.clock = clock
        self.mode = mode
        self.allocator = allocator
    }

    /// Shows a picture. An equal picture changes nothing.
    package func show(_ picture: CaptionPicture) {
        guard !isStopped, picture != self.picture else { return }
        self.picture = picture
        // Captions disappear at once, without waiting for the thread.
        if picture.cues.isEmpty || picture.placement.area.isEmpty {
            isStale = isDrawing
            return emit([])
        }
        draw()
    }

    /// Draws again for another mode or allocator.
    package func configure(mode: DisplayMode? = nil, allocator: (any FrameAllocator)? = nil) {
        guard !isStopped else { return }
        if let mode { self.mode = mode }
        if let allocator {
            self.allocator = allocator
            let studio = studio
            thread?.perform { studio.forget() }
        }
        if !picture.cues.isEmpty { draw() }
    }

    /// Ends the thread; nothing is handed over afterwards.
    package func stop() {
        guard !isStopped else { return }
        isStopped = true
        onLayers = nil
        thread?.stop()
    }

    private func draw() {
        guard !isDrawing else {
            isStale = true
            return
        }
        isDrawing = true
        isStale = false
        let thread = thread ?? WorkerThread(name: "captions-draw", clock: clock)
        self.thread = thread
        let studio = studio
        let (picture, allocator) = (picture, allocator)
        let scale = Scale(width: mode.width, height: mode.height)
        clock.compute(on: thread, rank: .drawing) {
            studio.paint(picture, scale: scale, allocator: allocator)
        } then: { [weak self] result in
            self?.finish(result)
        }
    }

    private func finish(_ result: LayerPainter.Result) {
        guard !isStopped else { return }
        isDrawing = false
        for failure in result.failures { onFailure?(failure) }
        if isStale {
            // The request that arrived meanwhile: no captions, or another picture.
            isStale = false
            if !picture.cues.isEmpty, !picture.placement.area.isEmpty { draw() }
            return
        }
        redrawCounts = result.redraws
        drawnTexts = result.texts
        emit(result.layers.map(\.layer))
    }

    private func emit(_ layers: [InterfaceLayer]) {
        guard !(layers.isEmpty && self.layers.isEmpty) else { return }
        self.layers = layers
        if layers.isEmpty { drawnTexts = [:] }
        onLayers?(layers)
    }
}

/// The state of the captions' thread.
// Unchecked: after `init` its state is touched only by jobs of the one thread, which run one after the other.
private final class CaptionStudio: @unchecked Sendable {
    private let fontFolder: String?
    private var fonts: FontSet?
    private var painter: LayerPainter?
    private var scripts: SubStationRenderer?
    /// Captions that are no longer shown need little cache: they are quick to draw again.
    private static let byteLimit = 4 << 20

    init(fontFolder: String?) { self.fontFolder = fontFolder }

    func forget() { painter = fonts.map { LayerPainter(fonts: $0, byteLimit: Self.byteLimit) } }

    private func openedFonts() throws(DrawingError) -> FontSet {
        if let fonts { return fonts }
        let opened = try FontSet(folder: fontFolder)
        fonts = opened
        return opened
    }

    private func openedScripts() throws(DrawingError) -> SubStationRenderer {
        if let scripts { return scripts }
        let opened = try SubStationRenderer(fontFolder: fontFolder)
        scripts = opened
        return opened
    }

    func paint(_ picture: CaptionPicture, scale: Scale, allocator: any FrameAllocator) -> LayerPainter.Result {
        do throws(DrawingError) {
            let fonts = try openedFonts()
            let painter = painter ?? LayerPainter(fonts: fonts, byteLimit: Self.byteLimit)
            self.painter = painter
            let theme = InterfaceTheme()
            let events = picture.cues.filter { $0.event != nil }
            var others = picture
            var parts: [SubStationRenderer.Part] = []
            var omission: DrawingError?
            if !events.isEmpty {
                let scripts = try openedScripts()
                parts = scripts.render(
                    events, at: picture.time, video: scale.pixels(Rect(picture.video)),
                    area: scale.pixels(Rect(picture.placement.area)),
                    style: picture.placement.style)
                omission = scripts.takeOmission()
                others.cues = picture.cues.filter { $0.event == nil }
            }
            let plan = CaptionPlan(picture: others, kit: Kit(fonts: fonts, theme: theme, scale: scale))
            var result = painter.paint(plan.layers() + plan.layers(of: parts), scale: scale, theme: theme, allocator: allocator)
            if let omission { result.failures.append(omission) }
            return result
        } catch {
            var result = LayerPainter.Result()
            result.failures = [error]
            return result
        }
    }
}
