import MediaModel
import Screens

/// A picture of the programme over its video: the shown part of it, fitted into its box, at the sides of its anchor.
struct OverlayPicture: LayerContent {
    private let picture: LayerPicture
    private let crop: OverlayCrop
    private let box: PixelRect
    private let anchor: ScreenOverlay.Anchor

    /// - Parameter picture: loaded.
    init(_ overlay: ScreenOverlay, picture: LayerPicture) {
        self.picture = picture
        crop = overlay.crop
        box = overlay.box
        anchor = overlay.anchor
    }

    func bounds(_ kit: Kit) -> Rect {
        let box = kit.scale.spread(Rect(box))
        guard let pixels = picture.pixels else { return box }
        let width = Double(max(pixels.width, 1)) * crop.part(of: \.width)
        let height = Double(max(pixels.height, 1)) * crop.part(of: \.height)
        let factor = min(box.width / width, box.height / height)
        let free = (across: box.width - width * factor, down: box.height - height * factor)
        return Rect(
            x: box.x + free.across * anchor.across, y: box.y + free.down * anchor.down, width: width * factor,
            height: height * factor)
    }

    func draw(on canvas: Canvas, _ kit: Kit) {
        let shown = bounds(kit)
        // The whole picture, of which the layer has room for the shown part only.
        let width = shown.width / crop.part(of: \.width), height = shown.height / crop.part(of: \.height)
        let whole = Rect(
            x: shown.x - width * Double(crop.left) / 100, y: shown.y - height * Double(crop.top) / 100, width: width,
            height: height)
        canvas.clipped(to: shown) { canvas.picture(picture.pixels, in: whole, radius: 0) }
    }
}

extension OverlayCrop {
    /// The shown part of one dimension: above 0, at most 1.
    func part(of dimension: KeyPath<PixelRect, Int>) -> Double {
        let cut = dimension == \.width ? left + right : top + bottom
        return Double(100 - min(max(cut, 0), 99)) / 100
    }
}

extension ScreenOverlay.Anchor {
    /// Where it is between the left edge (0) and the right edge (1).
    var across: Double {
        switch self {
        case .topLeft, .left, .bottomLeft: 0
        case .top, .centre, .bottom: 0.5
        case .topRight, .right, .bottomRight: 1
        }
    }

    /// Where it is between the upper edge (0) and the lower edge (1).
    var down: Double {
        switch self {
        case .topLeft, .top, .topRight: 0
        case .left, .centre, .right: 0.5
        case .bottomLeft, .bottom, .bottomRight: 1
        }
    }
}
