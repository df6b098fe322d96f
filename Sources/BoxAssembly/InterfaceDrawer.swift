import Appliance
import Captions
import Drawing
import KeptArtwork
import LinuxSupport
import MediaModel
import MediaTime
import Screens
import StatusModel

/// The box's drawing: the renderer of `Drawing`, with artwork from the network and from the stream.
@MainActor
final class InterfaceDrawer: InterfaceDrawing {
    private let renderer: InterfaceRenderer
    private let captions: CaptionRenderer
    private var cues: (shown: [CaptionCue], language: String?) = ([], nil)
    private var captionStyle = CaptionStyle()
    private var state = PresentationState()
    private var interfaceLayers: [InterfaceLayer] = []
    /// The rectangle of the video on the screen, for captions with positions.
    var mediaTime: (@MainActor () -> MediaTime)?
    private let clock: any HostClock
    private var captionTick: ScheduledEvent?
    private var receiver: (@MainActor ([InterfaceLayer]) -> Void)?
    private let images: ArtworkLoader

    init(clock: any HostClock, display: any DisplayOutput, images: ArtworkLoader, log: LogBook) {
        self.images = images
        self.clock = clock
        renderer = InterfaceRenderer(
            clock: clock, mode: display.mode, allocator: display.interfaceAllocator, images: images)
        captions = CaptionRenderer(clock: clock, mode: display.mode, allocator: display.interfaceAllocator)
        renderer.onFailure = { log.note("drawing: \($0)", .error) }
        captions.onFailure = { log.note("captions: \($0)", .error) }
        captions.onLayers = { [weak self] _ in self?.emit() }
        images.onNewer = { [weak renderer] in renderer?.replaceImage($0) }
    }

    func update(_ state: PresentationState, _ then: @escaping @MainActor @Sendable ([InterfaceLayer]) -> Void) {
        self.state = state
        receiver = then
        renderer.update(state) { [weak self] layers in
            self?.interfaceLayers = layers
            self?.emit()
        }
        placeCaptions()
    }

    func showCaptions(_ cues: [CaptionCue], language: String?) {
        self.cues = (cues, language)
        placeCaptions()
    }

    func setCaptionStyle(_ style: CaptionStyle) {
        captionStyle = style
        placeCaptions()
    }

    /// Loads a picture as for the screen; nil if there is none.
    func loadPicture(
        _ reference: String, width: Int, height: Int, _ then: @escaping @MainActor @Sendable (PixelBuffer?) -> Void
    ) {
        images.load(reference, width: width, height: height) { answer in
            guard case .picture(let pixels) = answer else { return then(nil) }
            then(pixels)
        }
    }

    var artwork: ArtworkCache { images.cache }

    private func placeCaptions() {
        let own = state.captions
        let placement = own == .hidden ? CaptionPlacement.standard(for: state, style: captionStyle) : own
        var picture = CaptionPicture(cues: cues.shown, placement: placement, video: state.video.frame, language: cues.language)
        let events = cues.shown.filter { $0.event != nil }
        if !events.isEmpty {
            // A cue without animation looks the same from its start to its end.
            let isMoving = events.contains { $0.event?.isMoving == true }
            let first = events.map(\.start).max() ?? .zero
            picture.time = isMoving ? max(mediaTime?() ?? first, first) : first
            followMovement(isMoving && !placement.area.isEmpty)
        } else {
            followMovement(false)
        }
        captions.show(picture)
    }

    /// Animated captions are drawn 25 times a second, all others once.
    private static let movementStep = Duration.milliseconds(40)

    private func followMovement(_ isMoving: Bool) {
        captionTick?.cancel()
        captionTick = nil
        guard isMoving else { return }
        captionTick = clock.schedule(after: Self.movementStep, rank: .drawing) { [weak self] in self?.placeCaptions() }
    }

    private func emit() { receiver?(captions.layers + interfaceLayers) }

    var isUpToDate: Bool { renderer.isUpToDate }

    var videoFrame: PixelRect? { renderer.videoFrame }

    func background(for state: PresentationState) -> OpaqueColour { InterfaceRenderer.background(for: state) }

    func displayChanged(_ mode: DisplayMode) {
        renderer.configure(mode: mode)
        captions.configure(mode: mode)
    }

    func setThumbnails(_ provider: (any ThumbnailProviding)?) { images.thumbnails = provider }

    func setEmbeddedArtwork(_ bytes: [UInt8]?) {
        images.embedded = bytes
        // The name is the same for every item, so a cached picture could belong to the previous one.
        renderer.reloadImage(Appliance.embeddedArtwork)
    }

    func close() {
        captionTick?.cancel()
        renderer.stop()
        captions.stop()
        images.close()
    }
}
