/// The picture that a card in memory sends to its screen, made from the properties of its planes in floating point, as display hardware does.
struct SoftwareCardScreen {
    /// Red, green, blue and alpha, 0…255.
    typealias Colour = SIMD4<Double>

    private let planes: [Plane]

    /// - Parameter crtc: the index of the CRTC.
    init(_ card: SoftwareCard, crtc: Int = 0) { planes = card.shownPlanes(crtc: crtc).map { Plane($0, card) } }

    /// All pixels, row by row, above black.
    func pixels(width: Int, height: Int) -> [Colour] {
        (0..<width * height).map { pixel($0 % width, $0 / width) }
    }

    func pixel(_ x: Int, _ y: Int) -> Colour {
        var colour = Colour(0, 0, 0, 255)
        for plane in planes { colour = plane.blend(over: colour, x, y) }
        return colour
    }

    /// One plane with the bytes of its picture.
    private struct Plane {
        let shown: SoftwareCard.ShownPlane
        let samples: [[UInt8]]
        let pitches: [Int]
        let isYUV, isInterleaved, hasAlpha: Bool
        /// Of one sample. Those of two bytes are given in units of eight bits.
        let sampleBytes: Int

        init(_ shown: SoftwareCard.ShownPlane, _ card: SoftwareCard) {
            self.shown = shown
            let picture = shown.framebuffer
            let format = shown.format
            let (rows, chromaRows) = (Int(picture.height), Int(picture.height + 1) / 2)
            let all =
                ["NV12": [rows, chromaRows], "P010": [rows, chromaRows], "YU12": [rows, chromaRows, chromaRows]][format] ?? [rows]
            pitches = picture.pitches.map { Int($0) }
            samples = all.enumerated().map { index, rows in
                card.bytes(at: picture.offsets[index], count: rows * Int(picture.pitches[index]))
            }
            (isYUV, isInterleaved, hasAlpha) = (all.count > 1, format == "NV12" || format == "P010", format == "AR24")
            sampleBytes = format == "P010" ? 2 : 1
        }

        /// A pixel of the screen with this plane above what is below it.
        func blend(over below: Colour, _ x: Int, _ y: Int) -> Colour {
            guard (shown.left..<shown.left + shown.wide).contains(x), (shown.top..<shown.top + shown.high).contains(y) else {
                return below
            }
            let isSideways = shown.rotation & 0b1010 != 0
            let (column, row) = upright(x - shown.left, y - shown.top)
            let across = Self.place(column, isSideways ? shown.high : shown.wide, shown.x, shown.width)
            let down = Self.place(row, isSideways ? shown.wide : shown.high, shown.y, shown.height)
            let above =
                colour(across.first, down.first) * (1 - across.share) + colour(across.second, down.first) * across.share
            let under =
                colour(across.first, down.second) * (1 - across.share) + colour(across.second, down.second) * across.share
            let pixel = above * (1 - down.share) + under * down.share
            let plane = Double(shown.alpha) / 65_535
            // Colours are multiplied by their alpha already.
            return pixel * plane + below * (1 - plane * pixel.w / 255)
        }

        /// The pixel of the upright picture, at its size on the screen, that is seen at a place of the plane. The kernel's property turns to the left
        /// (drm_mode.h), after it has mirrored.
        private func upright(_ x: Int, _ y: Int) -> (column: Int, row: Int) {
            let (right, bottom) = (shown.wide - 1, shown.high - 1)
            switch shown.rotation {
            case 0b10: return (bottom - y, x)
            case 0b100, 0b11_0001: return (right - x, bottom - y)
            case 0b1000: return (y, right - x)
            default: return (x, y)
            }
        }

        /// Bilinear, inside the part of the picture that is shown.
        private static func place(
            _ pixel: Int, _ length: Int, _ start: Int, _ part: Int
        ) -> (first: Int, second: Int, share: Double) {
            let exact = (Double(pixel) + 0.5) * Double(part) / Double(length) - 0.5
            let whole = Int(exact.rounded(.down))
            return (start + min(max(whole, 0), part - 1), start + min(max(whole + 1, 0), part - 1), exact - Double(whole))
        }

        private func sample(_ plane: Int, _ offset: Int) -> Double {
            if sampleBytes == 1 { return Double(samples[plane][offset]) }
            return Double(UInt16(samples[plane][offset]) | UInt16(samples[plane][offset + 1]) << 8) / 256
        }

        /// A pixel of the picture; chroma is repeated.
        private func colour(_ x: Int, _ y: Int) -> Colour {
            guard isYUV else {
                let offset = y * pitches[0] + x * 4
                let alpha = hasAlpha ? Double(samples[0][offset + 3]) : 255
                return Colour(Double(samples[0][offset + 2]), Double(samples[0][offset + 1]), Double(samples[0][offset]), alpha)
            }
            let luma = sample(0, y * pitches[0] + x * sampleBytes)
            let chroma = isInterleaved ? y / 2 * pitches[1] + x / 2 * 2 * sampleBytes : y / 2 * pitches[1] + x / 2
            let cb = sample(1, chroma) - 128
            let cr = (isInterleaved ? sample(1, chroma + sampleBytes) : sample(2, y / 2 * pitches[2] + x / 2)) - 128
            let (kr, kb): (Double, Double)
            switch shown.encoding {
            case 0: (kr, kb) = (0.299, 0.114)
            case 1: (kr, kb) = (0.2126, 0.0722)
            default: (kr, kb) = (0.2627, 0.0593)
            }
            let bright = shown.range == 1 ? luma / 255 : (luma - 16) / 219
            let span = shown.range == 1 ? 255.0 : 224.0
            let red = bright + 2 * (1 - kr) * cr / span
            let blue = bright + 2 * (1 - kb) * cb / span
            let green = (bright - kr * red - kb * blue) / (1 - kr - kb)
            let colour = Colour(red, green, blue, 1) * 255
            return colour.clamped(lowerBound: Colour(repeating: 0), upperBound: Colour(repeating: 255))
        }
    }
}
