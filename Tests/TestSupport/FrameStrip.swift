import MediaModel

/// The content of the strip at the top of the demo content's pictures; its layout is specified in Tests/Fixtures/README.md.
package struct FrameStrip: Sendable, Hashable {
    /// The clip; 64 and up are advertisements.
    package let clip: Int
    /// The number of the frame within its clip.
    package let frame: Int

    package init(clip: Int, frame: Int) {
        self.clip = clip
        self.frame = frame
    }

    /// Reads the strip of a picture; nil when there is none, or when it is damaged.
    ///
    /// - Parameter area: the video within the picture; nil when it fills it.
    package init?(_ pixels: PixelBuffer, in area: PixelRect? = nil) {
        let area = area ?? PixelRect(x: 0, y: 0, width: pixels.width, height: pixels.height)
        let levels = (0..<40).map { cell in
            LumaReader.mean(
                pixels, area, x: (Double(cell) + 0.25) / 40..<(Double(cell) + 0.75) / 40, y: 0.25 / 18..<0.75 / 18)
        }
        let black = (levels[1] + levels[38]) / 2
        let white = (levels[0] + levels[39]) / 2
        let contrast = white - black
        guard contrast >= 64 else { return nil }
        let threshold = (white + black) / 2
        guard levels.allSatisfy({ abs($0 - threshold) >= contrast / 4 }) else { return nil }
        func number(_ cells: Range<Int>) -> Int { cells.reduce(0) { $0 << 1 | (levels[$1] > threshold ? 1 : 0) } }
        let (clip, frame) = (number(2..<10), number(10..<30))
        guard number(30..<38) == Self.checkSum(clip: clip, frame: frame), levels[38] < threshold, levels[39] > threshold else {
            return nil
        }
        self.init(clip: clip, frame: frame)
    }

    static func checkSum(clip: Int, frame: Int) -> Int {
        (165 + clip + 3 * (frame % 256) + 5 * (frame / 256 % 256) + 7 * (frame / 65536)) % 256
    }

    /// Whether the flash of a whole second is lit in a picture.
    package static func flashes(_ pixels: PixelBuffer, in area: PixelRect? = nil) -> Bool {
        let area = area ?? PixelRect(x: 0, y: 0, width: pixels.width, height: pixels.height)
        return LumaReader.mean(pixels, area, x: 0.875..<0.925, y: 5.0 / 24..<7.0 / 24) > 128
    }
}

/// Mean brightness of a part of a picture, 0…255, from the luma plane or from RGB.
enum LumaReader {
    static func mean(_ pixels: PixelBuffer, _ area: PixelRect, x: Range<Double>, y: Range<Double>) -> Double {
        let left = area.x + Int((x.lowerBound * Double(area.width)).rounded())
        let right = max(area.x + Int((x.upperBound * Double(area.width)).rounded()), left + 1)
        let top = area.y + Int((y.lowerBound * Double(area.height)).rounded())
        let bottom = max(area.y + Int((y.upperBound * Double(area.height)).rounded()), top + 1)
        guard left >= 0, top >= 0, right <= pixels.width, bottom <= pixels.height else { return 0 }
        let plane = pixels.planes[0]
        return pixels.withBytes { bytes in
            /// The mean of one byte of each pixel. Tests read some thousand pixels of every picture, and are built without optimisation: there a loop over a range,
            /// and a conversion of each byte to `Double`, cost more than all else.
            func mean(_ byte: Int, of size: Int) -> Double {
                var (sum, row) = (0, top)
                while row < bottom {
                    var place = plane.offset + row * plane.stride + left * size + byte
                    let end = place + (right - left) * size
                    while place < end {
                        sum += Int(bytes[place])
                        place += size
                    }
                    row += 1
                }
                return Double(sum) / Double((right - left) * (bottom - top))
            }
            switch pixels.format {
            case .yuv420p, .nv12, .yuv422p, .yuv444p: return mean(0, of: 1)
            case .yuv420p10: return (mean(0, of: 2) + 256 * mean(1, of: 2)) / 4
            case .p010: return (mean(0, of: 2) + 256 * mean(1, of: 2)) / 256
            case .xrgb8888, .argb8888: return 0.0722 * mean(0, of: 4) + 0.7152 * mean(1, of: 4) + 0.2126 * mean(2, of: 4)
            }
        }
    }
}
