/// A layer of a composed picture in whole pixels: which part of its picture is shown where. A value.
///
/// What composes on the CPU and what leaves it to the planes of a display use this same arithmetic, so that both show the same. Parts begin at even
/// pixels, because chroma has half the resolution.
package struct PlacedLayer: Sendable {
    package let pixels: PixelBuffer
    /// Above 0, at most 1.
    package let opacity: Double
    /// In pixels of the picture.
    package let source: PixelRect
    /// In pixels of the canvas, inside of it.
    package let destination: PixelRect
    private let canvas: PixelRect

    /// Less opacity is invisible in 8 bits.
    private static let leastOpacity = 1.0 / 512

    /// Nil if nothing of it is visible.
    ///
    /// - Parameters:
    ///   - width: of the canvas.
    ///   - height: of the canvas.
    package init?(_ layer: VideoCompositionRequest.Layer, width canvasWidth: Int, height canvasHeight: Int) {
        pixels = layer.frame.pixels
        opacity = min(layer.opacity, 1)
        guard opacity >= Self.leastOpacity else { return nil }
        let aspect = Double(layer.frame.sampleAspect.numerator) / Double(layer.frame.sampleAspect.denominator)
        let width = Double(pixels.width) * aspect * layer.scaleX
        let height = Double(pixels.height) * layer.scaleY
        let across = Self.span(
            place: layer.x, length: width, crop: (layer.crop.x, layer.crop.width), pixels: pixels.width, within: canvasWidth)
        let down = Self.span(
            place: layer.y, length: height, crop: (layer.crop.y, layer.crop.height), pixels: pixels.height, within: canvasHeight)
        guard let across, let down else { return nil }
        source = PixelRect(
            x: across.source.lowerBound, y: down.source.lowerBound, width: across.source.count, height: down.source.count)
        destination = PixelRect(
            x: across.target.lowerBound, y: down.target.lowerBound, width: across.target.count, height: down.target.count)
        canvas = PixelRect(x: 0, y: 0, width: canvasWidth, height: canvasHeight)
    }

    /// Whether the picture itself is what is shown.
    package var isWhole: Bool {
        opacity >= 1 && pixels.format.isYUV && destination == canvas
            && source == PixelRect(x: 0, y: 0, width: pixels.width, height: pixels.height)
            && pixels.width == canvas.width && pixels.height == canvas.height
    }

    /// One dimension: the pixels of the picture that are visible, and where. Both begin at even pixels.
    private static func span(
        place: Double, length: Double, crop: (start: Double, length: Double), pixels: Int, within limit: Int
    ) -> (source: Range<Int>, target: Range<Int>)? {
        guard length > 0, pixels > 0 else { return nil }
        func even(_ value: Double) -> Int { Int((max(-1e6, min(1e6, value)) / 2).rounded()) * 2 }
        func edge(_ value: Double) -> Int { value >= Double(limit) ? limit : max(0, min(limit, even(value))) }
        let first = edge(place + length * crop.start)
        let last = edge(place + length * (crop.start + crop.length))
        guard last > first else { return nil }
        if length == Double(pixels) {
            // At its own size a picture is moved by whole pixels, and never scaled.
            let place = even(place)
            let (start, end) = (max(0, first - place), min(pixels, last - place))
            return end > start ? (start..<end, first..<first + end - start) : nil
        }
        // Back to pixels of the picture.
        func column(_ position: Int) -> Double { (Double(position) - place) / length * Double(pixels) }
        let start = max(0, min(pixels - 1, even(column(first))))
        let end = max(start + 1, min(pixels, last == limit ? Int(column(last).rounded()) : even(column(last))))
        return (start & ~1..<end, first..<last)
    }
}
