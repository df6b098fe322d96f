import MediaModel

/// A scene without invisible elements, which are outside the screen or fully transparent, and turned as the screen is. Its layers are in stacking order.
struct VisibleScene: Sendable {
    /// Upright.
    let scene: Scene
    /// In its place on the turned screen; its frame says how far its pixels have to be turned.
    let video: VideoLayer?
    /// In their places on the turned screen; their pixels are upright.
    let layers: [InterfaceLayer]
    /// How far the pixels of layers have to be turned.
    let rotation: DisplayRotation
    let shape: SceneShape
    /// The range of the screen; nil: standard.
    let range: HighDynamicRange?
    /// The background's code value in that range.
    let background: OpaqueColour
    /// Larger pictures are not prepared: composing leaves out what would be clipped anyway.
    private static let mostPixels = 4096 * 2304

    /// - Parameter background: that of the scene, in the range of the screen.
    init(_ scene: Scene, on card: any ScanOutScreen, range: HighDynamicRange?, background: OpaqueColour) {
        self.scene = scene
        self.range = range
        self.background = background
        let rotation = card.rotation
        self.rotation = rotation
        let upright = card.sceneMode
        let screen = PixelRect(x: 0, y: 0, width: card.displayMode.width, height: card.displayMode.height)
        // Of a picture that cannot be seen, its canvas may still be.
        let hasGround = scene.video?.ground != nil && scene.background != .black
        let placed = scene.video.map { rotation.turn($0, width: upright.width, height: upright.height) }
        let video = placed.flatMap { video in
            let isSeen = video.alpha > 0 && !video.visibleSource.isEmpty && !video.destination.intersection(screen).isEmpty
            return isSeen || hasGround ? video : nil
        }
        let layers = scene.layers.inStackingOrder.map { rotation.turn($0, width: upright.width, height: upright.height) }
            .filter { $0.alpha > 0 && !$0.destination.intersection(screen).isEmpty }
        self.video = video
        self.layers = layers
        let isCovered = video.map { $0.alpha == 255 && $0.destination.intersection(screen) == screen } ?? false
        shape = SceneShape(
            video: video.map { Self.shape($0, hasGround, screen, card, range) },
            layers: layers.map { Self.shape($0, screen, card, rotation, range) },
            showsColour: scene.background != .black && !isCovered)
    }

    /// Whether the CPU converts the video, because it has not the range of the screen.
    var convertsVideo: Bool { video.map { $0.frame.colour.highRange != range } ?? false }

    private static func shape(
        _ video: VideoLayer, _ hasGround: Bool, _ screen: PixelRect, _ card: any ScanOutScreen, _ range: HighDynamicRange?
    ) -> ElementShape {
        let pixels = video.frame.pixels
        let isConverted = video.frame.colour.highRange != range
        let (source, destination) = video.evenRectangles
        let rotation = video.frame.rotation
        let size = rotation.size(width: destination.width, height: destination.height)
        return ElementShape(
            format: isConverted ? FramePreparer.format(for: range) : pixels.format, sourceWidth: coarse(source.width),
            sourceHeight: coarse(source.height),
            width: coarse(destination.width), height: coarse(destination.height),
            isScaled: source.width != size.width || source.height != size.height, rotation: rotation,
            isCutOff: destination.intersection(screen) != destination, isFaded: video.alpha < 255,
            needsComposing: hasGround || min(video.visibleSource.width, video.visibleSource.height) < 2
                || destination.width * destination.height > Self.mostPixels, isShowable: isConverted || card.canScanOut(pixels),
            isInColumns: !isConverted && pixels.isInColumns)
    }

    /// A length to an eighth of its power of two: pictures whose size changes a little with each frame need no new test for each. If the card refuses one of
    /// them all the same, the next arrangement is used.
    private static func coarse(_ length: Int) -> Int {
        let bits = Int.bitWidth - length.leadingZeroBitCount
        return bits > 4 ? (length >> (bits - 4)) << (bits - 4) : length
    }

    /// Layers of the interface have a standard range.
    private static func shape(
        _ layer: InterfaceLayer, _ screen: PixelRect, _ card: any ScanOutScreen, _ rotation: DisplayRotation,
        _ range: HighDynamicRange?
    ) -> ElementShape {
        let size = rotation.size(width: layer.destination.width, height: layer.destination.height)
        return ElementShape(
            format: layer.pixels.format, sourceWidth: layer.pixels.width, sourceHeight: layer.pixels.height,
            width: layer.destination.width, height: layer.destination.height,
            isScaled: layer.pixels.width != size.width || layer.pixels.height != size.height, rotation: rotation,
            isCutOff: layer.destination.intersection(screen) != layer.destination, isFaded: layer.alpha < 255,
            needsComposing: false,
            isShowable: range == nil && card.canScanOut(layer.pixels))
    }
}

extension PixelBuffer {
    /// Whether a decoder stored it in columns.
    var isInColumns: Bool { surface.map { $0.layout.tiling != .linear } ?? false }
}

extension VideoLayer {
    /// Source and destination rounded to even edges and lengths, as display hardware needs for subsampled chroma. An unscaled
    /// picture stays unscaled.
    var evenRectangles: (source: PixelRect, destination: PixelRect) {
        func even(_ rect: PixelRect) -> PixelRect {
            PixelRect(x: rect.x & ~1, y: rect.y & ~1, width: max(2, rect.width & ~1), height: max(2, rect.height & ~1))
        }
        let source = visibleSource
        return (even(source), even(destination))
    }
}
