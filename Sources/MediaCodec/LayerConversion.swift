import CZimg
import MediaModel

/// Converts premultiplied pixels of the interface to the code values of a high dynamic range. Used by one thread at a time.
///
/// A pixel's result depends on it alone, so that the pixels that are not transparent are converted in batches of one size, whatever the size of the layer.
final class LayerConversion {
    private static let batch = 4096

    private let graph: ColourGraph
    private let source, target: PlanePointers
    private let memory: AlignedMemory

    /// - Throws: why zimg cannot convert this.
    init(_ range: HighDynamicRange) throws(ColourGraphError) {
        graph = try ColourGraph(
            from: Self.row(.standardRange), to: Self.row(range.colour), white: ToneCurve.white, isDithered: false)
        let stride = AlignedMemory.rounded(2 * Self.batch)
        memory = AlignedMemory(byteCount: 6 * stride)
        let base = memory.base
        source = PlanePointers(data: (base, base + stride, base + 2 * stride), strides: (stride, stride, stride))
        target = PlanePointers(
            data: (base + 3 * stride, base + 4 * stride, base + 5 * stride), strides: (stride, stride, stride))
        base.initializeMemory(as: UInt8.self, repeating: 0, count: 6 * stride)
    }

    /// - Parameter result: of the same size and format.
    func run(_ pixels: PixelBuffer, into result: PixelBuffer) throws(ColourGraphError) {
        pixels.storage.beginAccess()
        result.storage.beginAccess()
        defer {
            result.storage.endAccess()
            pixels.storage.endAccess()
        }
        let isOpaque = pixels.format == .xrgb8888
        let (from, to) = (pixels.planes[0], result.planes[0])
        var waiting: [UnsafeMutablePointer<UInt8>] = []
        var alphas: [UInt8] = []
        waiting.reserveCapacity(Self.batch)
        alphas.reserveCapacity(Self.batch)
        let (red, green, blue) = (words(source.data.0), words(source.data.1), words(source.data.2))
        for row in 0..<pixels.height {
            let line = (pixels.storage.base + from.offset + row * from.stride).assumingMemoryBound(to: UInt8.self)
            let written = (result.storage.base + to.offset + row * to.stride).assumingMemoryBound(to: UInt8.self)
            for column in 0..<pixels.width {
                let (pixel, place) = (line + 4 * column, written + 4 * column)
                let alpha = isOpaque ? 255 : pixel[3]
                if alpha == 0 {
                    (place[0], place[1], place[2], place[3]) = (0, 0, 0, 0)
                    continue
                }
                let index = waiting.count
                blue[index] = Self.divided(pixel[0], by: alpha)
                green[index] = Self.divided(pixel[1], by: alpha)
                red[index] = Self.divided(pixel[2], by: alpha)
                waiting.append(place)
                alphas.append(alpha)
                if waiting.count == Self.batch { try convert(&waiting, &alphas) }
            }
        }
        try convert(&waiting, &alphas)
    }

    private func convert(
        _ places: inout [UnsafeMutablePointer<UInt8>], _ alphas: inout [UInt8]
    ) throws(ColourGraphError) {
        guard !places.isEmpty else { return }
        try graph.run(from: source, to: target)
        let (red, green, blue) = (words(target.data.0), words(target.data.1), words(target.data.2))
        for (index, place) in places.enumerated() {
            let alpha = alphas[index]
            place[0] = Self.multiplied(blue[index], by: alpha)
            place[1] = Self.multiplied(green[index], by: alpha)
            place[2] = Self.multiplied(red[index], by: alpha)
            place[3] = alpha
        }
        places.removeAll(keepingCapacity: true)
        alphas.removeAll(keepingCapacity: true)
    }

    private func words(_ plane: UnsafeMutableRawPointer) -> UnsafeMutablePointer<UInt16> {
        plane.assumingMemoryBound(to: UInt16.self)
    }

    /// A premultiplied value of eight bits as one of sixteen that is not.
    private static func divided(_ value: UInt8, by alpha: UInt8) -> UInt16 {
        let alpha = UInt32(alpha)
        return UInt16(min((UInt32(value) * 65_535 + alpha / 2) / alpha, 65_535))
    }

    private static func multiplied(_ value: UInt16, by alpha: UInt8) -> UInt8 {
        UInt8((UInt32(value) * UInt32(alpha) + 32_767) / 65_535)
    }

    /// One batch of pixels in red, green and blue.
    private static func row(_ colour: ColourDescription) -> zimg_image_format {
        var format = zimg_image_format()
        zimg_image_format_default(&format, marquee_zimg_version)
        (format.width, format.height) = (UInt32(batch), 1)
        format.pixel_type = ZIMG_PIXEL_WORD
        format.depth = 16
        format.color_family = ZIMG_COLOR_RGB
        format.describe(colour)
        format.matrix_coefficients = ZIMG_MATRIX_RGB
        format.pixel_range = ZIMG_RANGE_FULL
        return format
    }
}
