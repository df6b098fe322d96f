import MediaModel

/// Where a picture of one size is in a window of another: as large as possible, in the middle, undistorted.
///
/// While a window is being resized its picture keeps the size for which it was made.
struct CanvasFit: Hashable {
    let scale: Double
    /// The picture, in whole pixels of the window.
    let bounds: PixelRect

    init(width: Int, height: Int, windowWidth: Int, windowHeight: Int) {
        guard width != windowWidth || height != windowHeight, width > 0, height > 0 else {
            scale = 1
            bounds = PixelRect(x: 0, y: 0, width: max(width, 0), height: max(height, 0))
            return
        }
        scale = min(Double(windowWidth) / Double(width), Double(windowHeight) / Double(height))
        let (fitted, fittedHeight) = (
            min(windowWidth, Int((Double(width) * scale).rounded())), min(windowHeight, Int((Double(height) * scale).rounded()))
        )
        bounds = PixelRect(
            x: (windowWidth - fitted) / 2, y: (windowHeight - fittedHeight) / 2, width: fitted, height: fittedHeight)
    }

    /// A rectangle of the picture, in the window.
    func place(_ rect: PixelRect) -> PlacedRect {
        PlacedRect(
            x: Double(bounds.x) + Double(rect.x) * scale, y: Double(bounds.y) + Double(rect.y) * scale,
            width: Double(rect.width) * scale, height: Double(rect.height) * scale)
    }
}
