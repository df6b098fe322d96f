import Appliance
import Drawing
import LinuxSupport
import MediaModel
import PlayerInterface

/// The box's drawing: the renderer of `Drawing`, with artwork from the network and from inside the stream.
@MainActor
final class InterfaceDrawer: InterfaceDrawing {
    private let renderer: InterfaceRenderer
    private let images: ArtworkLoader

    init(clock: any HostClock, display: any DisplayOutput, images: ArtworkLoader, log: LogBook) {
        self.images = images
        renderer = InterfaceRenderer(
            clock: clock, mode: display.mode, allocator: display.interfaceAllocator, images: images)
        renderer.onFailure = { log.note("drawing: \($0)") }
    }

    func update(_ state: PresentationState, _ then: @escaping @MainActor @Sendable ([InterfaceLayer]) -> Void) {
        renderer.update(state) { then($0) }
    }

    func background(for state: PresentationState) -> OpaqueColour { InterfaceRenderer.background(for: state) }

    func displayChanged(_ mode: DisplayMode) { renderer.configure(mode: mode) }

    func setEmbeddedArtwork(_ bytes: [UInt8]?) {
        images.embedded = bytes
        // The name is the same for every item: the picture of the one before is not this one's.
        renderer.reloadImage(Appliance.embeddedArtwork)
    }

    func close() {
        renderer.stop()
        images.close()
    }
}

/// Brings posters and artwork: loaded by `Transfer`, decoded and scaled by `MediaCodec` on a thread of its own.
@MainActor
final class ArtworkLoader: ImageLoading {
    /// The picture inside the stream that plays.
    var embedded: [UInt8]?
    private let clock: any HostClock
    private let loader: any ByteLoading
    private let log: LogBook
    private let thread: WorkerThread
    private var isClosed = false

    init(clock: any HostClock, loader: any ByteLoading, log: LogBook) {
        self.clock = clock
        self.loader = loader
        self.log = log
        thread = WorkerThread(name: "artwork", clock: clock)
    }

    func load(_ reference: String, width: Int, height: Int, then: @escaping @MainActor @Sendable (PixelBuffer?) -> Void) {
        if reference == Appliance.embeddedArtwork {
            guard let embedded else { return then(nil) }
            return decode(embedded, reference, width, height, then)
        }
        loader.load(ByteRequest(url: reference)) { [weak self] result in
            guard let self, !self.isClosed else { return }
            switch result {
            case .success(let response): self.decode(response.bytes, reference, width, height, then)
            case .failure(let error):
                self.log.note("artwork: \(error.sentence)")
                then(nil)
            }
        }
    }

    func close() {
        guard !isClosed else { return }
        isClosed = true
        thread.stop()
    }

    private func decode(
        _ bytes: [UInt8], _ reference: String, _ width: Int, _ height: Int,
        _ then: @escaping @MainActor @Sendable (PixelBuffer?) -> Void
    ) {
        clock.compute(on: thread, rank: .drawing) {
            Artworks.decode(bytes, width: width, height: height)
        } then: { [weak self] result in
            switch result {
            case .success(let pixels): then(pixels)
            case .failure(let error):
                self?.log.note("artwork \(reference): \(error.sentence)")
                then(nil)
            }
        }
    }
}
