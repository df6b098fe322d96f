import PlayerInterface

/// A picture in the place of the video: the poster until the first frame is there, or with music all the time.
struct Poster: LayerContent {
    var artwork: Artwork?
    var title: String?
    var frame: Rect

    func bounds(_ kit: Kit) -> Rect { frame == Rect(Metrics.screen) ? kit.scale.screen : frame }

    func draw(on canvas: Canvas, _ kit: Kit) {
        let place = bounds(kit)
        let tints = kit.theme.tints
        canvas.fill(place, Tint(Palette.background))
        let pixels = artwork?.pixels
        if let pixels, pixels.width * 10 >= pixels.height * 14 {
            canvas.picture(pixels, in: place, radius: 0)
            if title != nil {
                canvas.gradient(
                    Rect(x: place.x, y: place.y + place.height * 0.4, width: place.width, height: place.height * 0.6),
                    [(0, .white(0, 0)), (0.4, .white(0, 0.72)), (1, .white(0, 0.8))])
            }
        } else if artwork != nil {
            // Square and tall pictures, such as covers, are shown whole.
            let side = place.height * 0.46
            let square = Rect(x: place.midX - side / 2, y: place.midY - side * 0.72, width: side, height: side)
            canvas.shadow(square, radius: 20, spread: 36, strength: 0.5)
            canvas.picture(pixels, in: square, radius: 20, .fit)
            drawTitle(canvas, kit, top: square.maxY + 32)
            return
        }
        drawTitle(canvas, kit, top: artwork == nil ? place.midY - 46 : nil, tint: tints.text)
    }

    /// Large in the middle below a cover or where there is no picture; nothing in a corner, where it could not be read.
    private func drawTitle(_ canvas: Canvas, _ kit: Kit, top: Double?, tint: Tint? = nil) {
        guard let title, frame.width > 900 else { return }
        let layout = kit.layout(
            title, kit.style(.title2, .bold, width: min(frame.width, Rect.safeArea.width), lines: 2, alignment: .centre))
        // Clear of the bar and its title line, which may lie over it.
        let y = top ?? TitleLine.bottom - 120 * kit.theme.typeScale - layout.bounds.height
        canvas.text(layout, x: frame.midX - min(frame.width, Rect.safeArea.width) / 2, y: y, tint ?? kit.theme.tints.text)
    }
}
