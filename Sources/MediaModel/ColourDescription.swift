/// The colour properties of a picture, as its stream or its container states them (ITU-T H.273).
package struct ColourDescription: Sendable, Hashable {
    /// The matrix from luma and chroma to RGB.
    package enum Matrix: String, Sendable, Hashable { case bt601, bt709, bt2020 }
    /// The colours of red, green, blue and white.
    package enum Primaries: String, Sendable, Hashable {
        /// BT.601 with 525 lines, SMPTE 170M.
        case bt601
        /// BT.601 with 625 lines, BT.470 B/G.
        case bt470bg
        case bt709
        case bt2020
        /// SMPTE EG 432-1, with the white of daylight.
        case displayP3

        /// Whether a screen of BT.709 cannot show all of its colours.
        package var isWide: Bool { self == .bt2020 || self == .displayP3 }
    }
    /// From code values to light.
    package enum Transfer: String, Sendable, Hashable {
        /// A gamma curve, BT.1886: standard dynamic range.
        case standard
        /// SMPTE ST 2084: code values are absolute luminances up to 10,000 cd/m².
        case pq
        /// Hybrid log-gamma of ARIB STD-B67 and BT.2100: relative to the peak of the screen.
        case hlg
    }

    package var matrix: Matrix
    /// Whether all code values are used; otherwise 16…235 of 255.
    package var isFullRange: Bool
    package var primaries: Primaries
    package var transfer: Transfer
    /// What is known of the light of the programme; nil for standard dynamic range and where nothing is stated.
    package var light: LightMetadata?

    /// That of high definition in a standard range.
    package static let standardRange = ColourDescription(matrix: .bt709, isFullRange: false)

    /// Whether it has a high dynamic range.
    package var isHDR: Bool { transfer != .standard }

    /// - Parameter primaries: nil for those that belong to the matrix.
    package init(
        matrix: Matrix, isFullRange: Bool, primaries: Primaries? = nil, transfer: Transfer = .standard,
        light: LightMetadata? = nil
    ) {
        self.matrix = matrix
        self.isFullRange = isFullRange
        self.primaries = primaries ?? (matrix == .bt2020 ? .bt2020 : matrix == .bt601 ? .bt601 : .bt709)
        self.transfer = transfer
        self.light = light
    }

    /// The range in which a screen can show it unchanged; nil for a standard range, and for a high one with other primaries than those of BT.2020.
    package var highRange: HighDynamicRange? {
        guard primaries == .bt2020 else { return nil }
        return switch transfer {
        case .standard: nil
        case .pq: .pq
        case .hlg: .hlg
        }
    }
}

/// The light for which a programme was made, in the units of HDMI's static metadata (CTA-861.3): the mastering display of SMPTE ST 2086, and the
/// programme's brightest picture and pixel.
package struct LightMetadata: Sendable, Hashable {
    /// A colour by its CIE 1931 coordinates, in units of 0.00002: 0…50,000.
    package struct Chromaticity: Sendable, Hashable {
        package let x, y: UInt16

        /// - Returns: nil if a coordinate is above 1.
        package init?(x: UInt16, y: UInt16) {
            guard x <= 50_000, y <= 50_000 else { return nil }
            self.x = x
            self.y = y
        }
    }
    /// The gamut of the mastering display.
    package struct Gamut: Sendable, Hashable {
        package let red, green, blue, white: Chromaticity

        package init(red: Chromaticity, green: Chromaticity, blue: Chromaticity, white: Chromaticity) {
            self.red = red
            self.green = green
            self.blue = blue
            self.white = white
        }
    }

    /// Nil when it is not stated.
    package var gamut: Gamut?
    /// The peak of the mastering display in cd/m²: 1…10,000; nil when it is not stated.
    package private(set) var peak: UInt16?
    /// Its black in units of 0.0001 cd/m²; nil when it is not stated.
    package var black: UInt16?
    /// The brightest pixel of the programme in cd/m² (MaxCLL): 1…10,000; nil when it is not stated.
    package private(set) var brightestPixel: UInt16?
    /// The highest average of a picture in cd/m² (MaxFALL): 1…10,000; nil when it is not stated.
    package private(set) var brightestAverage: UInt16?

    /// Luminances of 0, or beyond the 10,000 cd/m² of SMPTE ST 2084, count as not stated.
    ///
    /// - Returns: nil when nothing is stated.
    package init?(gamut: Gamut?, peak: Int?, black: UInt16?, brightestPixel: Int?, brightestAverage: Int?) {
        func luminance(_ value: Int?) -> UInt16? { value.flatMap { (1...10_000).contains($0) ? UInt16($0) : nil } }
        self.gamut = gamut
        self.peak = luminance(peak)
        self.black = black
        self.brightestPixel = luminance(brightestPixel)
        self.brightestAverage = luminance(brightestAverage)
        guard gamut != nil || self.peak != nil || self.brightestPixel != nil || self.brightestAverage != nil else { return nil }
    }
}
