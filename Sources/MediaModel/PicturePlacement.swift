/// Where a picture of an edited programme is shown on a black canvas, if it was not drawn there: the display does it with the properties of a plane. A
/// value.
package struct PicturePlacement: Sendable, Hashable {
    /// The size of the canvas in square pixels. To everything except the display this is the size of the picture.
    package let width: Int
    package let height: Int
    /// The visible part, in pixels of the picture.
    package let source: PixelRect
    /// Where that part is on the canvas, inside of it.
    package let destination: PixelRect
    /// 1 nearly transparent … 255 opaque.
    package let alpha: UInt8

    package init(width: Int, height: Int, source: PixelRect, destination: PixelRect, alpha: UInt8) {
        (self.width, self.height) = (width, height)
        (self.source, self.destination, self.alpha) = (source, destination, alpha)
    }
}

extension VideoFrame {
    /// The size of what is shown, in pixels: that of the canvas, if the picture has a place on one.
    package var shownSize: (width: Int, height: Int) {
        placement.map { ($0.width, $0.height) } ?? (pixels.width, pixels.height)
    }
}

extension VideoCompositionRequest {
    /// Memory for pictures decoded in advance is counted in canvases; a picture may have this many times the pixels.
    private static let mostCanvases = 4

    /// The picture without composing: that of the only layer, with its place. Nil if it must be composed: the background is not black, nothing or more
    /// than one layer has a picture, or its picture is none that a plane can place.
    package var placed: VideoFrame? {
        guard background == 0, layers.count == 1, let layer = PlacedLayer(layers[0], width: width, height: height) else {
            return nil
        }
        let source = layers[0].frame
        let pixels = source.pixels
        guard source.quarterTurns % 4 == 0, pixels.format.isYUV,
            pixels.width * pixels.height <= width * height * Self.mostCanvases
        else { return nil }
        var frame = VideoFrame(pixels: pixels, time: time, duration: duration, colour: source.colour)
        if !layer.isWhole {
            frame.placement = PicturePlacement(
                width: width, height: height, source: layer.source, destination: layer.destination,
                alpha: UInt8(max(1, (layer.opacity * 255).rounded())))
        }
        return frame
    }
}
