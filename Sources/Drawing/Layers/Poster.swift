import Screens

/// A picture in the video's area: the poster until the first frame, or during music.
struct Poster: LayerContent {
    var artwork: LayerPicture?
    /// Whether a title lies over it.
    var hasTitle: Bool
    var frame: Rect

    enum Shape: Sendable, Hashable {
        /// No picture: only the title, above the middle, where a spinner may be.
        case none
        /// As wide as a screen, or still loading: fills the frame.
        case wide
        /// Square or tall, such as a cover: whole, in the middle.
        case cover
    }

    static func shape(of artwork: LayerPicture?) -> Shape {
        guard let artwork else { return .none }
        guard let pixels = artwork.pixels else { return .wide }
        return pixels.width * 10 >= pixels.height * 14 ? .wide : .cover
    }

    /// The rectangle of a cover in a frame: slightly above the middle, so that a title fits under it.
    static func cover(in frame: Rect) -> Rect {
        let side = frame.height * 0.46
        return Rect(x: frame.midX - side / 2, y: frame.midY - side * 0.72, width: side, height: side)
    }

    func bounds(_ kit: Kit) -> Rect { frame == Rect(Metrics.screen) ? kit.scale.screen : frame }

    func draw(on canvas: Canvas, _ kit: Kit) {
        let place = bounds(kit)
        canvas.fill(place, Tint(Palette.background))
        guard let pixels = artwork?.pixels else { return }
        if Self.shape(of: artwork) == .wide {
            canvas.picture(pixels, in: place, radius: 0)
            guard hasTitle else { return }
            canvas.gradient(
                Rect(x: place.x, y: place.y + place.height * 0.4, width: place.width, height: place.height * 0.6),
                [(0, .white(0, 0)), (0.4, .white(0, 0.72)), (1, .white(0, 0.8))])
        } else {
            let square = Self.cover(in: place)
            canvas.shadow(square, radius: Radius.field, spread: 36, strength: 0.5)
            canvas.picture(pixels, in: square, radius: Radius.field, .fit)
        }
    }
}

/// The title of a poster, a separate layer: it is hidden while the title line above the bar says the same.
struct PosterTitle: LayerContent {
    var title: String
    var shape: Poster.Shape

    private func layout(_ kit: Kit) -> TextLayout {
        kit.layout(title, kit.style(.title2, .bold, width: Rect.safeArea.width, lines: 2, alignment: .centre))
    }

    func bounds(_ kit: Kit) -> Rect {
        let text = layout(kit).bounds
        let y: Double =
            switch shape {
            case .none: 540 - 120 - text.height
            case .wide: TitleLine.bottom - 120 * kit.theme.typeScale - text.height
            case .cover: Poster.cover(in: Rect(Metrics.screen)).maxY + 32
            }
        return Rect(x: 960 - text.width / 2, y: y, width: text.width, height: text.height).inset(-4, -8)
    }

    func draw(on canvas: Canvas, _ kit: Kit) {
        canvas.text(layout(kit), x: Rect.safeArea.x, y: bounds(kit).y + 8, kit.theme.tints.text)
    }
}
