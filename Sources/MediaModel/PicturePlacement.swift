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
