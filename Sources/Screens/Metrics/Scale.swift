import MediaModel

/// Converts pixels of the design to those of a screen. On screens that are not 16:9 the interface is as large as fits, centred.
package struct Scale: Sendable, Hashable {
    /// Pixels per pixel of the design: 2/3 at 1280x720, 2 at 3840x2160.
    package let factor: Double
    /// The origin of the design, in pixels.
    package let originX, originY: Double
    /// The size of the screen in pixels.
    package let width, height: Int

    /// - Parameter overscanPercent: how much the interface shrinks on each side, for televisions that crop the picture.
    package init(width: Int, height: Int, overscanPercent: Int = 0) {
        let shown = 1 - Double(min(max(overscanPercent, 0), 5)) / 50
        factor = min(Double(width) / 1920, Double(height) / 1080) * shown
        originX = (Double(width) - 1920 * factor) / 2
        originY = (Double(height) - 1080 * factor) / 2
        self.width = width
        self.height = height
    }

    private init(_ fine: Scale, part: Double) {
        factor = fine.factor / part
        originX = fine.originX / part
        originY = fine.originY / part
        width = Int((Double(fine.width) / part).rounded(.up))
        height = Int((Double(fine.height) / part).rounded(.up))
    }

    /// The same with pixels that are as wide and high as `times` of these.
    package func coarser(_ times: Int) -> Scale { Scale(self, part: Double(max(times, 1))) }

    /// The whole pixels that cover what is between two corners of the design.
    package func pixels(from upper: (x: Double, y: Double), to lower: (x: Double, y: Double)) -> PixelRect {
        let left = (originX + upper.x * factor + 0.001).rounded(.down)
        let top = (originY + upper.y * factor + 0.001).rounded(.down)
        let right = (originX + lower.x * factor - 0.001).rounded(.up)
        let bottom = (originY + lower.y * factor - 0.001).rounded(.up)
        return PixelRect(x: Int(left), y: Int(top), width: max(Int(right - left), 1), height: max(Int(bottom - top), 1))
    }

    /// The video's place: all of the screen, whatever its shape, or where the interface has room for it.
    ///
    /// - Parameter isOfProgramme: whether it is the frame of a programme, which is a part of all of the screen.
    package func video(_ frame: PixelRect, isOfProgramme: Bool = false) -> PixelRect {
        if frame == Metrics.screen { return PixelRect(x: 0, y: 0, width: width, height: height) }
        if isOfProgramme {
            let upper = spread(x: Double(frame.x), y: Double(frame.y))
            return pixels(from: upper, to: spread(x: Double(frame.x + frame.width), y: Double(frame.y + frame.height)))
        }
        return pixels(
            from: (Double(frame.x), Double(frame.y)), to: (Double(frame.x + frame.width), Double(frame.y + frame.height)))
    }

    /// A place on the whole screen, in design pixels: what is so placed on a screen of 16:9 has the same share of another one.
    package func spread(x: Double, y: Double) -> (x: Double, y: Double) {
        // Without what a television crops.
        let whole = Scale(width: width, height: height)
        let screen = (width: Double(width) / whole.factor, height: Double(height) / whole.factor)
        return (
            x: x * screen.width / 1920 - whole.originX / whole.factor, y: y * screen.height / 1080 - whole.originY / whole.factor
        )
    }
}
