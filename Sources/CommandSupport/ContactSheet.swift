import MediaModel

/// Several pictures on one, four per row, each a quarter as wide.
package struct ContactSheet {
    package init() {}

    private var cells: [PixelBuffer] = []
    private static let columns = 4, factor = 4, gap = 8

    /// Adds a picture; all have the same size.
    package mutating func add(_ picture: PixelBuffer) {
        if let small = try? Self.shrink(picture) { cells.append(small) }
    }

    /// The whole sheet; nil while there is no picture.
    package func picture() throws(MediaError) -> PixelBuffer? {
        guard let first = cells.first else { return nil }
        let rows = (cells.count + Self.columns - 1) / Self.columns
        let width = Self.columns * (first.width + Self.gap) + Self.gap, height = rows * (first.height + Self.gap) + Self.gap
        let sheet = try MemoryAllocator().makeBuffer(format: .xrgb8888, width: width, height: height)
        sheet.withMutableBytes { bytes in
            bytes.initializeMemory(as: UInt8.self, repeating: 255)
            for (index, cell) in cells.enumerated() {
                let x = Self.gap + index % Self.columns * (cell.width + Self.gap)
                let y = Self.gap + index / Self.columns * (cell.height + Self.gap)
                cell.withBytes { source in
                    for row in 0..<cell.height {
                        let from = source.baseAddress! + cell.planes[0].offset + row * cell.planes[0].stride
                        (bytes.baseAddress! + sheet.planes[0].offset + (y + row) * sheet.planes[0].stride + x * 4)
                            .copyMemory(from: from, byteCount: cell.width * 4)
                    }
                }
            }
        }
        return sheet
    }

    /// Each pixel is the mean of those that it replaces.
    private static func shrink(_ picture: PixelBuffer) throws(MediaError) -> PixelBuffer {
        let small = try MemoryAllocator().makeBuffer(
            format: .xrgb8888, width: picture.width / factor, height: picture.height / factor)
        picture.withBytes { source in
            small.withMutableBytes { target in
                for y in 0..<small.height {
                    for x in 0..<small.width {
                        for channel in 0..<4 {
                            var sum = 0
                            for row in y * factor..<(y + 1) * factor {
                                let line = picture.planes[0].offset + row * picture.planes[0].stride + x * factor * 4 + channel
                                for column in 0..<factor { sum += Int(source[line + column * 4]) }
                            }
                            target[small.planes[0].offset + y * small.planes[0].stride + x * 4 + channel] = UInt8(
                                sum / (factor * factor))
                        }
                    }
                }
            }
        }
        return small
    }
}
