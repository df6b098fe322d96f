import MediaModel

/// Shows scenes in a window: from textures where there is a graphics processor, else as one picture that the CPU composed, as on the lowest rung of a card's
/// ladder. A scene that textures cannot show is composed too. The window's thread.
final class WindowPainter {
    /// A scene that can be shown, also again in another size of the window.
    enum Prepared {
        case textures([Element], background: OpaqueColour)
        /// In `xrgb8888`, of the size of the canvas.
        case composed(PixelBuffer)
    }
    /// What is drawn from the lowest to the highest, in pixels of the canvas.
    enum Element {
        case ground(PixelRect)
        case picture(TextureID, source: PixelRect, destination: PixelRect, quarterTurns: Int, alpha: UInt8, isBlended: Bool)
    }

    private let port: any WindowPort
    private let shelf: TextureShelf
    private let compositor = Compositor()
    private let scratch = MemoryAllocator()

    init(_ port: any WindowPort) {
        self.port = port
        shelf = TextureShelf(port)
    }

    /// Uploads what is new in a scene.
    ///
    /// - Throws: `MediaError` when memory is exhausted.
    func prepare(_ scene: Scene, width: Int, height: Int) throws(MediaError) -> Prepared {
        if let largest = port.largestTexture, let elements = elements(of: scene, width, height, largest) {
            return .textures(elements, background: scene.background)
        }
        return .composed(try compositor.compose(scene, width: width, height: height))
    }

    /// Shows a prepared scene; nil: black.
    func show(_ prepared: Prepared?, fit: CanvasFit) {
        switch prepared {
        case .textures(let elements, let background): port.draw(Self.steps(elements, background, fit))
        case .composed(let picture) where port.largestTexture == nil: port.put(picture, in: fit.bounds)
        case .composed(let picture): port.draw(steps(picture, fit))
        case nil:
            guard port.largestTexture == nil else { return port.draw([.clear]) }
            if let black = try? compositor.compose(Scene(wantedTime: .zero), width: 16, height: 16) {
                let size = port.size
                port.put(black, in: PixelRect(x: 0, y: 0, width: size.width, height: size.height))
            }
        }
    }

    /// The content of textures is lost, or is not needed any more.
    func forgetTextures() { shelf.empty() }

    // MARK: Textures

    /// - Returns: nil if textures cannot show the scene.
    private func elements(
        of scene: Scene, _ width: Int, _ height: Int, _ largest: (width: Int, height: Int)
    ) -> [Element]? {
        let screen = PixelRect(x: 0, y: 0, width: width, height: height)
        var contents: [(picture: PixelBuffer, shape: TextureShape, upload: () -> PixelBuffer?)] = []
        var makers: [(TextureID) -> Element] = []
        var elements: [Element] = []
        if let video = scene.video {
            if let ground = video.ground?.intersection(screen), !ground.isEmpty, scene.background != .black {
                elements.append(.ground(ground))
            }
            if video.alpha > 0, !video.visibleSource.isEmpty, !video.destination.intersection(screen).isEmpty {
                let picture = video.frame.pixels
                let shape = TextureShape(picture, video.frame.colour)
                contents.append((picture, shape, { [scratch] in shape.upload(of: video.frame, from: scratch) }))
                makers.append { texture in
                    .picture(
                        texture, source: video.visibleSource, destination: video.destination,
                        quarterTurns: video.frame.quarterTurns & 3, alpha: video.alpha, isBlended: picture.format == .argb8888)
                }
            }
        }
        for layer in scene.layers.inStackingOrder
        where layer.alpha > 0 && !layer.destination.intersection(screen).isEmpty {
            let pixels = layer.pixels
            guard !pixels.format.isYUV else { return nil }
            contents.append((pixels, TextureShape(kind: .colour, width: pixels.width, height: pixels.height), { pixels }))
            makers.append { texture in
                .picture(
                    texture, source: pixels.bounds, destination: layer.destination, quarterTurns: 0, alpha: layer.alpha,
                    isBlended: pixels.format == .argb8888)
            }
        }
        guard contents.allSatisfy({ $0.shape.width <= largest.width && $0.shape.height <= largest.height }) else { return nil }
        let textures = shelf.textures(for: contents)
        for (texture, make) in zip(textures, makers) {
            guard let texture else { return nil }
            elements.append(make(texture))
        }
        return elements
    }

    /// The steps that draw a scene.
    static func steps(_ elements: [Element], _ background: OpaqueColour, _ fit: CanvasFit) -> [DrawStep] {
        var steps: [DrawStep] = [.clear, .clip(fit.bounds)]
        if background != .black {
            let canvas = fit.bounds
            steps.append(
                .fill(
                    PlacedRect(
                        x: Double(canvas.x), y: Double(canvas.y), width: Double(canvas.width), height: Double(canvas.height)),
                    background))
        }
        for element in elements {
            switch element {
            case .ground(let area): steps.append(.fill(fit.place(area), .black))
            case .picture(let texture, let source, let destination, let turns, let alpha, let isBlended):
                steps.append(
                    .texture(
                        texture, source: source, destination: fit.place(destination), quarterTurns: turns, alpha: alpha,
                        isBlended: isBlended))
            }
        }
        return steps
    }

    /// A composed picture by way of a texture.
    private func steps(_ picture: PixelBuffer, _ fit: CanvasFit) -> [DrawStep] {
        let shape = TextureShape(kind: .colour, width: picture.width, height: picture.height)
        guard let texture = shelf.textures(for: [(picture, shape, { picture })])[0] else { return [.clear] }
        return [
            .clear,
            .texture(
                texture, source: picture.bounds, destination: fit.place(picture.bounds), quarterTurns: 0, alpha: 255,
                isBlended: false),
        ]
    }
}
