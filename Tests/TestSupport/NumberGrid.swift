import MediaModel

/// A picture that contains its frame number: eight columns by four rows of black and white fields, with the number's sixteen bits
/// above and their complements below. It survives any codec, size and scaling, and can be read from any picture that it fills.
package enum NumberGrid {
    static let columns = 8
    static let rows = 4

    /// The luma plane of a frame, then two grey chroma planes with each dimension halved and rounded up.
    package static func picture(_ number: Int, width: Int, height: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        let chroma = (width + 1) / 2 * ((height + 1) / 2)
        bytes.reserveCapacity(width * height + 2 * chroma)
        for row in 0..<height {
            for column in 0..<width {
                let cell = row * rows / height * columns + column * columns / width
                bytes.append(isWhite(cell, number) ? 200 : 40)
            }
        }
        return bytes + [UInt8](repeating: 128, count: 2 * chroma)
    }

    /// Reads the number of a picture that the grid fills; nil when there is none, or when it is damaged.
    package static func number(in pixels: PixelBuffer) -> Int? { number(of: levels(in: pixels)) }

    /// The number that the levels of the fields of a picture say.
    package static func number(of levels: [Double]) -> Int? {
        // Every bit occurs once plain and once inverted, so half of all fields are white.
        let threshold = levels.reduce(0, +) / Double(levels.count)
        guard levels.allSatisfy({ abs($0 - threshold) > 30 }) else { return nil }
        let number = (0..<16).reduce(0) { $0 << 1 | (levels[$1] > threshold ? 1 : 0) }
        return (0..<rows * columns).allSatisfy { isWhite($0, number) == (levels[$0] > threshold) } ? number : nil
    }

    /// The luma in the middle of each field, row by row.
    package static func levels(in pixels: PixelBuffer) -> [Double] {
        let area = PixelRect(x: 0, y: 0, width: pixels.width, height: pixels.height)
        return (0..<rows * columns).map { cell in
            let (row, column) = (Double(cell / columns), Double(cell % columns))
            return LumaReader.mean(
                pixels, area, x: (column + 0.3) / Double(columns)..<(column + 0.7) / Double(columns),
                y: (row + 0.3) / Double(rows)..<(row + 0.7) / Double(rows))
        }
    }

    private static func isWhite(_ cell: Int, _ number: Int) -> Bool {
        let bit = number >> (15 - cell % 16) & 1 == 1
        return cell < 16 ? bit : !bit
    }
}
