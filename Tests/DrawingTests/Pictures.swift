import CPangoCairo
import Glibc
import MediaModel

@testable import Drawing

/// Compares pictures. Slow work is left to Cairo and the C library, for debug builds.
extension PixelBuffer {
    /// The fraction of pixels in which a channel differs by more than the tolerance.
    func partThatDiffers(from other: PixelBuffer, byMoreThan tolerance: Int) -> Double {
        guard width == other.width, height == other.height else { return 1 }
        var count = 0
        withBytes { one in
            other.withBytes { two in
                for row in 0..<height {
                    let left = one.baseAddress! + planes[0].offset + row * planes[0].stride
                    let right = two.baseAddress! + other.planes[0].offset + row * other.planes[0].stride
                    guard memcmp(left, right, width * 4) != 0 else { continue }
                    let first = left.assumingMemoryBound(to: UInt8.self), second = right.assumingMemoryBound(to: UInt8.self)
                    for column in 0..<width where memcmp(first + column * 4, second + column * 4, 4) != 0 {
                        for channel in 0..<3
                        where abs(Int(first[column * 4 + channel]) - Int(second[column * 4 + channel])) > tolerance {
                            count += 1
                            break
                        }
                    }
                }
            }
        }
        return Double(count) / Double(width * height)
    }

    /// How many pixels of either picture have a channel that is not near the other picture's: outside of what the pixel and its eight neighbours have there, by more
    /// than the tolerance and half of their range. Letters that start at another fraction of a pixel are near; other letters, places and colours are not.
    func pixelsThatAreNotNear(_ other: PixelBuffer, tolerance: Int) -> Int {
        guard width == other.width, height == other.height else { return width * height }
        return withBytes { one in
            other.withBytes { two in
                (0..<height).reduce(0) { count, row in
                    let left = one.baseAddress! + planes[0].offset + row * planes[0].stride
                    let right = two.baseAddress! + other.planes[0].offset + row * other.planes[0].stride
                    guard memcmp(left, right, width * 4) != 0 else { return count }
                    return count
                        + (0..<width).count { column in
                            (0..<3).contains { channel in
                                let values = (
                                    Int(left.load(fromByteOffset: column * 4 + channel, as: UInt8.self)),
                                    Int(right.load(fromByteOffset: column * 4 + channel, as: UInt8.self))
                                )
                                guard abs(values.0 - values.1) > tolerance else { return false }
                                return !other.isNear(values.0, two, column, row, channel, tolerance)
                                    || !isNear(values.1, one, column, row, channel, tolerance)
                            }
                        }
                }
            }
        }
    }

    private func isNear(
        _ value: Int, _ bytes: UnsafeRawBufferPointer, _ x: Int, _ y: Int, _ channel: Int, _ tolerance: Int
    ) -> Bool {
        var (least, most) = (255, 0)
        for row in max(y - 1, 0)...min(y + 1, height - 1) {
            for column in max(x - 1, 0)...min(x + 1, width - 1) {
                let found = Int(bytes[planes[0].offset + row * planes[0].stride + column * 4 + channel])
                (least, most) = (min(least, found), max(most, found))
            }
        }
        let reach = tolerance + min((most - least) / 2, 50)
        return value >= least - reach && value <= most + reach
    }

    /// The same picture in another size, each pixel the mean of its area.
    func scaled(width: Int, height: Int) throws -> PixelBuffer {
        let small = try MemoryAllocator().makeBuffer(format: .argb8888, width: width, height: height)
        let surface = try Surface(small)
        guard let source = SourceSurface(self) else { return small }
        cairo_scale(surface.context, Double(width) / Double(self.width), Double(height) / Double(self.height))
        cairo_set_source_surface(surface.context, source.surface, 0, 0)
        cairo_pattern_set_filter(cairo_get_source(surface.context), CAIRO_FILTER_BEST)
        cairo_paint(surface.context)
        return small
    }

    /// The mean colours of 16x9 blocks, row by row: red, green and blue of each.
    func blocks() throws -> [[UInt8]] {
        var small = self
        // Half by half, because Cairo looks at no more than 16 pixels in a row.
        while small.width > 256 {
            let half = try MemoryAllocator().makeBuffer(format: .argb8888, width: small.width / 2, height: small.height / 2)
            let surface = try Surface(half)
            guard let source = SourceSurface(small) else { return [] }
            cairo_scale(surface.context, 0.5, 0.5)
            cairo_set_source_surface(surface.context, source.surface, 0, 0)
            cairo_pattern_set_filter(cairo_get_source(surface.context), CAIRO_FILTER_BILINEAR)
            cairo_paint(surface.context)
            small = half
        }
        small = try small.scaled(width: 16, height: 9)
        return small.withBytes { bytes in
            (0..<9).map { row in
                (0..<16).flatMap { column in
                    // Blue, green, red, alpha.
                    let place = small.planes[0].offset + row * small.planes[0].stride + column * 4
                    return [bytes[place + 2], bytes[place + 1], bytes[place]]
                }
            }
        }
    }

    /// The expected picture, the actual one, and their difference, side by side.
    func beside(_ wanted: PixelBuffer) throws -> PixelBuffer {
        let sheet = try MemoryAllocator().makeBuffer(
            format: .argb8888, width: wanted.width + 2 * width + 16, height: max(height, wanted.height))
        let surface = try Surface(sheet)
        guard let left = SourceSurface(wanted), let right = SourceSurface(self) else { return sheet }
        let context = surface.context
        cairo_set_source_surface(context, left.surface, 0, 0)
        cairo_paint(context)
        cairo_set_source_surface(context, right.surface, Double(wanted.width + 8), 0)
        cairo_paint(context)
        cairo_translate(context, Double(wanted.width + width + 16), 0)
        cairo_rectangle(context, 0, 0, Double(width), Double(height))
        cairo_clip(context)
        cairo_set_source_surface(context, left.surface, 0, 0)
        cairo_paint(context)
        cairo_set_operator(context, CAIRO_OPERATOR_DIFFERENCE)
        cairo_set_source_surface(context, right.surface, 0, 0)
        cairo_paint(context)
        // Make small differences visible.
        cairo_set_operator(context, CAIRO_OPERATOR_COLOR_DODGE)
        cairo_set_source_rgb(context, 0.8, 0.8, 0.8)
        cairo_paint(context)
        return sheet
    }
}
